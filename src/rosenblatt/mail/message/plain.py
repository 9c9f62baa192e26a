"""Text to words, small and with a space between them.

A word is a run of letters, marks and digits, `$` and `!` among them; an apostrophe is left out.
So no word of a text has the colon that other features of a message have.
"""

from __future__ import annotations

import re
from functools import cache

_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789$!"
_TABLE = bytes(b if b in _KEPT else b + 32 if 65 <= b <= 90 else 32 for b in range(128)) + bytes(
    range(128, 256)
)
# signs that are not seen: a word with some of them in it is the same word to its reader
_INVISIBLE = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2019\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]+"
)
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0eff"
)
_BETWEEN = f"[^\\x00-\\x7f\\w{_MARKS}]+"
# scripts without spaces: each sign is a word
_SIGN = "([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af])"
_CONTROLS = dict.fromkeys(range(32), " ")


def plain_words(text: str) -> str:
    """Return the words of a text.

    Examples
    --------
    >>> plain_words("Don't pay $100: it's FREE!!")
    'dont pay $100  its free!!'
    """
    if text.isascii():
        return text.encode("ascii").translate(_TABLE, b"'").decode("ascii")
    for codec in ("latin-1", "cp1252"):
        try:
            return text.encode(codec).translate(*_bytes_of(codec)).decode(codec)
        except UnicodeEncodeError:
            continue
    return _of_any_script(text)


def one_word(text: str) -> str:
    r"""Return a text as it came as one word: what would end it becomes `_`.

    A word ends at each character up to the space, wherever words are counted.

    Examples
    --------
    >>> one_word("p\0df of today")
    'p_df_of_today'
    """
    return "_".join(text.translate(_CONTROLS).split())


def parent(host: str) -> str:
    """Return the last two names of a host.

    Examples
    --------
    >>> parent("mail.example.com")
    'example.com'
    """
    return ".".join(host.rsplit(".", 2)[-2:])


@cache
def _bytes_of(codec: str) -> tuple[bytes, bytes]:
    """Return what becomes of the bytes of a codec, and which are left out.

    Most texts outside of ASCII have no other characters, and bytes are a tenth of the work.
    """
    table, left_out = bytearray(range(256)), bytearray()
    for byte in range(256):
        sign = bytes([byte]).decode(codec, "ignore")
        found = _of_any_script(sign).encode(codec)
        if found:
            table[byte] = found[0]
        elif sign:
            left_out.append(byte)
    return bytes(table), bytes(left_out)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    # not above: to compile them takes longer than to judge a message, and many are in ASCII
    return tuple(map(re.compile, (_INVISIBLE, _BETWEEN, _SIGN)))


def _of_any_script(text: str) -> str:
    invisible, between, sign = _patterns()
    text = between.sub(" ", invisible.sub("", text)).lower()
    text = text.encode("utf-8", "replace").translate(_TABLE, b"'").decode("utf-8")
    return " ".join(sign.split(text)) if sign.search(text) else text
