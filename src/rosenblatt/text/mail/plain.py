"""Text to words, small and with a space between them: what `BagOfWords(tokens=True)` splits.

A word is a run of letters, marks and digits, `$` and `!` among them; an apostrophe is left out. So no
word of a text has the colon that other features of a message have.
"""

from __future__ import annotations

import re

_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789$!"
_TABLE = bytes(b if b in _KEPT else b + 32 if 65 <= b <= 90 else 32 for b in range(128)) + bytes(
    range(128, 256)
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0'\u2019]+"
)
_NO_WORD = re.compile(r"[^\w$!\u0300-\u036f\u0591-\u05c7\u064b-\u0652\u0900-\u0dff\u0e31-\u0e4e]|_")
# scripts without spaces: each sign is a word
_SIGN = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])")


def plain_words(text: str) -> str:
    """Return the words of a text.

    Examples
    --------
    >>> plain_words("Don't pay $100: it's FREE!!")
    'dont pay $100  its free!!'
    """
    if text.isascii():
        return text.encode("ascii").translate(_TABLE, b"'").decode("ascii")
    text = _INVISIBLE.sub("", text).lower()
    return _SIGN.sub(r" \1 ", _NO_WORD.sub(" ", text))
