"""The weights of least squares in canonical form: w = A+ y with A = (1, X).

Three ways, chosen by shape and condition:

    sums           the normal equations on X shifted by its mean, then one step of refinement with
                   the residual of the data itself; while the condition of the scaled sums is at
                   most 1e10, so that the refined weights keep about eight digits or more
    factorisation  the singular values of A itself; gives the solution of smallest norm when
                   columns depend on each other or there are fewer rows than columns
    iterative      LSQR, for sparse X that is wide or badly conditioned; smallest norm too

The sums that least squares needs, exact to add up: streams and clusters merge them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, lsqr

from rosenblatt.errors import DataError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.types import Array, Block, Rows

SOLVERS = ("auto", "iterative")
WORST_CONDITION = 1e10
MOST_FEATURES = 20_000
BLOCK_ROWS = 4096  # of the shifted copy: small enough to stay in the cache


class Solution(NamedTuple):
    """Weights and what is known about the matrix."""

    weights: Array  # (targets, d + 1), w0 first
    rank: int | None
    singular: Array | None  # of (1, X); None when it was not factorised


def matrix_of(rows: Rows, n_features: int) -> Any:
    """Return checked rows as an array or a SciPy matrix of numbers."""
    if isinstance(rows, Presence):
        rows = CSR(np.ones(len(rows.indices)), *rows)
    if isinstance(rows, CSR):
        shape = (len(rows.indptr) - 1, n_features)
        return sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=shape)
    return rows


def signs(labels: Array, n_classes: int) -> Array:
    """Return +1 and -1: one column for two classes, one per class for more."""
    if n_classes <= 2:
        return np.where(labels == 1, 1.0, -1.0)[:, np.newaxis]
    return np.where(labels[:, np.newaxis] == np.arange(n_classes), 1.0, -1.0)


def regression_start(data: Block, way: str, fit_intercept: bool) -> Array:
    """Return the weights of least squares, a row (w0, w1, ... wd) for each weight vector."""
    X, k = matrix_of(data.rows, data.n_features), len(data.classes)
    s = data.weights if len(data.weights) else None
    solver = "auto" if data.n_features <= MOST_FEATURES else "iterative"
    if k <= 2 or way != "one-vs-one":
        return least_squares(X, signs(data.labels, k), s, fit_intercept, solver).weights
    rows = []
    for low, high in combinations(range(k), 2):
        pair = np.flatnonzero((data.labels == low) | (data.labels == high))
        Y = signs(data.labels[pair] == high, 2)
        part = None if s is None else s[pair]
        rows.append(least_squares(X[pair], Y, part, fit_intercept, solver).weights)
    return np.vstack(rows)


def least_squares(
    X: Any, Y: Array, weights: Array | None, fit_intercept: bool, solver: str = "auto"
) -> Solution:
    """Minimise sum_i s_i |w . (1, x_i) - y_i|^2 for each column of Y; smallest norm if many do."""
    if solver == "iterative":
        return _iterative(X, Y, weights, fit_intercept)
    n_rows, n_features = X.shape
    if n_features > MOST_FEATURES:
        raise DataError(
            f"the closed form takes at most {MOST_FEATURES} features, got {n_features}",
            do="use {solver:iterative}",
            in_shell="take -a averaged",
        )
    if n_rows > n_features:
        solution = _from_sums(X, Y, weights, fit_intercept)
        if solution is not None:
            return solution
    if sparse.issparse(X) and n_rows * n_features > 10**7:
        return _iterative(X, Y, weights, fit_intercept)
    return _factorised(X, Y, weights, fit_intercept)


def _from_sums(X: Any, Y: Array, weights: Array | None, fit_intercept: bool) -> Solution | None:
    """Solve the normal equations; None when they would lose too many digits."""
    s = np.ones(len(Y)) if weights is None else weights
    total = float(s.sum())
    shifted = fit_intercept and not sparse.issparse(X)
    mean = np.asarray(s @ X) / total if fit_intercept else np.zeros(X.shape[1])
    y_mean = s @ Y / total if fit_intercept else np.zeros(Y.shape[1])
    if sparse.issparse(X):
        weighted = sparse.diags_array(s) @ X
        G = np.asarray((X.T @ weighted).todense()) - total * np.outer(mean, mean)
        c = X.T @ (s[:, np.newaxis] * (Y - y_mean))
    else:
        G, c = _dense_sums(X, Y - y_mean, s, mean if shifted else None)
    factor = factorise(G)
    if factor is None:
        return None
    coef = factor(c)
    # one step of refinement: what is left of y, measured on the data, decides the last digits
    for _ in range(2):
        intercept = y_mean - mean @ coef
        residual = s[:, np.newaxis] * (Y - (X @ coef + intercept))
        if fit_intercept:
            y_mean = y_mean + residual.sum(axis=0) / total
            residual -= s[:, np.newaxis] * (residual.sum(axis=0) / total)
        step = X.T @ residual
        if shifted:
            step = step - np.outer(mean, residual.sum(axis=0))
        coef = coef + factor(np.asarray(step))
    intercept = y_mean - mean @ coef
    return Solution(np.column_stack([intercept, coef.T]), X.shape[1] + fit_intercept, None)


def factorise(G: Array) -> Any:
    """Return a function that solves G w = c, or None when G is too close to singular."""
    scale = np.sqrt(np.diag(G).clip(0.0))
    if not (scale > 0.0).all() or not np.isfinite(scale).all():
        return None
    scaled = G / np.outer(scale, scale)
    values = linalg.eigvalsh(scaled)
    if values[0] <= values[-1] / WORST_CONDITION:
        return None
    triangle = linalg.cho_factor(scaled)
    return lambda c: linalg.cho_solve(triangle, c / scale[:, np.newaxis]) / scale[:, np.newaxis]


def _dense_sums(X: Array, Y: Array, s: Array, mean: Array | None) -> tuple[Array, Array]:
    """Return (X - mean)' S (X - mean) and (X - mean)' S Y, block by block in float64."""
    d = X.shape[1]
    G, c = np.zeros((d, d)), np.zeros((d, Y.shape[1]))
    plain = bool((s == 1.0).all())
    for start in range(0, len(X), BLOCK_ROWS):
        rows = slice(start, start + BLOCK_ROWS)
        block = X[rows].astype(np.float64, copy=False)
        if mean is not None:
            block = block - mean
        heavy = block if plain else block * s[rows, np.newaxis]
        G += heavy.T @ block
        c += heavy.T @ Y[rows]
    return G, c


def _canonical(X: Any, Y: Array, weights: Array | None, fit_intercept: bool) -> tuple[Any, Array]:
    """Return (1, X) and Y, rows scaled by the roots of their weights."""
    dense = X.toarray() if sparse.issparse(X) else X
    ones = np.ones((len(Y), int(fit_intercept)))
    A = np.hstack([ones, dense.astype(np.float64, copy=False)])
    if weights is None:
        return A, Y
    root = np.sqrt(weights)[:, np.newaxis]
    return A * root, Y * root


def _factorised(X: Any, Y: Array, weights: Array | None, fit_intercept: bool) -> Solution:
    A, B = _canonical(X, Y, weights, fit_intercept)
    W, _, rank, singular = linalg.lstsq(A, B)
    if not fit_intercept:
        W = np.vstack([np.zeros(W.shape[1]), W])
    return Solution(W.T.copy(), int(rank), singular)


def _iterative(X: Any, Y: Array, weights: Array | None, fit_intercept: bool) -> Solution:
    root = np.ones(len(Y)) if weights is None else np.sqrt(weights)
    k = int(fit_intercept)
    A = LinearOperator(
        (X.shape[0], X.shape[1] + k),
        matvec=lambda w: root * (X @ w[k:] + (w[0] if k else 0.0)),
        rmatvec=lambda u: np.concatenate([[(root * u).sum()][:k], X.T @ (root * u)]),
        dtype=np.float64,
    )
    limit = 10 * (X.shape[1] + X.shape[0])
    columns = [
        lsqr(A, root * Y[:, t], atol=1e-14, btol=1e-14, iter_lim=limit)[0]
        for t in range(Y.shape[1])
    ]
    W = np.stack(columns)
    if not fit_intercept:
        W = np.column_stack([np.zeros(len(W)), W])
    return Solution(W, None, None)


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
