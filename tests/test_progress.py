"""Long work reports how far it is and can be interrupted."""

import signal
import subprocess
import sys
from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest

from rosenblatt import (
    AveragedPerceptron,
    BatchPerceptron,
    ParameterError,
    Perceptron,
    PocketPerceptron,
    Progress,
    VotedPerceptron,
)
from tests.examples import LECTURE_X, LECTURE_Y, RULES, WAYS, fit, random_data

LEARNERS = [
    *[Perceptron(rule=rule, max_updates=200, random_state=0) for rule in RULES],
    Perceptron(max_epochs=5),
    PocketPerceptron(max_updates=200, random_state=0),
    BatchPerceptron(max_epochs=9),
    VotedPerceptron(epochs=3),
    AveragedPerceptron(epochs=3),
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
    assert told[-1] == Progress(n_updates=11, n_epochs=3, share=1.0)


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
