"""Values of headers: their parameters (`charset=utf-8; name="a b"`, RFC 2231), and their text.

A text may have encoded words in it (RFC 2047). The standard library's `decode_header` raises on
some values and takes long on others; here a value is read once, from left to right, within bounds,
and what cannot be read stays as it is.
"""

from __future__ import annotations

import binascii
import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from rosenblatt.mail.message.charsets import decode_text, known

MOST = 50  # parameters of a header
USUAL = 300  # letters of a header that is the same in many messages
_PARAMETER = re.compile(
    r';\s*+([A-Za-z0-9_-]{1,40}+)(\*[0-9]{0,2}\*?)?\s*+=\s*+("(?:[^"\\]|\\.)*+"?|[^\s;"]*+)', re.S
)
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,500})\?=")
_BETWEEN = re.compile(r"(\?=)\s{1,100}(?==\?)")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r\n"
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


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
