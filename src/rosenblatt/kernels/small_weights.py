"""Weights of one byte each, for presence rows: they are whole numbers, and rarely large ones.

A correction adds +1 or -1 to the weights of the features that are there. From a start of whole
numbers all weights stay whole, and so does every sum of them. Such sums are exact, below 2^53 in a
float64 as well as in an integer, so judging and correcting gives the same bits in either. But
262,144 weights of one byte fit into the cache that is near the processor, those of eight do not.

A weight has no more room when it has reached 127 in size. It has not overflowed then: one
correction moves it by 1, and it is asked after each.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined

LARGEST = 127


class SmallWeights(NamedTuple):
    """A hypothesis of two classes with weights of one byte."""

    w: np.ndarray  # int8
    b: np.ndarray
    scores: np.ndarray
    largest: np.ndarray  # int64: the largest size that any weight has had


@inlined
def add_small(X, i, sign, h):
    """Do w <- w + sign x_i in place, for a presence row."""
    w, largest = h.w, h.largest[0]
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        j = np.uint64(X.indices[k])
        weight = w[j] + sign
        w[j] = weight
        largest = max(largest, abs(weight))
    h.largest[0] = largest


def can_move(h):
    """Tell whether a correction can move every weight."""
    return _can_move(h) if isinstance(h, SmallWeights) else True


def is_small(h):
    """Tell whether a Numba type is that of SmallWeights."""
    return getattr(h, "instance_class", None) is SmallWeights


def _can_move(h):
    return h.largest[0] < LARGEST


def _always(h):
    return True


@overload(can_move, jit_options=INLINE)
def _(h):
    return _can_move if is_small(h) else _always
