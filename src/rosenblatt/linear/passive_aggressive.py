"""Passive-aggressive learning as an estimator."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Self, get_args

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.checks.parameters import check_choice, check_flags, check_positive
from rosenblatt.choices import ClassWeight, Multiclass, Threshold, Variant
from rosenblatt.kernels.passive_aggressive import StepLimits, passive_aggressive_pass
from rosenblatt.linear.averaged import (
    Mean,
    Memory,
    answer_by_mean,
    blank_memory,
    grown_memory,
    means,
)
from rosenblatt.linear.mixing import MeanMixture
from rosenblatt.linear.multiclass import ProblemBlock, assemble
from rosenblatt.linear.online import VISITED_ONCE, OnlineClassifier
from rosenblatt.linear.stream import Call
from rosenblatt.types import Array, Seed

VARIANTS: tuple[Variant, ...] = get_args(Variant)


class Approach(NamedTuple):
    """The weights of one problem with their mean, and what keeps a step short."""

    mean: Mean
    limits: StepLimits

    @property
    def n_updates(self) -> int:
        """Updates made so far."""
        return self.mean.n_updates


class ApproachMixture(MeanMixture):
    """A mixture of the means alone."""

    @classmethod
    def of(cls, before: Approach, after: Approach) -> Self:
        """Return what a part has to say that began with one state and ended with another."""
        return super().of(before.mean, after.mean)

    def into(self, state: Approach) -> Approach:
        """Return the state that all parts go on with."""
        return state._replace(mean=super().into(state.mean))


class PassiveAggressive(OnlineClassifier):
    """Correct each row just enough to get it right with a margin of 1.

    A row with a margin of at least 1 changes nothing (passive); any other moves the weights by the
    shortest step that gives it that margin (aggressive), or by a shorter one, as `variant` says.
    The joint form of many classes moves the right class and its best rival. For text, sparse rows
    and streams; on noisy labels lower `C`.

    A sample weight multiplies C. So with variants "plain" and "I" a row of weight 2 moves the
    weights as the same row twice in succession would; and weights count as much longer in the mean.

    Parameters
    ----------
    C : float, default=1.0
        What a margin that is too small costs, beside the length of the step: small for short steps
        and noisy labels. Variant "plain" has no use for it.
    variant : {"I", "II", "plain"}, default="I"
        The length tau of a step tau x, for a loss of 1 - margin: at most C ("I"), the loss over
        x.x + 1/(2C) ("II"), or all that it takes, the loss over x.x ("plain").
    epochs : int, default=10
        Passes over the data.
    average : bool, default=True
        Predict with the mean of the weights after every example, instead of the last ones.
    shuffle : bool, default=True
        Draw a new order of the rows for each pass.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned.
    fit_intercept : bool, default=True
        Learn the threshold w0: the weight of a constant 1, which counts in x.x.
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
        The mean of the weights after every example seen; the last weights if `average` is False.
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
    >>> from rosenblatt import PassiveAggressive
    >>> model = PassiveAggressive(variant="plain", epochs=1, average=False, shuffle=False)
    >>> model.fit([[-2], [3]], ["ham", "spam"]).decision_function([[-2], [3]])
    array([-1.,  1.])
    >>> model.predict([[-1], [2]])
    array(['ham', 'spam'], dtype='<U4')
    """

    _expected_failed_checks: ClassVar[dict[str, str]] = VISITED_ONCE | {
        "check_class_weight_classifiers": "10 passes over 50 rows are too few: the rows lie 40 "
        "apart, and the shortest step to a margin of 1 moves the threshold by less than a "
        "hundredth; with epochs=100 it passes"
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        variant: Variant = "I",
        epochs: int = 10,
        average: bool = True,
        shuffle: bool = True,
        multiclass: Multiclass = "joint",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.C = C
        self.variant = variant
        self.epochs = epochs
        self.average = average
        self.shuffle = shuffle
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_positive(C=self.C)
        check_choice(self.variant, "variant", VARIANTS)
        check_flags(average=self.average)
        super()._check_parameters()

    def _limits(self) -> StepLimits:
        return StepLimits(
            cap=float(self.C) if self.variant == "I" else np.inf,
            softness=0.5 / self.C if self.variant == "II" else 0.0,
        )

    _mixture = ApproachMixture

    def _blank(self, blocks: Blocks) -> Memory:
        return blank_memory(blocks, self.multiclass, average=self.average)

    def _grown(self, blank: Memory, before: Array, classes: Array) -> Memory:
        # a joint margin is a difference of scores: w/2 and -w/2 give that of w
        pair = (-0.5, 0.5) if self.multiclass == "joint" else (-1.0, 1.0)
        return grown_memory(blank, self._memory, before, classes, self.multiclass, pair)

    def _states(self, memory: Memory, n_problems: int) -> list[Approach]:
        return [Approach(mean, self._limits()) for mean in means(memory, n_problems)]

    @staticmethod
    def _visit(state: Approach, part: ProblemBlock, piece: Array) -> Approach:
        h, u, time, n_updates = state.mean
        n = passive_aggressive_pass(state.limits, part.D, piece, h, u, time)
        return state._replace(mean=Mean(h, u, time, n_updates + n))

    def _call(self, state: Approach, part: ProblemBlock, piece: Array) -> Call:
        h, u, time, _ = state.mean
        return passive_aggressive_pass, (state.limits, part.D, piece, h, u, time)

    def _answer(
        self, state: Approach, part: ProblemBlock, piece: Array, tie: int, out: Array
    ) -> Call:
        return answer_by_mean(state.mean, part, piece, tie, out)

    def _finish(self, blocks: Blocks, memory: Memory, states: list[Approach]) -> None:
        self._keep(blocks, *assemble([state.mean.mean() for state in states]))
        self._memory = memory
