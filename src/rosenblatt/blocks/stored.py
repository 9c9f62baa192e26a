"""Rows on disk: four arrays in files without a name, mapped into memory.

    labels    the number of the label of each row          int32
    starts    where the entries of each row begin          int64, of sparse rows
    indices   the column of each entry                     int32, of sparse rows
    values    the numbers                                  of all but presence rows

A block is a slice of them. The system keeps in memory what it has room for, and the files are gone
when the process ends, however it ends.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any, BinaryIO, NamedTuple, Self

import numpy as np

from rosenblatt.blocks import Blocks, Draws
from rosenblatt.blocks.label_codes import LabelCodes, Settle, as_they_are, settled
from rosenblatt.blocks.orders import draw_parts
from rosenblatt.checks import NO_WEIGHTS, check_rows
from rosenblatt.counting import counted
from rosenblatt.errors import DataError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.rows import as_others, take, values_of
from rosenblatt.types import Array, Block, Rows

BLOCK_BYTES = 4 << 20  # of a block, unless there is less memory
PART_ROWS = 1 << 14  # some rows of all, at a time
ROOM = 1 << 20  # ones written, or indices moved, at a time


class _Arrays(NamedTuple):
    """The arrays on disk; those that a kind of rows does not need are empty."""

    labels: Array
    starts: Array
    indices: Array
    values: Array


class Stored(Blocks):
    """Rows on disk, in blocks; made by a `StoreWriter`."""

    def __init__(
        self,
        arrays: _Arrays,
        classes: Array,
        ranks: Array,
        n_features: int,
        cuts: list[int],
        block_bytes: int,
        chosen: Array | None = None,
        numbers: Array | None = None,
    ) -> None:
        self.classes, self.n_features = classes, n_features
        self.n_rows = len(arrays.labels) if chosen is None else len(chosen)
        self._arrays, self._ranks, self._cuts = arrays, ranks, cuts
        self._block_bytes, self._chosen = block_bytes, chosen
        self._numbers = numbers  # of the chosen rows, where they are not 0, 1, 2, ...

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return not len(self._arrays.starts)

    @property
    def n_bytes(self) -> int:
        """The size of all arrays."""
        return sum(array.nbytes for array in self._arrays)

    @property
    def n_entries(self) -> int:
        """How many numbers, or presences, the rows have."""
        if self.is_dense:
            return self.n_rows * self.n_features
        if self._chosen is None:
            return len(self._arrays.indices)
        return int(self._lengths(self._chosen).sum())

    def one_pass(self, draws: Draws = None) -> Iterator[Block]:
        """Yield all rows, in their order or in a drawn one."""
        if draws is not None:
            return self._in_order(draw_parts(self.n_rows, draws))
        if self._chosen is not None:
            starts = range(0, self.n_rows, PART_ROWS)
            return self._in_order(np.arange(s, min(s + PART_ROWS, self.n_rows)) for s in starts)
        return (self._block(first, last) for first, last in pairwise(self._cuts))

    def take(self, rows: Array) -> Stored:
        """Return some of the rows, by their numbers in ascending order."""
        return self._with(rows if self._chosen is None else self._chosen[rows])

    def of_classes(self, codes: Array) -> Stored:
        """Return the rows of some classes only."""
        mine = np.flatnonzero(np.isin(self._ranks, codes))
        labels = self._arrays.labels if self._chosen is None else self._arrays.labels[self._chosen]
        rows = np.flatnonzero(np.isin(labels, mine))
        numbers = rows if self._numbers is None else self._numbers[rows]
        return self._with(rows if self._chosen is None else self._chosen[rows], numbers=numbers)

    def among(self, classes: Array) -> Stored:
        """Return the rows with their labels among more classes than theirs."""
        places = np.searchsorted(classes, self.classes).astype(np.int32)
        return self._with(self._chosen, classes, places[self._ranks], self._numbers)

    def _with(
        self,
        chosen: Array | None,
        classes: Array | None = None,
        ranks: Array | None = None,
        numbers: Array | None = None,
    ) -> Stored:
        return Stored(
            self._arrays,
            self.classes if classes is None else classes,
            self._ranks if ranks is None else ranks,
            self.n_features,
            self._cuts,
            self._block_bytes,
            chosen,
            numbers,
        )

    def _block(self, first: int, last: int) -> Block:
        labels, starts, indices, values = self._arrays
        rows: Rows
        if self.is_dense:
            rows = as_others(values[first:last])
        else:
            low, high = int(starts[first]), int(starts[last])
            # of 32 bits, as those of rows in memory: kernels are compiled for them
            here = (starts[first : last + 1] - low).astype(np.int32)
            rows = Presence(as_others(indices[low:high]), here)
            rows = CSR(as_others(values[low:high]), *rows) if len(values) else rows
        return self._labelled(rows, labels[first:last], first, None)

    def _in_order(self, parts: Iterator[Array]) -> Iterator[Block]:
        """Yield rows from all over the files, some at a time, in the order to visit them."""
        labels, starts, indices, values = map(as_others, self._arrays)
        whole: Rows = values
        if not self.is_dense:
            whole = CSR(values, indices, starts) if len(values) else Presence(indices, starts)
        for part in parts:
            order = part if self._chosen is None else self._chosen[part]
            for piece in self._pieces(order):
                here = order[piece]
                numbers = part[piece] if self._numbers is None else self._numbers[part[piece]]
                yield self._labelled(take(whole, here), labels[here], 0, numbers)

    def _pieces(self, order: Array) -> Iterator[slice]:
        """Cut an order into pieces of rows that are not longer than a block."""
        ends = np.concatenate([[0], np.cumsum(12 * self._lengths(order) + 8)])
        first = 0
        while first < len(order):
            last = int(np.searchsorted(ends, ends[first] + self._block_bytes, side="right")) - 1
            last = max(last, first + 1)
            yield slice(first, last)
            first = last

    def _lengths(self, rows: Array) -> Array:
        if self.is_dense:
            return np.full(len(rows), self.n_features)
        starts = self._arrays.starts
        return np.asarray(starts[rows + 1] - starts[rows])

    def _labelled(self, rows: Rows, codes: Array, first: int, numbers: Array | None) -> Block:
        labels, n = self._ranks[codes], len(codes)
        everyone = np.arange(n)
        return Block(
            rows,
            n,
            labels,
            self.classes,
            NO_WEIGHTS,
            everyone,
            self.n_features,
            self.feature_names,
            first,
            numbers,
        )


class StoreWriter:
    """Writes rows to disk, some at a time; use it in a `with`, and what it gives inside of that.

    Parameters
    ----------
    block_bytes : int
        The most that a block may have; a longer row is a block by itself.

    Examples
    --------
    >>> with StoreWriter() as writer:
    ...     writer.add([[1.0, 0.0], [0.0, 2.0]], [0, 1])
    ...     [block.rows for block in writer.finish().one_pass()]
    [array([[1., 0.],
           [0., 2.]])]
    """

    def __init__(self, *, block_bytes: int = BLOCK_BYTES) -> None:
        self.block_bytes, self.labels = block_bytes, LabelCodes()
        self._files = ExitStack()
        self._labels, self._starts, self._indices, self._values = (self._file() for _ in range(4))
        self._is_dense: bool | None = None
        self._dtype: Any = None  # of the values; None while there are presences only
        self._n_features = self._n_rows = self._n_entries = 0
        self._cuts = [0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._files.close()

    def add(self, X: Any, y: Any) -> None:
        """Write rows and their labels; X is anything that `fit` takes."""
        rows, n_rows, n_features = check_rows(None, X)
        if len(y) != n_rows:
            raise DataError(
                f"X has {counted(n_rows, 'row')} and y {counted(len(y), 'label')}, which differ"
            )
        self.add_rows(rows, n_features, self.labels.codes(y))

    def add_rows(self, rows: Rows, n_features: int, codes: Array) -> None:
        """Write rows that are checked already, with the numbers of their labels."""
        self._check_kind(rows, n_features)
        self._n_features = max(self._n_features, n_features)
        values, starts = values_of(rows), _starts(rows)
        size = 12 if self._dtype == np.float64 else 8
        self._cut(starts * size + np.arange(len(starts)) * 8)
        self._write(self._labels, codes.astype(np.int32, copy=False))
        if not isinstance(rows, np.ndarray):
            low, high = int(rows.indptr[0]), int(rows.indptr[-1])
            self._write(self._starts, starts[:-1] - low + self._n_entries)
            self._write(self._indices, rows.indices[low:high].astype(np.int32, copy=False))
            values = None if values is None else values[low:high]
            if values is None and self._dtype is not None:
                self._write_ones(high - low)
        if values is not None:
            self._write(self._values, values)
        self._n_rows += len(codes)
        self._n_entries += int(starts[-1] - starts[0])

    def finish(
        self,
        n_features: int | None = None,
        *,
        shift: int = 0,
        settle: Settle = as_they_are,
        labels: tuple[Array, Array] | None = None,
    ) -> Stored:
        """Return all rows.

        `shift` is added to each index; `settle` says what the labels are, now that all are known;
        `labels` are the classes and the place there of each number given to `add_rows`.
        """
        classes, ranks = labels or settled(settle(self.labels.known))
        n_features = self._n_features if n_features is None else n_features
        if not self._is_dense:
            self._write(self._starts, np.array([self._n_entries]))
        if shift:
            self._shift(shift)
        values = np.empty(0)
        if self._dtype is not None:
            shape = (self._n_rows, n_features) if self._is_dense else (self._n_entries,)
            values = _mapped(self._values, self._dtype, shape)
        arrays = _Arrays(
            _mapped(self._labels, np.int32, (self._n_rows,)),
            _mapped(self._starts, np.int64, (0 if self._is_dense else self._n_rows + 1,)),
            _mapped(self._indices, np.int32, (0 if self._is_dense else self._n_entries,)),
            values,
        )
        return Stored(arrays, classes, ranks, n_features, self._cuts, self.block_bytes)

    def _file(self) -> BinaryIO:
        return self._files.enter_context(tempfile.TemporaryFile(prefix="rosenblatt-"))

    def _check_kind(self, rows: Rows, n_features: int) -> None:
        is_dense = isinstance(rows, np.ndarray)
        if self._is_dense is None:
            self._is_dense = is_dense
        if is_dense != self._is_dense or (is_dense and self._n_features not in (0, n_features)):
            raise DataError(
                "all blocks must be sparse, or dense with as many columns, got "
                f"{'dense' if is_dense else 'sparse'} rows of {counted(n_features, 'column')}"
            )
        values = values_of(rows)
        if values is None:
            return
        # not `in (None, ...)`: NumPy takes None for float64
        if self._dtype is not None and self._dtype != values.dtype:
            raise DataError(
                f"all blocks must have values of one type, got {values.dtype} after {self._dtype}"
            )
        if self._dtype is None:
            self._dtype = values.dtype
            self._write_ones(self._n_entries)  # what came before was presences

    def _cut(self, ends: Array) -> None:
        """Note where blocks end, given where each row ends in bytes."""
        first, n_rows = 0, len(ends) - 1
        while first < n_rows:
            last = int(np.searchsorted(ends, ends[first] + self.block_bytes, side="right")) - 1
            first = min(max(last, first + 1), n_rows)
            self._cuts.append(self._n_rows + first)

    def _write_ones(self, n: int) -> None:
        ones = np.ones(min(n, ROOM), dtype=self._dtype)
        for start in range(0, n, ROOM):
            self._write(self._values, ones[: n - start])

    def _write(self, file: BinaryIO, array: Array) -> None:
        try:
            file.write(np.ascontiguousarray(array).data)
        except OSError as error:
            raise _no_room(error) from error

    def _shift(self, shift: int) -> None:
        self._indices.flush()
        if self._n_entries:
            indices = np.memmap(self._indices, np.int32, "r+", shape=(self._n_entries,))
            for start in range(0, self._n_entries, ROOM):
                indices[start : start + ROOM] += shift


def _starts(rows: Rows) -> Array:
    if isinstance(rows, np.ndarray):
        return np.arange(len(rows) + 1) * int(rows.shape[1])
    return rows.indptr.astype(np.int64)


def _mapped(file: BinaryIO, dtype: Any, shape: tuple[int, ...]) -> Array:
    """Return what was written to a file as an array, without reading it."""
    try:
        file.flush()
    except OSError as error:
        raise _no_room(error) from error
    if 0 in shape:
        return np.empty(shape, dtype=dtype)  # nothing cannot be mapped
    return np.asarray(np.memmap(file, dtype, "r", shape=shape))


def _no_room(error: OSError) -> DataError:
    return DataError(
        f"the rows cannot be written to disk: {error.strerror or error}; set TMPDIR to a folder "
        "with more room"
    )
