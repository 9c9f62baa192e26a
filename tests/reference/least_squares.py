"""Linear regression by the pseudoinverse, as the lecture writes it, in exact fractions; the ridge.

The ridge is in floats, by the formula that defines it; to leave out a row is to learn without it.
"""

from fractions import Fraction

import numpy as np


def least_squares(X, y):
    """Return w with (A'A) w = A'y for A = (1, X) of full column rank, by Gauss elimination."""
    A = [[Fraction(1), *map(Fraction, x)] for x in X]
    n = len(A[0])
    rows = [
        [sum(a[i] * a[j] for a in A) for j in range(n)]
        + [sum(a[i] * Fraction(b) for a, b in zip(A, y, strict=True))]
        for i in range(n)
    ]
    for i in range(n):
        pivot = next(r for r in range(i, n) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def ridge(X, y, alpha, weights, *, fit_intercept=True):
    """Return (w0, w): the normal equations of (1, X) with alpha on the diagonal, but not for w0."""
    ones = np.ones((len(X), int(fit_intercept)))
    A = np.hstack([ones, X])
    penalty = np.diag([0.0] * ones.shape[1] + [alpha] * X.shape[1])
    w = np.linalg.solve(A.T @ (weights[:, None] * A) + penalty, A.T @ (weights * y))
    return w if fit_intercept else np.append(0.0, w)


def left_out_error(X, y, alpha, weights, *, fit_intercept=True):
    """Return the mean of squared errors on each row, by the weights learned without it."""
    squares = []
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        w = ridge(X[rest], y[rest], alpha, weights[rest], fit_intercept=fit_intercept)
        squares.append((w[0] + X[i] @ w[1:] - y[i]) ** 2)
    return np.average(squares, weights=weights)
