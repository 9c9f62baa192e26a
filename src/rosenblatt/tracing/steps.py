"""The steps of any learner on any number of classes, few enough to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rosenblatt.linear.multiclass import decide, positive
from rosenblatt.types import Array

SIGN, ARGMAX, VOTES = "sign", "argmax", "votes"
NOBODY = -1  # no class gains, or none loses
NO_SINGLE = -2  # a step that is due to no single example


@dataclass(frozen=True)
class Steps:
    """Every kept step of a learner; row 0 is the start.

    How weights become a class is the `coding`: by the sign of one score (two classes), by the
    largest of k scores, or by votes, one score for each of `pairs(k)` (above 0: the second).
    """

    coding: str
    n_classes: int
    weights: Array  # (T+1, vectors, d+1), w0 first
    steps: Array  # (T+1,): updates (epochs of a batch) made before each row
    picked: Array  # (T,): the example corrected, -1 a whole batch, -2 no single one
    gains: Array  # (T,): the class that y x was added to, -1 none
    loses: Array  # (T,): the class that it was taken from, -1 none
    errors: Array  # (T+1,): E_in of each row
    pocket_rows: Array  # (T+1,): the row with the smallest error so far
    final: Array  # (vectors, d+1): what `fit` ends with
    final_error: float
    converged: bool | None  # None: the time was over
    survival: Array | None = None  # (T+1,): examples in a row that each hypothesis got right

    @property
    def pocket_errors(self) -> Array:
        """The smallest error so far, a number for each row."""
        return np.asarray(self.errors[self.pocket_rows])

    @property
    def way(self) -> str:
        """How `linear.multiclass` calls a model of this coding."""
        return "one-vs-one" if self.coding == VOTES else "joint"


def pairs(n_classes: int) -> list[tuple[int, int]]:
    """Return the pairs of classes in the order of their weight vectors.

    Examples
    --------
    >>> pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return list(combinations(range(n_classes), 2))


def coding_of(n_classes: int, way: str) -> str:
    """Return how the scores of a model become a class."""
    if n_classes <= 2:
        return SIGN
    return VOTES if way == "one-vs-one" else ARGMAX


def classes_of(
    weights: Array, X: Array, coding: str, n_classes: int, tie: str = "mistake"
) -> Array:
    """Return the index of the class that weights (vectors, d+1) choose for each row of X.

    Examples
    --------
    >>> classes_of(np.array([[-1.0, 2.0]]), np.array([[0.0], [1.0]]), SIGN, 2)
    array([0, 1])
    """
    scores = X @ weights[:, 1:].T + weights[:, 0]
    if coding == SIGN:
        return positive(scores[:, 0], tie).astype(np.int64)
    way = "one-vs-one" if coding == VOTES else "joint"
    return np.asarray(decide(scores, n_classes, way).argmax(axis=1))


def rows_to_keep(errors: Array | None, n_rows: int, most_rows: int) -> Array:
    """Choose at most `most_rows` rows: evenly, with the first, the last and each improvement."""
    if n_rows <= most_rows:
        return np.arange(n_rows)
    better = np.empty(0, dtype=np.int64)
    if errors is not None:
        better = np.flatnonzero(np.diff(np.minimum.accumulate(errors), prepend=np.inf) < 0)
        better = better[-(most_rows // 2) :]
    even = np.linspace(0, n_rows - 1, most_rows - len(better)).round().astype(np.int64)
    return np.unique(np.concatenate([even, better]))


def best_so_far(errors: Array) -> Array:
    """Return for each row the first row with the smallest error up to it.

    Examples
    --------
    >>> best_so_far(np.array([0.5, 0.7, 0.2, 0.2]))
    array([0, 0, 2, 2])
    """
    least = np.minimum.accumulate(errors)
    first = np.flatnonzero(np.diff(least, prepend=np.inf) < 0)
    return np.asarray(first[np.cumsum(np.diff(least, prepend=np.inf) < 0) - 1])


def one_step(
    starts_and_end: Sequence[Array], coding: str, n_classes: int, errors: Array, converged: bool
) -> Steps:
    """Return the steps of a learner that solves for its weights at once."""
    weights = np.stack(starts_and_end)
    nobody = np.full(len(weights) - 1, NOBODY)
    return Steps(
        coding,
        n_classes,
        weights,
        np.arange(len(weights)),
        np.full(len(weights) - 1, NO_SINGLE),
        nobody,
        nobody,
        errors,
        best_so_far(errors),
        weights[-1],
        float(errors[-1]),
        converged,
    )
