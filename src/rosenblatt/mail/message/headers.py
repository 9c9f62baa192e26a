"""The head of a message: its headers, in order, as they are, and what their values say.

The standard library's parser makes an object of each line, and a head is most of a usual message.
So it is taken apart here, by one regular expression, into the same names and values.

A value may have parameters (`charset=utf-8; name="a b"`, RFC 2231), and its text encoded words (RFC
2047). The standard library's `decode_header` raises on some values and takes long on others; here a
value is read once, from left to right, within bounds, and what cannot be read stays as it is.
"""

from __future__ import annotations

import binascii
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from rosenblatt.mail.message import limits
from rosenblatt.mail.message.charsets import decode_text, known

# a name, a colon, and the rest of its line with those after it that begin with a blank;
# possessive (++, *+): there is one reading, tried once
_HEADER = re.compile(r"^([!-9;-~]{1,100}+)[ \t]*+:(.*+(?:\n[ \t].*+)*+)", re.M)
_ENVELOPE = re.compile(rb">?From [^\n]{0,1000}\n")
# the lines of a head: what is in front of a colon has no blank in it, folded lines begin with one
_LINES = re.compile(rb"(?:(?:[!-9;-~]*+[ \t]*+:|[ \t]|From )[^\n]*+\n?+)*+")
MOST = 50  # parameters of a header
USUAL = 300  # letters of a header that is the same in many messages
_PARAMETER = re.compile(
    r';\s*+([A-Za-z0-9_-]{1,40}+)(\*[0-9]{0,2}\*?)?\s*+=\s*+("(?:[^"\\]|\\.)*+"?|[^\s;"]*+)', re.S
)
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,500})\?=")
_BETWEEN = re.compile(r"(\?=)\s{1,100}(?==\?)")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r\n"
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


class Head(NamedTuple):
    """The headers of a message or a part; each byte of a value is a character."""

    headers: list[tuple[str, str]]  # name and value as they came
    values: dict[str, str]  # by small name, the first of each
    oddities: list[str]

    @property
    def hops(self) -> list[str]:
        """What each server on the way wrote, the last one first."""
        # the length is known: no need to make 20 small names
        return [
            value for name, value in self.headers if len(name) == 8 and name.lower() == "received"
        ]


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


def parameters(value: str) -> dict[str, str]:
    """Return the parameters by their small names.

    Examples
    --------
    >>> parameters("text/plain; charset=utf-8; name*0*=utf-8''a%20; name*1=b.txt")
    {'charset': 'utf-8', 'name': 'a b.txt'}
    """
    if "=" not in value:
        return {}
    return _usual(value) if len(value) <= USUAL else _parameters(value)


def _parameters(value: str) -> dict[str, str]:
    found: dict[str, list[tuple[str, str]]] = {}
    for number, match in enumerate(_PARAMETER.finditer(value)):
        if number == MOST:
            break
        name, star, text = match.groups()
        if text[:1] == '"':
            text = text[1 : -1 if len(text) > 1 and text[-1:] == '"' else None]
        found.setdefault(name.lower(), []).append((star or "", text))
    return {name: _text(pieces) for name, pieces in found.items()}


_usual = lru_cache(1024)(_parameters)


def _text(pieces: list[tuple[str, str]]) -> str:
    if not pieces[0][0]:
        return to_text(pieces[0][1])[0]
    pieces = sorted(pieces, key=lambda piece: piece[0].strip("*").rjust(2, "0"))
    charset = "utf-8"
    packed: list[bytes] = []
    for star, text in pieces:
        if star.endswith("*") and text.count("'") >= 2 and not packed:
            name, _, text = text.split("'", 2)
            charset = known(name)
        content = text.encode("latin-1")
        packed.append(unquote_to_bytes(content) if star.endswith("*") else content)
    return decode_text(b"".join(packed), charset)[0]


def to_text(value: str) -> tuple[str, list[str]]:
    """Return a header's text, and what is odd about it.

    Examples
    --------
    >>> to_text("=?iso-8859-1?Q?caf=E9_au?= =?utf-8?b?IGxhaXQ=?=")
    ('café au lait', ['encoded', 'charset:iso-8859-1', 'charset:utf-8'])
    >>> to_text("=?punycode?q?caf?=")
    ('caf', ['encoded', 'charset:unknown'])
    """
    oddities: list[str] = []
    if not value.isascii():
        value = decode_text(value.encode("latin-1"), "utf-8")[0]
        oddities.append("8bit")
    if "=?" not in value:
        return value, oddities
    oddities.append("encoded")

    def read(match: re.Match[str]) -> str:
        charset, kind, letters = match.groups()
        oddities.append(f"charset:{known(charset)}")
        return _decoded(known(charset), kind, letters)

    return _WORD.sub(read, _BETWEEN.sub(r"\1", value)), list(dict.fromkeys(oddities))


def _decoded(charset: str, kind: str, letters: str) -> str:
    content = letters.encode("utf-8", "replace")
    if kind in "qQ":
        return decode_text(binascii.a2b_qp(content, header=True), charset)[0]
    return decode_text(from_base64(content)[0], charset)[0]


def from_base64(content: bytes) -> tuple[bytes, bool]:
    """Return what base64 stands for as far as it can be read, and whether that is all of it."""
    try:
        # foreign bytes are skipped, as readers of mail do
        return binascii.a2b_base64(content), not content.translate(None, _BASE64)
    except binascii.Error:
        pass
    letters = _NO_BASE64.sub(b"", content)
    # one letter more than a multiple of four says nothing, two or three want their padding
    letters = letters[:-1] if len(letters) % 4 == 1 else letters
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4)), False
