"""The search for a joint proof: many classes at once as a question about two (Kesler).

With all k vectors in one row, W = (w_1, ..., w_k), example i of class y is ahead of its rival c if
W . z > 0, where z holds (x0, x_i) in the place of y and -(x0, x_i) in that of c. There are
N (k - 1) such duels, each with twice the numbers of a row, and no threshold. They are added to a
working set until it holds a proof:

    two equal rows with different labels contradict each other: look for those first
    if all duels together are few, they are the working set; if not, let a joint perceptron run
    for a while: its rule may be right; if not, the duels that it loses are the first ones
    repeat:  answer the question for the working set, as one about two classes
             a contradiction of a part is one of the whole: done
             otherwise a rule for the part: add the duels that it loses the most; none: done
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.blocks import Blocks
from rosenblatt.errors import ProofError
from rosenblatt.kernels.rows import CSR
from rosenblatt.linear.perceptron import Perceptron, SortedLabelsWarning
from rosenblatt.progress import ProofReporter
from rosenblatt.proof import exact
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.joint_certificate import JointContradiction, JointSeparable
from rosenblatt.proof.problem import AskedRows, DataBlocks, WorstRows
from rosenblatt.proof.program import direction
from rosenblatt.proof.question import JointProblem, JointQuestion, SignedRows
from rosenblatt.proof.search import search_exactly
from rosenblatt.proof.twins import conflicts
from rosenblatt.proof.widest import widest_rule
from rosenblatt.rows import lengths_of, matrix, scores_of, take
from rosenblatt.types import Array

FEW_NUMBERS = 1 << 22  # of all duels together: then all of them are looked at at once
EPOCHS = 10  # of the perceptron that rehearses
SHORT = 1 << 14  # numbers of data and weights that are checked in some milliseconds


class Duels(NamedTuple):
    """Examples, and the number of the class that each is compared with."""

    example: Array
    rival: Array


def all_duels(labels: Array, n_classes: int) -> Duels:
    """Return every example with each class that it is not of, in ascending order.

    Examples
    --------
    >>> all_duels(np.array([0, 2]), 3)
    Duels(example=array([0, 0, 1, 1]), rival=array([1, 2, 0, 1]))
    """
    other = np.ones((len(labels), n_classes), dtype=bool)
    other[np.arange(len(labels)), labels] = False
    return Duels(*np.nonzero(other))


def problem_of(problem: JointProblem, duels: Duels) -> SignedRows:
    """Write down some of the duels as the examples of one class, +1.

    Examples
    --------
    >>> joint = JointProblem(np.array([[2.0]]), np.array([1]), 3, 1.0, 1)
    >>> rows = problem_of(joint, all_duels(joint.labels, 3)).rows
    >>> sparse.csr_array(tuple(rows), shape=(2, 6)).toarray()
    array([[-1., -2.,  1.,  2.,  0.,  0.],
           [ 0.,  0.,  1.,  2., -1., -2.]])
    """
    rows = _with_constant(problem, duels.example)
    width = rows.shape[1]
    first = width * np.stack([problem.labels[duels.example], duels.rival]).astype(np.int64)
    each = np.repeat(np.arange(len(duels.example)), np.diff(rows.indptr))
    place = np.concatenate([rows.indices + first[0][each], rows.indices + first[1][each]])
    data = np.concatenate([rows.data, -rows.data])
    shape = (len(duels.example), problem.n_classes * width)
    Z = sparse.csr_array((data, (np.concatenate([each, each]), place)), shape=shape)
    Z.sort_indices()
    signs = np.ones(len(duels.example), dtype=np.int8)
    return SignedRows(CSR(Z.data, Z.indices, Z.indptr), signs, 0.0, shape[1])


def _with_constant(problem: JointProblem, chosen: Array) -> Any:
    """Return (x0, x_i) of the chosen rows in float64, as a CSR matrix."""
    rows = matrix(take(problem.rows, chosen), problem.n_features, float)
    found = sparse.csr_array(rows.astype(np.float64))
    if not problem.x0:
        return found
    return sparse.hstack([np.ones((len(chosen), 1)), found], format="csr")


def vectors_of(problem: JointProblem, rule: Sequence[Any] | Array) -> list[list[Any]]:
    """Return the rule of a problem of duels as a vector for each class, w0 first."""
    numbers = list(rule)[1:]  # the duels have no threshold of their own
    width = len(numbers) // problem.n_classes
    w0 = [] if problem.x0 else [Fraction(0)]
    return [w0 + numbers[c * width : (c + 1) * width] for c in range(problem.n_classes)]


def prove_jointly(
    data: DataBlocks, question: JointQuestion, mark: Fingerprint, reporter: ProofReporter
) -> JointSeparable | JointContradiction:
    """Answer the joint question about checked data."""
    problem = data.put(question, reporter)
    if _n_numbers(problem) <= FEW_NUMBERS:
        problem = problem.gathered()

    def accept(W: Any) -> JointSeparable:
        work = problem.n_classes * (problem.n_entries + data.n_features)
        return reporter.wait(
            lambda: JointSeparable.of(problem, question, W, mark),
            "check",
            problem.n_rows,
            short=problem.whole is None or work < SHORT,
        )

    found = _impossible(problem) or _search(problem, data.blocks, accept, reporter)
    if isinstance(found, JointSeparable):
        reporter.tell("check", problem.n_rows, 0)
        return _widened(found, problem, accept, reporter)
    reporter.tell("check", len(found))
    return JointContradiction.of_duels(problem, question, found, mark)


def _widened(
    found: JointSeparable,
    problem: AskedRows,
    accept: Callable[[Any], JointSeparable],
    reporter: ProofReporter,
) -> JointSeparable:
    """Prove by the vectors of largest margin, if all duels are few; else the proof stays."""
    if _n_numbers(problem) > FEW_NUMBERS:
        return found
    everyone = problem.whole
    duels = problem_of(everyone, all_duels(everyone.labels, problem.n_classes))
    try:
        better = accept(vectors_of(everyone, widest_rule(AskedRows.of(duels), reporter)))
        reporter.tell("check", problem.n_rows, 0)
    except ProofError:  # too thin for floats, or the time is over
        return found
    return min(better, found, key=lambda one: one.updates_bound)


def _n_numbers(problem: AskedRows) -> int:
    """Return how many numbers all duels together have."""
    return 2 * (problem.n_classes - 1) * (problem.n_entries + problem.n_rows)


def _impossible(problem: AskedRows) -> dict[tuple[int, int], int] | None:
    """Return a row of zeros without an intercept, or equal rows of different classes."""
    if not problem.x0:
        for found in problem.each(_of_zeros):
            for duel in found:
                return {duel: 1}
    for _, last, other in conflicts(problem):
        i, j = sorted((last, other))
        a, b = problem.take(np.array([i, j])).labels.tolist()
        duels = [(i, b), (j, a)]
        if _contradict(problem, duels):
            return dict.fromkeys(duels, 1)
    return None


def _of_zeros(block: JointProblem) -> list[tuple[int, int]]:
    """Return the first row of zeros of a block, compared with the first class that is not its."""
    for i in np.flatnonzero(lengths_of(block.rows, block.n_rows, 0.0) == 0).tolist():
        rival = int(block.labels[i] == 0)
        if _contradict(AskedRows.of(block), [(i, rival)]):
            return [(block.first + i, rival)]
    return []


def _contradict(problem: AskedRows, duels: list[tuple[int, int]]) -> bool:
    indices, rivals = [i for i, _ in duels], [c for _, c in duels]
    try:
        exact.check_joint_contradiction(problem, indices, rivals, [1] * len(duels))
    except ProofError:
        return False
    return True


def _search(problem: AskedRows, blocks: Blocks, accept: Any, reporter: ProofReporter) -> Any:
    """Return what `accept` made of vectors, or the weights of a contradiction by duel."""
    if _n_numbers(problem) <= FEW_NUMBERS:
        working = all_duels(problem.whole.labels, problem.n_classes)
    else:
        W, converged = _rehearse(problem, blocks, reporter)
        if converged:
            try:
                return accept(W)
            except exact.NotAheadError as error:
                reporter.tell("search", 1, error.example)
        working = _worst(problem, W)
    while True:
        reporter.tell("search", len(working.example))
        examples, places = np.unique(working.example, return_inverse=True)
        part = problem.take(examples)
        answer = _answer(part, Duels(places, working.rival), reporter)
        if isinstance(answer, dict):
            return {(int(examples[i]), c): a for (i, c), a in answer.items()}
        vectors = vectors_of(part, answer)
        try:
            return accept(vectors)
        except exact.NotAheadError as error:
            floats = np.array(vectors_of(part, direction(answer)), dtype=np.float64)
            worst, lost = _worst(problem, floats), ([error.example], [error.rival])
            working = _union(working, worst, Duels(*map(np.array, lost)))


def _answer(problem: JointProblem, duels: Duels, reporter: ProofReporter) -> Any:
    """Return an exact rule that wins these duels, or the weights of a contradiction by duel."""
    part = problem_of(problem, duels)
    # no two duels of the one class +1 can be opposite twins, so digests are of no use
    answer = search_exactly(part, np.zeros(part.n_rows, dtype=np.uint64), reporter)
    if not isinstance(answer, dict):
        return answer
    chosen = list(answer)
    named = zip(duels.example[chosen].tolist(), duels.rival[chosen].tolist(), strict=True)
    return dict(zip(named, answer.values(), strict=True))


def _rehearse(problem: AskedRows, blocks: Blocks, reporter: ProofReporter) -> tuple[Array, bool]:
    """Let a joint perceptron run for some epochs; return its vectors, and whether all was right."""
    model = Perceptron(fit_intercept=bool(problem.x0), max_epochs=EPOCHS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", SortedLabelsWarning)  # it is about new rows
        model.fit(blocks, callback=lambda _: reporter.tell("perceptron", problem.n_rows))
    return np.column_stack([model.intercept_, model.coef_]), model.converged_


def _worst(problem: AskedRows, W: Array) -> Duels:
    """Return the duels with the smallest lead, for the length of the example."""
    k = problem.n_classes
    most = min(k * (problem.n_features + 1) + 2, k * problem.n_rows - 1)
    worst = WorstRows.among(list(problem.each(partial(_worst_in, W=W, most=most))), most)
    return Duels(*np.divmod(worst.numbers, k))


def _worst_in(block: JointProblem, W: Array, most: int) -> WorstRows:
    """Return the worst duels of a block; duel number i k + c is of example i with class c."""
    w, b = np.ascontiguousarray(W[:, 1:].T), np.ascontiguousarray(W[:, 0])
    scores = scores_of(block.rows, block.n_rows, w, b).reshape(block.n_rows, -1)
    each = np.arange(block.n_rows)
    lengths = lengths_of(block.rows, block.n_rows, block.x0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        leads = (scores[each, block.labels][:, np.newaxis] - scores) / lengths[:, np.newaxis]
    leads[np.isnan(leads)] = -np.inf  # what overflowed is looked at
    leads[each, block.labels] = np.inf
    places = np.flatnonzero(leads < np.inf)
    numbers = places + block.first * block.n_classes
    return WorstRows.of(leads.ravel()[places], numbers, most)


def _union(*several: Duels) -> Duels:
    both = np.unique(np.hstack([np.stack(duels) for duels in several]), axis=1)
    return Duels(*both)
