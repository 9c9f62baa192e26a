"""The bound on the updates of a perceptron that a separating rule proves, in exact arithmetic.

By the theorem of Novikoff a perceptron that starts from zero makes at most (R |w| / min z_i . w)^2
updates, R = max |z_i|, for any rule w that separates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from rosenblatt.proof.exact import UNIT, as_whole, blocks_of, entries_of
from rosenblatt.proof.problem import AskedRows
from rosenblatt.proof.question import JointProblem, SignedRows
from rosenblatt.types import Array

MOST_SQUARES = 1 << 16  # that are added up as fractions


def joint_radius(problem: AskedRows | JointProblem) -> float:
    """Return R = max |z| over the comparisons: x_i is in z twice."""
    return math.sqrt(2.0) * radius(AskedRows.of(problem).positive)


def radius(problem: AskedRows | SignedRows) -> float:
    """Return R = max |(x0, x_i)| over the examples."""
    problem = AskedRows.of(problem)
    longest = _longest(problem)
    if 1e-140 < longest < 1e150:
        return longest
    # squares that overflowed or vanished
    return max(problem.each(_longest_by_hypot))


def _longest(problem: AskedRows) -> float:
    if "longest" not in problem.known:
        problem.known["longest"] = max(problem.each(_longest_in))
    longest: float = problem.known["longest"]
    return longest


def _longest_in(block: SignedRows) -> float:
    return float(_lengths(block)[block.signs != 0].max(initial=0.0))


def _longest_by_hypot(block: SignedRows) -> float:
    about = np.flatnonzero(block.signs).tolist()
    return max((math.hypot(*entries_of(block, i).values()) for i in about), default=0.0)


def _lengths(block: SignedRows) -> Array:
    with np.errstate(over="ignore", under="ignore"):
        return np.concatenate([np.zeros(0), *(found for _, _, found in blocks_of(block))])


def most_updates(
    problem: AskedRows | SignedRows, smallest: Fraction, w: Sequence[Fraction], *, times: int = 1
) -> int:
    """Return (R |w| / min z_i . w)^2 rounded down: no perceptron from zero makes more updates.

    By the theorem of Novikoff, for any rule w that separates. All is exact, so that the number is
    neither too small by rounding nor too large by caution. An update of a joint rule adds a row and
    takes it away elsewhere: then R^2 counts two `times`.
    """
    whole, denominator = as_whole(w)
    square = Fraction(sum(v * v for v in whole if v)) / (smallest * denominator) ** 2
    return math.floor(times * _radius_squared(AskedRows.of(problem)) * square)


def _radius_squared(problem: AskedRows) -> Fraction:
    """Return R^2 exactly; a little too large if too many rows may be the longest."""
    if "squared" not in problem.known:
        problem.known["squared"] = _squared(problem)
    squared: Fraction = problem.known["squared"]
    return squared


def _squared(problem: AskedRows) -> Fraction:
    longest = _longest(problem)
    share = (problem.n_features + 8) * 4 * UNIT  # more than what roundings can have done
    usual = 1e-140 < longest < 1e150
    look = partial(_squares, above=longest * (1 - share) if usual else -np.inf, few=usual)
    found = list(problem.each(look))
    if usual and sum(n for n, _ in found) * problem.n_features > MOST_SQUARES:
        return Fraction(longest * (1 + share)) ** 2
    return max(square for _, square in found)


def _squares(block: SignedRows, above: float, few: bool) -> tuple[int, Fraction]:
    """Return how many rows of a block are this long, and the greatest square, unless too many."""
    long = np.flatnonzero((block.signs != 0) & (_lengths(block) >= above)).tolist()
    if few and len(long) * block.n_features > MOST_SQUARES:
        return len(long), Fraction(0)
    squares = (
        sum((Fraction(x) ** 2 for x in entries_of(block, i).values()), Fraction(0)) for i in long
    )
    return len(long), max(squares, default=Fraction(0))


def margin_of(smallest: Fraction, w: Sequence[Fraction]) -> float:
    """Return min z_i . w / |w|, rounded once."""
    whole, denominator = as_whole(w)
    return _root((smallest * denominator) ** 2 / sum(v * v for v in whole if v))


def _root(square: Fraction) -> float:
    """Return the square root of a positive fraction to 60 bits or more, as a float."""
    p, q = square.numerator, square.denominator
    shift = max(0, 64 + (q.bit_length() - p.bit_length()) // 2 + 1)
    try:
        return float(Fraction(math.isqrt((p << (2 * shift)) // q), 1 << shift))
    except OverflowError:
        return math.inf
