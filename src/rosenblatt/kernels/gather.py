"""Rows from all over a sparse matrix, copied one behind the other."""

from rosenblatt.kernels.compiler import kernel


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
