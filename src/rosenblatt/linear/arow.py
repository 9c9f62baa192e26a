"""AROW, adaptive regularisation of weights, as an estimator."""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rosenblatt.blocks import Blocks
from rosenblatt.checks import check_rows
from rosenblatt.checks.parameters import check_positive
from rosenblatt.choices import ClassWeight, Multiclass, Threshold
from rosenblatt.decision.deciding import threshold_of
from rosenblatt.kernels.arow import Uncertainty, arow_pass, measure_spreads
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.mixing import BeliefMixture
from rosenblatt.linear.multiclass import (
    ProblemBlock,
    assemble,
    decide,
    grow,
    hypotheses,
    layout,
    n_vectors,
    splits,
)
from rosenblatt.linear.online import VISITED_ONCE, OnlineClassifier
from rosenblatt.linear.stream import Call
from rosenblatt.rows import rows_per_slice
from rosenblatt.types import Array, Floats, Seed


class Beliefs(NamedTuple):
    """The weights and their variances: a row (w0, w1, ... wd) for each weight vector."""

    weights: Array
    variances: Array


class Adapted(NamedTuple):
    """The weights of one problem, and how sure they are."""

    h: Hypothesis
    rule: Uncertainty
    n_updates: int = 0


class AROW(OnlineClassifier):
    """Correct with long steps where weights are uncertain, with short ones where they are not.

    Every weight has a variance, 1 at first, that shrinks whenever the weight is corrected. So a
    feature that occurs for the first time learns at once, one seen a thousand times slowly, and
    noisy labels do little harm. For text and sparse rows; often good after one pass.

    A row with a margin below 1 is corrected, in the joint form of many classes for the right class
    and its best rival. A sample weight divides r: a row of weight 2 is believed twice as much.

    Parameters
    ----------
    r : float, default=1.0
        How little one row is believed: larger for shorter steps and noisy labels.
    epochs : int, default=10
        Passes over the data.
    shuffle : bool, default=True
        Draw a new order of the rows for each pass.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned.
    fit_intercept : bool, default=True
        Learn the threshold w0, which has a variance like the other weights.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the weight of each row by that of its class: a dict of label: weight (1 for a
        label that it leaves out), or N / (k N_class), where rows count by their sample weights.
    probability : bool, default=False
        Learn probabilities from the scores of 5 folds, each by a model that has not seen it, which
        takes five more fits; then there is `predict_proba`.
    threshold : {"f1", "balanced", "mistakes"}, float or None, default=None
        Two classes only: the score above which `classes_[1]` is said. A name chooses it by the
        scores of such folds: for the largest F1 of `classes_[1]`, for the largest balanced
        accuracy, or for the fewest mistakes where that saves more of them than chance. None is 0.
    random_state : int, RandomState, Generator or None, default=None
        Draws the orders.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (n_vectors, n_features) and (n_vectors,)
        The weights.
    variance_ : ndarray of shape (n_vectors, n_features)
        The variances of `coef_`: 1 where nothing was learned, near 0 where a weight is sure.
    intercept_variance_ : ndarray of shape (n_vectors,)
        Those of `intercept_`; 0 without an intercept.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    n_updates_, n_epochs_ : int
        Updates and passes made.
    converged_ : bool
        Whether the last pass made no update: every example had a margin of at least 1.
    mixed_ : bool
        Whether parts of the rows learned at once, and were mixed (`mixing` of `fit`).
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what `decision_function` takes off the scores.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import AROW
    >>> model = AROW(fit_intercept=False, epochs=1, shuffle=False)
    >>> model.fit([[1, 0], [-1, 0]], ["spam", "ham"]).predict([[3, 0], [-1, 9]])
    array(['spam', 'ham'], dtype='<U4')
    >>> model.variance_.round(2), model.confidence([[3, 0], [3, 9]]).round(2)
    (array([[0.33, 1.  ]]), array([1.15, 0.22]))
    """

    variance_: Floats
    intercept_variance_: Floats

    _expected_failed_checks: ClassVar[dict[str, str]] = VISITED_ONCE

    def __init__(
        self,
        *,
        r: float = 1.0,
        epochs: int = 10,
        shuffle: bool = True,
        multiclass: Multiclass = "joint",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.r = r
        self.epochs = epochs
        self.shuffle = shuffle
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    def confidence(self, X: Any) -> Floats:
        """Return how sure the prediction for each row is: its margin over the square root of v.

        The margin is that of the chosen class over the best other one, and v its variance:
        the sum of s_j x_j^2 over the weights that take part. Far from what was learned v is
        large. One against one has a margin for each pair of the chosen class: the least counts,
        and is below 0 if a pair was lost.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            In deviations of the margin.
        """
        check_is_fitted(self)
        scores = self._scores(X)
        rows, n_rows, _ = check_rows(self, X)
        spreads, size = np.empty((len(self.coef_), n_rows)), rows_per_slice(rows)
        for s0, s, out in zip(self.intercept_variance_, self.variance_, spreads, strict=True):
            for start in range(0, n_rows, size):
                stop = min(n_rows, start + size)
                measure_spreads(rows, start, stop, s0, np.ascontiguousarray(s), out)
        way, k = self._learned_way(), len(self.classes_)
        if k <= 2:
            return _in_deviations(np.abs(scores[:, 0] - threshold_of(self)), spreads[0])
        if way == "one-vs-one":
            return _least_of_pairs(scores, spreads.T, k)
        every = np.arange(n_rows)
        order = np.argsort(-scores, axis=1, kind="stable")
        best, second = order[:, 0], order[:, 1]
        margin = scores[every, best] - scores[every, second]
        return _in_deviations(margin, spreads[best, every] + spreads[second, every])

    def _check_parameters(self) -> None:
        check_positive(r=self.r)
        super()._check_parameters()

    _mixture = BeliefMixture

    def _blank(self, blocks: Blocks) -> Beliefs:
        shape = (n_vectors(len(blocks.classes), self.multiclass), blocks.n_features + 1)
        order = layout(len(splits(len(blocks.classes), self.multiclass)))
        variances = np.ones(shape, order=order)
        variances[:, 0] = float(self.fit_intercept)
        return Beliefs(np.zeros(shape, order=order), variances)

    def _grown(self, blank: Beliefs, before: Array, classes: Array) -> Beliefs:
        way, at_first = self.multiclass, float(self.fit_intercept)
        # a joint margin is a difference of scores: w/2 and -w/2 give that of w
        pair = (-0.5, 0.5) if way == "joint" else (-1.0, 1.0)
        blank.weights[:] = grow(self._remembered().weights, before, classes, way, pair=pair)
        for part, kept, new in (
            (blank.variances[:, 1:], self.variance_, 1.0),
            (blank.variances[:, :1], self.intercept_variance_[:, np.newaxis], at_first),
        ):
            grown = grow(kept, before, classes, way, pair=(1.0, 1.0), new=new)
            # of 0 was only a threshold that was not learned; it may be from now on
            part[:] = np.where(grown == 0.0, new, grown)
        return blank

    def _states(self, memory: Beliefs, n_problems: int) -> list[Adapted]:
        weights = hypotheses(memory.weights, n_problems, is_ours=True)
        variances = hypotheses(memory.variances, n_problems, is_ours=True)
        pairs = zip(weights, variances, strict=True)
        return [Adapted(h, Uncertainty(s, float(self.r))) for h, s in pairs]

    @staticmethod
    def _visit(state: Adapted, part: ProblemBlock, piece: Array) -> Adapted:
        n = arow_pass(state.rule, part.D, piece, state.h)
        return state._replace(n_updates=state.n_updates + n)

    def _call(self, state: Adapted, part: ProblemBlock, piece: Array) -> Call:
        return arow_pass, (state.rule, part.D, piece, state.h)

    def _remembered(self) -> Beliefs:
        return Beliefs(
            np.column_stack([self.intercept_, self.coef_]),
            np.column_stack([self.intercept_variance_, self.variance_]),
        )

    def _finish(self, blocks: Blocks, memory: Beliefs, states: list[Adapted]) -> None:
        self._keep(blocks, *assemble([state.h for state in states]))
        self.variance_, self.intercept_variance_ = assemble([state.rule.s for state in states])


def _in_deviations(margin: Array, v: Array) -> Array:
    """Return margins over the square roots of their variances; a row of zeros has none."""
    deviation = np.sqrt(v)
    return np.divide(margin, deviation, out=np.zeros_like(margin), where=deviation > 0.0)


def _least_of_pairs(scores: Array, spreads: Array, n_classes: int) -> Array:
    """Return the smallest margin of the chosen class over another one, in deviations."""
    chosen = decide(scores, n_classes, "one-vs-one").argmax(axis=1)
    least = np.full(len(scores), np.inf)
    for p, (low, high) in enumerate(combinations(range(n_classes), 2)):
        side = (chosen == high).astype(float) - (chosen == low)
        margin = _in_deviations(side * scores[:, p], spreads[:, p])
        least = np.where(side != 0.0, np.minimum(least, margin), least)
    return least
