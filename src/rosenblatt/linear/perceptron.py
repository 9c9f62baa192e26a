"""The perceptron learning algorithm as an estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.checks.parameters import check_callback, check_flags, check_seed
from rosenblatt.errors import Said
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.perceptron import online_pass
from rosenblatt.linear.base import NOT_A_COPY
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.mixing import WeightMixture, keep_mixed, mixed_pass
from rosenblatt.linear.multiclass import (
    ProblemBlock,
    assemble,
    grow,
    hypotheses,
    layout,
    n_vectors,
    problems,
    splits,
)
from rosenblatt.linear.rules import NO_LIMIT, TIES
from rosenblatt.linear.run import check_in_passes, go_on
from rosenblatt.linear.stream import Call, OneByOne
from rosenblatt.progress import Callback, Reporter
from rosenblatt.types import Array, Block

IN_ORDER = ("cyclic", "first")  # rules for which the order of the rows decides
# Rows of each class from which on sorted labels matter, and are no chance: a few are drawn into
# one run now and then, ten of each class are not
FEWEST_SORTED = 10


class SortedLabelsWarning(Said, UserWarning):
    """All rows of a class come together, and the rule goes through the rows in their order."""


class OnlineWeights(NamedTuple):
    """The weights of one problem while single rows correct them."""

    h: Hypothesis
    n_updates: int = 0


class MixedRun:
    """PLA on one problem whose parts learn at once, an epoch at a time."""

    def __init__(
        self,
        part: Blocks,
        state: OnlineWeights,
        visit: Any,
        draws: np.random.RandomState | None,
        max_epochs: int | None,
        max_updates: int | None,
    ) -> None:
        self.h, self._counts = state.h, np.zeros(3, dtype=np.int64)
        self._part, self._visit, self.draws = part, visit, draws
        self._max_epochs = NO_LIMIT if max_epochs is None else max_epochs
        self._max_updates = NO_LIMIT if max_updates is None else max_updates

    @property
    def n_updates(self) -> int:
        """Updates made so far, by all parts."""
        return int(self._counts[0])

    @property
    def n_epochs(self) -> int:
        """Epochs made so far."""
        return int(self._counts[1])

    @property
    def is_right(self) -> bool:
        """Whether the last epoch made no update."""
        return bool(self._counts[2])

    @property
    def begun(self) -> tuple[Any, ...]:
        """How far the run is."""
        return self.h, self._counts

    def resume(self) -> bool:
        """Return whether there is more to do, after what `begun` has."""
        is_over = self.n_epochs >= self._max_epochs or self.n_updates >= self._max_updates
        return not self.is_right and not is_over

    def to_the_end(
        self, reporter: Reporter, passed: Callable[[], None] | None = None, goes_on: bool = True
    ) -> bool:
        """Run until an epoch makes no update, or the budget is used up; return which."""
        state = OnlineWeights(self.h, self.n_updates)
        while goes_on:
            n_vectors = len(self.h.b)
            state = mixed_pass(self._part, self._visit, state, WeightMixture, self.draws, n_vectors)
            is_right = state.n_updates == self.n_updates
            self._counts[:] = state.n_updates, self.n_epochs + 1, is_right
            share = max(self.n_epochs / self._max_epochs, self.n_updates / self._max_updates)
            reporter.tell(self.n_updates, self.n_epochs, min(1.0, share))
            if passed is not None:
                passed()
            goes_on = self.resume()
        reporter.finish(self.n_updates, self.n_epochs)
        return self.is_right


class Perceptron(BudgetedPerceptron, OneByOne):
    """Correct one misclassified example at a time until none is left.

    Finds a separating rule whenever there is one. On data that is not separable it never settles:
    it stops at its budget and says so; `PocketPerceptron`, `VotedPerceptron` and
    `AveragedPerceptron` are made for that.

    Parameters
    ----------
    rule : {"cyclic", "first", "random", "shuffled", "worst"}, default="cyclic"
        Which misclassified example is corrected: the next one in the order of the rows, going on
        from the last; the lowest index of all; any of them with equal chance; the next one in an
        order drawn anew for each epoch; the one with the most negative margin. "cyclic" is the
        lecture's; where the rows come sorted by class it learns the last class too well, and a
        warning says so: take "shuffled".
    tie : {"mistake", "+1", "-1"}, default="mistake"
        What a point on the boundary is while learning: a mistake, or a member of `classes_[1]`
        or of `classes_[0]`; the last two are for two classes only. `predict` puts it into
        `classes_[1]` after "+1", else into `classes_[0]`.
    init : array-like of shape (n_features + 1,), "regression" or None, default=None
        The weights to start from, w0 first; zeros by default. With more than two classes, a row
        for each weight vector. "regression" starts from the weights of least squares.
    max_epochs : int or None, default=1000
        Budget of passes over the data. For the rules that look at all examples before each
        update ("first", "random", "worst") an epoch is as many updates as there are examples.
    max_updates : int or None, default=None
        Budget of updates.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned.
    warm_start : bool, default=False
        Start from the weights of the last fit.
    fit_intercept : bool, default=True
        Learn the threshold w0; without it the boundary goes through the origin.
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
        Draws for the rules "random" and "shuffled".

    Attributes
    ----------
    coef_ : ndarray of shape (n_vectors, n_features)
        The weights w1 ... wd: one row for two classes, one per class (or pair) for more.
    intercept_ : ndarray of shape (n_vectors,)
        The thresholds w0.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    n_updates_ : int
        Corrections made.
    n_epochs_ : int
        Epochs begun; with several problems the most of any.
    converged_ : bool
        Whether the weights classify every training example right.
    mixed_ : bool
        Whether parts of the rows learned at once, and were mixed (`mixing` of `fit`).
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what `decision_function` takes off the scores.
    n_features_in_ : int
        Columns of X.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when X has any.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> X, y = [[1], [2], [7], [8]], [-1, -1, 1, 1]
    >>> model = Perceptron(rule="first").fit(X, y)
    >>> model.n_updates_, model.intercept_, model.coef_
    (11, array([-7.]), array([[3.]]))
    >>> model.predict([[0], [9]])
    array([-1,  1])
    """

    mixed_: bool = False
    _milestones: Any = None  # where a fit writes down how far it is: a `Checkpoint`
    _expected_failed_checks: ClassVar[dict[str, str]] = NOT_A_COPY | {
        "check_class_weight_classifiers": "the rule stops at heavy rows that are right, wherever "
        "light ones are: here at 84 % of new rows for the heavy class, where 87 are asked for"
    }

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        callback: Callback | None = None,
        mixing: bool = False,
    ) -> Self:
        """Learn until no example is misclassified or the budget is used up; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows, for the rules "cyclic" and "shuffled", have their
            labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Scales the update, which is not the same as the example twice; 0 leaves it out.
        callback : callable or None, default=None
            Called with a `Progress` now and then.
        mixing : bool, default=False
            Let the blocks learn at once, each for one pass from the same weights, and mix what
            they learned (linear/mixing.py), until an epoch makes no update: for rows on many
            machines, and the rules "cyclic" and "shuffled". Otherwise the weights go from block
            to block, and are those of one machine to the bit.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        check_flags(mixing=mixing)
        if mixing:
            check_in_passes(self.rule)
        blocks = self._check(X, y, sample_weight)
        decision = self._decision(X, y, sample_weight)
        runs = self._mixed_runs(blocks) if mixing else self._runs(blocks)
        if self.rule in IN_ORDER and _is_sorted(blocks):
            warnings.warn(_sorted_labels(self.rule), stacklevel=2)
        reporter = Reporter(check_callback(callback), len(runs))
        if self._milestones is None:
            converged = [run.to_the_end(reporter) for run in runs]
        else:
            converged = go_on(runs, reporter, self._milestones)
        self._keep(blocks, *assemble([run.h for run in runs]))
        self._keep_decision(decision)
        keep_mixed(self, mixing)
        self.n_updates_ = sum(run.n_updates for run in runs)
        self.n_epochs_ = max(run.n_epochs for run in runs)
        self.converged_ = all(converged)
        if not self.converged_:
            self._warn_not_converged(self.n_updates_, "max_epochs or max_updates")
        return self

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, *, sample_weight: Any = None
    ) -> Self:
        """Visit the rows once, in order, and correct each mistake: the online algorithm.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        classes : array-like or None, default=None
            Labels to come; a label that was not named becomes a new class.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Scales the update, which is not the same as the example twice; 0 leaves it out.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        if hasattr(self, "classes_"):
            self._check_goes_on()
        blocks, before = self._check_more(X, y, classes, sample_weight)
        self._check_tie(blocks.classes)
        if before is None:
            start = self._start(blocks)
        else:
            start = grow(self._weights(), before, blocks.classes, self.multiclass)
        parts = problems(blocks, self.multiclass, self.fit_intercept)
        weights, n_updates = hypotheses(start, len(parts)), 0
        for part, h in zip(parts, weights, strict=True):
            visit, state = partial(_visit, TIES[self.tie]), OnlineWeights(h)
            for so_far in part.fold(visit, state, n_vectors=len(h.b)):
                state = so_far
            n_updates += state.n_updates
        self._keep(blocks, *assemble(weights))
        self.n_updates_ = getattr(self, "n_updates_", 0) + n_updates
        self.n_epochs_ = getattr(self, "n_epochs_", 0) + 1
        self.converged_ = n_updates == 0
        return self

    def _check_in_passes(self) -> None:
        check_in_passes(self.rule)

    def _mixed_runs(self, blocks: Blocks) -> list[MixedRun]:
        self._check_tie(blocks.classes)
        draws = check_seed(self.random_state) if self.rule == "shuffled" else None
        parts = problems(blocks, self.multiclass, self.fit_intercept)
        weights = hypotheses(self._start(blocks), len(parts))
        visit = partial(_visit, TIES[self.tie])
        return [
            MixedRun(part, OnlineWeights(h), visit, draws, self.max_epochs, self.max_updates)
            for part, h in zip(parts, weights, strict=True)
        ]

    def _blank(self, blocks: Any) -> Array:
        shape = (n_vectors(len(blocks.classes), self.multiclass), blocks.n_features + 1)
        return np.zeros(shape, order=layout(len(splits(len(blocks.classes), self.multiclass))))

    def _remembered(self) -> Array:
        return self._weights()

    def _states(self, memory: Array, n_problems: int) -> list[OnlineWeights]:
        return [OnlineWeights(h) for h in hypotheses(memory, n_problems, is_ours=True)]

    def _call(self, state: OnlineWeights, part: ProblemBlock, piece: Array) -> Call:
        return online_pass, (part.D, piece, state.h, TIES[self.tie])

    def _finish(self, blocks: Any, memory: Array, states: list[OnlineWeights]) -> None:
        self._keep(blocks, *assemble([state.h for state in states]))


def _sorted_labels(rule: str) -> SortedLabelsWarning:
    return SortedLabelsWarning(
        f"the rows come sorted by class, and the rule {rule!r} learns from them in their order: "
        "what it learns last, of the last class, outweighs the rest.",
        do="Use {rule:shuffled}, or shuffle the rows.",
        in_shell="",
    )


def _is_sorted(blocks: Blocks) -> bool:
    """Whether all rows of each class come together, and there are enough of each to matter."""
    if blocks.n_members is None:
        return False  # a file that is read anew in each pass is not read just for this
    counts, n_runs, last = np.zeros(len(blocks.classes), dtype=np.int64), 0, -1
    for labels in blocks.each(_labels_of_members):
        if len(labels):
            n_runs += int(labels[0] != last) + int(np.count_nonzero(labels[1:] != labels[:-1]))
            last = labels[-1]
        counts += np.bincount(labels, minlength=len(counts))
    return n_runs == len(counts) and bool(counts.min() >= FEWEST_SORTED)


def _labels_of_members(block: Block) -> Array:
    return block.labels[block.members]


def _visit(tie: int, state: OnlineWeights, part: ProblemBlock, piece: Array) -> OnlineWeights:
    """Correct the mistakes of a piece."""
    n = int(online_pass(part.D, piece, state.h, tie))
    return state._replace(n_updates=state.n_updates + n)
