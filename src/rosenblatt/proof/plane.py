"""The fewest mistakes of any linear rule on one or two features: a line is turned about points.

Examples at one place are one point. With a of them positive and b negative it costs b mistakes on
the positive side of a line and a on the other, so a rule makes

    sum of all a  -  sum of the gains a - b on its positive side

mistakes, and the best line has the largest gain. Shift a best line towards its positive side until
it touches a point, and turn it a little if it touches several: if the point has a gain above 0, the
line is met in turning about that point; if not, the point may change sides for nothing, and the
shift goes on, at most until the positive side is empty. So turning about the points with a gain
above 0 finds the best line, or else a constant rule is as good. The same is true of the other side,
so the smaller set of pivots is taken.

Rules through the origin have a single pivot, the origin itself. So have rules on one feature x,
which are rules through the origin on (x, 1).

A best line in exact numbers may leave very little room: points that would lie on one line in
decimals miss it by the rounding of their coordinates, and a line may pass between. But only the
ratios of the weights matter, and rounding errs differently for each multiple of them. So many
multiples are offered as weights in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import hypot
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.kernels.sweep import ALL, GAIN, PASSED, PIVOT, ROOM, make_turn, sweep
from rosenblatt.types import Array

# Coordinates, scaled to 1, below which products lose digits
SMALLEST = 2.0**-430
# Points passed in one slice: some 30 ms
SLICE = 300_000
N_MULTIPLES = 64
# Steps of the golden ratio spread the multiples evenly between 1 and 2
GOLDEN = 0.6180339887498949

Direction = tuple[Fraction, Fraction]
Callback = Callable[[int, int, float], Any]


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
    callback: Callback | None = None,
) -> Fewest:
    """Return the fewest mistakes of any linear rule on one or two features, with such a rule.

    An example on the boundary is a mistake. The time grows as N^2 log N for two features and an
    intercept, as N log N otherwise. `callback(lower, upper, share)` is told about every 30 ms the
    bounds so far and the share of the work that is done.

    `lower` is never above the fewest mistakes. It is equal to `mistakes`, unless numbers of one
    feature differ by a factor above 2^430 in size, or the only best rules are too narrow for
    float64.

    Examples
    --------
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
    places = places_of(scaled, y)
    forced = forced_mistakes(places if exact else places_of(plane, y), free)
    turning = Turning(places, free)
    turning.run(forced, callback)
    w, mistakes = _in_floats(turning, exponents, X, y)
    return Fewest(turning.mistakes if exact else forced, w, mistakes)


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
        n_mistakes = count_mistakes_exactly(found, X, y)
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


class Places(NamedTuple):
    """The points that differ, with the numbers of positive and negative examples at each."""

    points: Array
    positive: Array
    negative: Array


def places_of(plane: Array, y: Array) -> Places:
    """Gather the examples at one place."""
    order = np.lexsort(plane.T)
    ordered = plane[order]
    is_new = np.append(True, (ordered[1:] != ordered[:-1]).any(axis=1))
    place = np.cumsum(is_new) - 1
    is_positive = y[order] > 0
    n_places = int(place[-1]) + 1
    positive = np.bincount(place[is_positive], minlength=n_places)
    negative = np.bincount(place[~is_positive], minlength=n_places)
    return Places(np.ascontiguousarray(ordered[is_new]), positive, negative)


def forced_mistakes(places: Places, free: bool) -> int:
    """Return the mistakes of any rule: both labels at one place, or the origin of its lines."""
    cost = np.minimum(places.positive, places.negative)
    if not free:
        at_origin = ~places.points.any(axis=1)
        cost = np.where(at_origin, places.positive + places.negative, cost)
    return int(cost.sum())


class Line(NamedTuple):
    """A line through one point of the plane and beside all others."""

    side: Array  # of each point, +1 or -1
    normal: Direction  # towards the side +1


