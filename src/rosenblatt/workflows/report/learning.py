"""The learning curve: the error in the sample and the validated one, by the number of examples."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from rosenblatt._validation import Array
from rosenblatt.errors import DataError
from rosenblatt.text.words import BagOfWords
from rosenblatt.workflows.fitting import FitReport
from rosenblatt.workflows.scaling import fit_scaled
from rosenblatt.workflows.tasks import Task, Tell, make_task, words_of
from rosenblatt.workflows.validating import Split, splits

N_SIZES = 6
FEWEST, FEWEST_OF_CLASS = 10, 3  # examples to begin with
SECONDS = 8.0  # of learning, about


class LearningCurve(NamedTuple):
    """Errors, sizes by folds."""

    sizes: Array
    error_in: Array
    error_out: Array


def learning_curve(report: FitReport, seed: int, tell: Tell) -> LearningCurve | None:
    """Learn from more and more of the training part of each fold; test on the rest of it.

    As many folds as `SECONDS` allow, of which the validation knows how long they take. None if
    there is nothing to split, or too little of it.
    """
    checked = report.validation
    if checked is None or report.went_on:
        return None
    words = words_of(report.model)
    task = make_task(report.examples, _ngrams(words))
    _, parts = splits(task.y, seed)
    # all sizes together take about twice the time of the largest
    n_folds = int(np.clip(SECONDS / (2 * checked.seconds + 1e-9), 1, len(parts)))
    share = min(1.0, SECONDS / (checked.seconds + 1e-9))
    n = min(len(train) for train, _ in parts)
    sizes = _sizes(max(FEWEST, FEWEST_OF_CLASS * len(np.unique(task.y))), int(share * n))
    if len(sizes) < 3:
        return None
    try:
        folds = []
        for number, part in enumerate(parts[:n_folds]):
            tell("learning curve", number / n_folds)
            folds.append(_errors(task, report.algorithm, seed, part, sizes))
    except DataError:
        return None  # a learner that needs more than a few examples
    errors = np.array(folds).transpose(2, 1, 0)
    return LearningCurve(sizes, errors[0], errors[1])


def _sizes(first: int, last: int) -> Array:
    if first >= last:
        return np.empty(0, dtype=np.int64)
    sizes: Array = np.unique(np.geomspace(first, last, N_SIZES).round().astype(np.int64))
    return sizes


def _ngrams(words: BagOfWords | None) -> int:
    if words is None:
        return 1
    return words.ngrams if isinstance(words.ngrams, int) else words.ngrams[1]


def mixed(y: Array) -> Array:
    """Return an order in which every beginning has the classes in about the shares of the whole.

    Examples
    --------
    >>> mixed(np.array(["a", "a", "a", "a", "b", "b"]))
    array([0, 4, 1, 2, 5, 3])
    """
    place = np.empty(len(y))
    for label in np.unique(y):
        here = np.flatnonzero(y == label)
        place[here] = (np.arange(len(here)) + 0.5) / len(here)
    return np.argsort(place, kind="stable")


def _errors(
    task: Task, algorithm: str, seed: int, part: Split, sizes: Array
) -> list[tuple[float, float]]:
    train, test = part
    train = np.random.default_rng(seed).permutation(train)  # files may be sorted
    train = train[mixed(task.y[train])]
    return [_error(task, task.learner(algorithm, seed), train[:size], test) for size in sizes]


def _error(task: Task, learner: Any, chosen: Array, test: Array) -> tuple[float, float]:
    chosen = np.sort(chosen)  # the whole part then is learned in the order of the validation
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learner = fit_scaled(clone(learner), task.X[chosen], task.y[chosen])
    X, y = task.X, task.y
    wrong_in = learner.predict(X[chosen]) != y[chosen]
    return float(wrong_in.mean()), float((learner.predict(X[test]) != y[test]).mean())
