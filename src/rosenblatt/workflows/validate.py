"""Measure how good a learner is on examples that it has not seen.

Small data is cross-validated, of large data a fifth is held out. Every tested example is predicted
once, by a model that has not seen it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from rosenblatt.blocks import Blocks
from rosenblatt.errors import OutOfTimeError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.progress import Deadline
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block
from rosenblatt.workflows.task import Task, Tell, decision_scores

LARGE = 20_000  # examples
N_FOLDS = 5
HELD_OUT = 0.2
MOST_CONFUSED = 200  # classes whose confusions are counted
NORMAL_95 = 1.959963984540054

Split = tuple[Array, Array]  # examples to learn from, and to test on


@dataclass(frozen=True, kw_only=True)
class Validation:
    """The predictions of models for examples that they have not seen."""

    way: str
    fold_errors: tuple[float, ...]
    n_wrong: int
    n_tested: int
    confusion: Array | None = None  # rows: what is right; columns: what was said; of few classes
    seconds: float = 0.0  # of one fit, the mean
    n_bytes: int = 0  # of one model
    # arrays, of rows in memory; None of others
    tested: Any = None  # the examples
    predicted: Any = None  # what was said of them
    wrong: Any = None  # of bool
    scores: Any = None  # as `task.decision_scores` gives them

    @property
    def error(self) -> float:
        """The share of wrong predictions."""
        return self.n_wrong / self.n_tested

    @property
    def standard_error(self) -> float:
        """Of the error: over the folds, or of the binomial distribution."""
        if len(self.fold_errors) > 1:
            return float(np.std(self.fold_errors, ddof=1) / sqrt(len(self.fold_errors)))
        return sqrt(self.error * (1 - self.error) / self.n_tested)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the error is with a probability of 95 %."""
        return wilson(self.n_wrong, self.n_tested)


def wilson(n_wrong: int, n: int) -> tuple[float, float]:
    """Return Wilson's interval for a share (JASA 22, 1927); it stays within 0 and 1.

    SciPy's `binomtest(...).proportion_ci("wilson")` differs in the last digit in half of the cases,
    which model files and JSON would show.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(0, 10)]
    [0.0, 0.2775]
    """
    z = NORMAL_95
    p, room = n_wrong / n, z * z / n
    middle = (p + room / 2) / (1 + room)
    half = z * sqrt(p * (1 - p) / n + room / (4 * n)) / (1 + room)
    return max(0.0, middle - half), min(1.0, middle + half)


def folds_of(y: Array, seed: int = 0) -> tuple[str, list[Split]]:
    """Return a word about the way, and the folds; none if a class has a single example."""
    rarest = int(np.unique(y, return_counts=True)[1].min())
    if rarest < 2:
        return "", []
    places = np.zeros(len(y))
    if len(y) > LARGE:
        draw = StratifiedShuffleSplit(1, test_size=HELD_OUT, random_state=seed)
        # in the order of the rows: that is how a file is read
        parts = [(np.sort(train), np.sort(test)) for train, test in draw.split(places, y)]
        return "a fifth held out", parts
    n_folds = min(N_FOLDS, rarest)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    return f"{n_folds}-fold", list(folds.split(places, y))


def validate(
    task: Task,
    algorithm: str,
    way: str,
    parts: Sequence[Split],
    seed: int,
    tell: Tell,
    seconds: float | None = None,
) -> Validation:
    """Learn from each part and test on the rest of it; with `seconds` as many parts as it gets.

    When that is none, an OutOfTimeError says so.
    """
    done: list[_Tested] = []
    deadline = Deadline(seconds, working_time)  # without compiling, once on a machine
    for number, part in enumerate(parts):
        tell("validating", number / len(parts))
        try:
            deadline.check()
            done.append(_test(task, algorithm, seed, part, deadline))
        except OutOfTimeError:
            if not done:
                raise
            way = f"{len(done)} of {len(parts)} folds"
            break
    tell("validating", 1.0)
    mean = sum(one.seconds for one in done) / len(done)
    counts = sum_of_answers([one.answers for one in done])
    tested = np.concatenate([one.places for one in done])
    return counts.validation(
        way,
        tuple(one.answers.n_wrong / len(one.places) for one in done),
        None if counts.predicted is None else tested,
        mean,
        done[-1].n_bytes,
    )


class Answers(NamedTuple):
    """What a model said about rows: how often it was wrong, and, of rows in memory, all of it."""

    n: int
    n_wrong: int
    confusion: Array | None
    predicted: Array | None = None
    wrong: Array | None = None
    scores: Array | None = None

    def validation(
        self,
        way: str,
        fold_errors: tuple[float, ...],
        tested: Array | None,
        seconds: float = 0.0,
        n_bytes: int = 0,
    ) -> Validation:
        """Return an estimate of the error from the answers."""
        return Validation(
            way=way,
            fold_errors=fold_errors,
            n_wrong=self.n_wrong,
            n_tested=self.n,
            confusion=self.confusion,
            seconds=seconds,
            n_bytes=n_bytes,
            tested=tested,
            predicted=self.predicted,
            wrong=self.wrong,
            scores=self.scores,
        )


def answers_to(model: Any, blocks: Blocks, *, all_of_them: bool) -> Answers:
    """Return what a model says about the rows of blocks; of each row, if `all_of_them` is asked."""
    return sum_of_answers(list(blocks.each(partial(_answers, model, all_of_them))))


def sum_of_answers(parts: Sequence[Answers]) -> Answers:
    """Return the answers about several blocks as one."""
    n, n_wrong = sum(part.n for part in parts), sum(part.n_wrong for part in parts)
    confusions = [part.confusion for part in parts if part.confusion is not None]
    confusion = np.sum(confusions, axis=0) if confusions else None
    if parts[0].predicted is None:
        return Answers(n, n_wrong, confusion)
    each = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("predicted", "wrong", "scores")
    )
    return Answers(n, n_wrong, confusion, *each)


def _answers(model: Any, all_of_them: bool, block: Block) -> Answers:
    X, right = matrix(block.rows, block.n_features), block.classes[block.labels]
    said = model.predict(X)
    wrong, confusion, k = said != right, None, len(block.classes)
    if k <= MOST_CONFUSED and np.isin(said, block.classes).all():
        codes = np.searchsorted(block.classes, said)
        confusion = np.bincount(k * block.labels + codes, minlength=k * k).reshape(k, k)
    if not all_of_them:
        return Answers(len(said), int(wrong.sum()), confusion)
    return Answers(len(said), int(wrong.sum()), confusion, said, wrong, decision_scores(model, X))


class _Tested(NamedTuple):
    """What a model said about examples that it had not seen."""

    places: Array
    answers: Answers
    seconds: float
    n_bytes: int


def _test(task: Task, algorithm: str, seed: int, part: Split, deadline: Deadline) -> _Tested:
    train, test = part
    start = working_time()
    with warnings.catch_warnings():
        # what there is to say about convergence, the fit on all examples says
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = task.learn(algorithm, seed, task.blocks.take(train), deadline.check)
    seconds = working_time() - start
    answers = answers_to(model, task.blocks.take(test), all_of_them=task.examples is not None)
    return _Tested(test, answers, seconds, n_bytes(model))


def n_bytes(learner: Any) -> int:
    """Return the size of the arrays that a fitted learner holds."""
    if isinstance(learner, np.ndarray):
        return learner.nbytes
    if isinstance(learner, list | tuple):
        return sum(n_bytes(part) for part in learner)
    if hasattr(learner, "__dict__"):
        return sum(n_bytes(part) for part in vars(learner).values())
    return 0
