"""Kernels are cached by version, say when they compile, and run as plain Python too."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core import event

from rosenblatt.kernels.compiler import _load_without_the_compiler, kernel

FIT = """
import sys
from rosenblatt import Perceptron
from rosenblatt.kernels.compiler import telling_of_compilation
for rule in sys.argv[1:]:
    with telling_of_compilation(lambda: print("compiling")):
        model = Perceptron(rule=rule, random_state=0).fit([[1], [2], [7], [8]], [0, 0, 1, 1])
    print(model.n_updates_, model.coef_[0, 0], model.intercept_[0])
    print("compiler" if "numba.np.arraymath" in sys.modules else "cache")
"""
ANSWER = ["11", "3.0", "-7.0"]


def run(*rules, **environment):
    answer = subprocess.run(
        [sys.executable, "-c", FIT, *rules],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return answer.stdout.split()


def test_first_fit_says_once_that_it_compiles_and_the_next_does_not(tmp_path):
    cold = run("first", NUMBA_CACHE_DIR=str(tmp_path))
    assert cold == ["compiling", *ANSWER, "compiler"]
    # a process that finds its kernels never loads the compiler
    assert run("first", NUMBA_CACHE_DIR=str(tmp_path)) == [*ANSWER, "cache"]


def test_a_numba_with_other_insides_keeps_its_own_way_to_load():
    class Cache:
        load_overload = "its own way"

    cache = Cache()
    _load_without_the_compiler(cache)
    assert cache.load_overload == "its own way"


@pytest.mark.soak
def test_another_kernel_can_be_compiled_beside_those_of_the_cache(tmp_path):
    run("first", NUMBA_CACHE_DIR=str(tmp_path))
    both = run("first", "cyclic", NUMBA_CACHE_DIR=str(tmp_path))
    assert both[: len(ANSWER) + 2] == [*ANSWER, "cache", "compiling"]
    assert both[-1] == "compiler"


@pytest.mark.soak
def test_cache_folder_that_cannot_be_written_is_no_error(tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert run("first", NUMBA_CACHE_DIR=str(in_the_way))[-4:-1] == ANSWER


@pytest.mark.soak
def test_kernels_run_as_plain_python():
    plain = run("first", "random", NUMBA_DISABLE_JIT="1")
    assert plain[:3] == ANSWER
    assert plain[-4:-1] == run("random")[-4:-1]


@kernel
def _twice(x):
    return 2 * x


def test_a_full_disk_costs_the_cache_not_the_answer(monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_twice._cache, "_save_overload", fail)
    assert _twice(21) == 42


@kernel
def _half(x):
    return x / 2


def flipped(content, random):
    changed = bytearray(content)
    changed[random.randint(len(content))] ^= 1 << random.randint(8)
    return bytes(changed)


DAMAGES = {
    "empty": lambda content, random: b"",
    "cut": lambda content, random: content[: random.randint(len(content))],
    "longer": lambda content, random: content + b"x",
    "another file": lambda content, random: random.bytes(len(content)),
    "one bit": flipped,
    "zeros": lambda content, random: bytes(len(content)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_of_the_cache_that_is_damaged_is_as_good_as_none(damage):
    _half(5.0)
    files, random = _half._cache._cache_file, np.random.RandomState(0)
    (key, name), *_ = files._load_index().items()
    index, data = Path(files._index_path), Path(files._data_path(name))
    for file in (index, data):
        whole = file.read_bytes()
        for _ in range(20):
            file.write_bytes(DAMAGES[damage](whole, random))
            assert files.load(key) is None
        file.write_bytes(whole)
        assert files.load(key) is not None


@pytest.mark.soak
def test_a_damaged_cache_costs_time_only(tmp_path):
    random = np.random.RandomState(0)
    for damage in ("cut", "another file", "one bit"):
        run("first", NUMBA_CACHE_DIR=str(tmp_path))
        for file in sorted(tmp_path.rglob("*.nb[ci]")):
            file.write_bytes(DAMAGES[damage](file.read_bytes(), random))
        assert run("first", NUMBA_CACHE_DIR=str(tmp_path)) == ["compiling", *ANSWER, "compiler"]
        assert run("first", NUMBA_CACHE_DIR=str(tmp_path)) == [*ANSWER, "cache"]


@kernel
def _thrice(x):
    return 3 * x


class _Interrupter(event.Listener):
    """Presses Ctrl-C when compiling begins."""

    def on_start(self, event):
        os.kill(os.getpid(), signal.SIGINT)

    def on_end(self, event):
        pass


@pytest.mark.usefixtures("at_a_terminal")
def test_ctrl_c_is_answered_when_the_kernel_is_loaded(monkeypatch):
    _half(5.0)
    files, loaded = _half._cache._cache_file, []

    def load(key):
        os.kill(os.getpid(), signal.SIGINT)
        loaded.append(len(str(key)))  # not reached if it were answered here
        return

    monkeypatch.setattr(files, "load", load)
    with pytest.raises(KeyboardInterrupt):
        _half._cache.load_overload(_half.signatures[0], _half.targetctx)
    assert len(loaded) == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("at_a_terminal")
def test_ctrl_c_is_answered_when_the_kernel_is_compiled(monkeypatch):
    monkeypatch.setattr(_thrice._cache, "load_overload", lambda *_: None)  # of an earlier run
    with event.install_listener("numba:compile", _Interrupter()), pytest.raises(KeyboardInterrupt):
        _thrice(14)
    assert len(_thrice.signatures) == 1
    assert _thrice(14) == 42
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
