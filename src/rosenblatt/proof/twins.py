"""Equal rows with different labels: a contradiction of two, found by digests of the rows.

Rows that are not in memory are looked at in as many passes as it takes to hold a part of their
digests, those of a range, at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rosenblatt.proof.problem import AskedRows, OneBlock
from rosenblatt.proof.program import kernel_weights
from rosenblatt.proof.question import SignedRows
from rosenblatt.rows import row_digests
from rosenblatt.types import Array

MOST_DIGESTS = 1 << 20  # held at a time, each with a mark and a number


class _Digests(NamedTuple):
    """Some rows: their digests, what their labels are to the question, and their numbers."""

    digests: Array
    marks: Array
    numbers: Array

    def take(self, chosen: Array) -> _Digests:
        return _Digests(*(array[chosen] for array in self))


def digests_of(block: OneBlock) -> Array:
    """Return the digests of a block, which may have them already."""
    return row_digests(block.rows, block.n_rows) if block.digests is None else block.digests


def opposite_twins(problem: AskedRows | SignedRows) -> dict[int, int] | None:
    """Return two equal rows with opposite labels, if there are any.

    Examples
    --------
    >>> opposite_twins(SignedRows(np.array([[1.0], [2.0], [1.0]]), np.array([1, 1, -1]), 1.0, 1))
    {0: 1, 2: 1}
    """
    problem = AskedRows.of(problem)
    for first, _, other in conflicts(problem):
        pair = np.array([first, other])
        if kernel_weights(problem.take(pair), np.arange(2)) == [1, 1]:
            return dict.fromkeys(sorted((first, other)), 1)
    return None


def conflicts(problem: AskedRows) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers of rows of one digest and two marks, in the order of digests and marks.

    Of the rows with the lower mark the first of the digest and the last, of those with the higher
    mark the first. Digests of 64 bits may be equal by chance.
    """
    n_rounds = 1 if problem.whole is not None else -(-problem.n_rows // MOST_DIGESTS)
    for low, high in pairwise([(k << 64) // n_rounds for k in range(n_rounds + 1)]):
        look = partial(_between, low=low, last=high - 1, alone=problem.whole is not None)
        parts = list(problem.each(look))
        yield from _conflicts(_Digests(*map(np.concatenate, zip(*parts, strict=True))))


def _between(block: OneBlock, low: int, last: int, alone: bool) -> _Digests:
    """Return the rows of a block with a digest in a range."""
    digests = digests_of(block)
    within = (digests >= np.uint64(low)) & (digests <= np.uint64(last))
    if isinstance(block, SignedRows):
        within &= block.signs != 0
    places = np.flatnonzero(within)
    found = _Digests(digests[places], block.marks[places], block.first + places)
    return found if alone else found.take(_first_and_last(found))


def _first_and_last(found: _Digests) -> Array:
    """Return the first and the last row of each digest and mark: all others change nothing."""
    order = np.lexsort((found.marks, found.digests))
    new = np.ones(len(order) + 1, dtype=bool)
    new[1:-1] = np.diff(found.digests[order]) != 0
    new[1:-1] |= np.diff(found.marks[order]) != 0
    return np.sort(order[new[:-1] | new[1:]])


def _conflicts(found: _Digests) -> Iterator[tuple[int, int, int]]:
    ascending = np.sort(found.digests)
    repeated = np.unique(ascending[1:][ascending[1:] == ascending[:-1]])
    if not len(repeated):
        return
    few = found.take(np.flatnonzero(np.isin(found.digests, repeated)))
    few = few.take(np.lexsort((few.marks, few.digests)))
    same, differ = np.diff(few.digests) == 0, np.diff(few.marks) != 0
    for place in np.flatnonzero(same & differ).tolist():
        start = int(np.searchsorted(few.digests, few.digests[place]))
        yield tuple(few.numbers[[start, place, place + 1]].tolist())
