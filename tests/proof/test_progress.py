"""Long proofs tell how they stand, keep their time limit and can be interrupted."""

import signal
import subprocess
import sys
from threading import Event

import pytest

from rosenblatt import Progress, ProofError, prove, read
from rosenblatt.errors import NoProofInTimeError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.kernels.perceptron import count_mistakes
from rosenblatt.progress import Deadline, ProofReporter
from rosenblatt.workflows.fit import fit
from tests.examples import LECTURE_X, LECTURE_Y, XOR_X, XOR_Y, random_data


@pytest.mark.parametrize(("X", "y"), [(XOR_X, XOR_Y), (LECTURE_X, LECTURE_Y)])
def test_the_callback_is_told_up_to_the_check(X, y):
    told = []
    prove(X, y, callback=told.append)
    assert all(isinstance(progress, Progress) for progress in told)
    assert told[-1].stage == "check"
    assert told[-1].n_working == 4
    seconds = [progress.seconds for progress in told]
    assert seconds == sorted(seconds)
    assert seconds[0] >= 0


def test_a_small_question_is_not_told_of_for_long():
    told = []
    prove(XOR_X, XOR_Y, callback=told.append)
    assert len(told) < 1000


@pytest.mark.parametrize(("X", "y"), [(XOR_X, XOR_Y), (LECTURE_X, LECTURE_Y)])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_what_the_callback_raises_ends_the_search(X, y, error):
    def stop(progress):
        raise error

    with pytest.raises(error):
        prove(X, y, callback=stop)


@pytest.mark.parametrize("multiclass", ["one-vs-rest", "one-vs-one"])
def test_a_time_limit_that_is_over_says_so(multiclass):
    data = random_data(0, 200, 5, n_classes=3)
    with pytest.raises(
        ProofError, match=r"within the time limit of 1e-09 s .* a longer time_limit"
    ):
        prove(data.X, data.y, multiclass=multiclass, time_limit=1e-9)


def test_enough_time_changes_nothing():
    assert prove(XOR_X, XOR_Y, time_limit=1000).weights == (1, 1, 1, 1)


def test_work_gives_its_value_or_its_error():
    reporter = ProofReporter(Deadline())
    for short in (True, False):
        assert reporter.wait(lambda: 3, "work", 1, short=short) == 3
        with pytest.raises(ZeroDivisionError):
            reporter.wait(lambda: 1 // 0, "work", 1, short=short)


def test_work_in_a_thread_is_left_when_the_time_is_over(clock):
    never, told = Event(), []

    def tell(progress):
        told.append(progress)
        clock.let_pass(1.5)

    reporter = ProofReporter(Deadline(2, working_time), tell)
    with pytest.raises(NoProofInTimeError, match="at: work, 7 examples"):
        reporter.wait(never.wait, "work", 7, short=False)
    assert [(progress.stage, progress.seconds) for progress in told] == [("work", 0), ("work", 1.5)]
    never.set()


@pytest.fixture
def slow_kernel(monkeypatch):
    """Let something happen at the first call of the kernel that a proof begins with."""
    happened = []

    def put(happen):
        def slowly(*arguments):
            if not happened:
                happened.append(happen())
            return count_mistakes(*arguments)

        monkeypatch.setattr("rosenblatt.proof.rehearsal.count_mistakes", slowly)

    return put


def test_compiling_does_not_count_against_the_time_limit_of_a_proof(clock, slow_kernel):
    slow_kernel(lambda: clock.compile_for(100))
    assert prove(LECTURE_X, LECTURE_Y, time_limit=1).separable


def test_work_as_long_as_that_does_count(clock, slow_kernel):
    slow_kernel(lambda: clock.let_pass(100))
    with pytest.raises(NoProofInTimeError):
        prove(LECTURE_X, LECTURE_Y, time_limit=1)


def test_fit_has_its_verdict_although_the_kernels_of_the_proof_are_compiled(clock, slow_kernel):
    slow_kernel(lambda: clock.compile_for(100))
    assert fit(read("breast-cancer"), prove_seconds=2.0).verdict.separable


# As many examples as a linear program can be busy with for long
LONG_PROOF = """
import numpy as np
from rosenblatt import prove
rng = np.random.default_rng(0)
X, y = rng.normal(size=(3000, 600)), rng.integers(0, 2, 3000)
said = []
def say(progress):
    if progress.stage == "linear program" and not said:
        said.append(print("running", flush=True))
prove(X, y, callback=say)
"""


@pytest.mark.usefixtures("at_a_terminal")
def test_a_long_linear_program_can_be_interrupted():
    with subprocess.Popen(
        [sys.executable, "-c", LONG_PROOF],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
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
