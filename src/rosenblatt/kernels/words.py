"""Find the words of a text and hash them, as docs/words.md specifies.

    word   a longest run of letters, marks and digits of any script, cut after LONGEST bytes;
           on request each symbol, too
    hash   of its case-folded UTF-8, 8 bytes at a time:  h <- (h ^ bytes) M1;  h <- h ^ h >> 32

In a first loop the places where words begin and end are taken from bit masks of 64 bytes, in a
second one the words are hashed. So neither has a branch that depends on single letters: a wrong
guess of the processor costs as much as hashing a word. Where symbols are words, too, the first
loop goes from character to character.
"""

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.utf8 import (
    ENDS_A_WORD,
    ITSELF,
    WithSymbols,
    decode,
    encode_folded,
    is_symbol,
    kind_of,
    symbol_at,
)
from rosenblatt.kernels.vectors import WIDTH, eight_bytes, foreign_mask, trailing_zeros, word_mask

LONGEST = 256  # bytes of a word; the rest of a longer run is the next word
MARKS = 1024  # begins and ends of words found at a time
SPARE_MARKS = 2 * WIDTH  # so many more may be found before anyone looks

SEED = np.uint64(0x9E3779B97F4A7C15)
M1 = np.uint64(0xD6E8FEB86659FD93)
M2 = np.uint64(0xA0761D6478BD642F)
M3 = np.uint64(0xE7037ED1A0B428DB)
HALF = np.uint64(32)
SMALL = np.uint64(0x2020202020202020)  # the bit that makes an ASCII letter small; digits have it
FOREIGN = np.uint64(0x8080808080808080)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE = np.uint64(1)
ZERO = np.int64(0)  # a plain 0 is a type of its own, for which Numba would compile once more


BETWEEN, IN_A_RUN, AT_A_SYMBOL, AT_THE_START = 0, 1, 2, 3  # what the last character was


def find_words(text, C, p, stop, end, marks, n):
    """Write where words begin and end, by turns, behind the n marks; return (p, n).

    Looks at the bytes before `stop`, and a few more of a document that goes on to `end`, until
    there are MARKS of them. An odd n means that p is in the middle of a word.
    """
    find = find_symbols_too if isinstance(C, WithSymbols) else find_runs
    return find(text, C, p, stop, end, marks, n)


@overload(find_words, jit_options=INLINE)
def _(text, C, p, stop, end, marks, n):
    return find_symbols_too if C.instance_class is WithSymbols else find_runs


def find_symbols_too(text, C, p, stop, end, marks, n):
    """Find runs, and symbols as words of one character."""
    while p < stop and n < MARKS:
        point, length = decode(text, p, end)
        if (kind_of(C, point) != ENDS_A_WORD) != (n & 1 == 1):
            marks[n] = p
            n += 1
        if is_symbol(C, point):
            marks[n], marks[n + 1] = p, p + length
            n += 2
        p += length
    return p, n


def find_runs(text, C, p, stop, end, marks, n):
    """Find the words that are runs."""
    while p < stop and n < MARKS:
        words, foreign = word_mask(text, p), foreign_mask(text, p)
        length = min(np.int64(WIDTH), end - p)
        if foreign != 0:
            length = min(length, trailing_zeros(foreign))
        n = mark_changes(words, length, p, marks, n)
        p += length
        if foreign != 0:
            p, n = find_foreign_words(text, C, p, end, marks, n)
    return p, n


@inlined
def mark_changes(words, length, p, marks, n):
    """Write where words begin and end among bytes from p on, by their mask; return n."""
    # a bit wherever a byte differs from the one before it
    changes = words ^ (words << ONE | np.uint64(n & 1))
    if length < WIDTH:
        changes &= (ONE << np.uint64(length)) - ONE
    while changes != 0:
        marks[np.uint64(n)] = p + trailing_zeros(changes)
        n += 1
        changes &= changes - ONE
    return n


