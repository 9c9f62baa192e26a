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
from rosenblatt.checks.parameters import check_flags
from rosenblatt.choices import Threshold
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.class_counts import first_negative, unit_of
from rosenblatt.kernels.rows import Presence
from rosenblatt.rows import values_of
from rosenblatt.types import Array, Block, Floats, Rows

# its first words are scikit-learn's
NEGATIVE = "Negative values in data: X must hold counts, from 0 on"


class MultinomialNaiveBayes(LinearBayes):
    """Counts, as if every word of a text were drawn by itself: how often each word occurs.

    p(word|class) is the share of the word among all words of the class, drawn towards equal shares
    by `alpha`. Fractions (tf-idf) are taken for counts too.

    With alpha=0 a row with a word that a class never had is impossible there: such a class is
    never chosen over a possible one, and if all are impossible the prior decides. The probability
    of a row leaves out the multinomial coefficient, which is the same for all classes.

    With `complement` the words of all other classes speak against a class (Rennie et al., ICML
    2003): its score is -sum x_j log p(word j|other classes), and the priors have no say. That
    helps where some classes have many more texts than others; of two classes it is the plain
    model without the priors.

    Parameters
    ----------
    alpha : float, default=1.0
        Occurrences of each word added to every class in thought. 0 is the maximum-likelihood
        answer, which `complement` does not take: a word of one class alone would decide.
    priors : array-like of shape (n_classes,) or None, default=None
        Probabilities of the classes; None takes their shares in the data.
    complement : bool, default=False
        Judge a class by the words of all others. There are no priors then, and no likelihood;
        `predict_proba` are the scores, brought to sum 1.
    probability : bool, default=False
        False: `predict_proba` is the posterior of the model. True: it is calibrated on the scores
        of 5 folds, each by a model that has not seen it, which takes five more fits.
    threshold : {"f1", "balanced", "mistakes"}, float or None, default=None
        Two classes only: the log odds above which `classes_[1]` is said. A name chooses it by the
        scores of such folds: for the largest F1 of `classes_[1]`, for the largest balanced
        accuracy, or for the fewest mistakes where that saves more of them than chance. None is 0.

    Attributes
    ----------
    feature_prob_ : ndarray of shape (n_classes, n_features)
        p(word|class), each row of sum 1; equal shares for a class without words. With
        `complement`, p(word|other classes).
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weighted occurrences.
    class_prior_, class_count_ : ndarray of shape (n_classes,)
        p(class), and the weight of its rows.
    coef_, intercept_ : ndarray
        The linear form, a row for two classes, one per class for more; there if no probability
        is 0.
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
    >>> from rosenblatt import MultinomialNaiveBayes
    >>> X, y = [[3, 0], [2, 1], [0, 4]], ["spam", "spam", "ham"]
    >>> model = MultinomialNaiveBayes().fit(X, y)
    >>> model.predict([[2, 0], [0, 2]])
    array(['spam', 'ham'], dtype='<U4')
    >>> model.feature_prob_[1]
    array([0.75, 0.25])
    >>> MultinomialNaiveBayes(complement=True).fit(X, y).predict([[2, 0], [0, 2]])
    array(['spam', 'ham'], dtype='<U4')
    """

    feature_prob_: Floats
    feature_count_: Floats

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        priors: Any = None,
        complement: bool = False,
        probability: bool = False,
        threshold: Threshold = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.complement = complement
        self.probability = probability
        self.threshold = threshold

    def log_likelihood(self, X: Any, y: Any) -> float:
        """Return the joint log-likelihood of the rows, sum of log p(y_i) + log p(x_i|y_i).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : array-like of shape (n_examples,)
            Their labels.

        Returns
        -------
        float
            At most 0.
        """
        if self._is_complement():
            raise ParameterError(
                "a complement model learns scores of the classes, and not how their rows come "
                "about: there is no likelihood",
                do="use {complement:False}",
                in_shell="",
            )
        return super().log_likelihood(X, y)

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that counts are not negative."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        # counts say little about points around three centres
        tags.classifier_tags.poor_score = True
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_flags(complement=self.complement)
        if self.complement and self.priors is not None:
            raise ParameterError(
                "a complement model has no priors: a class is judged by the words of the others "
                "alone",
                do="leave out {priors}",
                in_shell="",
            )
        if self.complement and self.alpha == 0:
            raise ParameterError(
                "must be above 0 for a complement model, got 0: a word that only one class has "
                "would decide alone",
                about="alpha",
                in_shell="",
            )

    def _is_complement(self) -> bool:
        # a model answers as it was learned, even if the parameter is another by now
        return bool(getattr(self, "_learned_complement", self.complement))

    def _prior_in_use(self) -> Array:
        if not self._is_complement():
            return self.class_prior_
        # all alike, but for a class that was named and never met: it is not to be chosen
        return (self.class_prior_ > 0).astype(np.float64)

    def _weights(self) -> tuple[Array, Array] | None:
        p = self.feature_prob_
        if not (p > 0).all():
            return None
        return (-np.log(p) if self._is_complement() else np.log(p)), np.zeros(len(p))

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
        counts = tally.cells
        if self.complement:
            counts = counts.sum(axis=0) - counts
            np.maximum(counts, 0.0, out=counts)  # fractions may round to a little below
        return {
            "feature_prob_": shares(counts, counts.sum(axis=1), self.alpha, n_features),
            "feature_count_": tally.cells,
            "_learned_complement": self.complement,
        }

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        rows, columns = without_empty_columns(rows, self.n_features_in_)
        p = finite_and_zeros(self.feature_prob_[:, columns].T)
        if self._is_complement():
            p = -p  # alpha is above 0: there are logarithms alone, and no zeros to count
        return linear_joint(rows, n_rows, p, np.zeros((2, p.shape[2])), self._prior_in_use())


def _unit(rows: Rows) -> int:
    values = values_of(rows)
    return 0 if values is None else int(unit_of(values))
