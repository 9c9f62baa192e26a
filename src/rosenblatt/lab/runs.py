"""Many data sets at once: PLA in one compiled loop, least squares in one sum."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.checks import NO_WEIGHTS
from rosenblatt.checks.parameters import check_count, check_seed
from rosenblatt.errors import DataError
from rosenblatt.kernels.rows import BLOCK, Columns
from rosenblatt.kernels.runs import learn_each
from rosenblatt.kernels.selection import ROWS, SLICE_OVER
from rosenblatt.linear.rules import N_DRAWS, NO_ODOMETER, make_random_rule
from rosenblatt.rows import SLICE
from rosenblatt.types import Array, Floats, Integers

# Above this condition of Z'Z the normal equations would lose half of the digits
WORST_CONDITION = 1e8


class Runs(NamedTuple):
    """What came out of many runs: a row or an entry for each."""

    weights: Floats  # (runs, d + 1), w0 first
    n_updates: Integers  # (runs,)


def perceptron_runs(
    X: Array,
    y: Array,
    *,
    start: Array | None = None,
    max_updates: int = 1_000_000,
    random_state: Any = None,
) -> Runs:
    """Run PLA with random picks on each of many data sets of one size.

    Parameters
    ----------
    X : ndarray of shape (runs, N, d)
        The points of each run.
    y : ndarray of shape (runs, N)
        Their labels, -1 or +1.
    start : ndarray of shape (runs, d + 1) or None, default=None
        The weights that each run starts from, w0 first; zeros by default.
    max_updates : int, default=1_000_000
        Budget of each run.
    random_state : int, RandomState, Generator or None, default=None
        Draws the picks.

    Returns
    -------
    Runs
        The weights that each run ended with, and its updates.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.lab.runs import perceptron_runs
    >>> X = np.random.default_rng(0).uniform(-1, 1, (1000, 10, 2))
    >>> runs = perceptron_runs(X, np.where(X[..., 0] > 0.1, 1, -1), random_state=0)
    >>> bool((runs.n_updates < 1_000_000).all())
    True
    """
    check_count(max_updates=max_updates)
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    if X.ndim != 3 or 0 in X.shape or y.shape != X.shape[:2]:
        raise DataError(
            "X must have shape (runs, N, d) and y (runs, N), none of them empty, "
            f"got {X.shape} and {y.shape}"
        )
    if not (np.isfinite(X).all() and np.isin(y, (-1, 1)).all()):
        raise DataError("X must be finite and y must hold -1 and +1")
    random = check_seed(random_state)
    n_runs, n_points, n_features = X.shape
    rule = make_random_rule(np.arange(n_points), NO_ODOMETER, random.random_sample(N_DRAWS))
    w, b = _weights(start, n_runs, n_features)
    left = np.full(n_runs, max_updates)
    place, clock = np.zeros(1, dtype=np.int64), np.zeros(3, dtype=np.int64)
    arguments = (rule, _columns(X), y.astype(np.int32), NO_WEIGHTS, w, b, left, place, clock)
    clock[ROWS] = SLICE // (n_features + 8)
    while learn_each(*arguments) == SLICE_OVER:
        if rule.used[0] == N_DRAWS:
            rule.draws[:] = random.random_sample(N_DRAWS)
            rule.used[0] = 0
        clock[ROWS] = SLICE // (n_features + 8)
    return Runs(np.hstack([b, w]), max_updates - left)


def _weights(start: Array | None, n_runs: int, n_features: int) -> tuple[Array, Array]:
    """Return w and w0 of each run, copied: the kernel changes them in place."""
    if start is None:
        return np.zeros((n_runs, n_features)), np.zeros((n_runs, 1))
    start = np.asarray(start, dtype=np.float64)
    if start.shape != (n_runs, n_features + 1) or not np.isfinite(start).all():
        raise DataError(
            f"start must hold finite weights of shape {(n_runs, n_features + 1)}, w0 first, "
            f"got shape {start.shape}"
        )
    return start[:, 1:].copy(), start[:, :1].copy()


def _columns(X: Array) -> Columns:
    """Copy the points of all runs into blocks, column by column."""
    n_runs, n_points, n_features = X.shape
    n_blocks = -(-n_points // BLOCK)
    padded = np.zeros((n_runs, n_blocks * BLOCK, n_features))
    padded[:, :n_points] = X
    blocks = padded.reshape(n_runs, n_blocks, BLOCK, n_features).transpose(0, 1, 3, 2)
    return Columns(np.ascontiguousarray(blocks), np.zeros(BLOCK))


def least_squares_of_runs(Z: Array, y: Array) -> Array:
    """Return weights of shape (runs, d + 1), w0 first, of least squares on each data set.

    By the normal equations of all runs at once; where they are ill-conditioned, or have no single
    answer, by the pseudo-inverse, which gives the shortest weights.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.lab.runs import least_squares_of_runs
    >>> least_squares_of_runs(np.array([[[-1.0], [1.0]]]), np.array([[-1, 1]])).round(9) + 0.0
    array([[0., 1.]])
    """
    n_runs, n_points, n_features = Z.shape
    columns = np.ones((n_runs, n_features + 1, n_points))
    columns[:, 1:] = Z.transpose(0, 2, 1)
    moments = np.matmul(columns, y[..., np.newaxis].astype(np.float64))
    values, vectors = np.linalg.eigh(np.matmul(columns, columns.transpose(0, 2, 1)))
    fine = values[:, 0] * WORST_CONDITION > values[:, -1]
    weights = np.empty((n_runs, n_features + 1))
    along = np.matmul(vectors[fine].transpose(0, 2, 1), moments[fine]) / values[fine, :, np.newaxis]
    weights[fine] = np.matmul(vectors[fine], along)[..., 0]
    if not fine.all():
        inverse = np.linalg.pinv(columns[~fine].transpose(0, 2, 1))
        weights[~fine] = np.matmul(inverse, y[~fine, :, np.newaxis])[..., 0]
    return weights
