"""The parameters of a header (`charset=utf-8; name="a b"`), RFC 2231 included, within bounds."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from rosenblatt.text.mail.charsets import decode, known
from rosenblatt.text.mail.encoded_words import to_text

MOST = 50  # parameters of a header
_PARAMETER = re.compile(
    rb';\s*+([A-Za-z0-9_-]{1,40}+)(\*[0-9]{0,2}\*?)?\s*+=\s*+("(?:[^"\\]|\\.)*+"?|[^\s;"]*+)', re.S
)


def parameters(value: bytes) -> dict[str, str]:
    """Return the parameters by their small names.

    Examples
    --------
    >>> parameters(b"text/plain; charset=utf-8; name*0*=utf-8''a%20; name*1=b.txt")
    {'charset': 'utf-8', 'name': 'a b.txt'}
    """
    if b"=" not in value:
        return {}
    found: dict[str, list[tuple[bytes, bytes]]] = {}
    for number, match in enumerate(_PARAMETER.finditer(value)):
        if number == MOST:
            break
        name, star, text = match.groups()
        if text[:1] == b'"':
            text = text[1 : -1 if len(text) > 1 and text[-1:] == b'"' else None]
        found.setdefault(name.decode("ascii").lower(), []).append((star or b"", text))
    return {name: _text(pieces) for name, pieces in found.items()}


def _text(pieces: list[tuple[bytes, bytes]]) -> str:
    if not pieces[0][0]:
        return to_text(pieces[0][1])[0]
    pieces = sorted(pieces, key=lambda piece: piece[0].strip(b"*").rjust(2, b"0"))
    charset, packed = "utf-8", []
    for star, text in pieces:
        if star.endswith(b"*") and text.count(b"'") >= 2 and not packed:
            name, _, text = text.split(b"'", 2)
            charset = known(name.decode("ascii", "replace"))
        packed.append(unquote_to_bytes(text) if star.endswith(b"*") else text)
    return decode(b"".join(packed), charset)[0]
