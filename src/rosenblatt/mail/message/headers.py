"""The head of a message: its headers, in order, as they are.

The standard library's parser makes an object of each line, and a head is most of a usual message.
So it is taken apart here, by one regular expression, into the same names and values.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rosenblatt.mail.message import limits

# a name, a colon, and the rest of its line with those after it that begin with a blank;
# possessive (++, *+): there is one reading, tried once
_HEADER = re.compile(r"^([!-9;-~]{1,100}+)[ \t]*+:(.*+(?:\n[ \t].*+)*+)", re.M)
_ENVELOPE = re.compile(rb">?From [^\n]{0,1000}\n")
# the lines of a head: what is in front of a colon has no blank in it, folded lines begin with one
_LINES = re.compile(rb"(?:(?:[!-9;-~]*+[ \t]*+:|[ \t]|From )[^\n]*+\n?+)*+")


class Head(NamedTuple):
    """The headers of a message or a part; each byte of a value is a character."""

    headers: list[tuple[str, str]]  # name and value as they came
    values: dict[str, str]  # by small name, the first of each
    oddities: list[str]

    @property
    def hops(self) -> list[str]:
        """What each server on the way wrote, the last one first."""
        # the length is known: no need to make 20 small names
        named = (pair for pair in self.headers if len(pair[0]) == 8)
        return [value for name, value in named if name.lower() == "received"]


def split(raw: bytes) -> tuple[Head, bytes]:
    r"""Return the head and the body of a message.

    Examples
    --------
    >>> head, body = split(b"Subject: a\n  b\nTo: you\n\nwords")
    >>> head.headers, body
    ([('Subject', ' a\n  b'), ('To', ' you')], b'words')
    """
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    envelope = _ENVELOPE.match(raw)
    return split_part(raw, envelope.end() if envelope else 0)


def split_part(raw: bytes, start: int = 0) -> tuple[Head, bytes]:
    """Return the head and the body of a part, which has no line "From ..." in front."""
    end = end_of_head(raw, start)
    head = read_head(raw[start:end])
    gap = 1 if raw.startswith(b"\n", end) else 2 if raw.startswith(b"\r\n", end) else 0
    if gap == 0:
        head.oddities.append("no-body" if end == len(raw) else "no-gap")
    return head, raw[end + gap :]


def end_of_head(raw: bytes, start: int) -> int:
    """Return where the head ends, the last line end of its own included.

    A line that cannot belong to a head ends it, as an empty one does: what follows is read by
    people as text, so it is text.
    """
    match = _LINES.match(raw, start)
    return match.end() if match else start


def read_head(top: bytes) -> Head:
    """Return the headers of a head, as far as the limits allow."""
    oddities = []
    if len(top) > limits.HEAD:
        top = top[: limits.HEAD]
        oddities.append("long-head")
    headers = _HEADER.findall(top.decode("latin-1"))
    if len(headers) > limits.HEADERS:
        headers = headers[: limits.HEADERS]
        oddities.append("many-headers")
    if len(top) > limits.LINE and any(len(value) > limits.LINE for _, value in headers):
        headers = [(name[: limits.LINE], value[: limits.LINE]) for name, value in headers]
        oddities.append("long-header")
    if not headers:
        oddities.append("no-headers")
    if b"\0" in top:
        oddities.append("nul")
    values = {name.lower(): value for name, value in reversed(headers)}
    return Head(headers, values, oddities)
