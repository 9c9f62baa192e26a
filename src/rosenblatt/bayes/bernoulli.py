"""Naive Bayes for inputs that are there or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.bayes.base import Decisive, value_error
from rosenblatt.bayes.linear_form import LinearBayes
from rosenblatt.bayes.probability import finite_and_zeros, linear_joint, shares
from rosenblatt.bayes.tally import Counts
from rosenblatt.checks.parameters import as_float
from rosenblatt.choices import Threshold
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.class_counts import first_not_binary
from rosenblatt.kernels.rows import Presence
from rosenblatt.rows import values_of
from rosenblatt.types import Array, Block, Floats, Rows

NOT_BINARY = "X must hold 0 and 1 only"


class BernoulliNaiveBayes(Decisive, LinearBayes):
    """Inputs of 0 and 1, independent given the class: which words a text has.

    With h the share of x_j = 1 among the rows of a class, p(x_j = 1|class) is h, drawn towards 1/2
    by `alpha`. For two classes it is a linear classifier, see `linear_form`.

    With alpha=0 some probabilities may be 0: an impossible class is never chosen over a possible
    one, and if all are impossible the prior decides.

    Parameters
    ----------
    alpha : float, default=1.0
        Rows with x_j = 1, and as many with x_j = 0, added to every class in thought. 0 is the
        maximum-likelihood answer.
    priors : array-like of shape (n_classes,) or None, default=None
        Probabilities of the classes; None takes their shares in the data.
    binarize : float or None, default=0.0
        Values above it count as 1, others as 0, so counts of words say which words there are;
        None refuses anything but 0 and 1. The default is scikit-learn's. The commands use None:
        a table of amounts that gets here by mistake is refused there, with the column's name.
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
        p(x_j = 1|class); 1/2 for a class without rows.
    feature_count_ : ndarray of shape (n_classes, n_features)
        Weight of the rows with x_j = 1.
    class_prior_, class_count_ : ndarray of shape (n_classes,)
        p(class), and the weight of its rows.
    coef_, intercept_ : ndarray
        The linear form, a row for two classes, one per class for more; there if no probability
        is 0 or 1.
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
    >>> from rosenblatt import BernoulliNaiveBayes
    >>> X, y = [[1, 0], [1, 1], [0, 1], [0, 1]], ["spam", "spam", "ham", "ham"]
    >>> model = BernoulliNaiveBayes().fit(X, y)
    >>> model.predict([[1, 0], [0, 1]])
    array(['spam', 'ham'], dtype='<U4')
    >>> model.feature_prob_
    array([[0.25, 0.75],
           [0.75, 0.5 ]])
    """

    feature_prob_: Floats
    feature_count_: Floats

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        priors: Any = None,
        binarize: float | None = 0.0,
        probability: bool = False,
        threshold: Threshold = None,
    ) -> None:
        self.alpha = alpha
        self.priors = priors
        self.binarize = binarize
        self.probability = probability
        self.threshold = threshold

    def _weights(self) -> tuple[Array, Array] | None:
        p = self.feature_prob_
        if not ((p > 0) & (p < 1)).all():
            return None
        return np.log(p) - np.log1p(-p), np.log1p(-p).sum(axis=1)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        t = self.binarize
        if t is not None and not abs(as_float(t)) < np.inf:
            raise ParameterError(f"must be a number or None, got {t!r}", about="binarize")

    def _prepared(self, data: Block) -> Block:
        return data._replace(rows=self._as_binary(data.rows, self.binarize, data))

    def _check_values(self, rows: Rows, block: Block | None = None) -> Rows:
        # a model goes on as it was learned, even if the parameter is another by now
        return self._as_binary(rows, getattr(self, "_learned_binarize", self.binarize), block)

    def _as_binary(self, rows: Rows, threshold: float | None, block: Block | None) -> Rows:
        if threshold is not None:
            return _binarized(rows, float(threshold))
        if isinstance(rows, Presence):
            return rows
        place = first_not_binary(values_of(rows))
        if place >= 0:
            raise value_error(
                NOT_BINARY,
                rows,
                place,
                block,
                self,
                do="{binarize:0.0} takes every value above 0 for 1",
                in_shell="-a gaussian takes any numbers, -a multinomial counts",
            )
        return rows

    def _add(self, tally: Counts | None, block: Block) -> Counts:
        tally = Counts.none(block, block.n_features) if tally is None else tally
        return tally.with_rows(block.rows, block)

    def _estimate(self, tally: Counts, n_features: int) -> dict[str, Any]:
        return {
            "feature_prob_": shares(tally.cells, tally.weight, self.alpha, 2),
            "feature_count_": tally.cells,
            "_learned_binarize": self.binarize,
        }

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        there = finite_and_zeros(self.feature_prob_.T)
        absent = finite_and_zeros(1 - self.feature_prob_.T)
        return linear_joint(rows, n_rows, there - absent, absent.sum(axis=1), self.class_prior_)


def _binarized(rows: Rows, threshold: float) -> Rows:
    values = values_of(rows)
    if 0 <= threshold < 1 and (values is None or first_not_binary(values) < 0):
        return rows  # 0 and 1 stay what they are: nothing is copied
    if isinstance(rows, np.ndarray):
        return np.greater(rows, threshold, out=np.empty_like(rows))
    if threshold < 0:
        raise DataError(
            f"a threshold (binarize) of {threshold} would turn the zeros of sparse rows into ones; "
            "use one from 0 on, or dense rows"
        )
    if isinstance(rows, Presence):
        return Presence(rows.indices[:0], np.zeros_like(rows.indptr))
    above = rows.data > threshold
    starts = np.concatenate([[0], np.cumsum(above)])[rows.indptr].astype(rows.indptr.dtype)
    return Presence(rows.indices[above], starts)
