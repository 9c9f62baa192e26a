"""The parameters of a header (`charset=utf-8; name="a b"`), RFC 2231 included, within bounds."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from rosenblatt.text.mail.charsets import decode, known
from rosenblatt.text.mail.encoded_words import to_text

MOST = 50  # parameters of a header
USUAL = 300  # letters of a header that is the same in many messages
_PARAMETER = re.compile(
    r';\s*+([A-Za-z0-9_-]{1,40}+)(\*[0-9]{0,2}\*?)?\s*+=\s*+("(?:[^"\\]|\\.)*+"?|[^\s;"]*+)', re.S
)


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
    return decode(b"".join(packed), charset)[0]
