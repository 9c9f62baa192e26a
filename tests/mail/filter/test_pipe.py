"""No message is lost, whatever fails."""

import io
import os
import signal

import pytest

from rosenblatt.mail.filter import pipe
from rosenblatt.mail.filter.pipe import TRY_AGAIN, pass_on

MAIL = b"Subject: a\r\n\r\n\xff\0text\n" * 3


@pytest.fixture(autouse=True)
def _signals_as_before():
    before = {name: signal.getsignal(getattr(signal, name)) for name in pipe.ENDINGS}
    yield
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)


def failing(error):
    def change(message):
        raise error

    return change


@pytest.mark.parametrize(
    "error",
    [ValueError("broken"), MemoryError(), RecursionError(), KeyboardInterrupt(), SystemExit(3)],
)
def test_a_message_that_cannot_be_judged_goes_on_as_it_came(error, capsys):
    out = io.BytesIO()
    assert pass_on(io.BytesIO(MAIL), out, failing(error)) == TRY_AGAIN
    assert out.getvalue() == MAIL
    said = capsys.readouterr().err
    assert said.startswith("rosenblatt: ")
    assert said.endswith("; the message is passed on as it came\n")
    assert said.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_who_is_asked_to_stop_passes_the_message_on(number, capsys):
    def change(message):
        os.kill(os.getpid(), number)
        return b"changed"

    out = io.BytesIO()
    assert pass_on(io.BytesIO(MAIL), out, change) == TRY_AGAIN
    assert out.getvalue() == MAIL


def test_a_signal_while_reading_waits_for_the_message():
    class Source(io.BytesIO):
        def read(self, size=-1):
            os.kill(os.getpid(), signal.SIGTERM)
            return super().read(7)

    out = io.BytesIO()
    assert pass_on(Source(MAIL), out, lambda message: b"changed") == TRY_AGAIN
    assert out.getvalue() == MAIL


def test_a_signal_while_writing_does_not_cut_the_message():
    class Target(io.BytesIO):
        def write(self, piece):
            os.kill(os.getpid(), signal.SIGTERM)
            return super().write(piece[:5])

    out = Target()
    assert pass_on(io.BytesIO(MAIL), out, lambda message: b"X: y\n" + message) == 0
    assert out.getvalue() == b"X: y\n" + MAIL


class Full(io.BytesIO):
    def write(self, piece):
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda message: message, "No space left on device"),
        (failing(ValueError("broken")), "broken; No space left on device"),
        (failing(OSError(28, "No space left on device")), "No space left on device"),
    ],
)
def test_an_output_that_fails_is_said(change, reason, capsys):
    assert pass_on(io.BytesIO(MAIL), Full(), change) == TRY_AGAIN
    assert capsys.readouterr().err == (
        f"rosenblatt: {reason}; the message is not passed on, or only a part of it; "
        "try again with all of it\n"
    )


def test_the_end_of_a_very_long_message_goes_on_unseen(monkeypatch):
    monkeypatch.setattr(pipe, "MOST_JUDGED", 20)
    monkeypatch.setattr(pipe, "CHUNK", 10)
    seen, out = [], io.BytesIO()

    def change(message):
        seen.append(message)
        return b"X: y\n" + message

    assert pass_on(io.BytesIO(MAIL), out, change) == 0
    assert seen == [MAIL[:20]]
    assert out.getvalue() == b"X: y\n" + MAIL
