"""What Python does to rows of any kind: dense, CSR, or presence rows.

Long work is done in slices: between two of them Ctrl-C is answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.kernels.digest import digest_rows
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.kernels.scores import measure_rows, score_rows
from rosenblatt.kernels.sparse_rows import gather_rows
from rosenblatt.types import Array, Rows

# Numbers read in one slice: some 30 to 80 ms, so that Ctrl-C is answered at once
SLICE = 1 << 25


def matrix(rows: Rows, n_features: int, ones: Any = bool) -> Any:
    """Return rows as an array or a SciPy matrix, on the same memory; presence rows as `ones`.

    Examples
    --------
    >>> rows = Presence(np.array([2, 0], dtype=np.int32), np.array([0, 1, 2], dtype=np.int32))
    >>> matrix(rows, 3, float).toarray()
    array([[0., 0., 1.],
           [1., 0., 0.]])
    """
    if isinstance(rows, np.ndarray):
        return rows
    data = rows.data if isinstance(rows, CSR) else np.ones(len(rows.indices), dtype=ones)
    shape = (len(rows.indptr) - 1, n_features)
    return sparse.csr_array((data, rows.indices, rows.indptr), shape=shape)


def values_of(rows: Rows) -> Array | None:
    """Return the numbers that are stored, one after the other; presence rows have none."""
    if isinstance(rows, np.ndarray):
        return rows.reshape(-1)
    return rows.data if isinstance(rows, CSR) else None


def n_entries_of(rows: Rows) -> int:
    """Return how many numbers, or presences, are stored."""
    return rows.size if isinstance(rows, np.ndarray) else len(rows.indices)


def longest_of(rows: Rows) -> int:
    """Return the most numbers, or presences, that a row has."""
    if isinstance(rows, np.ndarray):
        return int(rows.shape[1])
    return int(np.diff(rows.indptr).max(initial=0))


def place_of_value(rows: Array | CSR, k: int) -> tuple[int, int]:
    """Return the row and the column of the k-th number of `values_of`."""
    if isinstance(rows, np.ndarray):
        row, column = divmod(k, rows.shape[1])
        return int(row), int(column)
    return int(np.searchsorted(rows.indptr, k, side="right")) - 1, int(rows.indices[k])


def part_of(rows: Rows, first: int, last: int) -> Rows:
    """Return the rows from `first` up to `last`, on the same memory."""
    if isinstance(rows, np.ndarray):
        return rows[first:last]
    low, high = int(rows.indptr[first]), int(rows.indptr[last])
    starts = rows.indptr[first : last + 1] - rows.indptr[first]
    if isinstance(rows, CSR):
        return CSR(rows.data[low:high], rows.indices[low:high], starts)
    return Presence(rows.indices[low:high], starts)


def take(rows: Rows, which: Array) -> Rows:
    """Return a copy of the rows with these numbers, in their order.

    Examples
    --------
    >>> take(np.array([[1.0], [2.0], [7.0]]), np.array([2, 0]))
    array([[7.],
           [1.]])
    """
    if isinstance(rows, np.ndarray):
        return rows[which]
    lengths = rows.indptr[which + 1] - rows.indptr[which]
    n = int(lengths.sum())
    starts, indices = np.zeros(len(which) + 1, np.int32), np.empty(n, rows.indices.dtype)
    if n > np.iinfo(np.int32).max:
        starts = starts.astype(np.int64)
    none = np.empty(0)
    data = rows.data if isinstance(rows, CSR) else none
    values = np.empty(n, data.dtype) if isinstance(rows, CSR) else none
    gather_rows(rows.indptr, rows.indices, data, which, starts, indices, values)
    return CSR(values, indices, starts) if isinstance(rows, CSR) else Presence(indices, starts)


def join(parts: Sequence[Any]) -> Rows:
    """Return rows of one kind, one part behind the other.

    Examples
    --------
    >>> join([np.array([[1.0]]), np.array([[2.0], [3.0]])])
    array([[1.],
           [2.],
           [3.]])
    """
    first = parts[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    indices = np.concatenate([part.indices for part in parts])
    lengths = np.concatenate([np.diff(part.indptr) for part in parts])
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(first.indptr.dtype)
    if isinstance(first, Presence):
        return Presence(indices, starts)
    return CSR(np.concatenate([part.data for part in parts]), indices, starts)


def rows_per_slice(rows: Rows, n_vectors: int = 1) -> int:
    """Return how many rows can be scored in one slice."""
    if isinstance(rows, (CSR, Presence)):
        numbers = len(rows.indices) / max(1, len(rows.indptr) - 1)
    else:
        numbers = rows.shape[1]
    return max(1, int(SLICE / (n_vectors * (numbers + 8))))


def slices(order: Array, size: int) -> Iterator[Array]:
    """Cut an order of rows into pieces of at most `size`."""
    for start in range(0, len(order), size):
        yield order[start : start + size]


def scores_of(rows: Rows, n_rows: int, w: Array, b: Array) -> Array:
    """Return w . x_i + b of every row; a column for each column of w, if w has any."""
    out = np.empty(n_rows if w.ndim == 1 else (n_rows, len(b)))
    size = rows_per_slice(rows, len(b))
    for start in range(0, n_rows, size):
        score_rows(rows, start, min(n_rows, start + size), w, b, out)
    return out


def lengths_of(rows: Rows, n_rows: int, x0: float) -> Array:
    """Return |(x0, x_i)| of every row."""
    out = np.empty(n_rows)
    size = rows_per_slice(rows)
    for start in range(0, n_rows, size):
        measure_rows(rows, start, min(n_rows, start + size), x0, out)
    return out


def row_digests(rows: Rows, n_rows: int) -> Array:
    """Return a digest of 64 bits (uint64) for each row.

    Rows with the same numbers have the same digest, be they dense, sparse or presence rows, of
    float32 or float64. Columns of zeros at the end make no difference.

    Examples
    --------
    >>> a, b, c = row_digests(np.array([[1.0, 0.0], [1.0, -0.0], [0.0, 1.0]]), 3)
    >>> bool(a == b), bool(a == c)
    (True, False)
    """
    # a number takes some 2 ns, twice as long as in a score
    digests, size = np.empty(n_rows, dtype=np.uint64), rows_per_slice(rows, 2)
    for start in range(0, n_rows, size):
        digest_rows(rows, start, min(n_rows, start + size), digests)
    return digests


class _Same:
    """The memory of an array, without its word that nobody may write it."""

    def __init__(self, array: Array) -> None:
        self._array = array  # keeps the memory alive
        facts = array.__array_interface__
        self.__array_interface__ = facts | {"data": (facts["data"][0], False)}


def as_others(array: Array) -> Array:
    """Return an array on the same memory that has the type of those that may be written.

    Numba takes an array that says it is read-only (a memory map, a column of Arrow, what joblib
    shares) for another type, and would compile every kernel anew: seconds, for the same code. Only
    for what is given to kernels as rows: to write it may end the process.

    Examples
    --------
    >>> X = np.arange(3.0)
    >>> X.flags.writeable = False
    >>> same = as_others(X)
    >>> same.flags.writeable, np.shares_memory(same, X)
    (True, True)
    """
    if array.flags.writeable or not array.size:
        return array
    return np.asarray(_Same(array))
