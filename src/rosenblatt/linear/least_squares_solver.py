"""The weights of least squares in canonical form: w = A+ y with A = (1, X).

Three ways, chosen by shape and condition:

    sums           the normal equations on X shifted by its mean, then one step of refinement with
                   the residual of the data itself; while the condition of the scaled sums is at
                   most 1e10, so that the refined weights keep about eight digits or more
    factorisation  the singular values of A itself; gives the solution of smallest norm when
                   columns depend on each other or there are fewer rows than columns
    iterative      LSQR, for sparse X that is wide or badly conditioned; smallest norm too

The first and the last take a penalty alpha |w|^2, too, w0 left out (`ridge.py`).
`partial_fit` goes on from the `Sums` of all rows so far.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, get_args

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, lsqr

from rosenblatt.blocks import Blocks
from rosenblatt.choices import Solver
from rosenblatt.errors import DataError
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block

SOLVERS: tuple[Solver, ...] = get_args(Solver)
WORST_CONDITION = 1e10
MOST_FEATURES = 20_000
MOST_TO_FILL = 10**7  # zeros and numbers of sparse rows that are factorised as dense ones
BLOCK_ROWS = 4096  # of the shifted copy: small enough to stay in the cache


class Solution(NamedTuple):
    """Weights and what is known about the matrix."""

    weights: Array  # (targets, d + 1), w0 first
    rank: int | None
    singular: Array | None  # of (1, X); None when it was not factorised
    alpha: float | None = None  # the penalty that was chosen, where it was to be
    loo_error: float | None = None  # the mean of squared errors with each row left out in turn


class System(NamedTuple):
    """A block of equations: rows, the numbers that they should give, and their weights."""

    X: Any
    Y: Array  # (rows, targets)
    weights: Array | None
    n_rows: int
    n_features: int
    classes: Array | None = None
    feature_names: Array | None = None

    @property
    def s(self) -> Array:
        """The weight of each row."""
        return np.ones(len(self.Y)) if self.weights is None else self.weights


def signs(labels: Array, n_classes: int) -> Array:
    """Return +1 and -1: one column for two classes, one per class for more."""
    if n_classes <= 2:
        return np.where(labels == 1, 1.0, -1.0)[:, np.newaxis]
    return np.where(labels[:, np.newaxis] == np.arange(n_classes), 1.0, -1.0)


def as_system(block: Block) -> System:
    """Return a block of labelled rows as equations: its class is +1, the others are -1."""
    X, k = matrix(block.rows, block.n_features, float), len(block.classes)
    weights = block.weights if len(block.weights) else None
    return System(X, signs(block.labels, k), weights, block.n_rows, block.n_features)


def regression_start(
    blocks: Blocks, way: str, fit_intercept: bool, *, exactly: bool = True
) -> Array:
    """Return the weights of least squares, a row (w0, w1, ... wd) for each weight vector."""
    k = len(blocks.classes)
    solver = "auto" if blocks.n_features <= MOST_FEATURES else "iterative"
    if k <= 2 or way != "one-vs-one":
        system = blocks.changed(as_system)
        return least_squares(system, fit_intercept, solver, exactly=exactly).weights
    labels = np.concatenate(list(blocks.each(lambda block: block.labels)))
    rows = []
    for low, high in combinations(range(k), 2):
        pair = blocks.take(np.flatnonzero((labels == low) | (labels == high)))
        system = pair.changed(partial(_as_pair, high))
        rows.append(least_squares(system, fit_intercept, solver, exactly=exactly).weights)
    return np.vstack(rows)


def _as_pair(high: int, block: Block) -> System:
    return as_system(block)._replace(Y=signs(block.labels == high, 2))


def least_squares(
    system: Blocks, fit_intercept: bool, solver: str = "auto", *, exactly: bool = True
) -> Solution:
    """Minimise sum_i s_i |w . (1, x_i) - y_i|^2 for each column of Y; smallest norm if many do.

    Of rows in several blocks sums are taken block by block: the weights are those of one block but
    for the last digits. With `exactly` false long LSQR is left out, at the cost of digits.
    """
    if solver == "iterative":
        return iterative(system, fit_intercept)
    n_rows, n_features = system.n_rows, system.n_features
    if n_features > MOST_FEATURES:
        raise DataError(
            f"the closed form takes at most {MOST_FEATURES} features, got {n_features}",
            do="use {solver:iterative}",
            in_shell="take -a averaged",
        )
    if n_rows > n_features:
        solution = from_sums(system, fit_intercept)
        if solution is not None:
            return solution
    if system.whole is None:
        raise DataError(
            "columns depend on each other, or nearly so: least squares would have to factorise "
            "all rows, which are not in memory",
            do="use {solver:iterative}, or leave out columns",
            in_shell="leave out columns, or take -a averaged",
        )
    if sparse.issparse(system.whole.X) and n_rows * n_features > MOST_TO_FILL:
        return iterative(system, fit_intercept) if exactly else _from_gram(system, fit_intercept)
    return _factorised(system.whole, fit_intercept)


class Centred(NamedTuple):
    """Sums of weights, means of rows and of targets, and products of what is left of both."""

    total: float
    mean: Array  # zeros without an intercept
    y_mean: Array
    G: Array  # (X - mean)' S (X - mean)
    c: Array  # (X - mean)' S (Y - y_mean)


class _Means(NamedTuple):
    """Sums of weights, of rows and of targets."""

    total: float
    X: Array
    Y: Array

    def plus(self, more: _Means) -> _Means:
        return _Means(self.total + more.total, self.X + more.X, self.Y + more.Y)


def _add_means(so_far: _Means | None, block: System) -> _Means:
    s = block.s
    here = _Means(float(s.sum()), np.asarray(s @ block.X), s @ block.Y)
    return here if so_far is None else so_far.plus(here)


def means_of(system: Blocks, fit_intercept: bool) -> tuple[float, Array, Array]:
    """Return the sum of the weights, and the means of rows and targets; zeros for no intercept."""
    sums = system.total(_add_means, _Means.plus)
    if fit_intercept:
        return sums.total, sums.X / sums.total, sums.Y / sums.total
    return sums.total, np.zeros(len(sums.X)), np.zeros(len(sums.Y))


def centred(system: Blocks, fit_intercept: bool) -> Centred:
    """Add up what the normal equations are made of, in two passes."""
    total, mean, y_mean = means_of(system, fit_intercept)
    G, c = system.total(partial(_add_products, mean if fit_intercept else None, y_mean), _both)
    return Centred(total, mean, y_mean, G, c)


def from_sums(
    system: Blocks, fit_intercept: bool, alpha: float = 0.0, sums: Centred | None = None
) -> Solution | None:
    """Solve the normal equations; None when they would lose too many digits."""
    total, mean, y_mean, G, c = centred(system, fit_intercept) if sums is None else sums
    factor = factorise(G + alpha * np.eye(len(G)) if alpha else G)
    if factor is None:
        return None
    coef = factor(c)
    # one step of refinement: what is left of y, measured on the data, decides the last digits
    for _ in range(2):
        left = system.changed(partial(_residual, coef, y_mean - mean @ coef))
        too_much = np.zeros(len(y_mean))
        if fit_intercept:
            too_much = left.total(_add_targets, np.add) / total
            y_mean = y_mean + too_much
        step = left.total(partial(_add_step, too_much, mean), np.add)
        coef = coef + factor(step - alpha * coef if alpha else step)
    intercept = y_mean - mean @ coef
    rank = None if alpha else len(mean) + fit_intercept  # a penalty hides it
    return Solution(np.column_stack([intercept, coef.T]), rank, None)


def _both(a: tuple[Array, Array], b: tuple[Array, Array]) -> tuple[Array, Array]:
    return a[0] + b[0], a[1] + b[1]


def _add_products(
    mean: Array | None, y_mean: Array, so_far: tuple[Array, Array] | None, block: System
) -> tuple[Array, Array]:
    """Add (X - mean)' S (X - mean) and (X - mean)' S (Y - y_mean) of a block."""
    X, s, Y = block.X, block.s, block.Y - y_mean
    if not sparse.issparse(X):
        return _dense_products(X, Y, s, mean, so_far)
    weighted = sparse.diags_array(s) @ X
    G = np.asarray((X.T @ weighted).todense())
    if mean is not None:
        G = G - float(s.sum()) * np.outer(mean, mean)
    here = G, X.T @ (s[:, np.newaxis] * Y)
    return here if so_far is None else _both(so_far, here)


def _dense_products(
    X: Array, Y: Array, s: Array, mean: Array | None, so_far: tuple[Array, Array] | None
) -> tuple[Array, Array]:
    d = X.shape[1]
    G, c = (np.zeros((d, d)), np.zeros((d, Y.shape[1]))) if so_far is None else so_far
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


def _residual(coef: Array, intercept: Array, block: System) -> System:
    """Return what is left of the targets, weighted."""
    left = block.s[:, np.newaxis] * (block.Y - (block.X @ coef + intercept))
    return block._replace(Y=left)


def _add_targets(so_far: Any, block: System) -> Array:
    here: Array = block.Y.sum(axis=0)
    return here if so_far is None else np.add(so_far, here)


def _add_step(too_much: Array, mean: Array, so_far: Any, block: System) -> Array:
    """Add what the normal equations make of the residuals, less what the intercept takes."""
    residual = block.Y - block.s[:, np.newaxis] * too_much
    step = np.asarray(block.X.T @ residual)
    if mean.any() and not sparse.issparse(block.X):
        step = step - np.outer(mean, residual.sum(axis=0))
    return step if so_far is None else np.add(so_far, step)


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


def _from_gram(system: Blocks, fit_intercept: bool) -> Solution:
    """Solve the sums of `partial_fit`: of columns that depend on each other, in seconds."""
    whole = system.whole
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that they have lost digits
        weights, rank, _ = Sums.of(whole.X, whole.Y, whole.weights).solve(fit_intercept)
    return Solution(weights, rank, None)


def _canonical(X: Any, Y: Array, weights: Array | None, fit_intercept: bool) -> tuple[Any, Array]:
    """Return (1, X) and Y, rows scaled by the roots of their weights."""
    dense = X.toarray() if sparse.issparse(X) else X
    ones = np.ones((len(Y), int(fit_intercept)))
    A = np.hstack([ones, dense.astype(np.float64, copy=False)])
    if weights is None:
        return A, Y
    root = np.sqrt(weights)[:, np.newaxis]
    return A * root, Y * root


def _factorised(system: System, fit_intercept: bool) -> Solution:
    A, B = _canonical(system.X, system.Y, system.weights, fit_intercept)
    W, _, rank, singular = linalg.lstsq(A, B)
    if not fit_intercept:
        W = np.vstack([np.zeros(W.shape[1]), W])
    return Solution(W.T.copy(), int(rank), singular)


def iterative(system: Blocks, fit_intercept: bool, alpha: float = 0.0) -> Solution:
    """Solve by LSQR, in passes; with a penalty for X less its mean, so that w0 is left out."""
    k, d = int(fit_intercept and not alpha), system.n_features
    mean, y_mean = np.zeros(d), np.zeros(1)
    if alpha and fit_intercept:
        _, mean, y_mean = means_of(system, fit_intercept)
    is_shifted = bool(mean.any())
    parts = [(np.sqrt(block.s), block.Y) for block in system.one_pass()]
    root, Y = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    ends = np.cumsum([0, *(len(part[1]) for part in parts)])

    def matvec(w: Array) -> Array:
        scores = np.concatenate(list(system.each(lambda block: block.X @ w[k:])))
        return root * (scores + (w[0] if k else -(mean @ w) if is_shifted else 0.0))

    def rmatvec(u: Array) -> Array:
        v, sums = root * u, np.zeros(d)
        for block, first, last in zip(system.one_pass(), ends[:-1], ends[1:], strict=True):
            sums = sums + block.X.T @ v[first:last]
        if is_shifted:
            sums = sums - v.sum() * mean
        return np.concatenate([[v.sum()][:k], sums])

    A = LinearOperator((len(Y), d + k), matvec=matvec, rmatvec=rmatvec, dtype=np.float64)
    limit = 10 * (d + len(Y))
    Y = Y - y_mean
    columns = [
        lsqr(A, root * Y[:, t], damp=np.sqrt(alpha), atol=1e-14, btol=1e-14, iter_lim=limit)[0]
        for t in range(Y.shape[1])
    ]
    W = np.stack(columns)
    if not k:
        W = np.column_stack([y_mean - W @ mean, W])
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

    def solve(self, fit_intercept: bool, alpha: float = 0.0) -> tuple[Array, int | None, Array]:
        """Return (weights, rank, squared errors): the solution of smallest norm.

        Where the sums have lost too many digits to tell a small singular value from none, a
        warning says so.
        """
        k = 0 if fit_intercept else 1
        gram, moments = self.gram[k:, k:], self.moments[k:]
        penalty = np.full(len(gram), alpha)
        penalty[: 1 - k] = 0.0  # of w0
        values, vectors = linalg.eigh(gram + np.diag(penalty) if alpha else gram)
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
        rank = None if alpha else int((~none).sum())
        return W.T.copy(), rank, error.clip(0.0) / self.total
