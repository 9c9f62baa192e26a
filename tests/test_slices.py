"""Long work is cut into slices of bounded time."""

import numpy as np

from rosenblatt._slices import SLICE, rows_per_slice, slices


def test_a_slice_reads_a_bounded_number_of_values():
    wide, narrow = np.zeros((2, 1000)), np.zeros((2, 1))
    assert 1 <= rows_per_slice(wide) * 1000 <= SLICE
    assert rows_per_slice(wide) < rows_per_slice(narrow)
    assert rows_per_slice(wide, n_vectors=10) * 10_000 <= SLICE
    huge = np.lib.stride_tricks.as_strided(np.zeros(1), (2, 2 * SLICE), (0, 0))
    assert rows_per_slice(huge) == 1


def test_slices_are_the_order_in_pieces():
    order = np.array([4, 2, 0, 1, 3])
    assert [piece.tolist() for piece in slices(order, 2)] == [[4, 2], [0, 1], [3]]
