"""The rule of largest margin: the widest street first; from there that of the canonical form."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rosenblatt.errors import NoMarginError, NoProofInTimeError, ProofError
from rosenblatt.progress import PassReporter, ProofReporter
from rosenblatt.proof.nearest import (
    ZERO,
    MarginBounds,
    Start,
    first_one,
    first_pair,
    largest_margin,
)
from rosenblatt.proof.points import LinearRule, NotSeparableError, Points
from rosenblatt.proof.question import SignedRows
from rosenblatt.rows import n_entries_of
from rosenblatt.types import Array

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


class Widest(NamedTuple):
    """The best rules found, each with its proof, in units of the points."""

    canonical: MarginBounds
    geometric: MarginBounds

    @property
    def direction(self) -> Array:
        """The weights of the canonical form, w0 first; divided by the unit they reach 1."""
        return np.concatenate([[self.canonical.rule.w0], self.canonical.rule.w])


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


def widest_rule(problem: SignedRows, reporter: ProofReporter, share: float = 1.0) -> Array:
    """Return the weights of the largest margin, w0 first, or of one that is nearly as large."""
    about = np.flatnonzero(problem.signs)
    part = problem if len(about) == problem.n_rows else problem.take(about)
    passes = PassReporter(
        reporter.deadline.within(share * reporter.deadline.left),
        lambda progress: reporter.tell("margin", progress.n_working or 0),
        most=int(np.clip(PASSED // max(1, n_entries_of(part.rows)), *PASSES)),
    )
    with np.errstate(all="ignore"):
        points = Points(part.rows, part.signs, part.n_features)
        direction = widest(points, bool(part.x0), TOLERANCE, passes).direction
    if not np.isfinite(direction).all():
        raise ProofError(TOO_THIN, **SCALING)
    return direction
