"""Words weighed by how few documents have them, in rows of length 1."""

from math import log, sqrt

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel


@kernel
def count_columns(indices, counts):
    """Count each entry at its column."""
    for k in range(indices.shape[0]):
        counts[np.uint64(indices[k])] += 1


@inlined
def log_above(n, logs):
    """Return log(1 + n) of a whole number from 0 on: that of a small one is in a table."""
    return logs[np.uint64(n)] if n < logs.shape[0] else log(np.float64(n + 1))


@kernel
def weigh_rows(indices, values, starts, counts, top, logs, out):
    """Fill `out` with (1 + log count) * (top - log(1 + documents)), each row of length 1.

    Without values every count is 1. A column that no document has weighs nothing.
    """
    is_counted = values.shape[0] > 0
    for i in range(starts.shape[0] - 1):
        first, last, square = np.uint64(starts[i]), np.uint64(starts[i + 1]), 0.0
        for k in range(first, last):
            n = counts[np.uint64(indices[k])]
            x = top - log_above(n, logs) if n > 0 else 0.0
            if is_counted:
                x *= 1.0 + log_above(max(0, np.int64(values[k]) - 1), logs)
            out[k] = x
            square += x * x
        length = sqrt(square) if square > 0.0 else 1.0
        for k in range(first, last):
            out[k] /= length
