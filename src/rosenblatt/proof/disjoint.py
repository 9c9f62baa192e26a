"""Contradictions one after the other, none with an example of another."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.errors import ProofError
from rosenblatt.proof import exact
from rosenblatt.proof.question import Problem
from rosenblatt.proof.search import search
from rosenblatt.proof.watch import Watch

Found = dict[int, int]  # the weight of each example of a contradiction
FIRST_LOOK = 12  # examples looked at first, for each coordinate


class Result:
    """A generator of contradictions whose return value, the rule for the rest, is kept."""

    def __init__(self, generator: Generator[Found, None, list[Fraction]]) -> None:
        self._generator = generator

    def __iter__(self) -> Iterator[Found]:
        self.result = yield from self._generator


def pack(
    problem: Problem, digests: Array, left: Array, watch: Watch
) -> Generator[Found, None, list[Fraction]]:
    """Find contradictions one by one, among ever more of the rows `left` in their order.

    Returns a rule that separates what is left over.
    """
    pairs = twins(problem, digests, left)
    yield from (dict.fromkeys(pair, 1) for pair in pairs)
    left = left[~np.isin(left, pairs)]
    size = FIRST_LOOK * (problem.n_features + 2)
    while True:
        part = left[:size]
        answer = answer_of(problem.take(part), digests[part], watch)
        if isinstance(answer, dict):
            named = {int(part[i]): a for i, a in answer.items()}
            yield named
            left = left[~np.isin(left, list(named))]
        elif size >= len(left):
            return answer
        else:
            size *= 2


def twins(problem: Problem, digests: Array, left: Array) -> list[tuple[int, int]]:
    """Return pairs of equal rows with opposite labels, as many as share no row."""
    by_row: dict[tuple[int, int], list[int]] = {}
    both = np.intersect1d(digests[problem.signs > 0], digests[problem.signs < 0])
    for i in left[np.isin(digests[left], both)].tolist():
        by_row.setdefault((int(digests[i]), int(problem.signs[i])), []).append(i)
    pairs = []
    for digest in both.tolist():
        plus, minus = by_row.get((digest, 1), []), by_row.get((digest, -1), [])
        pairs += [(a, b) for a, b in zip(plus, minus, strict=False) if _equal(problem, a, b)]
    return pairs


def _equal(problem: Problem, a: int, b: int) -> bool:
    try:
        exact.check_contradiction(problem, [a, b], [1, 1])
    except ProofError:
        return False
    return True


def answer_of(problem: Problem, digests: Array, watch: Watch) -> Found | list[Fraction]:
    """Return a contradiction among these examples, or an exact rule that separates them."""
    sides = np.unique(problem.signs[problem.signs != 0]).tolist()
    zeros = [Fraction(0)] * problem.n_features
    if not sides:
        return [Fraction(int(problem.x0)), *zeros[1:], Fraction(1)]  # any rule will do
    if len(sides) == 1 and problem.x0:
        return [Fraction(sides[0]), *zeros]

    def accept(rule: Any) -> list[Fraction]:
        fractions = [Fraction(v) for v in (rule.tolist() if hasattr(rule, "tolist") else rule)]
        exact.smallest_score(problem, fractions)
        return fractions

    answer: Found | list[Fraction] = search(problem, digests, accept, watch)
    return answer
