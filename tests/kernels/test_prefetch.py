"""Rows asked for ahead: only the time may differ, at the ends of the data too."""

import numpy as np
import pytest

from rosenblatt import Perceptron
from rosenblatt.kernels.prefetch import FAR, MOST_NEAR
from tests.examples import fit


def whole_numbers(dtype, n_features):
    """Return just enough rows for them to be asked for ahead, with noisy labels."""
    rng = np.random.default_rng(0)
    n_rows = MOST_NEAR // (n_features * np.dtype(dtype).itemsize) + 3
    X = rng.integers(-3, 3, (n_rows, n_features), endpoint=True).astype(dtype)
    scores = X @ rng.standard_normal(n_features) + rng.standard_normal(n_rows)
    return X, np.where(scores > 0, 1, -1)


def one_epoch(X, y, rows):
    """The textbook loop over these rows; exact, since the numbers are whole."""
    w, b, n_updates = np.zeros(X.shape[1]), 0.0, 0
    for i in rows:
        if y[i] * (X[i] @ w + b) <= 0:
            w, b, n_updates = w + y[i] * X[i].astype(np.float64), b + y[i], n_updates + 1
    return w.tolist(), b, n_updates


@pytest.mark.parametrize(
    ("dtype", "n_features"),
    [(np.float32, 64), (np.float64, 61), (np.float64, 8192), (np.float64, 8193)],
)
def test_an_epoch_over_many_dense_rows_equals_the_textbook_loop(dtype, n_features):
    X, y = whole_numbers(dtype, n_features)
    assert X.nbytes > MOST_NEAR
    model = fit(Perceptron(max_epochs=1), X, y)
    assert (model.coef_[0].tolist(), model.intercept_[0], model.n_updates_) == one_epoch(
        X, y, range(len(y))
    )


def test_rows_that_are_left_out_are_passed_over():
    X, y = whole_numbers(np.float32, 64)
    rng = np.random.default_rng(1)
    s = (rng.random(len(y)) < 0.5).astype(float)
    s[len(y) // 2 : -FAR // 512] = 1.0
    model = fit(Perceptron(max_epochs=1), X, y, sample_weight=s)
    expected = one_epoch(X, y, np.flatnonzero(s))
    assert (model.coef_[0].tolist(), model.intercept_[0], model.n_updates_) == expected
