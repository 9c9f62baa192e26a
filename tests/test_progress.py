"""Long work reports how far it is and can be interrupted."""

import signal
import subprocess
import sys
from copy import deepcopy
from itertools import pairwise
from threading import Event

import numpy as np
import pytest

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    NoProofInTimeError,
    OutOfTimeError,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    Progress,
    ProofError,
    RosenblattError,
    VotedPerceptron,
)
from rosenblatt.progress import Deadline
from tests.examples import LECTURE_X, LECTURE_Y, RULES, WAYS, fit, random_data

LEARNERS = [
    *[Perceptron(rule=rule, max_updates=200, random_state=0) for rule in RULES],
    Perceptron(max_epochs=5),
    PocketPerceptron(max_updates=200, random_state=0),
    BatchPerceptron(max_epochs=9),
    VotedPerceptron(epochs=3, shuffle=False),
    AveragedPerceptron(epochs=3),
    PassiveAggressive(epochs=3),
    AROW(epochs=3),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_the_callback_hears_of_progress_up_to_the_end(model, way, monkeypatch):
    # a slice of few rows, so that there is much to tell
    monkeypatch.setattr("rosenblatt.rows.SLICE", 128)
    data, told = random_data(1, 60, 3, n_classes=3), []
    fit(model.set_params(multiclass=way), data.X, data.y, callback=told.append)
    assert len(told) > 5
    assert all(isinstance(progress, Progress) for progress in told)
    assert told[-1].share == 1.0
    assert told[-1].n_updates == model.n_updates_
    assert all(0.0 <= progress.share <= 1.0 for progress in told)
    for earlier, later in pairwise(told):
        assert earlier.share <= later.share
        assert earlier.n_updates <= later.n_updates


def test_the_callback_hears_of_the_end_even_of_a_short_run():
    told = []
    Perceptron(rule="first").fit(LECTURE_X, LECTURE_Y, callback=told.append)
    last = told[-1]
    assert last == Progress("learning", 1.0, last.seconds, n_updates=11, n_epochs=3)


def test_what_the_callback_raises_ends_the_fit_and_leaves_the_model_alone():
    class StoppedError(Exception):
        pass

    def stop(progress):
        raise StoppedError

    data = random_data(2, 20, 3)
    for model in LEARNERS:
        fit(model.set_params(multiclass="joint"), LECTURE_X, LECTURE_Y)
        before = deepcopy(vars(model))
        with pytest.raises(StoppedError):
            model.fit(data.X, data.y, callback=stop)
        np.testing.assert_equal(vars(model), before)


def test_a_callback_must_be_callable():
    with pytest.raises(ParameterError, match="callback"):
        Perceptron().fit(LECTURE_X, LECTURE_Y, callback=3)


def test_work_is_told_that_its_time_is_over():
    with pytest.raises(OutOfTimeError):
        Deadline(0.0).check()


def test_a_sooner_deadline_ends_with_the_whole():
    now = [0.0]
    whole = Deadline(60.0, lambda: now[0])
    part = whole.within(30.0)
    now[0] = 29.0
    assert part.alive()
    now[0] = 30.0
    assert (part.alive(), whole.alive()) == (False, True)
    left = whole.within(90.0)
    now[0] = 60.0
    assert not left.alive()
    now[0] = 0.0
    whole.cancel()
    assert not part.alive()
    assert not Deadline(-1.0).alive()
    assert Deadline(-1.0).left > 0


def test_without_a_limit_there_is_time_until_somebody_cancels():
    deadline = Deadline()
    assert (deadline.alive(), deadline.left, deadline.share) == (True, float("inf"), 0.0)
    deadline.cancel()
    assert not deadline.alive()


def test_the_share_of_the_time_goes_from_0_to_1():
    now = [7.0]
    deadline = Deadline(4.0, lambda: now[0])
    shares = []
    for now[0] in (7.0, 8.0, 11.0, 20.0):
        shares.append((deadline.spent, deadline.share))
    assert shares == [(0.0, 0.0), (1.0, 0.25), (4.0, 1.0), (13.0, 1.0)]


def test_work_is_left_alone_when_the_time_is_over():
    never = Event()
    with pytest.raises(OutOfTimeError):
        Deadline(0.0).wait(never.wait)
    never.set()


def test_out_of_time_is_one_error_and_that_of_a_proof_is_a_proof_error_too():
    assert issubclass(OutOfTimeError, RosenblattError)
    assert not issubclass(OutOfTimeError, ProofError)
    assert issubclass(NoProofInTimeError, ProofError)
    assert issubclass(NoProofInTimeError, OutOfTimeError)


@pytest.mark.parametrize("name", ["MarginProgress", "MistakesProgress", "ProofProgress"])
def test_names_of_before_are_progress_itself(name):
    assert getattr(rosenblatt, name) is Progress
    assert name not in rosenblatt.__all__


def test_fit_refuses_words_it_does_not_know():
    with pytest.raises(TypeError, match="coef_init"):
        Perceptron().fit(LECTURE_X, LECTURE_Y, coef_init=[0])


# The labels of equal rows contradict each other, and the budget is for hours
LONG_RUN = """
import numpy as np
from rosenblatt import {name}
rng = np.random.default_rng(0)
X = rng.integers(-3, 4, (5000, 3)).astype(float)
y = rng.integers(0, 2, 5000)
said = []
def say(progress):
    if not said:
        said.append(print("running", flush=True))
{name}({parameters}).fit(X, y, callback=say)
"""


@pytest.mark.usefixtures("at_a_terminal")
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("Perceptron", "max_epochs=10**12"),
        pytest.param("Perceptron", "rule='first', max_updates=10**15", marks=pytest.mark.soak),
        pytest.param("Perceptron", "rule='worst', max_updates=10**15", marks=pytest.mark.soak),
        pytest.param("PocketPerceptron", "max_updates=10**15", marks=pytest.mark.soak),
        pytest.param("AveragedPerceptron", "epochs=10**12", marks=pytest.mark.soak),
        pytest.param("BatchPerceptron", "max_epochs=10**12", marks=pytest.mark.soak),
    ],
)
def test_a_long_run_can_be_interrupted(name, parameters):
    code = LONG_RUN.format(name=name, parameters=parameters)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            said = process.stdout.readline()
            process.send_signal(signal.SIGINT)
            # soon is within a tenth of a second; the bound ends a test that would never end
            _, errors = process.communicate(timeout=600)
        finally:
            process.kill()
    assert said == "running\n", errors
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert process.returncode == -signal.SIGINT
