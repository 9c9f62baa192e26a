"""Naive Bayes for columns of categories."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt.bayes.base import CountingBayes, Decisive
from rosenblatt.bayes.probability import finite_and_zeros, linear_joint, shares
from rosenblatt.bayes.tally import KeyedCounts, find, nonzeros
from rosenblatt.choices import Threshold
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.types import Array, Block, Floats, Rows


class CategoricalNaiveBayes(Decisive, CountingBayes):
    """Columns of categories, independent given the class: colour, country, weekday.

    Any numbers are categories; what is not stored in sparse rows is the category 0. The categories
    of a column are those that learned rows have (and that have not all been forgotten).

    A new category, met in a row to predict, says nothing: its column is left out of that row. A
    category missing in one class only has the probability that `alpha` gives it there. A missing
    value (NaN) is refused, as everywhere; give it a number of its own to make it a category.

    With alpha=0 an impossible class is never chosen over a possible one, and if all are impossible
    the prior decides.

    Parameters
    ----------
    alpha : float, default=1.0
        Rows added in thought to every class for each category of a column. 0 is the
        maximum-likelihood answer.
    priors : array-like of shape (n_classes,) or None, default=None
        Probabilities of the classes; None takes their shares in the data.
    probability : bool, default=False
        False: `predict_proba` is the posterior of the model. True: it is calibrated on the scores
        of 5 folds, each by a model that has not seen it, which takes five more fits.
    threshold : {"f1", "balanced", "mistakes"}, float or None, default=None
        Two classes only: the log odds above which `classes_[1]` is said. A name chooses it by the
        scores of such folds: for the largest F1 of `classes_[1]`, for the largest balanced
        accuracy, or for the fewest mistakes where that saves more of them than chance. None is 0.

    Attributes
    ----------
    categories_ : list of ndarray
        The categories of each column, in order.
    category_prob_ : list of ndarray of shape (n_classes, n_categories)
        p(category|class) for each column; equal shares for a class without rows.
    class_prior_, class_count_ : ndarray of shape (n_classes,)
        p(class), and the weight of its rows.
    classes_ : ndarray of shape (n_classes,)
        The labels.
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what is taken off the log odds.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import CategoricalNaiveBayes
    >>> X, y = [[0, 1], [1, 1], [2, 5], [2, 5]], ["no", "no", "yes", "yes"]
    >>> model = CategoricalNaiveBayes().fit(X, y)
    >>> model.categories_
    [array([0., 1., 2.]), array([1., 5.])]
    >>> model.predict([[1, 1], [7, 5]])
    array(['no', 'yes'], dtype='<U3')
    """

    categories_: list[Floats]
    category_prob_: list[Floats]
    _change: Array
    _base: Array

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        priors: Any = None,
        probability: bool = False,
        threshold: Threshold = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.probability = probability
        self.threshold = threshold

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that numbers stand for categories."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.classifier_tags.poor_score = True  # where hardly a value comes twice
        return tags

    def _add(self, tally: KeyedCounts | None, block: Block) -> KeyedCounts:
        pairs, indptr = _pairs(nonzeros(block.rows))
        keys, codes = np.unique(pairs, return_inverse=True)
        here = KeyedCounts.of(keys, codes, indptr, block)
        return here if tally is None else tally.plus(here)

    def _estimate(self, tally: KeyedCounts, n_features: int) -> dict[str, Any]:
        columns = tally.keys.real.astype(np.int64)
        # 0 is not stored, so it has the rows that the other categories of its column leave
        n_zeros = _left(tally.n_rows, tally.plain.cells, columns, n_features)
        zeros = _left(tally.weight, tally.weighted.cells, columns, n_features)
        has_zero: Array = n_zeros.sum(axis=0) > 0
        # the counts of fractional weights may be rounded
        zeros = np.where(n_zeros > 0, np.maximum(zeros, 0.0), 0.0)

        n_values = np.bincount(columns, minlength=n_features) + has_zero
        n_values = np.maximum(n_values, 1)  # where everything was forgotten
        p = shares(tally.weighted.cells, tally.weight, self.alpha, n_values[columns])
        p_zero = shares(zeros, tally.weight, self.alpha, n_values)

        # A row starts as if all were 0; each value other than 0 takes that back and adds its own.
        # The last n_features entries only take back: they are for new categories.
        base = np.where(has_zero[:, np.newaxis], finite_and_zeros(p_zero.T), 0.0)
        change = np.concatenate([finite_and_zeros(p.T) - base[:, columns], -base], axis=1)
        starts = np.searchsorted(columns, np.arange(n_features + 1))
        parts = [
            _column(tally.keys.imag[a:b], p[:, a:b], p_zero[:, j] if has_zero[j] else None)
            for j, (a, b) in enumerate(pairwise(starts))
        ]
        return {
            "categories_": [part[0] for part in parts],
            "category_prob_": [part[1] for part in parts],
            "_change": change,
            "_base": base.sum(axis=1),
        }

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        values = nonzeros(rows)
        pairs, indptr = _pairs(values)
        codes = find(self._tally.keys, pairs)
        new = len(self._tally.keys) + values.indices
        encoded = Presence(np.where(codes < 0, new, codes), indptr)
        return linear_joint(encoded, n_rows, self._change, self._base, self.class_prior_)


def _pairs(values: CSR) -> tuple[Array, Array]:
    """Return the keys (column, value), as complex numbers: these sort by column, then value."""
    return values.indices + 1j * values.data, values.indptr


def _left(total: Array, cells: Array, columns: Array, n_features: int) -> Array:
    """Return what the cells of each column leave of the total of each class."""
    sums = [np.bincount(columns, row, minlength=n_features) for row in cells]
    left: Array = total[:, np.newaxis] - np.array(sums)
    return left


def _column(values: Array, p: Array, p_zero: Array | None) -> tuple[Array, Array]:
    """Put the category 0 among the others, in order."""
    if p_zero is None:
        return values, p
    at = int(np.searchsorted(values, 0.0))
    return np.insert(values, at, 0.0), np.insert(p, at, p_zero, axis=1)
