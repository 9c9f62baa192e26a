"""Measure how good a learner is on examples that it has not seen.

Small data is cross-validated, of large data a fifth is held out. Every tested example is predicted
once, by a model that has not seen it.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from rosenblatt.kernels.compiler import working_time
from rosenblatt.types import Array
from rosenblatt.workflows.task import Task, Tell, fit_scaled, is_watched, scores_of

LARGE = 20_000  # examples
N_FOLDS = 5
HELD_OUT = 0.2
NORMAL_95 = 1.959963984540054

Split = tuple[Array, Array]  # examples to learn from, and to test on


class Estimate:
    """An error measured on examples that were not learned from."""

    way: str
    fold_errors: tuple[float, ...]
    n_wrong: int
    n_tested: int

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


@dataclass(frozen=True)
class Counted(Estimate):
    """An error of which the counts are known only."""

    way: str
    fold_errors: tuple[float, ...]
    n_wrong: int
    n_tested: int


@dataclass(frozen=True)
class Validation(Estimate):
    """The predictions of models for examples that they have not seen."""

    way: str
    tested: Array
    predicted: Array
    wrong: Array  # of bool
    fold_errors: tuple[float, ...]
    seconds: float  # of one fit, the mean
    n_bytes: int  # of one model
    scores: Array  # of the tested examples, as `tasks.scores_of` gives them

    @property
    def n_wrong(self) -> int:  # type: ignore[override]  # counted when asked for
        """Wrong predictions."""
        return int(self.wrong.sum())

    @property
    def n_tested(self) -> int:  # type: ignore[override]  # counted when asked for
        """Predictions."""
        return len(self.wrong)


def wilson(n_wrong: int, n: int, z: float = NORMAL_95) -> tuple[float, float]:
    """Return Wilson's interval for a share (JASA 22, 1927); it stays within 0 and 1.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(0, 10)]
    [0.0, 0.2775]
    """
    p, room = n_wrong / n, z * z / n
    middle = (p + room / 2) / (1 + room)
    half = z * sqrt(p * (1 - p) / n + room / (4 * n)) / (1 + room)
    return max(0.0, middle - half), min(1.0, middle + half)


def splits(y: Array, seed: int = 0) -> tuple[str, list[Split]]:
    """Return a word about the way, and the splits; none if a class has a single example."""
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


class OutOfTimeError(Exception):
    """Not even one part was learned and tested in time."""


def validate(
    task: Task,
    algorithm: str,
    way: str,
    parts: Sequence[Split],
    seed: int,
    tell: Tell,
    seconds: float | None = None,
) -> Validation:
    """Learn from each part and test on the rest of it; with `seconds` as many parts as it gets."""
    done: list[_Tested] = []
    start = working_time()  # without compiling, which happens once on a machine

    def look_at_clock(progress: Any = None) -> None:
        if seconds is not None and working_time() - start > seconds:
            raise OutOfTimeError

    for number, (train, test) in enumerate(parts):
        tell("validating", number / len(parts))
        try:
            look_at_clock()
            done.append(_test(task, task.learner(algorithm, seed), train, test, look_at_clock))
        except OutOfTimeError:
            if not done:
                raise
            way = f"{len(done)} of {len(parts)} folds"
            break
    tell("validating", 1.0)
    places, answers, scores = (
        np.concatenate([getattr(one, name) for one in done])
        for name in ("places", "answers", "scores")
    )
    wrong = answers != task.y[places]
    errors = tuple(float((one.answers != task.y[one.places]).mean()) for one in done)
    mean = sum(one.seconds for one in done) / len(done)
    return Validation(way, places, answers, wrong, errors, mean, done[-1].n_bytes, scores)


class _Tested(NamedTuple):
    """What a model said about examples that it had not seen."""

    places: Array
    answers: Array
    scores: Array
    seconds: float
    n_bytes: int


def _test(task: Task, learner: Any, train: Array, test: Array, look_at_clock: Any) -> _Tested:
    options = {"callback": look_at_clock} if is_watched(learner) else {}
    start = working_time()
    with warnings.catch_warnings():
        # what there is to say about convergence, the fit on all examples says
        warnings.simplefilter("ignore", ConvergenceWarning)
        fit_scaled(learner, task.X[train], task.y[train], **options)
    seconds = working_time() - start
    X = task.X[test]
    return _Tested(test, learner.predict(X), scores_of(learner, X), seconds, n_bytes(learner))


def n_bytes(learner: Any) -> int:
    """Return the size of the arrays that a fitted learner holds."""
    if isinstance(learner, np.ndarray):
        return learner.nbytes
    if isinstance(learner, list | tuple):
        return sum(n_bytes(part) for part in learner)
    if hasattr(learner, "__dict__"):
        return sum(n_bytes(part) for part in vars(learner).values())
    return 0
