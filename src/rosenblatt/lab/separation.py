"""Many small data sets: whether a linear rule separates each of them, and by what margin.

A compiled search proposes, and what it found is judged here, with all that rounding can have done:

    a rule with z_i . w > 0 for all i                    it separates
    d + 1 points whose hull has 0 inside of it           nothing separates (Gordan)
    neither can be told                                  `prove` decides, in exact fractions

So a verdict is never a guess.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.nearest_point import SEPARATED, nearest_points
from rosenblatt.proof.margin import max_margin
from rosenblatt.proof.prove import prove
from rosenblatt.types import Array, Flags, Floats

EPS = float(np.finfo(np.float64).eps)
CALL = 1 << 22  # numbers looked at in one call, some milliseconds: so long Ctrl-C waits
TOLERANCE = 1e-7  # of a margin; what is known less well is asked of `max_margin`


class RunMargins(NamedTuple):
    """The largest margin of each data set in canonical form, and its longest row (1, x)."""

    margin: Floats
    radius: Floats


def separable_runs(X: Array, y: Array, *, fit_intercept: bool = True) -> Flags:
    """Tell of each data set, X of shape (runs, N, d), whether a linear rule separates it: proved.

    Examples
    --------
    >>> import numpy as np
    >>> corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> separable_runs(np.array([corners, corners]), np.array([[-1, -1, -1, 1], [-1, 1, 1, -1]]))
    array([ True, False])
    """
    Z = _signed(X, y, fit_intercept)
    _, members, ends = _search(Z, only_signs=True)
    found: Flags = np.asarray(ends == SEPARATED)
    whole = np.flatnonzero(~found & (members >= 0).all(axis=1))
    left = ~found
    if len(whole):
        corners = np.take_along_axis(Z[whole], members[whole][..., np.newaxis], axis=1)
        left[whole[_has_zero_inside(corners)]] = False
    for r in np.flatnonzero(left):
        found[r] = _is_separable(X[r], y[r], fit_intercept)
    return found


def margins_of_runs(X: Array, y: Array) -> RunMargins:
    """Return the largest margin of each data set, all of which can be separated.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[[1.0], [2.0], [7.0], [8.0]]]), np.array([[-1, -1, 1, 1]])
    >>> found = margins_of_runs(X, y)
    >>> int(found.radius[0] ** 2 / found.margin[0] ** 2)  # the bound on updates of the lecture
    221
    """
    Z = _signed(X, y, True)
    x, _, _ = _search(Z, only_signs=False)
    length = np.linalg.norm(x, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = np.matmul(Z, x[..., np.newaxis])[..., 0].min(axis=1) / length
    # any rule reaches its margin, and no rule one above the length of a point of the hull
    for r in np.flatnonzero(~(reached >= (1.0 - TOLERANCE) * length)):
        reached[r] = max_margin(X[r], y[r]).margin
    return RunMargins(reached, np.sqrt((Z**2).sum(axis=2).max(axis=1)))


def _signed(X: Array, y: Array, fit_intercept: bool) -> Array:
    """Return z_i = y_i (1, x_i), or y_i x_i."""
    x0 = [np.ones((*X.shape[:2], 1))] if fit_intercept else []
    return np.ascontiguousarray(np.concatenate([*x0, X], axis=2) * y[..., np.newaxis])


def _search(Z: Array, *, only_signs: bool) -> tuple[Array, Array, Array]:
    """Return what the kernel found: points, members and how each search ended."""
    n_runs, n_points, d = Z.shape
    x, weights = np.zeros((n_runs, d)), np.zeros((n_runs, d + 1))
    members, ends = np.full((n_runs, d + 1), -1), np.zeros(n_runs, dtype=np.int64)
    room = np.zeros((d + 1, d + 1)), np.zeros(d + 1)
    step = max(1, CALL // (n_points * d * (2 * d + 2)))
    for first in range(0, n_runs, step):
        last = min(first + step, n_runs)
        nearest_points(Z, only_signs, first, last, x, members, weights, ends, *room)
    return x, members, ends


def _has_zero_inside(corners: Array) -> Flags:
    """Tell of each simplex, of d + 1 corners in d dimensions, whether 0 is surely inside of it.

    Its barycentric coordinates a solve M a = e, M the corners above a row of ones. With any R that
    is about the inverse of M, |a - R e| <= |R| |e - M R e| / (1 - |I - R M|); what rounding can
    have added to the two residuals is added to them.
    """
    n = corners.shape[1]
    M = np.concatenate([corners.transpose(0, 2, 1), np.ones((len(corners), 1, n))], axis=1)
    try:
        R = np.linalg.inv(M)
    except np.linalg.LinAlgError:  # one of them is flat: `prove` is asked about all
        return np.zeros(len(corners), dtype=bool)
    a, rounding = R[..., -1:], 4 * n * EPS
    e = np.zeros((n, 1))
    e[-1] = 1.0
    off = np.abs(e - M @ a) + rounding * (np.abs(M) @ np.abs(a) + e)
    far = np.abs(np.eye(n) - R @ M) + rounding * (np.abs(R) @ np.abs(M) + np.eye(n))
    slack = 1.0 - far.sum(axis=2).max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        wrong = np.abs(R).sum(axis=2).max(axis=1) * off.max(axis=(1, 2)) / slack
    return np.asarray((slack > 0) & (a[..., 0].min(axis=1) > (1 + rounding) * wrong))


def _is_separable(X: Array, y: Array, fit_intercept: bool) -> bool:
    """Ask for a proof."""
    if len(np.unique(y)) == 1:
        if fit_intercept:
            return True  # a threshold alone is a rule
        # a proof is about two classes: the mirror of a point says the same as the point
        X, y = np.concatenate([X, -X]), np.concatenate([y, -y])
    return bool(prove(X, y, fit_intercept=fit_intercept).separable)
