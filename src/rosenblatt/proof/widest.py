"""The rule of largest margin: the widest street first; from there that of the canonical form.

A working set of examples is grown by the worst violators of each pass over all of them.

Two bounds enclose it, whatever the solver did:

    any rule (b, w)      min_i y_i (b + w . x_i) / |w|  is reached
    any weights a >= 0   |sum a_i z_i| / sum a_i        is not exceeded

The second is the length of a point of the hull of the z_i; with a free intercept the weights of
the two classes have equal sums, and it is half the distance of points of the two hulls.
Both are computed from the rows themselves, and widened by what rounding can have done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import NoMarginError, NoProofInTimeError, ProofError
from rosenblatt.progress import PassReporter, ProofReporter
from rosenblatt.proof.conjugate import WideCorral
from rosenblatt.proof.corral import Corral
from rosenblatt.proof.points import EPS, LinearRule, NotSeparableError, Points, RuleSeen
from rosenblatt.proof.problem import AskedRows
from rosenblatt.types import Array

# Below this share of the radius a margin is taken for zero
ZERO = 1e-12
# Numbers in an orthogonal factor: up to 32 MiB; and coordinates, where rows are fewer
LARGEST_FACTOR, FEW_COORDINATES = 1 << 22, 1024
# Passes that brought neither bound forward, after which rounding is all that moves
MOST_IDLE, NEGLIGIBLE = 4, 1e-13
# What every bound on updates is found with, so that it is the same wherever it is asked for
TOLERANCE = 1e-9
NOT_SEPARABLE = "the data is not separable, so there is no margin"
CONTRADICTION = {
    "do": "rosenblatt.prove(X, y) shows the examples that contradict each other",
    "in_shell": "`rosenblatt prove` shows the examples that contradict each other",
}
TOO_THIN = (
    "a rule separates the classes, but in canonical form its margin is too small for floats to "
    "tell from zero"
)
SCALING = {
    "do": "bring the columns of X to the size of 1 first, for example with "
    "sklearn.preprocessing.StandardScaler",
    "in_shell": "divide the columns by their size first",
}
NO_TIME = "no separating rule was found within the time limit of {limit} s"
MORE_TIME = {
    "do": "give it a longer {time_limit}, or ask rosenblatt.prove(X, y) whether there is one",
    "in_shell": "`rosenblatt prove` tells whether there is one",
}
# Passes over the rows for the largest margin, and numbers that all of them may read
PASSES, PASSED = (20, 1000), 1 << 34

AnyCorral = Corral | WideCorral


@dataclass(frozen=True)
class MarginBounds:
    """The best rule and the best weights so far."""

    rule: LinearRule
    lower: float  # the margin that the rule reaches for sure; not above 0: it does not separate
    support: Array
    weights: Array
    upper: float

    @property
    def gap(self) -> float:
        """How much of the largest margin the rule may be missing, 0 to 1."""
        return min(1.0, max(0.0, 1.0 - self.lower / self.upper))


class Widest(NamedTuple):
    """The best rules found, each with its proof, in units of the points."""

    canonical: MarginBounds
    geometric: MarginBounds

    @property
    def direction(self) -> Array:
        """The weights of the canonical form, w0 first; divided by the unit they reach 1."""
        return np.concatenate([[self.canonical.rule.w0], self.canonical.rule.w])


class Start(NamedTuple):
    """Where to begin: independent examples with weights above 0, and a rule if one is known."""

    support: Array
    weights: Array
    rule: LinearRule | None = None


def largest_margin(
    points: Points,
    x0: float,
    *,
    free: bool,
    start: Start,
    tolerance: float,
    out_of_time: Callable[[], bool],
    tell: Callable[[int, float], object],
) -> MarginBounds:
    """Return the rule of largest margin and its proof; raise NotSeparableError if there is none."""
    corral = (Corral if _fits(points) else WideCorral)(points, x0, free)
    rule = corral.begin(start.support, start.weights, out_of_time)
    rule, bounds, inner, n_idle = start.rule or rule, None, np.inf, 0
    while True:
        least, share = corral.growth
        most = max(least, int(share * len(corral.working)))
        look, before = points.look(rule, 1.0 - tolerance / 2, most, corral.working), bounds
        bounds = _better(bounds, points, corral, look, rule, x0, free)
        tell(len(corral.working), bounds.gap)
        if bounds.upper <= ZERO * max(points.radius, x0):
            raise NotSeparableError
        new = look.near.numbers
        n_idle = n_idle + 1 if bounds is before else 0
        settled = inner <= tolerance / 4 and (len(new) == 0 or n_idle >= MOST_IDLE)
        if bounds.gap <= tolerance or settled or out_of_time():
            return bounds
        # far from the end a rough rule finds the same violators sooner
        inner = max(tolerance / 4, min(1e-3, 1e-2 * bounds.gap)) if len(new) else tolerance / 4
        rule = corral.grow(new, inner, out_of_time)


def _fits(points: Points) -> bool:
    """Tell whether the rows are few or narrow enough for an orthogonal factor."""
    n_coordinates, n_rows = len(points.columns) + 1, points.n_points
    if n_coordinates > max(FEW_COORDINATES, 8 * n_rows):
        return False  # gradients settle so few long rows sooner
    return n_coordinates * min(n_coordinates, n_rows) <= LARGEST_FACTOR


def _better(
    bounds: MarginBounds | None,
    points: Points,
    corral: AnyCorral,
    look: RuleSeen,
    rule: LinearRule,
    x0: float,
    free: bool,
) -> MarginBounds:
    rule, lower = _reached(points, look, rule, x0, free)
    support, weights = corral.support, corral.weights
    upper, weights = _not_exceeded(points, support, weights, x0, free)
    if bounds is None:
        return MarginBounds(rule, lower, support, weights, upper)
    if lower > bounds.lower + NEGLIGIBLE * upper:
        bounds = replace(bounds, rule=rule, lower=lower)
    if upper < bounds.upper * (1.0 - NEGLIGIBLE):
        bounds = replace(bounds, support=support, weights=weights, upper=upper)
    return bounds


def _reached(
    points: Points, look: RuleSeen, rule: LinearRule, x0: float, free: bool
) -> tuple[LinearRule, float]:
    """Scale the rule so that its smallest margin is 1 if it separates; return its margin too."""
    b = -(look.lowest + look.highest) / 2.0 if free else rule.b
    smallest = min(look.lowest + b, -(look.highest + b))
    margin = smallest / rule.norm - points.rounding * np.hypot(points.radius, x0)
    scale = 1.0 / smallest if smallest > 0.0 else 1.0
    return LinearRule(b * scale, rule.w * scale, rule.w0 * scale), float(margin)


def _not_exceeded(
    points: Points, support: Array, weights: Array, x0: float, free: bool
) -> tuple[float, Array]:
    """Return a bound for the margin, and the weights scaled to sum to 1."""
    few = points.of(support)
    y = few.y
    if free:
        weights = weights / np.where(y > 0, weights[y > 0].sum(), weights[y < 0].sum()) / 2.0
    else:
        weights = weights / weights.sum()
    p = points.signed(few).T @ weights
    length = np.hypot(np.linalg.norm(p), 0.0 if free else x0 * (weights @ y))
    return float(length + EPS * (len(support) + 8) * np.hypot(points.radius, x0)), weights


def first_pair(points: Points) -> Start:
    """Return two examples, the nearest to the other class along the line between the means."""
    samples = [points.sample(sign) for sign in (-1, 1)]
    means = [np.asarray(points.take(sample).mean(axis=0)).ravel() for sample in samples]
    pair = np.array(points.ends(means[0] + means[1])[:2])
    apart = points.take(pair).sum(axis=0)
    if not np.any(apart):
        raise NotSeparableError
    return Start(pair, np.ones(2))


def first_one(points: Points) -> Start:
    """Return the example that is lowest along the mean of y_i x_i."""
    if points.shortest == 0.0:
        raise NotSeparableError
    w = np.asarray(points.take(points.sample(None)).mean(axis=0)).ravel()
    return Start(np.array(points.ends(w)[2:]), np.ones(1))


def widest(points: Points, fit_intercept: bool, tolerance: float, reporter: PassReporter) -> Widest:
    """Find both; a NoMarginError if nothing separates, a ProofError if that cannot be told."""
    how: dict[str, Any] = {
        "tolerance": tolerance,
        "out_of_time": reporter.is_over,
        "tell": reporter.tell,
    }
    try:
        start = first_pair(points) if fit_intercept else first_one(points)
        bounds = largest_margin(points, 0.0, free=fit_intercept, start=start, **how)
    except NotSeparableError:
        raise NoMarginError(NOT_SEPARABLE, **CONTRADICTION) from None
    if bounds.lower <= 0.0:
        if reporter.is_over():
            raise NoProofInTimeError(NO_TIME.format(limit=reporter.deadline.limit), **MORE_TIME)
        raise NoMarginError(NOT_SEPARABLE, **CONTRADICTION)
    return Widest(_canonical(points, bounds, **how) if fit_intercept else bounds, bounds)


def _canonical(points: Points, geometric: MarginBounds, **how: Any) -> MarginBounds:
    """Find the canonical margin from the geometric one: the supports have much in common."""
    x0 = 1.0 / points.unit
    if points.radius <= ZERO * x0:
        raise ProofError(TOO_THIN, **SCALING)
    b, w, _ = geometric.rule
    start = Start(geometric.support, geometric.weights, LinearRule(b, w, b / x0))
    try:
        bounds = largest_margin(points, x0, free=False, start=start, **how)
    except NotSeparableError:
        raise ProofError(TOO_THIN, **SCALING) from None
    if bounds.lower <= 0.0:
        raise ProofError(TOO_THIN, **SCALING)
    return bounds


def widest_rule(problem: AskedRows, reporter: ProofReporter, share: float = 1.0) -> Array:
    """Return the weights of the largest margin, w0 first, or of one that is nearly as large."""
    deadline = reporter.deadline.within(share * reporter.deadline.left)
    with np.errstate(all="ignore"):
        points = Points(problem)
        passes = PassReporter(
            deadline,
            lambda progress: reporter.tell("margin", progress.n_working or 0),
            most=int(np.clip(PASSED // max(1, points.n_entries), *PASSES)),
        )
        direction = widest(points, bool(problem.x0), TOLERANCE, passes).direction
    if not np.isfinite(direction).all():
        raise ProofError(TOO_THIN, **SCALING)
    return direction
