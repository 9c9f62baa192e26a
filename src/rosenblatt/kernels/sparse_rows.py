"""Sparse rows as they come: look whether they are as kernels want them, and copy some of them.

Kernels want nothing outside, nothing twice, all in order. The columns of a row that grow from one
entry to the next are in range if the first and the last are. So one pass over the indices tells
all, where SciPy makes three: 3.6 instead of 16 ms for 15 million of them.
"""

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel


@kernel
def is_canonical(indices, indptr, n_features):
    """Tell whether each row starts where the last one ended and has growing columns in range.

    The row starts must begin with 0 and end within the indices.
    """
    for i in range(indptr.shape[0] - 1):
        # before any of them is used: those between the first and the last may be anything
        if indptr[i] > indptr[i + 1]:
            return False
    for i in range(indptr.shape[0] - 1):
        if not grows_in_range(indices, np.uint64(indptr[i]), np.uint64(indptr[i + 1]), n_features):
            return False
    return True


@inlined
def grows_in_range(indices, start, stop, n_features):
    """Tell whether 0 <= indices[start] < ... < indices[stop - 1] < n_features."""
    one, drops = np.uint64(1), False
    for k in range(start + one, stop):
        # no way out of the loop, so that it vectorises
        drops |= indices[k] <= indices[k - one]
    return start == stop or (not drops and indices[start] >= 0 and indices[stop - one] < n_features)


@kernel
def gather_rows(starts, indices, values, order, out_starts, out_indices, out_values):
    """Copy the rows in `order`; without values, when there are none."""
    end = 0
    for k in range(order.shape[0]):
        first, last = starts[order[k]], starts[order[k] + 1]
        for place in range(first, last):
            out_indices[end + place - first] = indices[place]
        if values.shape[0] > 0:
            for place in range(first, last):
                out_values[end + place - first] = values[place]
        end += last - first
        out_starts[k + 1] = end
