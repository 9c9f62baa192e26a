"""Ask a filter that runs: `mail filter --socket` and what it says to `mail daemon`.

    there   the number of bytes in decimal and a line end, then so many bytes of a message
    back    label, score, the number of bytes and a line end, then the message with its header;
            or `error`, why, and a line end

What comes back is complete or it is not used: its length comes first. Nothing is loaded here but
what a socket needs, for this is started for every message.
"""

from __future__ import annotations

import os
import socket
import stat
from time import monotonic
from typing import NamedTuple

from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail.filter.pipe import pass_message

MOST_SENT = 1 << 24  # bytes, more than are looked at; the rest of a longer message goes on unseen
LONGEST_LINE = 1 << 10  # bytes of the line in front
MOST_HEADER = 1 << 12  # bytes by which a message grows, at most, but for what is renamed in it
PATIENCE = 10.0  # seconds for all of it; then the message goes on unchanged
LABELS = ("spam", "ham", "unsure")
START = "start it with `rosenblatt mail daemon M --socket PATH`"


class Answer(NamedTuple):
    """What a filter that runs says of a message."""

    label: str  # spam, ham or unsure
    score: float
    message: bytes  # with the header


def deliver_by_daemon(path: str) -> tuple[int, Answer | None]:
    """Pass the message on standard input on, as a daemon judges it; return exit code and answer."""
    found: list[Answer] = []

    def change(raw: bytes) -> bytes:
        found.append(ask(path, raw[:MOST_SENT]))
        return found[0].message + raw[MOST_SENT:]

    code = pass_message(change)
    return code, found[0] if found and not code else None


def ask(path: str, raw: bytes) -> Answer:
    """Return what the filter that listens at a socket says of a message."""
    deadline = monotonic() + PATIENCE
    _check_owner(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        try:
            line.settimeout(PATIENCE)
            line.connect(path)
        except OSError as error:  # of a name that is too long, too
            raise DataError(
                f"no daemon answers at {path}: {error.strerror or error}; {START}"
            ) from error
        try:
            _send(line, b"%d\n" % len(raw) + raw, deadline)
            return _answer(_receive(line, deadline, len(raw)), path)
        except OSError as error:  # time is one of them
            reason = error.strerror or f"no answer in {PATIENCE:g} seconds"
            raise DataError(f"the daemon at {path} failed: {reason}") from error


def _check_owner(path: str) -> None:
    """Refuse a socket of somebody else, who would read the mail and say what he likes of it."""
    try:
        found = os.stat(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"no daemon answers at {path}: {reason}; {START}") from error
    if not stat.S_ISSOCK(found.st_mode):
        raise ParameterError(f"{path} is no socket; {START}")
    if os.geteuid() != 0 and found.st_uid not in (0, os.geteuid()):
        raise ParameterError(f"{path} belongs to another user; mail is not shown to them")


def _send(line: socket.socket, content: bytes, deadline: float) -> None:
    line.settimeout(max(0.001, deadline - monotonic()))
    try:
        line.sendall(content)
    except (BrokenPipeError, ConnectionResetError):
        return  # who does not want to read all of it says why


def _receive(line: socket.socket, deadline: float, n_sent: int) -> bytes:
    pieces, n = list[bytes](), 0
    # what is renamed in the head grows by four letters for eleven or more
    most = LONGEST_LINE + MOST_HEADER + 2 * n_sent
    while n <= most:
        line.settimeout(max(0.001, deadline - monotonic()))
        try:
            piece = line.recv(1 << 18)
        except ConnectionResetError:
            break  # who does not read all ends so; whether its answer is whole is seen from it
        if not piece:
            break
        pieces.append(piece)
        n += len(piece)
    return b"".join(pieces)


def _answer(reply: bytes, path: str) -> Answer:
    first, _, message = reply.partition(b"\n")
    match first[:LONGEST_LINE].decode("ascii", "replace").split(" ", 2):
        case ["error", *why]:
            raise DataError(
                " ".join(why) or f"the daemon at {path} says no more than that it failed"
            )
        case [label, score, length] if label in LABELS and length == str(len(message)):
            return Answer(label, float(score), message)
        case _:
            raise DataError(f"the daemon at {path} broke off; the message is not judged")
