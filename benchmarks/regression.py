"""Least squares against scikit-learn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import LinearRegression

from benchmarks.timing import Row, by_turns
from rosenblatt import LeastSquares


def least_squares() -> Iterator[Row]:
    """1,000,000 x 50 float64; the weights must agree to 1e-8."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1_000_000, 50))
    y = X @ rng.standard_normal(50) + 3.0 + rng.standard_normal(len(X))
    difference = np.abs(LeastSquares().fit(X, y).coef_[0] - LinearRegression().fit(X, y).coef_)
    if difference.max() > 1e-8:
        raise RuntimeError(f"the weights differ by {difference.max()}")
    ours, theirs = by_turns(
        lambda: LeastSquares().fit(X, y), lambda: LinearRegression().fit(X, y), repeats=3
    )
    yield Row("least squares, 1,000,000 x 50", "scikit-learn LinearRegression", ours, theirs, "3x")
