"""Characters of any script: read them, tell whether they are part of a word, fold their case.

The tables are those of docs/words.md. A byte that is not valid UTF-8 is a character of its own
that is part of no word, so any bytes can be read.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined

INVALID = 0x110000  # one more than the last code point: stands for a byte that means nothing
ENDS_A_WORD, ITSELF = 0, 1  # kinds; from 2 on a kind names a fold
MOST_FOLDED = 12  # bytes that one character is folded to, at most: three characters of four bytes


class Characters(NamedTuple):
    """The kind of each code point in pages of 256, and what each kind is folded to."""

    numbers: np.ndarray  # uint8, the page of each 256 code points
    kinds: np.ndarray  # uint8, the pages
    folds: np.ndarray  # int32, (kinds - 2, 4): how many, then a distance or the code points


class WithSymbols(NamedTuple):
    """`Characters` for texts whose symbols are words, too: each character by itself."""

    numbers: np.ndarray
    kinds: np.ndarray
    folds: np.ndarray
    blanks: np.ndarray  # int32, ascending: where what is neither word nor symbol begins, and ends


@inlined
def _continues(text, p, end):
    return p < end and text[np.uint64(p)] & 0xC0 == 0x80


@inlined
def _six_bits(text, p):
    return np.int64(text[np.uint64(p)] & 0x3F)


@inlined
def decode(text, p, end):
    """Return the code point at p and its length in bytes; (INVALID, 1) if there is none."""
    first = np.int64(text[np.uint64(p)])
    if first < 0x80:
        return first, 1
    if not _continues(text, p + 1, end):
        return INVALID, 1
    point = _six_bits(text, p + 1)
    if 0xC2 <= first < 0xE0:
        return (first & 0x1F) << 6 | point, 2
    if not _continues(text, p + 2, end):
        return INVALID, 1
    point = point << 6 | _six_bits(text, p + 2)
    if 0xE0 <= first < 0xF0:
        point |= (first & 0x0F) << 12
        whole = point >= 0x800 and not 0xD800 <= point < 0xE000
        return (point, 3) if whole else (INVALID, 1)
    if not _continues(text, p + 3, end):
        return INVALID, 1
    point = (first & 0x07) << 18 | point << 6 | _six_bits(text, p + 3)
    whole = 0xF0 <= first < 0xF5 and 0x10000 <= point < INVALID
    return (point, 4) if whole else (INVALID, 1)


@inlined
def kind_of(C, point):
    """Return the kind of a code point."""
    if point == INVALID:
        return np.int64(ENDS_A_WORD)
    page = np.uint64(C.numbers[np.uint64(point >> 8)])
    return np.int64(C.kinds[page << np.uint64(8) | np.uint64(point & 0xFF)])


@inlined
def encode_point(point, out, n):
    """Write a code point as UTF-8 at out[n]; return where it ends."""
    if point < 0x80:
        out[n] = point
        return n + 1
    if point < 0x800:
        out[n] = 0xC0 | point >> 6
        out[n + 1] = 0x80 | point & 0x3F
        return n + 2
    if point < 0x10000:
        out[n] = 0xE0 | point >> 12
        out[n + 1] = 0x80 | point >> 6 & 0x3F
        out[n + 2] = 0x80 | point & 0x3F
        return n + 3
    out[n] = 0xF0 | point >> 18
    out[n + 1] = 0x80 | point >> 12 & 0x3F
    out[n + 2] = 0x80 | point >> 6 & 0x3F
    out[n + 3] = 0x80 | point & 0x3F
    return n + 4


@inlined
def encode_folded(C, point, kind, out, n):
    """Write what a code point is folded to as UTF-8 at out[n]; return where it ends."""
    if kind <= ITSELF:
        return encode_point(point, out, n)
    fold = C.folds[kind - 2]
    if fold[0] == 1:
        return encode_point(point + fold[1], out, n)
    for k in range(fold[0]):
        n = encode_point(np.int64(fold[k + 1]), out, n)
    return n


def is_symbol(C, point):
    """Tell whether a code point that is part of no run is a word of its own."""
    return _is_symbol(C, point) if isinstance(C, WithSymbols) else False


def _is_symbol(C, point):
    if point == INVALID or kind_of(C, point) != ENDS_A_WORD:
        return False
    # as many bounds up to here: an odd number is inside of a range
    low, high = 0, C.blanks.shape[0]
    while low < high:
        middle = (low + high) // 2
        if C.blanks[middle] <= point:
            low = middle + 1
        else:
            high = middle
    return low & 1 == 0


def _never(C, point):
    return False


@overload(is_symbol, jit_options=INLINE)
def _(C, point):
    return _is_symbol if C.instance_class is WithSymbols else _never


def symbol_at(C, text, p, end):
    """Tell whether a symbol that is a word is at p."""
    return _symbol_at(C, text, p, end) if isinstance(C, WithSymbols) else False


def _symbol_at(C, text, p, end):
    return is_symbol(C, decode(text, p, end)[0])


def _nowhere(C, text, p, end):
    return False


@overload(symbol_at, jit_options=INLINE)
def _(C, text, p, end):
    return _symbol_at if C.instance_class is WithSymbols else _nowhere
