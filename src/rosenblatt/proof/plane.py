"""The fewest mistakes of any linear rule on one or two features.

Lines in the plane are turned about points (`proof/turning.py`). Rules through the origin have a
single pivot, the origin itself. So have rules on one feature x, which are rules through the origin
on (x, 1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.errors import DataError
from rosenblatt.proof.rounding import count_mistakes, float_rules
from rosenblatt.proof.turning import Callback, Turning, forced_mistakes, gather

# Coordinates, scaled to 1, below which products lose digits
SMALLEST = 2.0**-430


class Fewest(NamedTuple):
    """Bounds on the fewest mistakes, and a rule."""

    lower: int  # no rule makes fewer
    w: Array  # w0 first
    mistakes: int  # that w makes, counted exactly


def fewest_in_the_plane(
    X: Array,
    y: Array,
    *,
    fit_intercept: bool = True,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Fewest:
    """Return the fewest mistakes of any linear rule on one or two features, with such a rule.

    An example on the boundary is a mistake. The time grows as N^2 log N for two features and an
    intercept, as N log N otherwise.

    Parameters
    ----------
    X : ndarray of shape (N, 1) or (N, 2)
        The examples, finite.
    y : ndarray of shape (N,)
        Their labels, -1 or +1.
    fit_intercept : bool, default=True
        False for rules with w0 = 0.
    time_limit : float or None, default=None
        Seconds after which to stop turning, looked at about every 30 ms.
    callback : callable or None, default=None
        Called as `callback(lower, upper, share)` about every 30 ms with the bounds so far and the
        share of the work that is done.

    Returns
    -------
    Fewest
        The tuple (lower, w, mistakes). `lower` is never above the fewest mistakes. It is equal to
        `mistakes`, unless time ran out, or numbers of one feature differ by a factor above 2^430
        in size, or the only best rules are too narrow for float64.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.proof.plane import fewest_in_the_plane
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> found = fewest_in_the_plane(X, np.array([-1, 1, 1, -1]))
    >>> found.lower, found.mistakes
    (1, 1)
    """
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    _check(X, y)
    free = fit_intercept and X.shape[1] == 2
    plane = _in_the_plane(X, fit_intercept)
    scaled, exponents, exact = _scaled(plane)
    places = gather(scaled, y)
    forced = forced_mistakes(places if exact else gather(plane, y), free)
    turning = Turning(places, free)
    complete = turning.run(forced, time_limit, callback)
    w, mistakes = _in_floats(turning, exponents, X, y)
    return Fewest(turning.mistakes if complete and exact else forced, w, mistakes)


def _check(X: Array, y: Array) -> None:
    if X.ndim != 2 or X.shape[1] not in (1, 2) or len(X) == 0 or y.shape != X.shape[:1]:
        raise DataError(
            f"X must have shape (N, 1) or (N, 2) and y (N,), N > 0, got {X.shape} and {y.shape}"
        )
    if not (np.isfinite(X).all() and np.isin(y, (-1, 1)).all()):
        raise DataError("X must be finite and y must hold -1 and +1")


def _in_the_plane(X: Array, fit_intercept: bool) -> Array:
    """Return points of the plane: X, or x with the feature that w0 belongs to behind it."""
    if X.shape[1] == 2:
        return X
    return np.column_stack([X[:, 0], np.full(len(X), float(fit_intercept))])


def _scaled(plane: Array) -> tuple[Array, Array, bool]:
    """Divide each column by a power of two, so that its largest number is 1/2 to 1.

    Numbers that are then too small become 0. Also return the powers, and whether none were.
    """
    exponents = np.frexp(np.abs(plane).max(axis=0))[1]
    with np.errstate(under="ignore"):
        scaled = np.ldexp(plane, -exponents)
    is_small = np.abs(scaled) < SMALLEST
    return np.where(is_small, 0.0, scaled), exponents, not plane[is_small].any()


def _in_floats(turning: Turning, exponents: Array, X: Array, y: Array) -> tuple[Array, int]:
    """Return the weights of the best line in float64, and the mistakes that they make."""
    w, mistakes = np.zeros(X.shape[1] + 1), len(y) + 1
    for rule in _rules(turning):
        found = _unscaled(rule, exponents)
        if X.shape[1] == 1:
            found = found[[2, 1]]
        n_mistakes = count_mistakes(found, X, y)
        if n_mistakes < mistakes:
            w, mistakes = found, n_mistakes
        if mistakes <= turning.mistakes:
            break
    return w, mistakes


def _rules(turning: Turning) -> Iterator[Array]:
    """Yield (w0, w1, w2) of the best lines for the scaled points."""
    for line in turning.lines():
        if line is None:
            # A constant rule, or w = 0 if all points are the origin
            yield np.array([turning.free * (1.0 if turning.gains.sum() > 0 else -1.0), 0.0, 0.0])
        else:
            yield from float_rules(turning.points, line, turning.free)


def _unscaled(rule: Array, exponents: Array) -> Array:
    """Undo the scaling of the features; multiply all weights by a power of two that suits them."""
    less = np.append(0, exponents)
    size = (np.frexp(rule)[1] - 1 - less)[rule != 0.0]
    shift = 0
    if len(size):
        shift = min(-int(size.max() + size.min()) // 2, 1023 - int(size.max()))
    with np.errstate(under="ignore"):
        w: Array = np.ldexp(rule, shift - less)
    return w
