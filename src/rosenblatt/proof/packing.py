"""Many contradictions that share no example: each holds at least one mistake of any linear rule.

They are found one after the other, among ever more of the examples that none of them holds, until
what is left over is separable. Its rule then tells which examples lie far on the wrong side.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from typing import Any, overload

import numpy as np

from rosenblatt.checks.parameters import check_callback, check_count, check_seed, check_time_limit
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, NoProofInTimeError, ProofError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.progress import Deadline, ProofReporter
from rosenblatt.proof import exact
from rosenblatt.proof.certificate import Contradiction
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.program import direction
from rosenblatt.proof.question import Data, Question, SignedRows, check_exact_data, question_of_two
from rosenblatt.proof.search import search_exactly
from rosenblatt.rows import row_digests, scores_of
from rosenblatt.shown import InSentences
from rosenblatt.types import Array, Floats, Integers

Weights = dict[int, int]  # of the examples of a contradiction
FIRST_LOOK = 12  # examples looked at first, for each coordinate


class Packing(InSentences, Sequence[Contradiction]):
    """Contradictions, and what they say together about each example.

    Attributes
    ----------
    lower_bound : int
        The most contradictions of one round. They share no example, so any linear rule makes at
        least as many mistakes.
    complete : bool
        Whether every round ended because the examples left over are separable.
    counts : ndarray of shape (n_examples,)
        In how many contradictions an example is.
    blame : ndarray of shape (n_examples,)
        The share of an example in the weights of its contradictions, added up. An example alone
        among those of the other class has half of all the weight.
    depth : ndarray of shape (n_examples,)
        How far an example is on the wrong side of the rules that separate what no contradiction
        of a round holds, added up. The unit is the mean distance of all examples.
    suspects : ndarray of int
        The examples that are in a contradiction, those with the most depth first, then those with
        the most blame: the first to check for a wrong label.

    Examples
    --------
    >>> from rosenblatt import disjoint_contradictions
    >>> X, y = [[0, 0], [4, 0], [0, 4], [1, 1]], [0, 0, 0, 1]
    >>> packing = disjoint_contradictions(X, y)
    >>> len(packing), packing.lower_bound, packing.suspects.tolist()
    (1, 1, [3, 0, 1, 2])
    >>> packing.blame.tolist()
    [0.25, 0.125, 0.125, 0.5]
    """

    def __init__(self, rounds: list[list[Contradiction]], depth: Array, complete: bool) -> None:
        self._proofs = [proof for found in rounds for proof in found]
        self.lower_bound = max((len(found) for found in rounds), default=0)
        self.complete = complete
        self.counts: Integers = np.zeros(len(depth), dtype=np.int64)
        self.blame: Floats = np.zeros(len(depth))
        for proof in self._proofs:
            self.counts[proof.indices] += 1
            self.blame[proof.indices] += _shares(proof.weights)
        self.depth: Floats = depth
        involved = np.flatnonzero(self.counts)
        self.suspects: Integers = involved[
            np.lexsort((-self.blame[involved], -self.depth[involved]))
        ]

    @overload
    def __getitem__(self, index: int) -> Contradiction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Contradiction]: ...
    def __getitem__(self, index: int | slice) -> Contradiction | list[Contradiction]:
        return self._proofs[index]

    def __len__(self) -> int:
        return len(self._proofs)

    def check(self, X: Any, y: Any) -> bool:
        """Verify every contradiction on the data; return True or raise a ProofError.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples that were looked at.
        y : array-like of shape (n_examples,)
            Their labels.

        Returns
        -------
        bool
            True; what does not hold is a ProofError.
        """
        return all(proof.check(X, y) for proof in self)

    def __str__(self) -> str:
        if not self._proofs:
            return "No contradiction was found" + (": separable." if self.complete else " in time.")
        first = ", ".join(str(i) for i in self.suspects[:10])
        return (
            f"{counted(len(self), 'contradiction')}: any linear rule makes at least "
            f"{counted(self.lower_bound, 'mistake')}.\n"
            f"The first examples to check for a wrong label: {first}."
        )


def _shares(weights: tuple[int, ...]) -> Array:
    """Return the weights as parts of their sum."""
    total = sum(weights)
    return np.array([float(Fraction(a, total)) for a in weights])


def disjoint_contradictions(
    X: Any,
    y: Any,
    fit_intercept: bool = True,
    *,
    rounds: int = 1,
    random_state: Any = 0,
    time_limit: float | None = None,
    callback: Any = None,
) -> Packing:
    """List contradictions that share no example, until the rest is separable.

    Each holds at least one example that a linear rule must get wrong. With more `rounds` the search
    starts again in another random order. Examples that the rules for the rest get badly wrong are
    the first to check for a wrong label.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,)
        Their labels, of two classes.
    fit_intercept : bool, default=True
        False is about rules through the origin.
    rounds : int, default=1
        How often to pack; contradictions of different rounds may share examples.
    random_state : int, RandomState, Generator or None, default=0
        The order in which examples are looked at.
    time_limit : float or None, default=None
        Seconds; what was found until then is returned.
    callback : callable or None, default=None
        Is told a `Progress` from time to time.

    Returns
    -------
    Packing
        A sequence of `Contradiction`.

    Examples
    --------
    >>> from rosenblatt import disjoint_contradictions
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> print(disjoint_contradictions(X, y))
    1 contradiction: any linear rule makes at least 1 mistake.
    The first examples to check for a wrong label: 0, 1, 2, 3.
    """
    check_count(rounds=rounds)
    data = check_exact_data(X, y)
    question = two_classes(data, fit_intercept)
    problem = question.of(data)
    digests = row_digests(problem.rows, problem.n_rows)
    mark = Fingerprint.of(problem, digests)
    deadline = Deadline(check_time_limit(time_limit), working_time)
    reporter = ProofReporter(deadline, check_callback(callback))
    rng = check_seed(random_state)
    packed: list[list[Contradiction]] = []
    depth, complete = np.zeros(problem.n_rows), True
    try:
        for _ in range(rounds):
            packed.append([])
            finder = Result(pack(problem, digests, rng.permutation(problem.n_rows), reporter))
            for found in finder:
                packed[-1].append(Contradiction.of(problem, question, found, mark))
            rest = np.ones(problem.n_rows, dtype=bool)
            for proof in packed[-1]:
                rest[proof.indices] = False
            depth += depths(problem, finder.result, rest)
    except NoProofInTimeError:
        complete = False
    return Packing(packed, depth, complete)


def depths(problem: SignedRows, rule: list[Fraction], rest: Array) -> Array:
    """Return how far examples are on the wrong side of the rule for the rest.

    The unit is the mean distance of all examples from the boundary.
    """
    n = problem.n_rows
    if len(np.unique(problem.signs[rest])) < 2:
        return np.zeros(n)  # nothing was asked of the rule
    w = direction(rule)
    scores = scores_of(problem.rows, n, w[1:], problem.x0 * w[:1])
    top = np.abs(scores).max()
    if not 0 < top < np.inf:  # numbers too small or too large for floats
        return np.zeros(n)
    scores *= problem.signs / top
    wrong: Array = np.maximum(-scores, 0.0) / np.abs(scores).mean()
    # the rest is on the right side, whatever rounding makes of its scores
    return np.where(rest, 0.0, wrong)


def two_classes(data: Data, fit_intercept: bool) -> Question:
    """Return the question that two classes raise; refuse more."""
    if len(data.classes) > 2:
        raise DataError(
            f"two classes are needed, got {len(data.classes)}",
            do="ask for one against the rest, for example with y == {label!r}",
            in_shell="keep the rows of two of them; without --fewest-mistakes and --contradictions "
            "`prove` takes any number",
            label=data.classes[0],
        )
    return question_of_two(data.classes, fit_intercept)


class Result:
    """A generator of contradictions whose return value, the rule for the rest, is kept."""

    def __init__(self, generator: Generator[Weights, None, list[Fraction]]) -> None:
        self._generator = generator

    def __iter__(self) -> Iterator[Weights]:
        self.result = yield from self._generator


def pack(
    problem: SignedRows, digests: Array, left: Array, reporter: ProofReporter
) -> Generator[Weights, None, list[Fraction]]:
    """Find contradictions one by one, among ever more of the rows `left` in their order.

    Returns a rule that separates what is left over.
    """
    pairs = twins(problem, digests, left)
    yield from (dict.fromkeys(pair, 1) for pair in pairs)
    left = left[~np.isin(left, pairs)]
    size = FIRST_LOOK * (problem.n_features + 2)
    while True:
        part = left[:size]
        answer = answer_of(problem.take(part), digests[part], reporter)
        if isinstance(answer, dict):
            named = {int(part[i]): a for i, a in answer.items()}
            yield named
            left = left[~np.isin(left, list(named))]
        elif size >= len(left):
            return answer
        else:
            size *= 2


def twins(problem: SignedRows, digests: Array, left: Array) -> list[tuple[int, int]]:
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


def _equal(problem: SignedRows, a: int, b: int) -> bool:
    try:
        exact.check_contradiction(problem, [a, b], [1, 1])
    except ProofError:
        return False
    return True


def answer_of(
    problem: SignedRows, digests: Array, reporter: ProofReporter
) -> Weights | list[Fraction]:
    """Return a contradiction among these examples, or an exact rule that separates them."""
    sides = np.unique(problem.signs[problem.signs != 0]).tolist()
    zeros = [Fraction(0)] * problem.n_features
    if not sides:
        return [Fraction(int(problem.x0)), *zeros[1:], Fraction(1)]  # any rule will do
    if len(sides) == 1 and problem.x0:
        return [Fraction(sides[0]), *zeros]
    return search_exactly(problem, digests, reporter)
