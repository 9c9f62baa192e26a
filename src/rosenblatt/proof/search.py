"""The search for a proof: a working set of examples grows until it holds one.

    two equal rows with opposite labels contradict each other: look for those first
    let a perceptron run for a while: its rule may be right; if not, it knows the hard examples
    repeat:  solve the question for the working set, in floats
             a contradiction of a part is one of the whole; if it is exact, done
             otherwise a rule for the part: add the examples that it gets most wrong; none: done

What floats cannot tell is decided by exact arithmetic. All that is found is a proposal, which
`exact` has to accept.

Only the working set is held here. Of the rows, wherever they are, passes ask which are the worst
for a rule; of equally bad ones the first, so that the answer is the same in blocks of any size.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.progress import ProofReporter
from rosenblatt.proof.exact import WrongSideError, smallest_score
from rosenblatt.proof.problem import AskedRows, WorstRows
from rosenblatt.proof.program import (
    NotSolvedError,
    Proposal,
    decide_exactly,
    direction,
    kernel_weights,
    solve,
)
from rosenblatt.proof.question import SignedRows
from rosenblatt.proof.rehearsal import Hardness, Measured, Rehearsal, measured
from rosenblatt.proof.twins import opposite_twins
from rosenblatt.types import Array

Rule = Array | list[Fraction]
Accept = Callable[[Rule], Any]

WORK = (1 << 20, 1 << 32)  # numbers that the perceptron may read: 1 ms to some seconds
CALL = 1 << 13  # numbers that could be read in the time of a call
NOTHING = 1e-9  # a smallest score below this may be rounding
FEW = 20  # examples whose weights are found, or checked, in some milliseconds
ROUNDING = (0.0, 1e-11, 1e-8)  # and so may be a weight


def _wrong(block: Measured, w: Array, most: int) -> WorstRows:
    """Return the examples of a block that a rule gets most wrong."""
    margins = block.margins(w)
    # asked this way round, what is not a number (overflow) is wrong too
    wrong = np.flatnonzero(~(margins > 0))
    return WorstRows.of(margins[wrong], block.first + wrong, most)


class Search(NamedTuple):
    """A problem, what is known of its rows, and the judge of rules."""

    problem: AskedRows
    measured: AskedRows  # the same with the lengths of rows
    accept: Accept  # returns a proof, or raises WrongSideError
    reporter: ProofReporter

    def run(self) -> Any:
        """Return the weights of a contradiction by example, or what `accept` made of a rule."""
        twins = opposite_twins(self.problem)
        if twins:
            return twins
        hardness, rule = self._rehearse()
        answer = self._try(rule) if rule is not None else None
        if not (answer is None or isinstance(answer, WrongSideError)):
            return answer
        working = self._first(hardness)
        while True:
            self.reporter.tell("search", len(working))
            part = self.problem.take(working)
            try:
                proposal = solve(part, np.arange(len(working)), self.reporter)
            except NotSolvedError:
                return self._settle(working)
            answer, more = self._weigh(working, proposal)
            if answer is not None:
                return answer
            grown = np.union1d(working, more)
            if len(grown) == len(working):
                return self._settle(self._tight(working, proposal))
            working = grown

    def _rehearse(self) -> tuple[Hardness, Array | None]:
        """Let a perceptron run; return which rows are hard, and its rule if it has no mistake."""
        problem, n = self.problem, self.problem.n_rows
        h = Hypothesis(np.zeros(problem.n_features), np.zeros(1), np.zeros(1))
        none = np.zeros(0, dtype=np.int64)
        per_epoch = problem.n_entries + n + CALL
        # as much work as the linear program would be
        work = int(np.clip(4.0 * problem.n_features**3, *WORK))
        n_epochs = int(np.clip(work // per_epoch, 3, 10 + problem.n_features))
        hardness, state = Hardness(n, n_epochs), Rehearsal(h, 0, -1, none, none)
        rule = None
        for _ in range(n_epochs):
            before = state.n_wrong
            for now in self.measured.fold(Rehearsal.visit, state):
                if now.first != state.first and state.first >= 0:
                    hardness.add(state)
                state = now
                self.reporter.tell("perceptron", n)
            n_wrong = state.n_wrong - before
            self.reporter.tell("perceptron", n, n_wrong)
            if not n_wrong:
                rule = np.concatenate([state.h.b, state.h.w])
                break
        hardness.add(state)
        return hardness, rule

    def _first(self, hardness: Hardness) -> Array:
        """Return the hardest examples of both classes."""
        each = self.problem.n_features + 2
        return np.sort(np.concatenate([hardness.hardest(sign, each) for sign in (-1, 1)]))

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
                partial(kernel_weights, self.problem.take(support), np.arange(len(support))),
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
        most = self.problem.n_features + 2
        worst = WorstRows.among(list(self.measured.each(partial(_wrong, w=w, most=most))), most)
        self.reporter.tell("search", worst.n, worst.n)
        return worst.numbers

    def _tight(self, working: Array, proposal: Proposal) -> Array:
        """Return the examples of the working set that exact arithmetic should look at."""
        margins = measured(self.problem.take(working)).margins(proposal.w)
        nearest = working[np.argsort(margins, kind="stable")[: 2 * (self.problem.n_features + 2)]]
        return np.union1d(nearest, working[proposal.a > 0])

    def _settle(self, chosen: Array) -> Any:
        """Decide in exact arithmetic, adding examples as above."""
        while True:
            part = self.problem.take(chosen)
            answer = decide_exactly(part, np.arange(len(chosen)), self.reporter)
            if isinstance(answer, dict):
                return {int(chosen[i]): a for i, a in answer.items()}
            floats = direction(answer)
            for rule in (floats, answer):
                tried = self._try(rule)
                if not isinstance(tried, WrongSideError):
                    return tried
                wrong = tried.example
            chosen = np.union1d(chosen, np.append(self._worst(floats)[:8], wrong))


def search(problem: AskedRows, accept: Accept, reporter: ProofReporter) -> Any:
    """Return the weights of a contradiction by example, or what `accept` made of a rule."""
    known = problem.changed(measured)
    if not problem.x0:
        for found in known.each(lambda block: block.first + block.empty[:1]):
            if len(found):
                return {int(found[0]): 1}
    return Search(problem, known, accept, reporter).run()


def search_exactly(
    rows: SignedRows, digests: Array, reporter: ProofReporter
) -> dict[int, int] | list[Fraction]:
    """Return the weights of a contradiction by example, or an exact rule that separates."""
    problem = AskedRows.of(rows._replace(digests=digests))

    def accept(rule: Rule) -> list[Fraction]:
        fractions = [Fraction(v) for v in (rule.tolist() if isinstance(rule, np.ndarray) else rule)]
        smallest_score(problem, fractions)
        return fractions

    answer: dict[int, int] | list[Fraction] = search(problem, accept, reporter)
    return answer
