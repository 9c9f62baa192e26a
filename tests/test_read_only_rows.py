"""Read-only rows are learned from by the same compiled code, and stay as they are."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import Perceptron
from rosenblatt.kernels.perceptron import learn
from rosenblatt.rows import as_others
from tests.examples import random_data


def parts_of(X):
    return (X,) if isinstance(X, np.ndarray) else (X.data, X.indices, X.indptr)


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_nothing_is_compiled_for_them_and_nothing_is_written(kind):
    rows = np.array(random_data(3, 30, 4).X, dtype=float)
    X, y = kind(rows), rows @ [3, -2, 1, 5] > 0.5
    expected = Perceptron(max_updates=10_000).fit(X, y)
    compiled = len(learn.signatures)
    before = [part.copy() for part in parts_of(X)]
    for part in parts_of(X):
        part.flags.writeable = False
    model = Perceptron(max_updates=10_000).fit(X, y)
    assert np.array_equal(model.coef_, expected.coef_)
    assert len(learn.signatures) == compiled
    for part, copy in zip(parts_of(X), before, strict=True):
        assert np.array_equal(part, copy)
        assert not part.flags.writeable


def test_the_memory_lives_as_long_as_the_other_array():
    X = np.arange(100_000.0)
    X.flags.writeable = False
    same = as_others(X)
    del X
    _ = [np.full(100_000, -1.0) for _ in range(10)]
    assert np.array_equal(same, np.arange(100_000.0))


def test_empty_arrays_are_left_alone():
    X = np.empty((0, 3))
    X.flags.writeable = False
    assert as_others(X) is X
