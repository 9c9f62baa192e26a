"""Long work in slices: between two of them Ctrl-C is answered.

Digests of rows: to know rows again without keeping them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rosenblatt.kernels.digest import digest_rows
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.kernels.scores import measure_rows, score_rows
from rosenblatt.types import Array, Rows

# Numbers read in one slice: some 30 to 80 ms, so that Ctrl-C is answered at once
SLICE = 1 << 25


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
    >>> import numpy as np
    >>> from rosenblatt.rows import row_digests
    >>> a, b, c = row_digests(np.array([[1.0, 0.0], [1.0, -0.0], [0.0, 1.0]]), 3)
    >>> bool(a == b), bool(a == c)
    (True, False)
    """
    # a number takes some 2 ns, twice as long as in a score
    digests, size = np.empty(n_rows, dtype=np.uint64), rows_per_slice(rows, 2)
    for start in range(0, n_rows, size):
        digest_rows(rows, start, min(n_rows, start + size), digests)
    return digests
