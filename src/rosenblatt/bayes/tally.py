"""What the discrete models remember: counts that can be added, and taken away to the last bit.

Counts are float64. They are exact as long as every weight (and value) learned is a multiple of
some 2^q and every count stays below 2^(53 + q): whole numbers below 2^53, halves below 2^52. Past
that they are rounded, as any sum of floats is; learning goes on, forgetting is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, Self

import numpy as np
from scipy import sparse

from rosenblatt.errors import DataError
from rosenblatt.kernels.class_counts import count_rows, unit_of
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.rows import rows_per_slice, slices
from rosenblatt.types import Array, Block, Rows


class Tally(Protocol):
    """What a model remembers of the rows of each class."""

    @property
    def n_rows(self) -> Array:
        """The rows of each class."""

    @property
    def weight(self) -> Array:
        """The weight of each class."""

    def spread(self, where: Array, n_classes: int) -> Self:
        """Make room for more classes."""

    def keep(self, classes: Array) -> Self:
        """Drop the other classes."""

    def plus(self, more: Self) -> Self:
        """Add."""

    def minus(self, less: Self) -> Self:
        """Take away what was added, or raise a DataError if that would not be exact."""


class Counts(NamedTuple):
    """Rows, their weight, and the weighted counts of each cell, for each class."""

    n_rows: Array  # (classes,) int64: rows of a weight above 0
    weight: Array  # (classes,) float64
    cells: Array  # (classes, cells) float64
    unit: int  # q: everything is a multiple of 2^q
    rounded: bool

    @classmethod
    def none(cls, data: Block, n_cells: int) -> Self:
        """Return the counts of no rows, in cells of their own."""
        k = len(data.classes)
        return cls(np.zeros(k, dtype=np.int64), np.zeros(k), np.zeros((k, n_cells)), 0, False)

    def with_rows(self, rows: Rows, data: Block, value_unit: int = 0) -> Self:
        """Go on counting, in the cells that are there: the same bits as all rows at once."""
        for piece in slices(data.members, rows_per_slice(rows)):
            count_rows(rows, piece, data.labels, data.weights, self.cells)
        k, labels = len(data.classes), data.labels[data.members]
        n_rows = np.bincount(labels, minlength=k)
        if len(data.weights):
            weight = np.bincount(labels, data.weights[data.members], minlength=k)
            unit = int(unit_of(data.weights)) + value_unit
        else:
            weight, unit = n_rows.astype(np.float64), value_unit
        unit, weight = min(self.unit, unit), self.weight + weight
        return self._checked(self.n_rows + n_rows, weight, self.cells, unit, self.rounded)

    @classmethod
    def _checked(cls, n_rows: Array, weight: Array, cells: Array, unit: int, rounded: bool) -> Self:
        largest = max(weight.max(initial=0), cells.max(initial=0))
        if not np.isfinite(largest):
            raise DataError("the counts grew beyond what a float64 holds; scale X or the weights")
        # nothing is negative, so no partial sum was larger than the last one
        rounded = rounded or bool(np.log2(max(largest, 1e-300)) >= 53 + unit)
        return cls(n_rows, weight, cells, unit, rounded)

    def spread(self, where: Array, n_classes: int) -> Self:
        """Make room for more classes: class c becomes class where[c]."""
        n_rows, weight = np.zeros(n_classes, dtype=np.int64), np.zeros(n_classes)
        cells = np.zeros((n_classes, self.cells.shape[1]))
        n_rows[where], weight[where], cells[where] = self.n_rows, self.weight, self.cells
        return self._replace(n_rows=n_rows, weight=weight, cells=cells)

    def keep(self, classes: Array) -> Self:
        """Drop the other classes."""
        return self._replace(
            n_rows=self.n_rows[classes], weight=self.weight[classes], cells=self.cells[classes]
        )

    def plus(self, more: Self) -> Self:
        """Return the counts of both."""
        return self._checked(
            self.n_rows + more.n_rows,
            self.weight + more.weight,
            self.cells + more.cells,
            min(self.unit, more.unit),
            self.rounded or more.rounded,
        )

    def minus(self, less: Self) -> Self:
        """Take away counts that were added, or raise an error if they were rounded."""
        # what is taken away is no larger and has no finer parts, so it is exact too
        if self.rounded:
            raise DataError(
                "the counts were rounded, so nothing can be forgotten exactly; use weights and "
                "values that are whole numbers or multiples of a power of 2, as 0.5 is"
            )
        return self._replace(
            n_rows=self.n_rows - less.n_rows,
            weight=self.weight - less.weight,
            cells=self.cells - less.cells,
        )

    def place(self, where: Array, n_cells: int) -> Self:
        """Make room for more cells: cell j becomes cell where[j]."""
        cells = np.zeros((len(self.weight), n_cells))
        cells[:, where] = self.cells
        return self._replace(cells=cells)


class KeyedCounts(NamedTuple):
    """Counts of cells that have keys: they come and go with the data."""

    keys: Array  # sorted
    weighted: Counts
    plain: Counts  # the same without weights, exact always: which cells there are

    @property
    def n_rows(self) -> Array:
        """The rows of each class."""
        return self.plain.n_rows

    @property
    def weight(self) -> Array:
        """The weight of each class."""
        return self.weighted.weight

    @classmethod
    def of(cls, keys: Array, codes: Array, indptr: Array, data: Block) -> Self:
        """Count rows given as the codes of their keys."""
        rows = Presence(codes, indptr)
        weighted = Counts.none(data, len(keys)).with_rows(rows, data)
        if not len(data.weights):
            return cls(keys, weighted, weighted)
        unweighted = data._replace(weights=np.empty(0))
        plain = Counts.none(data, len(keys)).with_rows(rows, unweighted)
        # rows of weight 0 have no say in which cells there are
        return cls(keys, weighted, plain)._without_empty()

    def spread(self, where: Array, n_classes: int) -> Self:
        """Make room for more classes."""
        return self._both(lambda counts: counts.spread(where, n_classes))

    def keep(self, classes: Array) -> Self:
        """Drop the other classes."""
        return self._both(lambda counts: counts.keep(classes))

    def plus(self, more: Self) -> Self:
        """Return the counts of both, over the keys of both."""
        keys = np.union1d(self.keys, more.keys)
        a, b = self._over(keys), more._over(keys)
        weighted, is_one = a.weighted.plus(b.weighted), a._is_unweighted and b._is_unweighted
        return type(self)(keys, weighted, weighted if is_one else a.plain.plus(b.plain))

    def minus(self, less: Self) -> Self:
        """Take counts away, and the keys that nothing is left of."""
        b = less._over(self.keys)
        weighted, plain = self.weighted.minus(b.weighted), self.plain.minus(b.plain)
        return type(self)(self.keys, weighted, plain)._without_empty()

    def _over(self, keys: Array) -> Self:
        where = np.searchsorted(keys, self.keys)
        counts = self._both(lambda counts: counts.place(where, len(keys)))
        return counts._replace(keys=keys)

    def _without_empty(self) -> Self:
        there = self.plain.cells.any(axis=0)
        counts = self._both(lambda counts: counts._replace(cells=counts.cells[:, there]))
        return counts._replace(keys=self.keys[there])

    @property
    def _is_unweighted(self) -> bool:
        """Whether there is one count alone, which files of models have once, too."""
        return self.weighted is self.plain

    def _both(self, change: Callable[[Counts], Counts]) -> Self:
        weighted = change(self.weighted)
        plain = weighted if self._is_unweighted else change(self.plain)
        return self._replace(weighted=weighted, plain=plain)


def find(keys: Array, wanted: Array) -> Array:
    """Return the place of each wanted key among the sorted keys, or -1."""
    if len(keys) == 0:
        return np.full(len(wanted), -1)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, places, -1)


def nonzeros(rows: Rows) -> CSR:
    """Return the values other than 0, in float64, columns in order."""
    if isinstance(rows, Presence):
        return CSR(np.ones(len(rows.indices)), rows.indices, rows.indptr)
    if isinstance(rows, np.ndarray):
        found = sparse.csr_array(rows)
        return CSR(found.data.astype(np.float64), found.indices, found.indptr)
    there = rows.data != 0
    starts = np.concatenate([[0], np.cumsum(there)])[rows.indptr]
    return CSR(rows.data[there].astype(np.float64), rows.indices[there], starts)
