"""Notes and bars go to standard error, bars to a terminal only."""

import contextlib
import io

import numpy as np
import pytest

from rosenblatt.cli import speaking


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Timer:
    """Stands in for a timer of threading: it rings when it is started, or never."""

    def __init__(self, seconds, ring):
        self.ring = ring

    def start(self):
        self.ring()

    def cancel(self):
        pass


class LateTimer(Timer):
    def start(self):
        pass


@pytest.mark.parametrize("screen", [Terminal(), io.StringIO()])
def test_long_work_has_a_bar_on_a_terminal_only(monkeypatch, screen):
    monkeypatch.setattr(speaking.threading, "Timer", Timer)
    monkeypatch.setenv("TERM", "xterm")
    with contextlib.redirect_stderr(screen), speaking.long_work() as tell:
        tell("learning", 0.0)
        tell("learning", 0.25)
        tell("learning", 1.5)
    assert ("learning" in screen.getvalue()) == screen.isatty()


def test_short_work_has_no_bar(monkeypatch):
    monkeypatch.setattr(speaking.threading, "Timer", LateTimer)
    with contextlib.redirect_stderr(Terminal()) as screen, speaking.long_work() as tell:
        tell("learning", 0.5)
    assert screen.getvalue() == ""


def test_a_note_is_one_line_and_told_once(capsys):
    speaking.tell_notes(["guessed\n  this", "and that", "and that"])
    assert capsys.readouterr().err == "note: guessed this\nnote: and that\n"


def test_json_has_no_numbers_that_json_does_not_know(capsys):
    speaking.say_json({"a": np.array([1.0, np.nan]), "b": (np.int64(3), float("inf")), 4: None})
    assert capsys.readouterr().out == '{"a": [1.0, null], "b": [3, null], "4": null}\n'
