"""What is known of the columns of a table, whose values come block by block.

What a column is can depend on its last value, so all blocks are looked at before any row is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.data.cells import NUMERIC, Cells
from rosenblatt.data.columns import (
    AS_WRITTEN,
    Column,
    as_numbers,
    as_strings,
    is_string,
    is_whole_or_string,
    kind_of_type,
)
from rosenblatt.data.row_names import RowNames
from rosenblatt.data.table import ReadAgainError, Table, TableFile
from rosenblatt.kernels.fraction_sums import FRACTION_BITS, LOW_BITS, N_KINDS, add_fractions
from rosenblatt.rows import as_others
from rosenblatt.types import Array

UNIT = 1074  # 2^-1074 is the smallest float
NOT_FINITE = 2047  # the exponent of NaN and infinity, the largest


class RunningMean:
    """The mean of values that come in parts, the same bits however they are parted.

    The sum is a whole number of units of 2^-1074, the smallest float, and is rounded once.

    Examples
    --------
    >>> mean = RunningMean()
    >>> mean.add(np.array([1.0, np.nan])), mean.add(np.array([4.0]))
    (None, None)
    >>> mean.value
    2.5
    """

    __slots__ = ("_n", "_total")  # there may be a million columns

    def __init__(self) -> None:
        self._total, self._n = 0, 0

    def add(self, numbers: Array) -> None:
        """Take more values; what is not finite is left out."""
        sums, kinds = np.zeros((3, N_KINDS), dtype=np.int64), np.empty(N_KINDS, dtype=np.int64)
        kinds = kinds[: add_fractions(as_others(numbers), sums, kinds)]
        for kind, low, high, n in zip(kinds.tolist(), *sums[:, kinds].tolist(), strict=True):
            exponent = kind & NOT_FINITE
            if exponent < NOT_FINITE:
                whole = low + (high << LOW_BITS) + (n << FRACTION_BITS if exponent else 0)
                self._total += (whole if kind == exponent else -whole) << max(exponent - 1, 0)
                self._n += n

    def merge(self, other: RunningMean) -> None:
        """Take the values of another one."""
        self._total += other._total
        self._n += other._n

    @property
    def value(self) -> float | None:
        """The mean, None of nothing."""
        return self._total / (self._n << UNIT) if self._n else None


class ColumnSummary:
    """The types of a column, the cells of strings, its categories or its mean.

    `kind` is what the column is known to be, if it is. Without `is_learned` categories and means
    are left for later.

    Examples
    --------
    >>> import pyarrow as pa
    >>> summary = ColumnSummary()
    >>> summary.add(pa.chunked_array([[1, 2]]), Table(pa.table({}), "a.csv"))
    >>> summary.column("size", "number")
    Column(name='size', kind='number', categories=(), mean=1.5)
    """

    __slots__ = ("_different", "_is_learned", "_kind", "_mean", "cells", "row_names", "types")

    def __init__(self, kind: str | None = None, *, is_learned: bool = True) -> None:
        self.types: set[Any] = set()
        self.cells: Cells | None = None  # of strings
        self._kind, self._is_learned = kind, is_learned
        self._different: set[str] = set()  # of a column that is known to be a category
        self._mean = RunningMean()
        self.row_names: RowNames | None = None  # of whole numbers and strings

    def add(self, values: Any, table: Table) -> None:
        """Take the values of another block."""
        self.types.add(values.type)
        if self._kind is None and is_whole_or_string(values.type):
            self.row_names = self.row_names or RowNames()
            self.row_names.add(values)
        kind = self._kind if self._kind in AS_WRITTEN else kind_of_type(values.type)
        if kind is None and is_string(values.type):
            self.cells = self.cells or Cells(table.decimal_point)
            self.cells.add(values, table.place)
        elif kind == "category" and self._is_learned:
            self._different.update(as_strings(values).unique().drop_null().to_pylist())
        elif kind in NUMERIC and self._is_learned:
            self._mean.add(as_numbers(values))

    def plus(self, other: ColumnSummary) -> ColumnSummary:
        """Return what this one and one of later blocks know; neither is changed."""
        both = ColumnSummary(self._kind, is_learned=self._is_learned)
        both._take(self)
        both._take(other)
        return both

    def _take(self, other: ColumnSummary) -> None:
        self.types |= other.types
        if other.cells is not None:
            self.cells = self.cells or Cells(other.cells.decimal_point)
            self.cells.merge(other.cells)
        self._different |= other._different
        self._mean.merge(other._mean)
        if other.row_names is not None:
            self.row_names = self.row_names or RowNames()
            self.row_names.merge(other.row_names)

    def without_blocks(self) -> ColumnSummary:
        """Return what is known in a form that holds nothing of the blocks, and can travel."""
        if self.cells is not None:
            self.cells.settle_places()
        if self.row_names is not None:
            self.row_names.settle_values()
        return self

    def column(self, name: str, kind: str) -> Column:
        """Return what is remembered of the column."""
        import pyarrow as pa

        if kind == "category":
            found = self._different if self.cells is None else self.cells.different
            strings = as_strings(pa.array(sorted(found), pa.string())).unique().to_pylist()
            return Column(name, kind, categories=tuple(sorted(strings)))
        return Column(name, kind) if kind == "text" else Column(name, kind, mean=self._mean.value)


def summarize(
    file: TableFile,
    new: Callable[[str], ColumnSummary | None],
    change: Callable[[Table], Table] = lambda table: table,
) -> dict[str, ColumnSummary]:
    """Go through all blocks; `new` makes the summary of a column, None for one that is passed."""
    try:
        return file.looked_at(partial(_look_at, new, change), _merged)
    except ReadAgainError:
        return summarize(file, new, change)


def _look_at(
    new: Callable[[str], ColumnSummary | None],
    change: Callable[[Table], Table],
    tables: Iterable[Table],
) -> dict[str, ColumnSummary]:
    seen: dict[str, ColumnSummary | None] = {}
    for table in map(change, tables):
        for name, values in zip(table.names, table.columns.columns, strict=True):
            if name not in seen:
                seen[name] = new(name)
            summary = seen[name]
            if summary is not None:
                summary.add(values, table)
    return {name: summary for name, summary in seen.items() if summary is not None}


def _merged(
    one: dict[str, ColumnSummary], other: dict[str, ColumnSummary]
) -> dict[str, ColumnSummary]:
    """Return what is known of the columns of both; neither is changed."""
    both = {name: one[name].plus(summary) for name, summary in other.items() if name in one}
    return one | other | both


def settled_types(file: TableFile) -> dict[str, Any]:
    """Go through all blocks to know the type of each column; they have it from then on."""
    seen = summarize(file, lambda name: ColumnSummary("text"))  # of texts nothing else is asked
    return file.settle_types({name: found.types for name, found in seen.items()})[0]
