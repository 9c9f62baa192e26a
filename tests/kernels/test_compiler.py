"""Kernels are cached by version, say when they compile, and run as plain Python too."""

import errno
import os
import subprocess
import sys

import pytest

from rosenblatt.kernels.compiler import kernel

FIT = """
from rosenblatt import Perceptron
from rosenblatt.kernels.compiler import telling_of_compilation
with telling_of_compilation(lambda: print("compiling")):
    model = Perceptron(rule={rule!r}, random_state=0).fit([[1], [2], [7], [8]], [0, 0, 1, 1])
print(model.n_updates_, model.coef_[0, 0], model.intercept_[0])
"""


def run(rule="first", **environment):
    answer = subprocess.run(
        [sys.executable, "-c", FIT.format(rule=rule)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return answer.stdout.split()


def test_first_fit_says_once_that_it_compiles_and_the_next_does_not(tmp_path):
    cold, warm = (run(NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert cold == ["compiling", "11", "3.0", "-7.0"]
    assert warm == ["11", "3.0", "-7.0"]


@pytest.mark.soak
def test_cache_folder_that_cannot_be_written_is_no_error(tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert run(NUMBA_CACHE_DIR=str(in_the_way))[-3:] == ["11", "3.0", "-7.0"]


@pytest.mark.soak
def test_kernels_run_as_plain_python():
    assert run(NUMBA_DISABLE_JIT="1") == ["11", "3.0", "-7.0"]
    assert run("random", NUMBA_DISABLE_JIT="1") == run("random")[-3:]


@kernel
def _twice(x):
    return 2 * x


def test_a_full_disk_costs_the_cache_not_the_answer(monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_twice._cache, "_save_overload", fail)
    assert _twice(21) == 42
