"""The question that a proof answers: can a linear rule tell these examples from those.

In canonical form example i is z_i = y_i (x0, x_i) with x0 = 1, or 0 without an intercept. The data
is separable if some w has z_i . w > 0 for every example.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator

from rosenblatt._parameters import check_choice
from rosenblatt._validation import Array, Rows, check_training_set
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.rows import CSR, Presence

WAYS = ("one-vs-rest", "one-vs-one")


class Problem(NamedTuple):
    """The examples z_i, not multiplied out: rows, signs and the constant coordinate."""

    rows: Rows
    signs: Array  # int8: y_i, or 0 for a row that the question is not about
    x0: float
    n_features: int

    @property
    def n_rows(self) -> int:
        """The rows of the data, those that the question is not about included."""
        return len(self.signs)

    def take(self, chosen: Array) -> Problem:
        """Return the problem of some of the rows alone."""
        return self._replace(rows=_take(self.rows, chosen), signs=self.signs[chosen])


def _take(rows: Rows, chosen: Array) -> Rows:
    if isinstance(rows, np.ndarray):
        return rows[chosen]
    starts, counts = rows.indptr[chosen], np.diff(rows.indptr)[chosen]
    indptr = np.concatenate([[0], np.cumsum(counts)])
    # the places of all entries: each row's own, counted on from its start
    places = np.arange(indptr[-1]) + np.repeat(starts - indptr[:-1], counts)
    indptr = indptr.astype(rows.indptr.dtype)
    if isinstance(rows, Presence):
        return Presence(rows.indices[places], indptr)
    return CSR(rows.data[places], rows.indices[places], indptr)


@dataclass(frozen=True)
class Question:
    """Which labels are +1, which are -1, and whether a rule has an intercept."""

    positive: Any  # a label
    negative: Any  # a label; None for all others
    fit_intercept: bool = True

    def of(self, rows: Rows, y: Array, n_features: int) -> Problem:
        """Put the question to checked rows and their labels."""
        signs = np.zeros(len(y), dtype=np.int8)
        signs[y != self.positive if self.negative is None else y == self.negative] = -1
        signs[y == self.positive] = 1
        return Problem(rows, signs, float(bool(self.fit_intercept)), n_features)

    def __str__(self) -> str:
        against = "the rest" if self.negative is None else repr(self.negative)
        return f"{self.positive!r} against {against}"


class _Reader(BaseEstimator):  # type: ignore[misc]  # untyped base
    """What the door for X and y wants to write feature names on."""


class Data(NamedTuple):
    """What a user passed, checked."""

    rows: Rows
    y: Array
    classes: list[Any]
    n_features: int


def check_data(X: Any, y: Any) -> Data:
    """Check rows and labels; labels become plain Python values."""
    data = check_training_set(_Reader(), X, y)
    classes = [label.item() if hasattr(label, "item") else label for label in data.classes]
    return Data(data.rows, data.classes[data.labels], classes, data.n_features)


def questions(classes: list[Any], fit_intercept: bool, multiclass: str) -> list[Question]:
    """Return the questions that the classes raise: one for two classes, more for more."""
    check_choice(multiclass, "multiclass", WAYS)
    if not isinstance(fit_intercept, (bool, np.bool_)):
        raise ParameterError(f"must be True or False, got {fit_intercept!r}", about="fit_intercept")
    if len(classes) == 2:
        return [Question(classes[1], classes[0], bool(fit_intercept))]
    if multiclass == "one-vs-rest":
        return [Question(label, None, bool(fit_intercept)) for label in classes]
    pairs = [(a, b) for i, a in enumerate(classes) for b in classes[i + 1 :]]
    return [Question(b, a, bool(fit_intercept)) for a, b in pairs]
