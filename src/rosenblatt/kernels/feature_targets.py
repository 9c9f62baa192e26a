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


def has_room(sink, n, most):
    """Tell whether `most` more features can be taken, after n."""
    return _learned_room(sink, n, most) if isinstance(sink, Learned) else n + most <= KEYS


def emit(sink, C, fold, keys, n, h, source, start, end):
    """Take a feature, which is source[start:end] before folding; return the number of keys."""
    body = {Hashed: _emit_hashed, Known: _emit_known, Learned: _emit_learned}[type(sink)]
    return body(sink, C, fold, keys, n, h, source, start, end)


@inlined
def place_of(slots, numbers, h):
    """Return the place of a hash in a table, or the free one where it would be."""
    last = np.uint64(slots.shape[0] - 1)
    place = h & last
    while numbers[place] != 0 and slots[place] != h:
        place = place + ONE & last
    return place


@inlined
def enter(slots, numbers, h, number):
    """Put a hash into a table that does not have it."""
    place = place_of(slots, numbers, h)
    slots[place], numbers[place] = h, number


def _keys_room(sink, n, most):
    return n + most <= KEYS


def _learned_room(sink, n, most):
    count = sink.count[0]
    room_for_words = min(count + most, sink.most_words) <= sink.hashes.shape[0]
    return room_for_words and sink.ends[count] + sink.most_bytes <= sink.names.shape[0]


def _emit_hashed(sink, C, fold, keys, n, h, source, start, end):
    key = h >> sink.shift
    if sink.signed:
        key = key << ONE | h & ONE
    keys[np.uint64(n)] = key
    return n + 1


def _emit_known(sink, C, fold, keys, n, h, source, start, end):
    number = sink.numbers[place_of(sink.slots, sink.numbers, h)]
    keys[np.uint64(n)] = number - 1  # overwritten by the next one if it is not known
    return n + np.int64(number != 0)


def _emit_learned(sink, C, fold, keys, n, h, source, start, end):
    count = sink.count[0]
    if count < sink.most_words:
        place = place_of(sink.slots, sink.numbers, h)
        if sink.numbers[place] == 0:
            sink.slots[place], sink.numbers[place] = h, count + 1
            sink.hashes[count] = h
            name_end = fold_bytes(source, C, start, end, fold, sink.names, sink.ends[count])
            sink.ends[count + 1] = name_end
            sink.count[0] = count + 1
    return n


@overload(has_room, jit_options=INLINE)
def _(sink, n, most):
    return _learned_room if sink.instance_class is Learned else _keys_room


@overload(emit, jit_options=INLINE)
def _(sink, C, fold, keys, n, h, source, start, end):
    bodies = {Hashed: _emit_hashed, Known: _emit_known, Learned: _emit_learned}
    return bodies[sink.instance_class]
