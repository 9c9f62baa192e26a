"""The averaged perceptron as an estimator."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.choices import ClassWeight, Multiclass, Threshold
from rosenblatt.kernels.answers import answer_rows, answer_rows_by_mean
from rosenblatt.kernels.averaged import averaged_pass
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.base import NOT_A_COPY
from rosenblatt.linear.mixing import MeanMixture
from rosenblatt.linear.multiclass import (
    ProblemBlock,
    assemble,
    grow,
    hypotheses,
    layout,
    n_vectors,
    splits,
)
from rosenblatt.linear.online import OnlineClassifier
from rosenblatt.linear.stream import Call
from rosenblatt.types import Array, Seed


class Memory(NamedTuple):
    """What averaging needs to go on: the last weights, the sums u, the examples seen."""

    last: Array  # a row (w0, w1, ... wd) for each weight vector
    sums: Array  # likewise; w0 alone where no mean is wanted
    times: Array  # for each problem


class Mean(NamedTuple):
    """The weights of one problem, and u, from which their mean follows: w - u / time."""

    h: Hypothesis
    u: Hypothesis
    time: Array
    n_updates: int = 0

    def mean(self) -> Hypothesis:
        """Return the mean of all weights gone through; the last ones where none is wanted."""
        if len(self.u.w) < len(self.h.w):
            return self.h
        T = float(self.time[0]) or 1.0
        with np.errstate(invalid="ignore"):  # weights that overflowed are refused in `_keep`
            w = self.u.w / T
            return Hypothesis(
                np.subtract(self.h.w, w, out=w), self.h.b - self.u.b / T, self.h.scores
            )


def blank_memory(blocks: Blocks, way: str, *, average: bool = True) -> Memory:
    """Return the memory before the first row; without a mean only w0 has sums, all zero."""
    n_rows, n_columns = n_vectors(len(blocks.classes), way), blocks.n_features + 1
    n_problems = len(splits(len(blocks.classes), way))
    last, sums = (
        np.zeros((n_rows, n), order=layout(n_problems))
        for n in (n_columns, n_columns if average else 1)
    )
    return Memory(last, sums, np.zeros(n_problems))


def grown_memory(
    blank: Memory,
    old: Memory,
    before: Array,
    classes: Array,
    way: str,
    pair: tuple[float, float] = (-1.0, 1.0),
) -> Memory:
    """Return `blank` with what was learned of the classes before; `pair` as in `grow`."""
    blank.last[:] = grow(old.last, before, classes, way, pair=pair)
    if blank.sums.shape[1] != old.sums.shape[1]:
        return blank  # a mean that was not wanted before begins now, or ends
    blank.sums[:] = grow(old.sums, before, classes, way, pair=pair)
    if way == "one-vs-one" and len(classes) > 2:
        blank.times[:] = grow(old.times[:, np.newaxis], before, classes, way)[:, 0]
    else:
        # a vector of zeros has been there, unused, for as long as the others
        blank.times[:] = old.times.max()
    return blank


def means(memory: Memory, n_problems: int) -> list[Mean]:
    """Return the views of the memory that each problem carries along."""
    lasts = hypotheses(memory.last, n_problems, is_ours=True)
    sums = hypotheses(memory.sums, n_problems, is_ours=True)
    times = [memory.times[k : k + 1] for k in range(n_problems)]
    return [Mean(h, u, t) for h, u, t in zip(lasts, sums, times, strict=True)]


def answer_by_mean(state: Mean, part: ProblemBlock, piece: Array, tie: int, out: Array) -> Call:
    """Return a kernel that answers by the mean, or by the last weights where none is wanted."""
    h, u, time, _ = state
    if len(u.w) < len(h.w):
        return answer_rows, (part.D.X, piece, h, tie, out)
    mean = Hypothesis(*map(np.zeros_like, h))
    return answer_rows_by_mean, (part.D.X, piece, h, u, time, mean, out)


class AveragedPerceptron(OnlineClassifier):
    """Predict with the mean of all weights that the perceptron went through.

    The first choice for text and other noisy data: as fast as one perceptron, and nearly as good
    as the voted form.

    Parameters
    ----------
    epochs : int, default=10
        Passes over the data.
    shuffle : bool, default=True
        Draw a new order of the rows for each pass.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned.
    fit_intercept : bool, default=True
        Learn the threshold w0.
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
        The mean of the weights after every example seen.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    n_updates_, n_epochs_ : int
        Updates and passes made.
    converged_ : bool
        Whether the last pass made no update.
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
    >>> from rosenblatt import AveragedPerceptron
    >>> model = AveragedPerceptron(epochs=2, shuffle=False).fit([[-1], [1]], ["ham", "spam"])
    >>> model.predict([[-2], [3]])
    array(['ham', 'spam'], dtype='<U4')
    """

    _expected_failed_checks: ClassVar[dict[str, str]] = NOT_A_COPY | {
        "check_class_weight_classifiers": "10 passes over 50 rows are too few: a correction moves "
        "the threshold by 1, and the rows lie 40 apart; with epochs=100 it passes"
    }

    def __init__(
        self,
        *,
        epochs: int = 10,
        shuffle: bool = True,
        multiclass: Multiclass = "joint",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.epochs = epochs
        self.shuffle = shuffle
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    _mixture = MeanMixture

    def _blank(self, blocks: Blocks) -> Memory:
        return blank_memory(blocks, self.multiclass)

    def _grown(self, blank: Memory, before: Array, classes: Array) -> Memory:
        return grown_memory(blank, self._memory, before, classes, self.multiclass)

    def _states(self, memory: Memory, n_problems: int) -> list[Mean]:
        return means(memory, n_problems)

    @staticmethod
    def _visit(state: Mean, part: ProblemBlock, piece: Array) -> Mean:
        n = averaged_pass(part.D, piece, state.h, state.u, state.time)
        return state._replace(n_updates=state.n_updates + n)

    def _call(self, state: Mean, part: ProblemBlock, piece: Array) -> Call:
        return averaged_pass, (part.D, piece, state.h, state.u, state.time)

    def _answer(self, state: Mean, part: ProblemBlock, piece: Array, tie: int, out: Array) -> Call:
        return answer_by_mean(state, part, piece, tie, out)

    def _finish(self, blocks: Blocks, memory: Memory, states: list[Mean]) -> None:
        self._keep(blocks, *assemble([state.mean() for state in states]))
        self._memory = memory
