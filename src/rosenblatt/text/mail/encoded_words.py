"""Header values to text: encoded words (RFC 2047), within bounds.

The standard library's `decode_header` raises on some values and takes long on others; this one
reads a value once, from left to right, and leaves what it cannot read.
"""

from __future__ import annotations

import binascii
import re

from rosenblatt.text.mail.charsets import decode, known

_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]{0,500})\?=")
_BETWEEN = re.compile(r"(\?=)\s{1,100}(?==\?)")
_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r\n"
_NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


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
        value = decode(value.encode("latin-1"), "utf-8")[0]
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
        return decode(binascii.a2b_qp(content, header=True), charset)[0]
    return decode(from_base64(content)[0], charset)[0]


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
