"""What becomes of a feature, which is a hash of 64 bits: it is kept as a column, or learned.

    Hashed   the column is the upper bits of the hash, a sign its lowest
    Known    the column is looked up in a vocabulary; what is not there is left out
    Learned  the hash is entered into a vocabulary, with its name

Two functions have a body for each of them, chosen by the compiler. A vocabulary is a table with
open addressing, at most half full; two words with the same 64 bits would be one word in it.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined
from rosenblatt.kernels.words import fold_bytes

KEYS = 1 << 15  # features of a document that are kept before they are sorted
ONE = np.uint64(1)


class Hashed(NamedTuple):
    """Columns are the upper bits of hashes."""

    shift: np.uint64
    signed: bool


class Known(NamedTuple):
    """Columns are the numbers of words in a vocabulary."""

    slots: np.ndarray  # uint64, the hash in each place of the table
    numbers: np.ndarray  # int32, its number, from 1 on; 0 where the place is free


class Learned(NamedTuple):
    """A vocabulary that grows."""

    slots: np.ndarray
    numbers: np.ndarray
    hashes: np.ndarray  # uint64, of each word in the order of their numbers
    names: np.ndarray  # uint8, the words one after the other
    ends: np.ndarray  # int64, where each begins, and the end of the last
    count: np.ndarray  # int64, one number: how many there are
    most_words: int  # to learn
    most_bytes: int  # that the names of the features of one word can have


def has_room(target, n, most):
    """Tell whether `most` more features can be taken, after n."""
    return _learned_room(target, n, most) if isinstance(target, Learned) else n + most <= KEYS


def emit(target, C, fold, keys, n, h, source, start, end):
    """Take a feature, which is source[start:end] before folding; return the number of keys."""
    body = {Hashed: _emit_hashed, Known: _emit_known, Learned: _emit_learned}[type(target)]
    return body(target, C, fold, keys, n, h, source, start, end)


@inlined
def slot_of(slots, numbers, h):
    """Return the place of a hash in a table, or the free one where it would be."""
    last = np.uint64(slots.shape[0] - 1)
    place = h & last
    while numbers[place] != 0 and slots[place] != h:
        place = place + ONE & last
    return place


@inlined
def enter_hash(slots, numbers, h, number):
    """Put a hash into a table that does not have it."""
    place = slot_of(slots, numbers, h)
    slots[place], numbers[place] = h, number


def _keys_room(target, n, most):
    return n + most <= KEYS


def _learned_room(target, n, most):
    count = target.count[0]
    room_for_words = min(count + most, target.most_words) <= target.hashes.shape[0]
    return room_for_words and target.ends[count] + target.most_bytes <= target.names.shape[0]


def _emit_hashed(target, C, fold, keys, n, h, source, start, end):
    key = h >> target.shift
    if target.signed:
        key = key << ONE | h & ONE
    keys[np.uint64(n)] = key
    return n + 1


def _emit_known(target, C, fold, keys, n, h, source, start, end):
    number = target.numbers[slot_of(target.slots, target.numbers, h)]
    keys[np.uint64(n)] = number - 1  # overwritten by the next one if it is not known
    return n + np.int64(number != 0)


def _emit_learned(target, C, fold, keys, n, h, source, start, end):
    count = target.count[0]
    if count < target.most_words:
        place = slot_of(target.slots, target.numbers, h)
        if target.numbers[place] == 0:
            target.slots[place], target.numbers[place] = h, count + 1
            target.hashes[count] = h
            name_end = fold_bytes(source, C, start, end, fold, target.names, target.ends[count])
            target.ends[count + 1] = name_end
            target.count[0] = count + 1
    return n


@overload(has_room, jit_options=INLINE)
def _(target, n, most):
    return _learned_room if target.instance_class is Learned else _keys_room


@overload(emit, jit_options=INLINE)
def _(target, C, fold, keys, n, h, source, start, end):
    bodies = {Hashed: _emit_hashed, Known: _emit_known, Learned: _emit_learned}
    return bodies[target.instance_class]
