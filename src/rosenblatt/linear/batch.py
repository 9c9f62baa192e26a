"""The batch perceptron as an estimator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.checks.parameters import (
    check_callback,
    check_choice,
    check_count,
    check_flags,
    check_positive,
)
from rosenblatt.choices import ClassWeight, Multiclass, Threshold
from rosenblatt.kernels.batch import add_mistakes
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.multiclass import (
    WAYS,
    ProblemBlock,
    assemble,
    hypotheses,
    n_vectors,
    problems,
)
from rosenblatt.progress import Callback, Reporter
from rosenblatt.rows import rows_per_slice, slices
from rosenblatt.types import Array, Seed

UPDATES, EPOCHS = 0, 1  # what `counts` of steps holds


class BatchPerceptron(LinearClassifier):
    """Correct all mistakes at once, by their mean, in every epoch.

    Does not depend on the order of the rows.

    Parameters
    ----------
    eta : float, default=1.0
        Length of a step.
    epsilon : float, default=1e-6
        Stop when the mean correction is shorter than this.
    max_epochs : int, default=1000
        Budget of passes over the data.
    multiclass : {"one-vs-rest", "joint", "one-vs-one"}, default="one-vs-rest"
        How more than two classes are learned. All corrections at once make the joint form swing
        where classes overlap.
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
        Not used: there is nothing to draw.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (n_vectors, n_features) and (n_vectors,)
        The weights.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    n_updates_ : int
        Examples corrected, over all epochs.
    n_epochs_ : int
        Passes made; with several problems the most of any.
    converged_ : bool
        Whether the last correction was shorter than epsilon.
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what `decision_function` takes off the scores.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import BatchPerceptron
    >>> model = BatchPerceptron().fit([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> model.predict([[1], [8]]), model.converged_
    (array(['no', 'yes'], dtype='<U3'), True)
    """

    _milestones: Any = None  # where a fit writes down how far it is: a `Checkpoint`

    def __init__(
        self,
        *,
        eta: float = 1.0,
        epsilon: float = 1e-6,
        max_epochs: int = 1000,
        multiclass: Multiclass = "one-vs-rest",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.eta = eta
        self.epsilon = epsilon
        self.max_epochs = max_epochs
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, callback: Callback | None = None
    ) -> Self:
        """Take steps until they are shorter than epsilon or the budget is used up; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Weighs the mean: 2 is the same as the example twice.
        callback : callable or None, default=None
            Called with a `Progress` after each epoch.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        blocks = self._check(X, y, sample_weight)
        decision = self._decision(X, y, sample_weight)
        shape = (n_vectors(len(blocks.classes), self.multiclass), blocks.n_features + 1)
        parts = problems(blocks, self.multiclass, self.fit_intercept)
        weights = hypotheses(np.zeros(shape), len(parts))
        reporter = Reporter(check_callback(callback), len(parts))
        begun, kept = [BatchSteps.none(h) for h in weights], self._milestones
        if kept is not None:
            kept.resume(begun, None)  # in their arrays
        results = [
            self._learn(
                part,
                begun[k],
                reporter,
                None if kept is None else partial(_passed, kept, k, begun),
            )
            for k, part in enumerate(parts)
        ]
        self._keep(blocks, *assemble(weights))
        self._keep_decision(decision)
        self.n_updates_ = sum(n_updates for n_updates, _, _ in results)
        self.n_epochs_ = max(n_epochs for _, n_epochs, _ in results)
        self.converged_ = all(converged for _, _, converged in results)
        if not self.converged_:
            self._warn_not_converged(self.n_updates_, "max_epochs")
        return self

    def _check_parameters(self) -> None:
        check_positive(eta=self.eta, epsilon=self.epsilon)
        check_count(max_epochs=self.max_epochs)
        check_choice(self.multiclass, "multiclass", WAYS)
        check_flags(fit_intercept=self.fit_intercept)

    def _learn(
        self,
        part: Blocks,
        steps: BatchSteps,
        reporter: Reporter,
        after_epoch: Callable[[Hypothesis], None] | None = None,
    ) -> tuple[int, int, bool]:
        """Return (examples corrected, epochs, converged); `after_epoch` is given the weights."""
        total = part.total(_add_weights, float.__add__)
        h, counts, length = steps
        while not length[0] < self.epsilon and counts[EPOCHS] < self.max_epochs:
            sums = part.total(partial(_add_corrections, h), Corrections.plus)
            delta = sums.delta
            counts[UPDATES] += sums.n_updates
            counts[EPOCHS] += 1
            delta.w[:] /= total
            delta.b[:] /= total
            with np.errstate(over="ignore", invalid="ignore"):  # weights too large are refused
                h.w[:] += self.eta * delta.w
                h.b[:] += self.eta * delta.b
                length[0] = np.sqrt((delta.w**2).sum() + (delta.b**2).sum())
            n_updates, epoch = counts.tolist()
            reporter.tell(n_updates, epoch, epoch / self.max_epochs)
            if after_epoch is not None:
                after_epoch(h)
        n_updates, epoch = counts.tolist()
        reporter.finish(n_updates, epoch)
        return n_updates, epoch, bool(length[0] < self.epsilon)


class BatchSteps(NamedTuple):
    """How far a problem is."""

    h: Hypothesis
    counts: Array  # examples corrected, and epochs
    length: Array  # of the last correction

    @classmethod
    def none(cls, h: Hypothesis) -> BatchSteps:
        """Return that nothing was done yet with some weights."""
        return cls(h, np.zeros(2, dtype=np.int64), np.array([np.inf]))


def _passed(kept: Any, problem: int, begun: list[BatchSteps], _: Hypothesis) -> None:
    kept.passed(problem, int(begun[problem].counts[EPOCHS]), begun, None)


class Corrections(NamedTuple):
    """The sum of the examples that some weights get wrong, and how many they are."""

    delta: Hypothesis
    n_updates: int

    def plus(self, more: Corrections) -> Corrections:
        """Return the sum of both."""
        w, b = self.delta.w + more.delta.w, self.delta.b + more.delta.b
        return Corrections(self.delta._replace(w=w, b=b), self.n_updates + more.n_updates)


def _add_corrections(h: Hypothesis, sums: Corrections | None, part: ProblemBlock) -> Corrections:
    if sums is None:
        sums = Corrections(Hypothesis(np.zeros_like(h.w), np.zeros_like(h.b), h.scores), 0)
    n_updates = sums.n_updates
    for piece in slices(part.members, rows_per_slice(part.rows, len(h.b))):
        n_updates += add_mistakes(part.D, piece, h, sums.delta)
    return sums._replace(n_updates=n_updates)


def _add_weights(so_far: float | None, part: ProblemBlock) -> float:
    if not len(part.D.s):
        return float(len(part.members)) + (so_far or 0.0)
    # one after the other: the bits are the same in blocks of any size
    return float(np.cumsum(np.append(so_far or 0.0, part.D.s[part.members]))[-1])
