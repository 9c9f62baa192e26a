"""Naive Bayes for counts: how often each word occurs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.bayes.base import value_error
from rosenblatt.bayes.linear_form import LinearBayes
from rosenblatt.bayes.probability import (
    finite_and_zeros,
    linear_joint,
    shares,
    without_empty_columns,
)
from rosenblatt.bayes.tally import Counts
from rosenblatt.kernels.class_counts import first_negative, unit_of
from rosenblatt.kernels.rows import Presence
from rosenblatt.rows import values_of
from rosenblatt.types import Array, Block, Rows

# its first words are scikit-learn's
NEGATIVE = "Negative values in data: X must hold counts, from 0 on"


class MultinomialNaiveBayes(LinearBayes):
    """Counts, as if every word of a text were drawn by itself: how often each word occurs.

    p(word|class) is the share of the word among all words of the class, drawn towards equal shares
    by `alpha`. Fractions (tf-idf) are taken for counts too.

    With alpha=0 a row with a word that a class never had is impossible there: such a class is
    never chosen over a possible one, and if all are impossible the prior decides. The probability
    of a row leaves out the multinomial coefficient, which is the same for all classes.

    Parameters
    ----------
    alpha : float, default=1.0
        Occurrences of each word added to every class in thought. 0 is the maximum-likelihood
        answer.
    priors : array-like of shape (n_classes,) or None, default=None
        Probabilities of the classes; None takes their shares in the data.

    Attributes
    ----------
    feature_prob_ : ndarray of shape (n_classes, n_features)
        p(word|class), each row of sum 1; equal shares for a class without words.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weighted occurrences.
    class_prior_, class_count_ : ndarray of shape (n_classes,)
        p(class), and the weight of its rows.
    coef_, intercept_ : ndarray
        The linear form, a row for two classes, one per class for more; there if no probability
        is 0.
    classes_ : ndarray of shape (n_classes,)
        The labels.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import MultinomialNaiveBayes
    >>> X, y = [[3, 0], [2, 1], [0, 4]], ["spam", "spam", "ham"]
    >>> model = MultinomialNaiveBayes().fit(X, y)
    >>> model.predict([[2, 0], [0, 2]])
    array(['spam', 'ham'], dtype='<U4')
    >>> model.feature_prob_[1]
    array([0.75, 0.25])
    """

    feature_prob_: Array
    feature_count_: Array

    def __init__(self, *, alpha: float = 1.0, priors: Any = None) -> None:
        self.alpha = alpha
        self.priors = priors

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that counts are not negative."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        # counts say little about points around three centres
        tags.classifier_tags.poor_score = True
        return tags

    def _weights(self) -> tuple[Array, Array] | None:
        p = self.feature_prob_
        return (np.log(p), np.zeros(len(p))) if (p > 0).all() else None

    def _check_values(self, rows: Rows, block: Block | None = None) -> Rows:
        if isinstance(rows, Presence):
            return rows
        place = first_negative(values_of(rows))
        if place >= 0:
            raise value_error(
                NEGATIVE,
                rows,
                place,
                block,
                self,
                do="shift the column, or use GaussianNaiveBayes",
                in_shell="shift the column, or take -a gaussian",
            )
        return rows

    def _add(self, tally: Counts | None, block: Block) -> Counts:
        tally = Counts.none(block, block.n_features) if tally is None else tally
        return tally.with_rows(block.rows, block, _unit(block.rows))

    def _estimate(self, tally: Counts, n_features: int) -> dict[str, Any]:
        words = tally.cells.sum(axis=1)
        return {
            "feature_prob_": shares(tally.cells, words, self.alpha, n_features),
            "feature_count_": tally.cells,
        }

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        rows, columns = without_empty_columns(rows, self.n_features_in_)
        p = finite_and_zeros(self.feature_prob_[:, columns].T)
        return linear_joint(rows, n_rows, p, np.zeros((2, p.shape[2])), self.class_prior_)


def _unit(rows: Rows) -> int:
    values = values_of(rows)
    return 0 if values is None else int(unit_of(values))
