"""The head of a message: its headers, in order, as they are.

The standard library's parser makes an object for each line; a head is most of a usual message, so
it is taken apart here, by one regular expression, to the same names and values.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rosenblatt.text.mail import limits

_END = re.compile(rb"\r?\n\r?\n|\A\r?\n")
# a name, a colon, and its line with those that go on with a blank; possessive: one reading only
_HEADER = re.compile(rb"^([!-9;-~]{1,200}+)[ \t]*+:[ \t]*+((?:[^\n]*+(?:\n(?=[ \t]))?+)++)", re.M)
_ENVELOPE = re.compile(rb"\A>?From [^\n]*\n")


class Head(NamedTuple):
    """The headers of a message or a part."""

    headers: list[tuple[str, bytes]]  # small name, value as it came
    oddities: list[str]  # what is wrong with it

    def first(self, name: str) -> bytes:
        """Return the value of the first header of a name, b"" if there is none."""
        return next((value for found, value in self.headers if found == name), b"")


def split(raw: bytes) -> tuple[Head, bytes]:
    """Return the head and the body of a message.

    Examples
    --------
    >>> head, body = split(b"Subject: a\\n  b\\nTo: you\\n\\nwords")
    >>> head.headers, body
    ([('subject', b'a\\n  b'), ('to', b'you')], b'words')
    """
    envelope = _ENVELOPE.match(raw, 0, limits.LINE)
    start = envelope.end() if envelope else 0
    end = _END.search(raw, start)
    if raw[start : start + 1] in (b"\n", b"\r"):
        top, body = b"", raw[start:]
    elif end:
        top, body = raw[start : end.start()], raw[end.end() :]
    else:
        top, body = raw[start:], b""
    head = _read(top)
    if not end:
        head.oddities.append("no-body")
    return head, body


def _read(top: bytes) -> Head:
    oddities = []
    if len(top) > limits.HEAD:
        top = top[: limits.HEAD]
        oddities.append("long-head")
    found = _HEADER.findall(top)
    if len(found) > limits.HEADERS:
        found = found[: limits.HEADERS]
        oddities.append("many-headers")
    headers = []
    for name, value in found:
        if len(value) > limits.LINE:
            value = value[: limits.LINE]
            oddities.append("long-header")
        headers.append((name.decode("ascii").lower(), value))
    if not headers:
        oddities.append("no-headers")
    if b"\0" in top:
        oddities.append("nul")
    return Head(headers, oddities)
