"""Measure how good a learner is on examples that it has not seen.

Every tested example is predicted once, by a model that has not seen it, nor a copy of it. Which
those are, `folds` tells; how sure the error is, `uncertainty`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.blocks import Blocks
from rosenblatt.errors import OutOfTimeError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.progress import Deadline
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block
from rosenblatt.workflows.choosing import learn_best
from rosenblatt.workflows.folds import Folds, Split
from rosenblatt.workflows.forms import form_by
from rosenblatt.workflows.task import Task, Tell, decision_scores, learner_of, step_of
from rosenblatt.workflows.uncertainty import variance_of_error, variance_over_folds, wider, wilson

MOST_CONFUSED = 200  # classes whose confusions are counted
SHARE_OF_SCORES = 8  # of the memory that is allowed: one part of so many is for scores
ENOUGH = 2_000  # examples that a model has seen, to know how much better it is on them


@dataclass(frozen=True, kw_only=True)
class Validation:
    """The predictions of models for examples that they have not seen."""

    way: str
    fold_errors: tuple[float, ...]
    n_wrong: int
    n_tested: int
    fold_sizes: tuple[int, ...] = ()  # tested examples of each fold
    ratio: float = 0.0  # of tested to learned examples
    variance: float | None = None  # of the error; None: of a model on fresh examples
    confusion: Array | None = None  # rows: what is right; columns: what was said; of few classes
    seconds: float = 0.0  # of one fit, the mean
    n_bytes: int = 0  # of one model
    # arrays, of rows in memory; None of others
    tested: Any = None  # the examples
    predicted: Any = None  # what was said of them
    wrong: Any = None  # of bool
    # those that decide, of rows on disk too, if there is room for them
    scores: Any = None  # as `task.decision_scores` gives them
    labels: Any = None  # what is right, as places among the classes
    alike: tuple[bool, ...] = ()  # whether the model of each fold is of the delivered one's kind

    @property
    def error(self) -> float:
        """The share of wrong predictions."""
        return self.n_wrong / self.n_tested

    @property
    def standard_error(self) -> float:
        """How far the error may well be off."""
        if self.variance is None:
            return sqrt(self.error * (1 - self.error) / self.n_tested)
        return sqrt(self.variance)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the error is with a probability of 95 %."""
        if self.variance is None:
            return wilson(self.n_wrong, self.n_tested)
        return wider(self.n_wrong, self.n_tested, self.variance)


def validate(
    task: Task,
    algorithm: str,
    folds: Folds,
    seed: int,
    tell: Tell,
    seconds: float | None = None,
    delivered: Any = None,
) -> Validation:
    """Learn from each part and test on the rest of it; with `seconds` as many parts as it gets.

    When that is none, an OutOfTimeError says so. `delivered` is the model that learned from all
    rows, if there is one; it tells how much the tested models differ from it.
    """
    done: list[_Tested] = []
    way, parts = folds.way, folds.parts
    keeps = _has_room(task, sum(len(test) for _, test in parts))
    deadline = Deadline(seconds, working_time)  # without compiling, once on a machine
    for number, part in enumerate(parts):
        tell("validating", number / len(parts))
        try:
            deadline.check()
            done.append(_test(task, algorithm, seed, part, deadline, delivered, keeps))
        except OutOfTimeError:
            if not done:
                raise
            way = f"{len(done)} of {len(parts)} folds"
            break
    tell("validating", 1.0)
    mean = sum(one.seconds for one in done) / len(done)
    counts = sum_of_answers([one.answers for one in done])
    tested = np.concatenate([one.places for one in done])
    errors = tuple(one.answers.n_wrong / len(one.places) for one in done)
    ratio = sum(len(test) / len(train) for train, test in parts[: len(done)]) / len(done)
    variance = variance_of_error(counts.n_wrong, counts.n, len(done))
    if delivered is None or task.groups is not None or task.times is not None:
        # rows that belong together are right or wrong together, which the folds show
        variance = max(variance, variance_over_folds(errors, ratio))
    if delivered is not None:
        variance += _shift(done) ** 2
    return replace(
        counts.validation(
            way,
            errors,
            None if counts.predicted is None else tested,
        ),
        fold_sizes=tuple(len(one.places) for one in done),
        ratio=ratio,
        variance=variance,
        seconds=mean,
        n_bytes=done[-1].n_bytes,
        labels=task.labels[tested] if keeps else None,
        alike=tuple(one.is_alike for one in done),
    )


