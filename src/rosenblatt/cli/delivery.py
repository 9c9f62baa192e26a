"""`rosenblatt mail filter` of one message, without what other commands need.

A delivery agent starts it for every message, and Typer takes longer to load than a message to
judge. So the command lines that delivery agents use are understood here; all others, with a wrong
option or a call for help among them, are Typer's.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rosenblatt.errors import ParameterError

if TYPE_CHECKING:
    from rosenblatt.mail.filter.asking import Answer
    from rosenblatt.mail.filter.rule import MessageVerdict

MISSING = (
    "M is missing; expected: a filter that `mail train` wrote, or --socket PATH, where "
    "`mail daemon` listens; see rosenblatt mail filter --help"
)


def plain_call(arguments: list[str]) -> dict[str, Any] | None:
    """Return what `deliver_message` takes, of the words behind `mail filter`; None if unsure.

    Examples
    --------
    >>> plain_call(["mail.rosenblatt", "--json"])
    {'model': 'mail.rosenblatt', 'socket': None, 'as_json': True}
    >>> plain_call(["mail.rosenblatt", "--jason"]) is None
    True
    """
    model = socket = None
    as_json, words = False, iter(arguments)
    for word in words:
        name, is_joined, value = word.partition("=")
        if word == "--json":
            as_json = True
        elif name == "--socket":
            socket = value if is_joined else next(words, "")
            if not socket or socket.startswith("-"):
                return None
        elif word in ("-q", "--quiet"):
            continue  # there are no notes to leave out
        elif model is None and word and not word.startswith("-"):
            model = word
        else:
            return None
    return {"model": model, "socket": socket, "as_json": as_json}


def deliver_message(model: str | None, socket: str | None, as_json: bool) -> int:
    """Pass the message on standard input on, with its verdict; return the exit code."""
    if (model is None) == (socket is None):
        raise ParameterError(
            MISSING
            if model is None
            else "M and --socket are two ways to judge a message; give one of them"
        )
    verdict: Answer | MessageVerdict | None
    if socket is not None:
        from rosenblatt.mail.filter.asking import deliver_by_daemon

        code, verdict = deliver_by_daemon(socket)
    else:
        from rosenblatt.mail.filter.commands import deliver

        code, verdict = deliver(str(model))
    if as_json and verdict is not None:
        from rosenblatt.as_json import json_line

        # for the output is the message
        sys.stderr.write(json_line({"label": verdict.label, "score": verdict.score}) + "\n")
    return code