class Turning:
    """The search for the line of the largest gain, by pivots."""

    def __init__(self, places: Places, free: bool) -> None:
        gains = places.positive - places.negative
        self.free = free
        self._cost = int(places.positive.sum())
        if free:
            self.points, self.gains = places.points, gains
            self._pivots = min(np.flatnonzero(gains > 0), np.flatnonzero(gains < 0), key=len)
            # The better constant rule
            start = max(0, int(gains.sum()))
        else:
            away = places.points.any(axis=1)
            self.points = np.vstack([places.points[away], np.zeros((1, 2))])
            self.gains = np.append(gains[away], 0)
            self._pivots = np.array([len(self.points) - 1])
            # What lies on the origin is wrong in any case; w = 0 is wrong everywhere
            self._cost += int(places.negative[~away].sum())
            start = -int(places.negative[away].sum())
        self._turn = make_turn(len(self.points))
        self._best, self._width = np.array([[start, -1, 0]] * 2), np.full(2, np.inf)

    @property
    def mistakes(self) -> int:
        """Of the best line so far."""
        return self._cost - int(self._best[ALL, GAIN])

    def run(self, forced: int, callback: Callback | None) -> None:
        """Turn about all pivots, or until there is a line as good as can be."""
        n_pivots, size = len(self._pivots), max(1, SLICE // len(self.points))
        for start in range(0, n_pivots, size):
            self._sweep(self._pivots[start : start + size], self._best, self._width)
            if callback is not None:
                callback(forced, self.mistakes, min(1.0, (start + size) / n_pivots))
            if self.mistakes == forced and self._width[ALL] > ROOM:
                break

    def _sweep(self, pivots: Array, best: Array, width: Array) -> None:
        sweep(self.points, self.gains, pivots, self._turn, best, width)

    def lines(self) -> Iterator[Line | None]:
        """Yield the best line of all, then the best of those with more room; None for no line."""
        for best in self._best:
            yield None if best[PIVOT] < 0 else self._line(best.copy())

    def _line(self, best: Array) -> Line:
        pivot, passed = int(best[PIVOT]), int(best[PASSED])
        # Once more, for the order of the points
        self._sweep(np.array([pivot]), self._best.copy(), self._width.copy())
        order, side = self._turn.order[:-1], self._turn.front.copy()
        before, behind = self._seen(pivot, order, passed - 1), self._seen(pivot, order, passed)
        side[order[:passed]] *= -1
        side[pivot] = 0
        left, right = (int(self.gains[side == s].sum()) for s in (1, -1))
        if left < right:
            side = -side
        side[pivot] = 1 if self.gains[pivot] > 0 else -1
        normal = _normal_between(before, behind)
        return Line(side, normal if left >= right else (-normal[0], -normal[1]))

    def _seen(self, pivot: int, order: Array, k: int) -> Direction:
        """Return the direction of the k-th point in order; after the last comes the first again."""
        i = order[k % len(order)]
        sign = int(self._turn.front[i]) * (1 if k < len(order) else -1)
        x, y = map(Fraction, self.points[i].tolist())
        pivot_x, pivot_y = map(Fraction, self.points[pivot].tolist())
        return sign * (x - pivot_x), sign * (y - pivot_y)


def _normal_between(before: Direction, behind: Direction) -> Direction:
    """Return the normal, to the left, of a line in the middle between two directions."""
    (a, b), (c, d) = before, behind
    if a * d == b * c:
        # Half a turn apart: the line is at right angles to both
        return -a, -b
    near, far = Fraction(hypot(a, b)), Fraction(hypot(c, d))
    return -(b * far + d * near), a * far + c * near


def float_rules(points: Array, line: Line, free: bool) -> Iterator[Array]:
    """Yield (w0, w1, w2) near the line, w0 as good as it can be, or 0 for lines that are not free.

    Points are at most 1 in each coordinate.
    """
    largest = max(map(abs, line.normal))
    for k in range(N_MULTIPLES):
        factor = Fraction(1.0 + k * GOLDEN % 1.0) / largest
        w = np.array([float(factor * v) for v in line.normal])
        yield np.append(_threshold(points, line.side, w) if free else 0.0, w)


def _threshold(points: Array, side: Array, w: Array) -> float:
    """Return the w0 in the middle between the two sides."""
    inner = points @ w
    # The rounding of these sums is below 2^-50, as points are at most 1 and w at most 2
    low, high = inner[side < 0].max() - 2.0**-48, inner[side > 0].min() + 2.0**-48
    below = _exact_products(points[(side < 0) & (inner >= low)], w.tolist())
    above = _exact_products(points[(side > 0) & (inner <= high)], w.tolist())
    return -float((max(below) + min(above)) / 2)


def count_mistakes_exactly(w: Array, X: Array, y: Array) -> int:
    """Count the examples with y (w0 + w . x) <= 0 without rounding; X has a few dense columns."""
    with np.errstate(all="ignore"):
        terms = np.column_stack([np.full(len(X), w[0]), X * w[1:]])
        margin, size = y * terms.sum(axis=1), np.abs(terms).sum(axis=1)
        # Far more than what rounding and underflow can change
        known = (np.abs(margin) > 2.0**-48 * size + 1e-300) & np.isfinite(size)
    close = np.column_stack([np.ones((~known).sum()), X[~known]])
    scores = _exact_products(close, w.tolist())
    n_close = sum(s * int(label) <= 0 for s, label in zip(scores, y[~known], strict=True))
    return int((margin[known] < 0).sum()) + n_close


def _exact_products(rows: Array, w: Sequence[float]) -> list[Fraction]:
    """Return the product of each row with w."""
    exact = [Fraction(v) for v in w]
    return [
        sum((v * Fraction(x) for v, x in zip(exact, row, strict=True)), Fraction(0))
        for row in rows.tolist()
    ]