class Answers(NamedTuple):
    """What a model said about rows: how often it was wrong, and, if it was asked, all of it."""

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
    ) -> Validation:
        """Return an estimate of the error from the answers."""
        return Validation(
            way=way,
            fold_errors=fold_errors,
            n_wrong=self.n_wrong,
            n_tested=self.n,
            confusion=self.confusion,
            tested=tested,
            predicted=self.predicted,
            wrong=self.wrong,
            scores=self.scores,
        )


def answers_to(
    model: Any, blocks: Blocks, *, all_of_them: bool, with_scores: bool = False
) -> Answers:
    """Return what a model says about the rows of blocks; of each row, if `all_of_them` is asked.

    `with_scores`: those of each row, but not what they lead to.
    """
    return sum_of_answers(list(blocks.each(partial(_answers, model, all_of_them, with_scores))))


def sum_of_answers(parts: Sequence[Answers]) -> Answers:
    """Return the answers about several blocks as one."""
    n, n_wrong = sum(part.n for part in parts), sum(part.n_wrong for part in parts)
    confusions = [part.confusion for part in parts if part.confusion is not None]
    confusion = np.sum(confusions, axis=0) if confusions else None
    each = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in ("predicted", "wrong", "scores")
        if getattr(parts[0], name) is not None
    }
    return Answers(n, n_wrong, confusion, **each)


def _answers(model: Any, all_of_them: bool, with_scores: bool, block: Block) -> Answers:
    X, right = matrix(block.rows, block.n_features), block.classes[block.labels]
    said = model.predict(X)
    wrong, confusion, k = said != right, None, len(block.classes)
    if k <= MOST_CONFUSED and np.isin(said, block.classes).all():
        codes = np.searchsorted(block.classes, said)
        confusion = np.bincount(k * block.labels + codes, minlength=k * k).reshape(k, k)
    scores = decision_scores(model, X) if all_of_them or with_scores else None
    answers = Answers(len(said), int(wrong.sum()), confusion, scores=scores)
    return answers._replace(predicted=said, wrong=wrong) if all_of_them else answers


class _Tested(NamedTuple):
    """What a model said about examples that it had not seen."""

    places: Array
    answers: Answers
    seconds: float
    n_bytes: int
    seen: Answers | None  # what the model said about examples that it had seen
    delivered: Answers | None  # what the delivered model, which has seen them, said about these
    is_alike: bool  # the model: of the same learner and form of rows as the delivered one


def _has_room(task: Task, n_tested: int) -> bool:
    """Whether scores and labels of the tested rows can be kept."""
    k = len(task.blocks.classes)
    n_columns = 1 if k <= 2 else k
    return task.memory is None or 8 * (n_columns + 1) * n_tested <= task.memory // SHARE_OF_SCORES


def _test(
    task: Task,
    algorithm: str,
    seed: int,
    part: Split,
    deadline: Deadline,
    delivered: Any,
    keeps: bool,
) -> _Tested:
    train, test = part
    start = working_time()
    with warnings.catch_warnings():
        # what there is to say about convergence, the fit on all examples says
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = learn_best(task, algorithm, seed, train, deadline.check)
    seconds = working_time() - start
    in_memory = task.examples is not None
    answers = answers_to(model, task.blocks.take(test), all_of_them=in_memory, with_scores=keeps)
    seen = again = None
    if delivered is not None:
        some = np.random.default_rng(seed).permutation(train)[: max(len(test), ENOUGH)]
        seen = answers_to(model, task.blocks.take(np.sort(some)), all_of_them=False)
        again = answers_to(delivered, task.blocks.take(test), all_of_them=False)
    is_alike = delivered is None or _kind(model) == _kind(delivered)
    return _Tested(test, answers, seconds, n_bytes(model), seen, again, is_alike)


def _kind(model: Any) -> tuple[type, str]:
    return type(learner_of(model)), form_by(step_of(model))


def _shift(done: Sequence[_Tested]) -> float:
    """Return by how much the delivered model seems worse than those that were tested.

    It has seen the tested rows, which makes it look better by as much as the others look better on
    rows that they have seen.
    """
    error, seen, delivered = (
        sum(part.n_wrong for part in parts) / sum(part.n for part in parts)
        for parts in (
            [one.answers for one in done],
            [one.seen for one in done if one.seen is not None],
            [one.delivered for one in done if one.delivered is not None],
        )
    )
    return delivered + max(0.0, error - seen) - error


def n_bytes(learner: Any) -> int:
    """Return the size of the arrays that a fitted learner holds."""
    if isinstance(learner, np.ndarray):
        return learner.nbytes
    if isinstance(learner, list | tuple):
        return sum(n_bytes(part) for part in learner)
    if hasattr(learner, "__dict__"):
        return sum(n_bytes(part) for part in vars(learner).values())
    return 0
