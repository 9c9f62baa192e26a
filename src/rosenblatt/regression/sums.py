"""The sums that least squares needs, exact to add up: streams and clusters merge them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse

from rosenblatt._validation import Array
from rosenblatt.regression.solve import WORST_CONDITION


@dataclass(frozen=True)
class Sums:
    """A'A, A'Y and Y'Y for A = (1, X), the rows weighted."""

    gram: Array  # (d + 1, d + 1)
    moments: Array  # (d + 1, targets)
    squares: Array  # (targets,)
    total: float  # sum of the weights

    @classmethod
    def of(cls, X: Any, Y: Array, weights: Array | None) -> Sums:
        """Add up the rows of one block."""
        s = np.ones(len(Y)) if weights is None else weights
        if sparse.issparse(X):
            heavy = sparse.diags_array(s) @ X
            inner = np.asarray((X.T @ heavy).todense())
        else:
            X = X.astype(np.float64, copy=False)
            heavy = X * s[:, np.newaxis]
            inner = X.T @ heavy
        first = np.asarray(s @ X)
        gram = np.block([[np.array([[s.sum()]]), first[np.newaxis]], [first[:, np.newaxis], inner]])
        moments = np.vstack([s @ Y, heavy.T @ Y])
        return cls(gram, moments, s @ Y**2, float(s.sum()))

    def __add__(self, other: Sums) -> Sums:
        """Merge two sets of sums."""
        return Sums(
            self.gram + other.gram,
            self.moments + other.moments,
            self.squares + other.squares,
            self.total + other.total,
        )

    def solve(self, fit_intercept: bool) -> tuple[Array, int, Array]:
        """Return (weights, rank, squared errors): the solution of smallest norm.

        Where the sums have lost too many digits to tell a small singular value from none, a
        warning says so.
        """
        k = 0 if fit_intercept else 1
        gram, moments = self.gram[k:, k:], self.moments[k:]
        values, vectors = linalg.eigh(gram)
        largest = max(values[-1], 0.0)
        none = values <= len(values) * np.finfo(np.float64).eps * largest
        if (~none & (values <= largest / WORST_CONDITION)).any():
            warnings.warn(
                "the sums have lost too many digits for these columns; scale and centre them, "
                "or call `fit` with all rows at once",
                UserWarning,
                stacklevel=4,
            )
        inverse = np.where(none, 0.0, 1.0 / np.where(none, 1.0, values))
        W = (vectors * inverse) @ (vectors.T @ moments)
        error = self.squares - 2 * (W * moments).sum(axis=0) + (W * (gram @ W)).sum(axis=0)
        W = np.vstack([np.zeros((k, W.shape[1])), W])
        return W.T.copy(), int((~none).sum()), error.clip(0.0) / self.total
