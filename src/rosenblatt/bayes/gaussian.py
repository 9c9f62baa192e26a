"""Naive Bayes for measurements: a normal density for each class and column."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.bayes.base import CountingBayes, Decisive
from rosenblatt.bayes.moments import Moments
from rosenblatt.bayes.probability import check_smoothing, log
from rosenblatt.choices import Threshold
from rosenblatt.decision.calibration import plain_odds
from rosenblatt.decision.deciding import threshold_of
from rosenblatt.errors import DataError
from rosenblatt.export.leaving import cannot_leave
from rosenblatt.export.rule import ARGMAX, SIGN, ModelRule
from rosenblatt.kernels.gaussian import Normals, normal_rows
from rosenblatt.rows import rows_per_slice
from rosenblatt.types import Array, Block, Floats, Rows


class GaussianNaiveBayes(Decisive, CountingBayes):
    """Measurements, independent and normal given the class.

    The sums behind the means and variances are kept without rounding, as whole numbers. So the
    order of the rows and the cuts between calls of `partial_fit` do not matter, a large mean costs
    no digits of the variance, and `forget` is exact for any values and weights.

    A variance of 0 (a column that is constant in a class, with var_smoothing=0, or constant in all
    the data) means that the value is certain: any other value is impossible in that class, the
    value itself is a factor of 1. If a row is impossible in all classes, the prior decides.

    Parameters
    ----------
    var_smoothing : float, default=1e-9
        Share of the largest variance of a column over all rows that is added to every variance. 0
        is the maximum-likelihood answer.
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
    mean_, var_ : ndarray of shape (n_classes, n_features)
        Mean and variance (`epsilon_` included) of each column; a class without rows has those of
        all rows.
    epsilon_ : float
        What was added to the variances.
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
    >>> from rosenblatt import GaussianNaiveBayes
    >>> model = GaussianNaiveBayes().fit([[1], [2], [7], [8]], ["low", "low", "high", "high"])
    >>> model.predict([[3], [6]])
    array(['low', 'high'], dtype='<U4')
    >>> model.mean_.ravel()
    array([7.5, 1.5])
    """

    mean_: Floats
    var_: Floats
    epsilon_: float

    def __init__(
        self,
        *,
        var_smoothing: float = 1e-9,
        priors: Any = None,
        probability: bool = False,
        threshold: Threshold = None,
    ) -> None:
        self.var_smoothing = var_smoothing
        self.priors = priors
        self.probability = probability
        self.threshold = threshold

    def _check_parameters(self) -> None:
        check_smoothing(var_smoothing=self.var_smoothing)

    def _add(self, tally: Moments | None, block: Block) -> Moments:
        here = Moments.of(block)
        return here if tally is None else tally.plus(here)

    def _estimate(self, tally: Moments, n_features: int) -> dict[str, Any]:
        mean, variance = tally.mean_and_variance()
        epsilon = float(self.var_smoothing * variance[-1].max())  # the last row is all the data
        variance = variance[:-1] + epsilon
        # 1 / variance must be finite
        variance[variance < np.finfo(np.float64).tiny] = 0.0
        return {"mean_": mean[:-1], "var_": variance, "epsilon_": epsilon}

    def _rule(self, form: str) -> ModelRule:
        check_is_fitted(self)
        if len(self.classes_) < 2 or not ((self.var_ > 0).all() and (self.class_prior_ > 0).all()):
            why = "it knows one class alone, or a column of a class has no variance"
            raise cannot_leave(self, form, why, "learn with a larger var_smoothing")
        n_classes = len(self.classes_)
        return ModelRule(
            name=type(self).__name__,
            answer=SIGN if n_classes == 2 else ARGMAX,
            classes=self.classes_,
            coef=self.mean_,
            intercept=np.log(self.class_prior_),
            variance=self.var_,
            threshold=threshold_of(self),
            are_logs=True,
            calibration=vars(self).get("calibration_", plain_odds(n_classes)),
        )

    def _joint_of(self, rows: Rows, n_rows: int) -> Array:
        certain = self.var_ == 0
        v = np.where(certain, 1.0, self.var_)
        N = Normals(self.mean_, np.where(certain, 0.0, 0.5 / v))
        constant = -0.5 * np.where(certain, 0.0, np.log(2 * np.pi * v)).sum(axis=1)
        zeros = -(N.mean * N.half * N.mean).sum(axis=1)
        zero_misses = (certain & (N.mean != 0)).sum(axis=1)

        joint = np.tile(constant + log(self.class_prior_), (n_rows, 1))
        misses = np.zeros(joint.shape, dtype=np.int64)
        size = rows_per_slice(rows, joint.shape[1])
        for start in range(0, n_rows, size):
            stop = min(n_rows, start + size)
            normal_rows(rows, start, stop, N, zeros, zero_misses, joint, misses)
        joint[misses > 0] = -np.inf
        return joint


def pooled_form(model: GaussianNaiveBayes) -> Array:
    """Return weights (w0, w1, ... wd): a row for two classes (above 0: the second), else one each.

    With a variance of its own in every class the boundary is a curve of the second degree. Where
    the classes share the variance v_j of a column, here the mean of theirs, by their weight, the
    squares x_j^2 are the same for all and cancel:

        log p(x, class) = sum_j (m_j / v_j) x_j - sum_j m_j^2 / (2 v_j) + log p(class) + ...

    Examples
    --------
    >>> from rosenblatt import GaussianNaiveBayes
    >>> model = GaussianNaiveBayes(var_smoothing=0).fit([[0], [2], [4], [6]], [0, 0, 1, 1])
    >>> pooled_form(model)
    array([[-12.,   4.]])
    """
    share = model.class_count_ / model.class_count_.sum()
    variance = share @ model.var_
    if not (variance > 0).all():
        raise DataError(
            f"column {int((variance > 0).argmin())} is constant in every class: its variance is 0, "
            "and a normal density needs one"
        )
    w = model.mean_ / variance
    b = np.log(model.class_prior_) - 0.5 * (model.mean_ * w).sum(axis=1)
    weights = np.column_stack([b, w])
    return weights[1:] - weights[:1] if len(weights) == 2 else weights
