"""Long work is cut into slices of bounded time."""

import numpy as np

from rosenblatt.rows import SLICE, lengths_of, rows_per_slice, scores_of, slices


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


def test_scores_and_lengths_do_not_depend_on_the_slices(monkeypatch):
    rows = np.arange(60.0).reshape(20, 3)
    w, b = np.array([[1.0, 0.5], [-2.0, 1.0], [3.0, -4.0]]), np.array([7.0, -1.0])
    monkeypatch.setattr("rosenblatt.rows.SLICE", 64)
    assert rows_per_slice(rows) == 5
    np.testing.assert_array_equal(scores_of(rows, 20, w, b), rows @ w + b)
    np.testing.assert_array_equal(scores_of(rows, 20, w[:, 0].copy(), b[:1]), rows @ w[:, 0] + 7.0)
    longer = np.hypot(np.linalg.norm(rows, axis=1), 2.0)
    np.testing.assert_allclose(lengths_of(rows, 20, 2.0), longer, rtol=1e-15)
