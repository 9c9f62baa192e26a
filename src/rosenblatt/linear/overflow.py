"""Scores too large for a float64, computed in smaller units: their signs and order still count."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.rows import matrix, rows_per_slice, slices
from rosenblatt.types import Array, Rows

# The first power of two that a float64 does not hold is that of 1024. Two numbers below this one
# may be added,
NEAR = 1022
# and of those below this one as many as there can be classes or pairs
LARGE = 960
# Below that of any number or product
OF_ZERO = -4096


def rescore(rows: Rows, n_features: int, w: Array, b: Array, scores: Array) -> None:
    """Write the scores of the rows anew that have some which are infinite or NaN.

    All scores of a row have the same unit: 1 if that will do, else a power of two.
    """
    lost = np.flatnonzero(~np.isfinite(scores).all(axis=1))
    X = matrix(rows, n_features, float)
    for piece in slices(lost, rows_per_slice(rows, len(b))):
        scores[piece] = _scores_in_units(X[piece].astype(np.float64), w.reshape(-1, len(b)), b)


def in_safe_units(scores: Array) -> Array:
    """Divide the rows of scores whose sums might overflow by a power of two."""
    safe: Array = np.ldexp(scores, -np.maximum(exponents(scores) - LARGE, 0)[:, np.newaxis])
    return safe


def in_own_units(X: Any) -> tuple[Any, Array]:
    """Return rows of float64 divided by powers of two, so that all is below 1, and those."""
    of_x = exponents(X)
    if sparse.issparse(X):
        X = X.copy()
        X.data = np.ldexp(X.data, -np.repeat(of_x, np.diff(X.indptr)))
        return X, of_x
    return np.ldexp(X, -of_x[:, np.newaxis]), of_x


def _scores_in_units(X: Any, w: Array, b: Array) -> Array:
    of_w, of_b = exponents(w).max(initial=0), exponents(b[np.newaxis]).max()
    X, of_x = in_own_units(X)
    scores = X @ np.ldexp(w, -of_w)
    true = of_w + of_x
    units = np.minimum(true, NEAR - exponents(scores)) - max(0, of_b - NEAR)
    scaled: Array = np.ldexp(scores, units[:, np.newaxis])
    scaled += np.ldexp(b, (units - true)[:, np.newaxis])
    return scaled


def exponents(X: Any) -> Array:
    """Return for each row the lowest e so that all its numbers lie between -2^e and 2^e."""
    largest = abs(X).max(axis=1)
    if sparse.issparse(largest):
        largest = largest.toarray()
    return np.where(largest > 0.0, np.frexp(largest)[1], OF_ZERO)
