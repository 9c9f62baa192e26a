"""What tests of any room may ask for."""

import signal

import pytest

from tests.hand_clock import HandClock

# For type checkers: half of its lines are mistakes on purpose
collect_ignore = ["users_file.py"]


@pytest.fixture
def clock(monkeypatch):
    """Put a clock of the test's own in the place of the one that time limits count by."""
    hand = HandClock()
    monkeypatch.setattr("rosenblatt.kernels.compiler.time", hand)
    return hand


@pytest.fixture
def at_a_terminal():
    """Ctrl-C as at a terminal: what a shell runs in the background ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
