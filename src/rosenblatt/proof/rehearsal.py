"""A perceptron that goes through the rows before a proof is sought, and counts its mistakes.

The step is 1 / |z_i|, so that long rows do not drown short ones. Its rule may be right; if not,
the examples that it got wrong most often are the hard ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.checks import NO_WEIGHTS
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.perceptron import count_mistakes
from rosenblatt.kernels.rows import CSR
from rosenblatt.proof.question import SignedRows
from rosenblatt.rows import lengths_of, scores_of
from rosenblatt.types import Array, Rows

PIECE = 1 << 20  # rows that are looked at together


class Measured(NamedTuple):
    """A block of examples with the lengths of its rows."""

    rows: Rows
    D: LabelledRows
    signs: Array
    lengths: Array
    empty: Array  # the places of rows of zeros
    first: int

    @property
    def members(self) -> Array:
        """All rows, in their order."""
        return np.arange(len(self.signs))

    def margins(self, w: Array) -> Array:
        """Return z_i . w / |z_i|; infinity for rows that are no examples."""
        scores = scores_of(self.rows, len(self.signs), w[1:], w[:1])
        with np.errstate(over="ignore", invalid="ignore"):
            scores *= self.signs / self.lengths
        scores[self.signs == 0] = np.inf
        return scores


def measured(block: SignedRows) -> Measured:
    """Measure the rows of a block."""
    D = LabelledRows(block.rows, block.signs.astype(np.int32), NO_WEIGHTS, block.x0)
    lengths = lengths_of(block.rows, block.n_rows, block.x0)
    nothing = np.flatnonzero((block.signs != 0) & (lengths == 0)).tolist()
    empty = np.array([i for i in nothing if not _any_entry(block, i)], dtype=np.int64)
    # squares that vanished, or overflowed
    lengths[lengths == 0] = 1.0
    lengths[~np.isfinite(lengths)] = np.finfo(np.float64).max
    return Measured(block.rows, D, block.signs, lengths, empty, block.first)


def _any_entry(problem: SignedRows, i: int) -> bool:
    """Tell a row of zeros from one whose square is too small for a float."""
    rows = problem.rows
    if isinstance(rows, np.ndarray):
        return bool(rows[i].any())
    part = slice(rows.indptr[i], rows.indptr[i + 1])
    return bool(rows.data[part].any()) if isinstance(rows, CSR) else part.stop > part.start


class Rehearsal(NamedTuple):
    """Where a perceptron is on its way through the rows."""

    h: Hypothesis
    n_wrong: int
    first: int  # of the block that it is in, with the mistakes there since it came
    signs: Array
    counts: Array

    def visit(self, block: Measured, piece: Array) -> Rehearsal:
        """Return where it is after some rows of a block; change h and counts in place."""
        here = self
        if here.first != block.first or not len(here.counts):
            counts = np.zeros(len(block.signs), dtype=np.int64)
            here = self._replace(first=block.first, signs=block.signs, counts=counts)
        start, stop = int(piece[0]), int(piece[-1]) + 1
        n = count_mistakes(block.D, here.h, block.lengths, here.counts, start, stop)
        return here._replace(n_wrong=here.n_wrong + n)


class Hardness:
    """How often each example was wrong: y_i (1 + count) in a byte or two; 0 for no example."""

    def __init__(self, n_rows: int, most: int) -> None:
        self._values = np.zeros(n_rows, dtype=np.min_scalar_type(-most - 2))

    def add(self, state: Rehearsal) -> None:
        """Take the counts of a block."""
        here = self._values[state.first : state.first + len(state.signs)]
        here[here == 0] = state.signs[here == 0]
        here += (state.signs * state.counts).astype(here.dtype)

    def hardest(self, sign: int, n: int) -> Array:
        """Return the n examples of a sign that were wrong most often; of equal ones the first."""
        there = int(np.count_nonzero(self._values > 0 if sign > 0 else self._values < 0))
        n = min(n, there)
        if n == 0:
            return np.zeros(0, dtype=np.int64)
        last = sign * int(np.partition(self._values * sign, -n)[-n])
        above = np.flatnonzero(self._values * sign > last * sign)
        equal: list[Array] = []
        left = n - len(above)
        for start in range(0, len(self._values), PIECE):
            if left <= 0:
                break
            found = start + np.flatnonzero(self._values[start : start + PIECE] == last)[:left]
            equal.append(found)
            left -= len(found)
        return np.concatenate([above, *equal])
