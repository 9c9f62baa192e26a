"""Write a binary cache of rows, block by block."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import numpy as np
from sklearn.base import BaseEstimator

from rosenblatt.blocks.label_codes import LabelCodes, Settle, as_they_are, settled
from rosenblatt.checks import check_rows
from rosenblatt.counting import counted
from rosenblatt.data.cache import BLOCK, Cache
from rosenblatt.data.cache_file import (
    INT,
    ROWS,
    Extent,
    Header,
    block_bytes,
    checksum,
    write_header,
)
from rosenblatt.errors import DataError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.types import Array, Rows


class CacheWriter:
    """Writes rows to a cache, block by block.

    Parameters
    ----------
    folder : path or None, default=None
        Where to keep the cache; it must not be there yet. None: a file without a name, which is
        gone when it is closed or the process ends, however it ends.
    block_bytes : int
        The most that a block may have; a longer row is a block by itself.

    Examples
    --------
    >>> with CacheWriter() as writer:
    ...     writer.add([[1.0, 0.0], [0.0, 2.0]], [0, 1])
    ...     [data.rows for data in writer.finish().one_pass()]
    [array([[1., 0.],
           [0., 2.]])]
    """

    def __init__(
        self, folder: str | os.PathLike[str] | None = None, *, block_bytes: int = BLOCK
    ) -> None:
        self._folder = None if folder is None else Path(folder)
        self.block_bytes, self.labels = block_bytes, LabelCodes()
        self._extents: list[Extent] = []
        self._dense: bool | None = None
        self._dtype: Any = None
        self._n_features = self._longest = self._end = 0
        self._finished = False
        self._file = self._create()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()
        if self._folder is not None and not self._finished:
            (self._folder / ROWS).unlink(missing_ok=True)
            self._folder.rmdir()

    def add(self, X: Any, y: Any) -> None:
        """Write rows and their labels; X is anything that `fit` takes."""
        rows, n_rows, n_features = check_rows(BaseEstimator(), X, reset=True)
        if len(y) != n_rows:
            raise DataError(
                f"X has {counted(n_rows, 'row')} and y {counted(len(y), 'label')}, which differ"
            )
        self.add_rows(rows, n_features, self.labels.codes(y))

    def add_rows(self, rows: Rows, n_features: int, codes: Array) -> None:
        """Write rows that are checked already, with the numbers of their labels."""
        self._check_kind(rows, n_features)
        self._n_features = max(self._n_features, n_features)
        starts = _starts(rows)
        self._longest = max(self._longest, int(np.diff(starts).max(initial=0)))
        size = 12 if self._dtype == np.float64 else 8
        for first, last in self._cuts(starts * size + np.arange(len(starts)) * 8):
            self._write(_part(rows, first, last), codes[first:last])

    def finish(
        self,
        n_features: int | None = None,
        *,
        shift: int = 0,
        settle: Settle = as_they_are,
        labels: tuple[Array, Array] | None = None,
    ) -> Cache:
        """Return the cache of all rows.

        `shift` is to be added to each index; `settle` says what the labels are, now that all are
        known; `labels` are the classes and the place there of each number given to `add_rows`.
        """
        classes, ranks = labels or settled(settle(self.labels.known))
        kind = "dense" if self._dense else "presence" if self._dtype is None else "csr"
        header = Header(
            kind=kind,
            dtype=np.dtype("<f8" if self._dtype is None else self._dtype).str,
            n_features=self._n_features if n_features is None else n_features,
            shift=shift,
            classes=classes.tolist(),
            classes_dtype=classes.dtype.str,
            ranks=ranks.tolist(),
            longest=self._longest,
            extents=self._extents,
        )
        self._file.flush()
        if self._folder is not None:
            os.fsync(self._file.fileno())
            write_header(self._folder, header)
        self._finished = True
        return Cache(self._file, header, block_bytes=self.block_bytes)

    def _create(self) -> BinaryIO:
        if self._folder is None:
            return tempfile.TemporaryFile(prefix="rosenblatt-")
        try:
            self._folder.mkdir(parents=True)
            return open(self._folder / ROWS, "x+b")
        except FileExistsError:
            raise DataError(
                f"{self._folder} is there already; delete it, or name another folder"
            ) from None

    def _check_kind(self, rows: Rows, n_features: int) -> None:
        dense = isinstance(rows, np.ndarray)
        if self._dense is None:
            self._dense = dense
        if dense != self._dense or (dense and self._n_features not in (0, n_features)):
            raise DataError(
                "all blocks of a cache must be sparse, or dense with as many columns, got "
                f"{'dense' if dense else 'sparse'} rows of {counted(n_features, 'column')}"
            )
        values = _values(rows)
        if values is not None:
            # not `in (None, ...)`: NumPy takes None for float64
            if self._dtype is not None and self._dtype != values.dtype:
                raise DataError(
                    f"all blocks of a cache must have values of one type, got {values.dtype} "
                    f"after {self._dtype}"
                )
            self._dtype = values.dtype

    def _cuts(self, ends: Array) -> Iterator[tuple[int, int]]:
        """Cut rows, given where each ends in bytes, into blocks."""
        first, n_rows = 0, len(ends) - 1
        while first < n_rows:
            last = int(np.searchsorted(ends, ends[first] + self.block_bytes, side="right")) - 1
            last = min(max(last, first + 1), n_rows)
            yield first, last
            first = last

    def _write(self, rows: Rows, codes: Array) -> None:
        values = _values(rows)
        arrays = [codes.astype(INT)]
        if not isinstance(rows, np.ndarray):
            arrays = [rows.indptr.astype(INT), *arrays, rows.indices.astype(INT, copy=False)]
        if values is not None:
            arrays.append(values)
        pieces = block_bytes(*arrays)
        n_entries = rows.size if isinstance(rows, np.ndarray) else len(rows.indices)
        code = checksum(pieces)
        self._extents.append(Extent(self._end, len(codes), n_entries, values is not None, code))
        try:
            for piece in pieces:
                self._file.write(piece)
        except OSError as error:
            raise DataError(
                f"the cache cannot be written: {error.strerror or error}; set TMPDIR to a folder "
                "with more room"
            ) from error
        self._end += sum(len(piece) for piece in pieces)


def _values(rows: Rows) -> Array | None:
    if isinstance(rows, np.ndarray):
        return rows
    return rows.data if isinstance(rows, CSR) else None


def _starts(rows: Rows) -> Array:
    if isinstance(rows, np.ndarray):
        return np.arange(len(rows) + 1) * int(rows.shape[1])
    starts: Array = rows.indptr.astype(np.int64)
    return starts


def _part(rows: Rows, first: int, last: int) -> Rows:
    if isinstance(rows, np.ndarray):
        return rows[first:last]
    low, high = int(rows.indptr[first]), int(rows.indptr[last])
    starts = rows.indptr[first : last + 1] - low
    if isinstance(rows, CSR):
        return CSR(rows.data[low:high], rows.indices[low:high], starts)
    return Presence(rows.indices[low:high], starts)
