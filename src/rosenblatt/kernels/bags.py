"""From documents to rows: each with its columns in order, none twice.

The columns of hashed words are spread evenly. So a document of usual length is sorted in one step:
every key goes to the bucket of its upper bits, of which there are as many as keys, and few are
still out of order after that. Long documents, and columns of a vocabulary, are sorted digit by
digit, which takes the same time whatever the keys are.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.feature_targets import KEYS, has_room
from rosenblatt.kernels.ngrams import (
    DOCUMENT,
    FOUND,
    FUEL,
    add_words,
    is_read,
    most_features,
    next_document,
    read_on,
)

SHORT = 2048  # keys that are sorted by buckets; in the worst case a million steps
DIGIT = 11  # bits of a digit of long documents


class Sorter(NamedTuple):
    """How keys are sorted, and room for it."""

    width: int  # bits of a key
    even: bool  # whether keys are spread evenly
    signed: bool  # whether the lowest bit is a sign
    spare: np.ndarray  # uint32, as many as keys
    counts: np.ndarray  # uint32, one for each bucket


class Bags(NamedTuple):
    """Rows to fill. A document with many words becomes several parts."""

    indices: np.ndarray  # int32
    values: np.ndarray  # float64; empty for presence rows
    ends: np.ndarray  # int64, where each part ends
    rows: np.ndarray  # int64, the document that each part is of
    filled: np.ndarray  # int64: entries, parts


@kernel
def fill_bags(T, C, rule, target, room, sorter, out):
    """Turn documents into rows; return whether all are done. If not: empty `out`, call again."""
    state, filled = room.state, out.filled
    most = most_features(rule)
    while state[DOCUMENT] + 1 < T.offsets.shape[0]:
        full = filled[0] + KEYS > out.indices.shape[0] or filled[1] >= out.ends.shape[0]
        if full or state[FUEL] <= 0:
            return False
        read_on(T, C, room)
        add_words(T, C, rule, target, room)
        done = is_read(T, state)
        if done or not has_room(target, state[FOUND], most):
            write_part(room, sorter, out)
        if done:
            next_document(T, state)
    return True


@inlined
def write_part(room, sorter, out):
    """Write the keys found so far as one part of a row."""
    state, filled = room.state, out.filled
    keys, n = room.keys, state[FOUND]
    if sorter.even and n <= SHORT:
        sort_evenly(keys, n, sorter)
    else:
        sort_by_digits(keys, n, sorter)
    if n > 0 and out.values.shape[0] == 0:
        filled[0] = write_once(keys, n, out.indices, filled[0])
    elif n > 0:
        filled[0] = write_counts(keys, n, sorter.signed, out, filled[0])
    out.ends[filled[1]] = filled[0]
    out.rows[filled[1]] = state[DOCUMENT]
    filled[1] += 1
    state[FOUND] = 0


@inlined
def write_once(keys, n, indices, m):
    """Write each key once behind m entries; return how many entries there are."""
    indices[np.uint64(m)] = keys[0]
    for k in range(1, n):
        key = keys[np.uint64(k)]
        m += np.int64(key != keys[np.uint64(k - 1)])
        indices[np.uint64(m)] = key
    return m + 1


@kernel
def write_counts(keys, n, signed, out, m):
    """Write each column with the number of its keys, or the sum of their signs if it is not 0."""
    k = 0
    while k < n:
        column, total = keys[k] >> np.uint32(signed), 0.0
        while k < n and keys[k] >> np.uint32(signed) == column:
            total += -1.0 if signed and keys[k] & np.uint32(1) else 1.0
            k += 1
        if total != 0.0:
            out.indices[m] = column
            out.values[m] = total
            m += 1
    return m


@inlined
def scatter(keys, n, shift, digits, to, counts):
    """Sort keys by some of their bits into another array; equal ones stay in order."""
    for d in range(digits + np.uint64(1)):
        counts[d] = 0
    for k in range(n):
        counts[np.uint64(keys[np.uint64(k)]) >> shift & digits] += np.uint32(1)
    total = np.uint32(0)
    for d in range(digits + np.uint64(1)):
        count = counts[d]
        counts[d] = total
        total += count
    for k in range(n):
        key = keys[np.uint64(k)]
        d = np.uint64(key) >> shift & digits
        to[np.uint64(counts[d])] = key
        counts[d] += np.uint32(1)


@inlined
def sort_evenly(keys, n, sorter):
    """Sort keys that are spread evenly."""
    bits = 0
    while 1 << bits < n:
        bits += 1
    bits = min(bits, sorter.width)
    spare = sorter.spare
    shift, digits = np.uint64(sorter.width - bits), np.uint64((1 << bits) - 1)
    scatter(keys, n, shift, digits, spare, sorter.counts)
    for k in range(n):
        key, j = spare[np.uint64(k)], k
        while j > 0 and keys[np.uint64(j - 1)] > key:
            keys[np.uint64(j)] = keys[np.uint64(j - 1)]
            j -= 1
        keys[np.uint64(j)] = key


@kernel
def sort_by_digits(keys, n, sorter):
    """Sort any keys, from the lowest digit to the highest."""
    digit = DIGIT if n > SHORT // 4 else 8
    digits = np.uint64((1 << digit) - 1)
    # two digits at a time, so that the result is where the keys were
    for shift in range(0, sorter.width, 2 * digit):
        scatter(keys, n, np.uint64(shift), digits, sorter.spare, sorter.counts)
        scatter(sorter.spare, n, np.uint64(shift + digit), digits, keys, sorter.counts)
