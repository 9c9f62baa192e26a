"""What each feature of an example adds to the score of each class.

    linear rules           w_j x_j
    naive Bayes            log p(x_j | class): a feature that is 0 adds something, too

For Bernoulli and multinomial naive Bayes the second is a form of the first, and they have weights.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt._validation import Array
from rosenblatt.errors import DataError
from rosenblatt.linear.multiclass import learned_tie
from rosenblatt.workflows.tasks import learner_of


class LinearForm(NamedTuple):
    """The weights of a learner: a row for two classes, else one for each class."""

    classes: Array
    coef: Array
    intercept: Array


class Contributions(NamedTuple):
    """What features add, and what is there without them.

    `of(i)` gives the columns that matter in row i and a matrix of what they add: a row for each
    class, or one row alone, which is how far the second of two classes is ahead. A score of 0 is
    for the first of two classes, unless `tie` says otherwise.
    """

    classes: Array
    intercept: Array
    of: Callable[[int], tuple[Array, Array]]
    tie: str = "mistake"


def linear_form(model: Any) -> LinearForm:
    """Return the weights of a model's learner."""
    learner = learner_of(model)
    coef, intercept = getattr(learner, "coef_", None), getattr(learner, "intercept_", None)
    n_classes = len(getattr(learner, "classes_", ()))
    if coef is None or intercept is None or n_classes < 2:
        name = type(learner).__name__
        raise DataError(f"{name} has no weights for its features", do=INSTEAD.get(name, ""))
    if len(coef) != (1 if n_classes == 2 else n_classes):
        raise DataError("a model of pairs of classes (one-vs-one) has no weights for each class")
    return LinearForm(learner.classes_, coef, intercept)


def has_logs(model: Any) -> bool:
    """Whether all features of a row add something, zeros too: what a naive Bayes adds up."""
    return type(learner_of(model)).__name__ in NAIVE


def contributions(model: Any, Z: Any) -> Contributions:
    """Return what the features of each row add, as the learner at the end of a model sees them."""
    learner = learner_of(model)
    logs_of = NAIVE.get(type(learner).__name__)
    if logs_of is None:
        classes, coef, intercept = linear_form(model)
        tie = learned_tie(learner)
        return Contributions(classes, intercept, lambda i: _weighted(coef, *_entries(Z, i)), tie)
    logs = logs_of(learner)

    def of(i: int) -> tuple[Array, Array]:
        parts = logs(_dense(Z, i))
        if not np.isfinite(parts).all():
            raise DataError(
                f"row {i} (the first is 0): it was never seen in some class and has probability 0 "
                "there, which no sum explains; learn with more smoothing"
            )
        columns = np.flatnonzero((parts != 0).any(axis=0))
        return columns, parts[:, columns]

    with np.errstate(divide="ignore"):
        return Contributions(learner.classes_, np.log(learner.class_prior_), of)


def _weighted(coef: Array, columns: Array, values: Array) -> tuple[Array, Array]:
    return columns, coef[:, columns] * values


def _entries(Z: Any, i: int) -> tuple[Array, Array]:
    """Return the columns of row i that are not 0, and their values."""
    if sparse.issparse(Z):
        here = slice(Z.indptr[i], Z.indptr[i + 1])
        return Z.indices[here], Z.data[here].astype(np.float64)
    row = np.asarray(Z[i], dtype=np.float64)
    columns = np.flatnonzero(row)
    return columns, row[columns]


def _dense(Z: Any, i: int) -> Array:
    row: Array = Z[[i]].toarray()[0] if sparse.issparse(Z) else np.asarray(Z[i])
    return row.astype(np.float64)


def _gaussian(learner: Any) -> Callable[[Array], Array]:
    """Log p(x_j | class) = -log(2 pi v) / 2 - (x_j - mean)^2 / 2 v."""
    certain = learner.var_ == 0
    v = np.where(certain, 1.0, learner.var_)

    def logs(x: Array) -> Array:
        found = -0.5 * (np.log(2 * np.pi * v) + (x - learner.mean_) ** 2 / v)
        return np.where(certain, np.where(x == learner.mean_, 0.0, -np.inf), found)

    return logs


def _categorical(learner: Any) -> Callable[[Array], Array]:
    """Log p(x_j | class) from the table of its column; a category that is new adds nothing."""

    def logs(x: Array) -> Array:
        found = np.zeros((len(learner.classes_), len(x)))
        for j, (values, p) in enumerate(
            zip(learner.categories_, learner.category_prob_, strict=True)
        ):
            at = int(np.searchsorted(values, x[j]))
            if at < len(values) and values[at] == x[j]:
                with np.errstate(divide="ignore"):
                    found[:, j] = np.log(p[:, at])
        return found

    return logs


NAIVE = {"GaussianNaiveBayes": _gaussian, "CategoricalNaiveBayes": _categorical}
INSTEAD = dict.fromkeys(NAIVE, "give DATA, to see what they add") | {
    "MailFilter": "`rosenblatt mail explain` shows the words that decide about a message",
    "EmpiricalBayes": "it looks a whole row up in a table",
    "BayesClassifier": "it compares densities of whole rows",
}
