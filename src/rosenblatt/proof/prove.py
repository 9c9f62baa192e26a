"""Is the data linearly separable? A proof, either way."""

from __future__ import annotations

from typing import Any

from rosenblatt.checks.parameters import check_callback, check_time_limit
from rosenblatt.choices import Multiclass
from rosenblatt.errors import ProofError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.progress import Callback, Deadline, ProofReporter
from rosenblatt.proof.certificate import Contradiction, Proofs, Separable
from rosenblatt.proof.fingerprint import Fingerprint
from rosenblatt.proof.joint_search import SHORT, prove_jointly
from rosenblatt.proof.problem import AskedRows, DataBlocks, check_data
from rosenblatt.proof.question import JointQuestion, questions
from rosenblatt.proof.search import FEW, search
from rosenblatt.proof.widest import widest_rule


def prove(
    X: Any,
    y: Any = None,
    fit_intercept: bool = True,
    *,
    multiclass: Multiclass = "one-vs-rest",
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> Separable | Contradiction | Proofs:
    """Prove that the data is linearly separable, or that it is not.

    The answer is a `Separable` with a rule that classifies every example right, or a
    `Contradiction`: a few examples, at most d + 2, that no linear rule can classify right together.
    More than two classes can be told apart in three ways, which are three different questions: see
    `multiclass`.

    Either has been verified in exact rational arithmetic on the very floats given, and its
    `check(X, y)` does so again. An answer is never a guess: when no proof can be completed,
    within `time_limit` seconds if that is given, a ProofError says so. Of the rules that separate
    the one of largest margin is looked for: it bounds the updates of a perceptron most closely.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_examples, n_features), or Blocks
        The examples. Whole numbers beyond 2^53 that a float64 does not hold are refused. Blocks,
        such as those of a file larger than memory, are gone through in passes; the proof is the
        same, to the byte.
    y : array-like of shape (n_examples,) or None, default=None
        Their labels; None for blocks, which have them. For two classes there is one proof,
        whatever `multiclass` says.
    fit_intercept : bool, default=True
        False asks for rules through the origin.
    multiclass : {"one-vs-rest", "one-vs-one", "joint"}, default="one-vs-rest"
        What is asked about more than two classes. `"one-vs-rest"`: can a linear rule tell each
        class from all others; `"one-vs-one"`: each from each other; the answer is a `Proofs`, with
        one proof for each class or pair. `"joint"`: can a score w_c . (1, x) for each class c be
        highest for the right one, always, as `Perceptron(multiclass="joint")` has it; the answer
        is one proof, of all classes at once.
    time_limit : float or None, default=None
        Seconds to search; those in which kernels are compiled do not count.
    callback : callable or None, default=None
        Is told a `Progress` from time to time.

    Returns
    -------
    Separable, Contradiction or Proofs
        With `separable` True or False.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]).separable
    True
    >>> print(prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))
    Not separable: these 4 examples contradict each other (weights 1, 1, 1, 1): 0, 1, 2, 3.
    Any linear rule makes at least 1 mistake among them.

    The second of three intervals is not separable from the rest, but jointly:

    >>> X, y = [[0], [1], [4], [5], [8]], ["a", "a", "b", "b", "c"]
    >>> prove(X, y).separable, prove(X, y, multiclass="joint").separable
    (False, True)
    """
    data = check_data(X, y)
    asked = questions(data.classes, fit_intercept, multiclass)
    deadline = Deadline(check_time_limit(time_limit), working_time)
    reporter = ProofReporter(deadline, check_callback(callback))
    marks = Fingerprint.of_each(data, asked, reporter.glance)
    if isinstance(asked[0], JointQuestion):
        return prove_jointly(data, asked[0], marks[0], reporter)
    proofs = [
        prove_question(data, question, mark, reporter)
        for question, mark in zip(asked, marks, strict=True)
    ]
    for k, proof in enumerate(proofs):
        if isinstance(proof, Separable):
            proofs[k] = widened(proof, data, reporter, share=1 / (len(proofs) - k))
    return proofs[0] if len(data.classes) == 2 else Proofs(proofs)


def prove_question(
    data: DataBlocks, question: Any, mark: Fingerprint, reporter: ProofReporter
) -> Separable | Contradiction:
    """Answer one question about checked data."""
    problem = data.put(question, reporter)

    def accept(rule: Any) -> Separable:
        return _checked(problem, question, rule, mark, reporter)

    answer = search(problem, accept, reporter)
    if isinstance(answer, Separable):
        reporter.tell("check", problem.n_rows, 0)
        return answer
    reporter.tell("check", len(answer))
    return reporter.wait(
        lambda: Contradiction.of(problem, question, answer, mark),
        "check",
        len(answer),
        short=len(answer) < FEW,
    )


def _checked(
    problem: AskedRows, question: Any, rule: Any, mark: Fingerprint, reporter: ProofReporter
) -> Separable:
    # rows that are not in memory are looked at block by block, with the clock in between
    short = problem.whole is None or problem.n_entries + problem.n_features < SHORT
    return reporter.wait(
        lambda: Separable.of(problem, question, rule, mark), "check", problem.n_rows, short=short
    )


def widened(
    proof: Separable, data: DataBlocks, reporter: ProofReporter, share: float = 1.0
) -> Separable:
    """Prove by the rule of largest margin, in a share of the time that is left.

    The proof given stays where neither floats nor the time are enough to find a better one.
    """
    question: Any = proof.question  # of two sides: joint proofs are the widest already
    problem = data.put(question, reporter)
    try:
        rule = widest_rule(problem, reporter, share)
        better = _checked(problem, question, rule, proof.fingerprint, reporter)
        reporter.tell("check", problem.n_rows, 0)
    except ProofError:
        return proof
    return min(better, proof, key=lambda one: one.updates_bound)
