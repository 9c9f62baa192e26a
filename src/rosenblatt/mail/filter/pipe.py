"""A message in, the message out: never lost, and never half changed.

The whole message is read before anything is written, and what is written is complete before the
first byte of it goes out. Whatever fails until then, the message goes out as it came in, and the
exit code is 75 (EX_TEMPFAIL of sysexits.h), at which mail systems keep the message and try again.
When the output itself fails, nothing can be saved here: the exit code and one line say so, and the
mail system still has the message.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import BinaryIO

TRY_AGAIN = 75
CHUNK = 1 << 20
MOST_JUDGED = 1 << 26  # bytes; the rest of a longer message is passed on unseen
PASSED_ON = "the message is passed on as it came"
NOT_PASSED_ON = "the message is not passed on, or only a part of it; try again with all of it"
ENDINGS = ("SIGTERM", "SIGINT", "SIGHUP", "SIGXCPU", "SIGALRM")

Change = Callable[[bytes], bytes]


class Stopped(BaseException):
    """Somebody wants the process to end."""


class _Endings:
    """Signals that ask for the end: they stop the judging, and never a message on its way."""

    def __init__(self) -> None:
        self.came, self.may_stop = False, False
        for name in ENDINGS:
            if hasattr(signal, name):
                # only the main thread of a process may ask
                with suppress(ValueError, OSError):
                    signal.signal(getattr(signal, name), self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        if self.may_stop:
            raise Stopped

    def stoppable(self, change: Change, message: bytes) -> bytes:
        """Return the changed message, unless a signal comes."""
        try:
            self.may_stop = True
            if self.came:
                raise Stopped
            return change(message)
        finally:
            self.may_stop = False


def pass_message(change: Change) -> int:
    """Pass the message on standard input on to standard output, changed; return the exit code."""
    # without buffers in between: what fails, fails here and not when Python ends
    with (
        open(0, "rb", buffering=0, closefd=False) as source,
        open(1, "wb", buffering=0, closefd=False) as target,
    ):
        return pass_on(source, target, change)


def deliver_unchanged() -> int:
    """Pass the message on standard input on as it is; return 75, for something failed before."""
    pass_message(lambda raw: raw)
    return TRY_AGAIN


def pass_on(source: BinaryIO, target: BinaryIO, change: Change) -> int:
    r"""Write the message of `source`, changed, to `target`; return the exit code.

    Examples
    --------
    >>> import io
    >>> out = io.BytesIO()
    >>> pass_on(io.BytesIO(b"Subject: Hi"), out, lambda message: b"X: y\n" + message)
    0
    >>> out.getvalue()
    b'X: y\nSubject: Hi'
    """
    endings, reasons = _Endings(), []
    pieces: list[bytes] = []
    outcome = PASSED_ON
    try:
        while sum(map(len, pieces)) < MOST_JUDGED and (piece := source.read(CHUNK)):
            pieces.append(piece)
        message = b"".join(pieces)
        pieces = [endings.stoppable(change, message)]
    except BaseException as error:  # whatever it is, the message comes first
        reasons.append(_reason(error))
    try:
        for piece in pieces:
            _write(target, piece)
        while piece := source.read(CHUNK):
            _write(target, piece)
        target.flush()
    except OSError as error:
        reasons.append(_reason(error))
        outcome = NOT_PASSED_ON
    if reasons:
        # only now it is known what became of the message
        _complain("; ".join([*dict.fromkeys(reasons), outcome]))
    return TRY_AGAIN if reasons else 0


def _write(target: BinaryIO, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        n = target.write(rest)
        rest = rest[n if n is not None else 0 :]


def _reason(error: BaseException) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return "asked to stop" if isinstance(error, Stopped) else " ".join(reason.split())


def _complain(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(f"rosenblatt: {text}\n")
