"""The head of a message: its headers, in order, as they are.

The standard library's parser makes an object of each line, and a head is most of a usual message.
So it is taken apart here, by one regular expression, into the same names and values.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rosenblatt.text.mail import limits

# a name, a colon, and the rest of its line with those after it that begin with a blank;
# possessive (++, *+): there is one reading, tried once
_HEADER = re.compile(r"^([!-9;-~]{1,100}+)[ \t]*+:(.*+(?:\n[ \t].*+)*+)", re.M)
_ENVELOPE = re.compile(rb">?From [^\n]{0,1000}\n")


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
    end, body = end_of_head(raw, start)
    head = read_head(raw[start:end])
    if body > len(raw):
        head.oddities.append("no-body")
    return head, raw[body:]


def end_of_head(raw: bytes, start: int) -> tuple[int, int]:
    """Return where the head ends and where the body begins: behind the first empty line."""
    if raw.startswith((b"\n", b"\r\n"), start):
        return start, raw.index(b"\n", start) + 1
    plain = raw.find(b"\n\n", start)
    other = raw.find(b"\n\r\n", start, plain if plain >= 0 else len(raw))
    if other >= 0:
        return other, other + 3
    return (plain, plain + 2) if plain >= 0 else (len(raw), len(raw) + 1)


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
