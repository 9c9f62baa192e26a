"""Weighted counts of each column in each class, in one pass over the rows.

    count[y_i, j] <- count[y_i, j] + s_i x_ij

A count of whole numbers is exact below 2^53, and so is one of multiples of a power of 2: `unit_of`
finds the power, which decides whether a count can be taken back to the last bit.
"""

import numpy as np

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.rows import add_row


@kernel
def count_rows(X, members, labels, weights, counts):
    """Add the rows in `members` to the counts of their classes; no weights: each counts 1."""
    for i in members:
        weight = 1.0 if weights.shape[0] == 0 else weights[i]
        add_row(X, i, weight, counts[np.uint64(labels[i])])


@kernel
def unit_of(values):
    """Return the largest q <= 0 such that every value is a whole multiple of 2^q."""
    q, scale = 0, 1.0
    for value in values:
        v = np.float64(value)
        while v * scale != np.floor(v * scale):
            q -= 1
            scale *= 2.0
    return q


@kernel
def first_not_binary(values):
    """Return the place of the first value that is neither 0 nor 1, or -1."""
    for k in range(values.shape[0]):
        if values[k] != 0 and values[k] != 1:
            return k
    return -1


@kernel
def first_negative(values):
    """Return the place of the first value below 0, or -1."""
    for k in range(values.shape[0]):
        if values[k] < 0:
            return k
    return -1
