"""The search for a joint proof: duels are added to a working set until it holds one.

two equal rows with different labels contradict each other: look for those first
if all duels together are few, they are the working set; if not, let a joint perceptron run
for a while: its rule may be right; if not, the duels that it loses are the first ones
repeat:  answer the question for the working set, as one about two classes
         a contradiction of a part is one of the whole: done
         otherwise a rule for the part: add the duels that it loses the most; none: done
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.errors import ProofError
from rosenblatt.linear.perceptron import Perceptron
from rosenblatt.progress import ProofReporter
from rosenblatt.proof import exact
from rosenblatt.proof.duels import Duels, all_duels, problem_of, vectors_of
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.joint_certificate import JointContradiction, JointSeparable
from rosenblatt.proof.question import Data, JointProblem, JointQuestion
from rosenblatt.proof.search import search
from rosenblatt.proof.simplex import direction
from rosenblatt.proof.widest import widest_rule
from rosenblatt.rows import lengths_of, matrix, n_entries_of, scores_of
from rosenblatt.types import Array

FEW_NUMBERS = 1 << 22  # of all duels together: then all of them are looked at at once
EPOCHS = 10  # of the perceptron that rehearses
SHORT = 1 << 14  # numbers of data and weights that are checked in some milliseconds


def prove_jointly(
    data: Data, question: JointQuestion, digests: Array, reporter: ProofReporter
) -> JointSeparable | JointContradiction:
    """Answer the joint question about checked data."""
    problem = question.of(data)
    mark = Fingerprint.of(problem, digests)

    def accept(W: Any) -> JointSeparable:
        return reporter.wait(
            lambda: JointSeparable.of_vectors(problem, question, W, mark),
            "check",
            problem.n_rows,
            short=problem.n_classes * (n_entries_of(problem.rows) + data.n_features) < SHORT,
        )

    found = _impossible(problem, digests) or _search(problem, accept, reporter)
    if isinstance(found, JointSeparable):
        reporter.tell("check", problem.n_rows, 0)
        return _widened(found, problem, accept, reporter)
    reporter.tell("check", len(found))
    return JointContradiction.of_duels(problem, question, found, mark)


def _widened(
    found: JointSeparable,
    problem: JointProblem,
    accept: Callable[[Any], JointSeparable],
    reporter: ProofReporter,
) -> JointSeparable:
    """Prove by the vectors of largest margin, if all duels are few; else the proof stays."""
    if _n_numbers(problem) > FEW_NUMBERS:
        return found
    duels = problem_of(problem, all_duels(problem.labels, problem.n_classes))
    try:
        better = accept(vectors_of(problem, widest_rule(duels, reporter)))
        reporter.tell("check", problem.n_rows, 0)
    except ProofError:  # too thin for floats, or the time is over
        return found
    return min(better, found, key=lambda one: one.updates_bound)


def _n_numbers(problem: JointProblem) -> int:
    """Return how many numbers all duels together have."""
    return 2 * (problem.n_classes - 1) * (n_entries_of(problem.rows) + problem.n_rows)


def _impossible(problem: JointProblem, digests: Array) -> dict[tuple[int, int], int] | None:
    """Return a row of zeros without an intercept, or equal rows of different classes."""
    labels = problem.labels
    if not problem.x0:
        for i in np.flatnonzero(lengths_of(problem.rows, problem.n_rows, 0.0) == 0).tolist():
            duel = i, int(labels[i] == 0)
            if _contradict(problem, [duel]):
                return {duel: 1}
    order = np.lexsort((labels, digests))
    same, differ = np.diff(digests[order]) == 0, np.diff(labels[order]) != 0
    for place in np.flatnonzero(same & differ).tolist():
        i, j = sorted(order[place : place + 2].tolist())
        duels = [(i, int(labels[j])), (j, int(labels[i]))]
        if _contradict(problem, duels):
            return dict.fromkeys(duels, 1)
    return None


def _contradict(problem: JointProblem, duels: list[tuple[int, int]]) -> bool:
    indices, rivals = [i for i, _ in duels], [c for _, c in duels]
    try:
        exact.check_joint_contradiction(problem, indices, rivals, [1] * len(duels))
    except ProofError:
        return False
    return True


def _search(problem: JointProblem, accept: Any, reporter: ProofReporter) -> Any:
    """Return what `accept` made of vectors, or the weights of a contradiction by duel."""
    if _n_numbers(problem) <= FEW_NUMBERS:
        working = all_duels(problem.labels, problem.n_classes)
    else:
        W, converged = _rehearse(problem, reporter)
        if converged:
            try:
                return accept(W)
            except exact.NotAheadError as error:
                reporter.tell("search", 1, error.example)
        working = _worst(problem, W)
    while True:
        reporter.tell("search", len(working.example))
        answer = _answer(problem, working, reporter)
        if isinstance(answer, dict):
            return answer
        try:
            return accept(vectors_of(problem, answer))
        except exact.NotAheadError as error:
            floats = np.array(vectors_of(problem, direction(answer)), dtype=np.float64)
            worst, lost = _worst(problem, floats), ([error.example], [error.rival])
            working = _union(working, worst, Duels(*map(np.array, lost)))


def _answer(problem: JointProblem, duels: Duels, reporter: ProofReporter) -> Any:
    """Return an exact rule that wins these duels, or the weights of a contradiction by duel."""
    part = problem_of(problem, duels)

    def try_rule(rule: Any) -> list[Fraction]:
        fractions = [Fraction(v) for v in (rule.tolist() if hasattr(rule, "tolist") else rule)]
        exact.smallest_score(part, fractions)
        return fractions

    # no two duels of the one class +1 can be opposite twins, so digests are of no use
    answer = search(part, np.zeros(part.n_rows, dtype=np.uint64), try_rule, reporter)
    if not isinstance(answer, dict):
        return answer
    chosen = list(answer)
    named = zip(duels.example[chosen].tolist(), duels.rival[chosen].tolist(), strict=True)
    return dict(zip(named, answer.values(), strict=True))


def _rehearse(problem: JointProblem, reporter: ProofReporter) -> tuple[Array, bool]:
    """Let a joint perceptron run for some epochs; return its vectors, and whether all was right."""
    model = Perceptron(fit_intercept=bool(problem.x0), max_epochs=EPOCHS)
    rows = matrix(problem.rows, problem.n_features, float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(
            rows, problem.labels, callback=lambda _: reporter.tell("perceptron", problem.n_rows)
        )
    return np.column_stack([model.intercept_, model.coef_]), model.converged_


def _worst(problem: JointProblem, W: Array) -> Duels:
    """Return the duels with the smallest lead, for the length of the example."""
    w, b = np.ascontiguousarray(W[:, 1:].T), np.ascontiguousarray(W[:, 0])
    scores = scores_of(problem.rows, problem.n_rows, w, b).reshape(problem.n_rows, -1)
    each = np.arange(problem.n_rows)
    lengths = lengths_of(problem.rows, problem.n_rows, problem.x0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        leads = (scores[each, problem.labels][:, np.newaxis] - scores) / lengths[:, np.newaxis]
    leads[np.isnan(leads)] = -np.inf  # what overflowed is looked at
    leads[each, problem.labels] = np.inf
    most = min(problem.n_classes * (problem.n_features + 1) + 2, leads.size - 1)
    places = np.argpartition(leads, most, axis=None)[:most]
    places = places[np.isfinite(leads.ravel()[places]) | (leads.ravel()[places] < 0)]
    return Duels(*np.unravel_index(np.sort(places), leads.shape))


def _union(*several: Duels) -> Duels:
    both = np.unique(np.hstack([np.stack(duels) for duels in several]), axis=1)
    return Duels(*both)
