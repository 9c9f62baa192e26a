"""The search for a proof: a working set of examples grows until it holds one.

    two equal rows with opposite labels contradict each other: look for those first
    let a perceptron run for a while: its rule may be right; if not, it knows the hard examples
    repeat:  solve the question for the working set, in floats
             a contradiction of a part is one of the whole; if it is exact, done
             otherwise a rule for the part: add the examples that it gets most wrong; none: done

What floats cannot tell is decided by exact arithmetic. All that is found is a proposal, which
`exact` has to accept.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.checks import NO_WEIGHTS
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.perceptron import count_mistakes
from rosenblatt.kernels.rows import CSR
from rosenblatt.progress import ProofReporter
from rosenblatt.proof.exact import WrongSideError, smallest_score
from rosenblatt.proof.program import (
    NotSolvedError,
    Proposal,
    decide_exactly,
    direction,
    kernel_weights,
    solve,
)
from rosenblatt.proof.question import SignedRows
from rosenblatt.rows import lengths_of, n_entries_of, rows_per_slice, scores_of
from rosenblatt.types import Array

Rule = Array | list[Fraction]
Accept = Callable[[Rule], Any]

WORK = (1 << 20, 1 << 32)  # numbers that the perceptron may read: 1 ms to some seconds
CALL = 1 << 13  # numbers that could be read in the time of a call
NOTHING = 1e-9  # a smallest score below this may be rounding
FEW = 20  # examples whose weights are found, or checked, in some milliseconds
ROUNDING = (0.0, 1e-11, 1e-8)  # and so may be a weight


class Search(NamedTuple):
    """A problem, what is known of its rows, and the judge of rules."""

    problem: SignedRows
    lengths: Array
    accept: Accept  # returns a proof, or raises WrongSideError
    reporter: ProofReporter

    def run(self, digests: Array) -> Any:
        """Return the weights of a contradiction by example, or what `accept` made of a rule."""
        twins = opposite_twins(self.problem, digests)
        if twins:
            return twins
        counts, rule = self._rehearse()
        answer = self._try(rule) if rule is not None else None
        if not (answer is None or isinstance(answer, WrongSideError)):
            return answer
        working = self._first(counts)
        while True:
            self.reporter.tell("search", len(working))
            try:
                proposal = solve(self.problem, working, self.reporter)
            except NotSolvedError:
                return self._settle(working)
            answer, more = self._weigh(working, proposal)
            if answer is not None:
                return answer
            grown = np.union1d(working, more)
            if len(grown) == len(working):
                return self._settle(self._tight(working, proposal))
            working = grown

    def _rehearse(self) -> tuple[Array, Array | None]:
        """Let a perceptron run; return its counts, and its rule if it made no mistake."""
        problem, n = self.problem, self.problem.n_rows
        D = LabelledRows(problem.rows, problem.signs.astype(np.int32), NO_WEIGHTS, problem.x0)
        h = Hypothesis(np.zeros(problem.n_features), np.zeros(1), np.zeros(1))
        counts = np.zeros(n, dtype=np.int64)
        size = rows_per_slice(problem.rows)
        per_epoch = n_entries_of(problem.rows) + n + CALL
        # as much work as the linear program would be
        work = int(np.clip(4.0 * problem.n_features**3, *WORK))
        for _ in range(int(np.clip(work // per_epoch, 3, 10 + problem.n_features))):
            n_wrong = 0
            for start in range(0, n, size):
                stop = min(n, start + size)
                n_wrong += count_mistakes(D, h, self.lengths, counts, start, stop)
                self.reporter.tell("perceptron", n)
            self.reporter.tell("perceptron", n, n_wrong)
            if not n_wrong:
                return counts, np.concatenate([h.b, h.w])
        return counts, None

    def _first(self, counts: Array) -> Array:
        """Return the hardest examples of both classes."""
        each = self.problem.n_features + 2
        parts = []
        for sign in (-1, 1):
            members = np.flatnonzero(self.problem.signs == sign)
            hardest = np.argsort(-counts[members], kind="stable")[:each]
            parts.append(members[hardest])
        return np.sort(np.concatenate(parts))

    def _weigh(self, working: Array, proposal: Proposal) -> tuple[Any, Array]:
        """Return a proof if the proposal is one, and the examples to add if not."""
        support = working[proposal.a > 0]
        if proposal.least <= NOTHING:
            contradiction = self._exact_weights(working, proposal.a)
            if contradiction is not None or proposal.least == 0:
                return contradiction, support
        wrong = self._worst(proposal.w)
        if len(wrong):
            return None, wrong
        answer = self._try(proposal.w)
        if isinstance(answer, WrongSideError):
            return None, np.array([answer.example])
        return answer, support

    def _exact_weights(self, working: Array, a: Array) -> dict[int, int] | None:
        """Return exact weights for the examples that floats give a weight to, if there are any."""
        for least in ROUNDING:
            support = working[a > least]
            weights = self.reporter.wait(
                partial(kernel_weights, self.problem, support),
                "exact weights",
                len(support),
                short=len(support) < FEW,
            )
            if weights is not None:
                return dict(zip(support.tolist(), weights, strict=True))
        return None

    def _try(self, rule: Rule) -> Any:
        try:
            return self.accept(rule)
        except WrongSideError as wrong:
            return wrong

    def _worst(self, w: Array) -> Array:
        """Return the examples that a rule gets most wrong."""
        margins = self._margins(w)
        # asked this way round, what is not a number (overflow) is wrong too
        wrong = np.flatnonzero(~(margins > 0))
        self.reporter.tell("search", len(wrong), len(wrong))
        most = self.problem.n_features + 2
        if len(wrong) > most:
            wrong = wrong[np.argpartition(margins[wrong], most)[:most]]
        return wrong

    def _margins(self, w: Array) -> Array:
        """Return z_i . w / |z_i|; infinity for rows that are no examples."""
        problem = self.problem
        scores = scores_of(problem.rows, problem.n_rows, w[1:], w[:1])
        with np.errstate(over="ignore", invalid="ignore"):
            scores *= problem.signs / self.lengths
        scores[problem.signs == 0] = np.inf
        return scores

    def _tight(self, working: Array, proposal: Proposal) -> Array:
        """Return the examples of the working set that exact arithmetic should look at."""
        margins = self._margins(proposal.w)[working]
        nearest = working[np.argsort(margins, kind="stable")[: 2 * (self.problem.n_features + 2)]]
        return np.union1d(nearest, working[proposal.a > 0])

    def _settle(self, chosen: Array) -> Any:
        """Decide in exact arithmetic, adding examples as above."""
        while True:
            answer = decide_exactly(self.problem, chosen, self.reporter)
            if isinstance(answer, dict):
                return answer
            floats = direction(answer)
            for rule in (floats, answer):
                tried = self._try(rule)
                if not isinstance(tried, WrongSideError):
                    return tried
                wrong = tried.example
            chosen = np.union1d(chosen, np.append(self._worst(floats)[:8], wrong))


def search(problem: SignedRows, digests: Array, accept: Accept, reporter: ProofReporter) -> Any:
    """Return the weights of a contradiction by example, or what `accept` made of a rule."""
    sizes = lengths_of(problem.rows, problem.n_rows, problem.x0)
    about = problem.signs != 0
    empty = np.flatnonzero(about & (sizes == 0))
    if len(empty) and not problem.x0:
        for i in empty.tolist():
            if not _any_entry(problem, i):
                return {i: 1}
    # squares that vanished, or overflowed
    sizes[sizes == 0] = 1.0
    sizes[~np.isfinite(sizes)] = np.finfo(np.float64).max
    return Search(problem, sizes, accept, reporter).run(digests)


def search_exactly(
    problem: SignedRows, digests: Array, reporter: ProofReporter
) -> dict[int, int] | list[Fraction]:
    """Return the weights of a contradiction by example, or an exact rule that separates."""

    def accept(rule: Rule) -> list[Fraction]:
        fractions = [Fraction(v) for v in (rule.tolist() if isinstance(rule, np.ndarray) else rule)]
        smallest_score(problem, fractions)
        return fractions

    answer: dict[int, int] | list[Fraction] = search(problem, digests, accept, reporter)
    return answer


def opposite_twins(problem: SignedRows, digests: Array) -> dict[int, int] | None:
    """Return two equal rows with opposite labels, if there are any."""
    plus, minus = (np.flatnonzero(problem.signs == sign) for sign in (1, -1))
    _, a, b = np.intersect1d(digests[plus], digests[minus], return_indices=True)
    for i, j in zip(plus[a].tolist(), minus[b].tolist(), strict=True):
        if kernel_weights(problem, np.array([i, j])) == [1, 1]:
            return {i: 1, j: 1}
    return None


def _any_entry(problem: SignedRows, i: int) -> bool:
    """Tell a row of zeros from one whose square is too small for a float."""
    rows = problem.rows
    if isinstance(rows, np.ndarray):
        return bool(rows[i].any())
    part = slice(rows.indptr[i], rows.indptr[i + 1])
    return bool(rows.data[part].any()) if isinstance(rows, CSR) else part.stop > part.start
