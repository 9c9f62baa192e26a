"""A CSR matrix is canonical when a plain reading of its arrays says so."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.kernels.sparse_rows import is_canonical


def plainly_canonical(indices, indptr, n_features):
    rows = [indices[start:stop] for start, stop in pairwise(indptr)]
    return (
        all(start <= stop for start, stop in pairwise(indptr))
        and all(0 <= j < n_features for row in rows for j in row)
        and all(j < k for row in rows for j, k in pairwise(row))
    )


@st.composite
def matrices(draw):
    """Rows of growing columns, perhaps with one number of the arrays changed."""
    n_features = draw(st.integers(1, 30))
    row = st.sets(st.integers(0, n_features - 1)).map(sorted)
    rows = draw(st.lists(row, max_size=6))
    indices = [j for row in rows for j in row]
    indptr = np.cumsum([0, *map(len, rows)]).tolist()
    if indices and draw(st.booleans()):
        indices[draw(st.integers(0, len(indices) - 1))] = draw(st.integers(-2, n_features + 2))
    if len(rows) > 1 and draw(st.booleans()):
        indptr[draw(st.integers(1, len(rows) - 1))] = draw(st.integers(-3, len(indices) + 3))
    return indices, indptr, n_features


@given(matrices(), st.sampled_from([np.int32, np.int64]))
@settings(deadline=None)
def test_the_kernel_sees_what_a_plain_reading_sees(matrix, dtype):
    indices, indptr, n_features = matrix
    seen = is_canonical(np.array(indices, dtype=dtype), np.array(indptr, dtype=dtype), n_features)
    assert seen == plainly_canonical(indices, indptr, n_features)


@pytest.mark.parametrize("place", [0, 1, 37, 98, 99])
@pytest.mark.parametrize("wrong", [-1, 0, 1000, 500])
def test_one_wrong_index_in_a_long_row_is_seen(place, wrong):
    indices = 5 * np.arange(100, dtype=np.int32) + 1
    indptr = np.array([0, 100], dtype=np.int32)
    assert is_canonical(indices, indptr, 500)
    indices[place] = wrong
    assert is_canonical(indices, indptr, 500) == (wrong == 0 and place == 0)
