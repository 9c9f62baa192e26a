"""While a file is written, and whatever happens then, the old file or the new one is there."""

import errno
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rosenblatt import ModelFileError, Perceptron, ThresholdUnit, load, save
from rosenblatt.model_file import describe, read_model
from tests.model_file.samples import NAMES, sample

OLD, NEW = ThresholdUnit([0.0, 1.0]), ThresholdUnit([0.0, 2.0])


def failing(name, code, monkeypatch):
    def fail(*_, **__):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, name, fail)


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EACCES])
def test_an_error_while_writing_leaves_the_old_file_alone(tmp_path, monkeypatch, step, code):
    path = tmp_path / "m.rosenblatt"
    save(OLD, path)
    with monkeypatch.context() as patch:
        failing(step, code, patch)
        with pytest.raises(ModelFileError, match=f"cannot be written: {os.strerror(code)}"):
            save(NEW, path)
    assert load(path).weights == OLD.weights
    assert [found.name for found in tmp_path.iterdir()] == ["m.rosenblatt"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    path, real = tmp_path / "m.rosenblatt", os.open

    def full(name, flags, *mode):
        if flags & os.O_CREAT:  # the file beside is made, but every write to it fails
            os.close(real(name, flags, *mode))
            return real("/dev/full", os.O_WRONLY)
        return real(name, flags, *mode)

    save(OLD, path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", full)
        with pytest.raises(ModelFileError, match="cannot be written: No space left on device"):
            save(NEW, path)
    assert load(path).weights == OLD.weights
    assert len(list(tmp_path.iterdir())) == 1


def test_an_interrupt_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    save(OLD, tmp_path / "m")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(NEW, tmp_path / "m")
    assert len(list(tmp_path.iterdir())) == 1


# One start, and a fork for each line of standard input: loading takes longer than all the rest
SAVER = """
import itertools, os, sys, numpy as np
from rosenblatt import ThresholdUnit, save
save(ThresholdUnit([1, 1]), sys.argv[1])
for _ in sys.stdin:
    process = os.fork()
    for k in itertools.count() if process == 0 else ():
        save(ThresholdUnit(np.full(200_000, float(k))), sys.argv[1])
        if k == 0:
            print("saver", os.getpid(), flush=True)
    print("ended", os.waitpid(process, 0)[1], flush=True)
"""


def test_a_kill_while_saving_leaves_a_whole_file(tmp_path):
    path, random = tmp_path / "m.rosenblatt", np.random.default_rng(0)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen([sys.executable, "-c", SAVER, path], **pipes) as savers:
        for _ in range(4):
            savers.stdin.write("save\n")
            word, saver = savers.stdout.readline().split()
            assert word == "saver"
            time.sleep(random.random() * 0.05)
            os.kill(int(saver), signal.SIGKILL)
            assert savers.stdout.readline() == f"ended {int(signal.SIGKILL)}\n"
            weights = load(path).weights
            assert len(weights) == 200_000
            assert (weights == weights[0]).all()


def test_a_folder_that_is_not_there_or_is_the_target_is_called_so(tmp_path):
    with pytest.raises(ModelFileError, match="cannot be written: No such file"):
        save(OLD, tmp_path / "no" / "m")
    with pytest.raises(ModelFileError, match="is no plain file"):
        save(OLD, tmp_path)


def test_a_link_stays_a_link_and_rights_are_those_of_any_file(tmp_path):
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    save(OLD, link)
    assert link.is_symlink()
    assert load(target).weights == OLD.weights
    (tmp_path / "plain").touch()
    assert target.stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("name", NAMES)
def test_the_text_names_everything(tmp_path, name):
    model = sample(name)
    save(model, tmp_path / "m", made={"rows": 17, "by": {"command": "fit\x1b[2J"}})
    text = describe(tmp_path / "m")
    assert text.splitlines()[0] == type(model).__name__
    for attribute in {**model.get_params(deep=False), **vars(model)}:
        assert attribute == "steps" or f"{attribute}: " in text or f"{attribute}:\n" in text
    assert "rows: 17" in text
    assert "\x1b" not in text


def test_the_text_shows_small_arrays_whole_and_the_ends_of_large_ones(tmp_path):
    random = np.random.default_rng(0)
    X = random.standard_normal((40, 3))
    save(Perceptron().fit(X, X[:, 0] > 0), tmp_path / "small")
    text, model = describe(tmp_path / "small"), load(tmp_path / "small")
    assert all(repr(float(w)) in text for w in model.coef_.ravel())
    save(ThresholdUnit(np.arange(1000.0)), tmp_path / "large")
    text = describe(tmp_path / "large")
    assert "995. 996. 997. 998. 999." in text
    assert " 500. " not in text
    assert read_model(tmp_path / "large").made == {}


def test_the_text_names_the_words(tmp_path):
    save(sample("Pipeline"), tmp_path / "m")
    assert all(f"'{word}'" in describe(tmp_path / "m") for word in ("prize", "noon", "ss", "ж"))
