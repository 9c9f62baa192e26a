"""Long work in slices: between two of them Ctrl-C is answered."""

from __future__ import annotations

from collections.abc import Iterator

from rosenblatt._validation import Array, Rows
from rosenblatt.kernels.rows import CSR, Presence

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