@kernel
def find_foreign_words(text, C, p, end, marks, n):
    """Go on as `find_words` does through characters outside of ASCII."""
    while p < end and n < MARKS and text[np.uint64(p)] >= 0x80:
        point, length = decode(text, p, end)
        if (kind_of(C, point) != ENDS_A_WORD) != (n & 1 == 1):
            marks[np.uint64(n)] = p
            n += 1
        p += length
    return p, n


@inlined
def mix(h):
    """Spread what is known to the lower half."""
    return h ^ h >> HALF


@inlined
def first_bytes(count):
    """Return a mask of the first `count` bytes of 8."""
    return ALL >> np.uint64(64 - 8 * min(count, 8))


@inlined
def hash_bytes(source, start, end, small):
    """Return the hash of bytes that are not zero, and all of them or-ed together.

    `small` is or-ed to each byte first: the bit that makes ASCII letters small, or 0.
    """
    length = end - start
    seen = (eight_bytes(source, start) | small) & first_bytes(length)
    h = mix((SEED ^ seen) * M1)
    # Whether a word has more than 8 bytes cannot be guessed: compute both and choose
    value = (eight_bytes(source, min(start + 8, end)) | small) & first_bytes(max(length - 8, 1))
    longer = mix((h ^ value) * M1)
    if length > 8:
        h, seen = longer, seen | value
    for p in range(start + 16, end, 8):
        value = (eight_bytes(source, p) | small) & first_bytes(end - p)
        seen |= value
        h = mix((h ^ value) * M1)
    return mix(h * M2), seen


@kernel
def fold_bytes(text, C, start, end, fold, out, n):
    """Write the characters from start to end at out[n]; return where they end.

    Their case is folded if `fold` says so; whatever is between words becomes one space.
    """
    last = AT_THE_START
    while start < end:
        point, length = decode(text, start, end)
        kind = kind_of(C, point)
        now = IN_A_RUN
        if kind == ENDS_A_WORD:
            now = AT_A_SYMBOL if is_symbol(C, point) else BETWEEN
        # words may touch where one of them is a symbol
        touches = last != AT_THE_START and last != BETWEEN and now + last > 2
        if touches or (now == BETWEEN and last != BETWEEN):
            out[n] = 0x20
            n += 1
        if now != BETWEEN:
            n = encode_folded(C, point, kind if fold else ITSELF, out, n)
        last = now
        start += length
    return n


def hash_word(text, C, start, end, fold, folded, spelled):
    """Return the hash of a word; `folded` has room for it and `spelled` is the same room."""
    body = hash_run_or_symbol if isinstance(C, WithSymbols) else hash_run
    return body(text, C, start, end, fold, folded, spelled)


@overload(hash_word, jit_options=INLINE)
def _(text, C, start, end, fold, folded, spelled):
    return hash_run_or_symbol if C.instance_class is WithSymbols else hash_run


def hash_run_or_symbol(text, C, start, end, fold, folded, spelled):
    """Return the hash of a word of either kind."""
    # the bit that makes letters small would make @ and ` one symbol
    fold = fold and not symbol_at(C, text, start, end)
    h, seen = hash_bytes(text, start, end, SMALL if fold else np.uint64(0))
    if fold and seen & FOREIGN != 0:
        length = fold_bytes(text, C, start, end, fold, folded, ZERO)
        h, seen = hash_bytes(spelled, ZERO, length, np.uint64(0))
    return h


def hash_run(text, C, start, end, fold, folded, spelled):
    """Return the hash of a word that is a run."""
    h, seen = hash_bytes(text, start, end, SMALL if fold else np.uint64(0))
    if fold and seen & FOREIGN != 0:
        length = fold_bytes(text, C, start, end, fold, folded, ZERO)
        h, seen = hash_bytes(spelled, ZERO, length, np.uint64(0))
    return h


@inlined
def cut(text, start, end):
    """Return where a word that begins at start ends: a run may be longer than a word."""
    if end - start <= LONGEST:
        return end
    stop = start + LONGEST
    while stop < end and text[np.uint64(stop)] & 0xC0 == 0x80:
        stop += 1
    return stop


@inlined
def combine(phrase, word):
    """Return the hash of a phrase followed by one more word."""
    return mix(mix((phrase * M3) ^ word) * M2)
