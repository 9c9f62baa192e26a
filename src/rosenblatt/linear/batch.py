"""The batch perceptron as an estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from rosenblatt.checks.parameters import check_choice, check_count, check_flags, check_positive
from rosenblatt.kernels.batch import add_mistakes
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.multiclass import WAYS, Problem, assemble, n_vectors, problems
from rosenblatt.progress import Callback, Reporter
from rosenblatt.rows import rows_per_slice, slices


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
    random_state : int, RandomState instance or None, default=None
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
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import BatchPerceptron
    >>> model = BatchPerceptron().fit([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> model.predict([[1], [8]]), model.converged_
    (array(['no', 'yes'], dtype='<U3'), True)
    """

    def __init__(
        self,
        *,
        eta: float = 1.0,
        epsilon: float = 1e-6,
        max_epochs: int = 1000,
        multiclass: str = "one-vs-rest",
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.eta = eta
        self.epsilon = epsilon
        self.max_epochs = max_epochs
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    # A weight here is the same as repeating the example, so scikit-learn may know of it.
    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, callback: Callback | None = None
    ) -> Self:
        """Take steps until they are shorter than epsilon or the budget is used up; return self.

        `sample_weight` weighs the mean; `callback` is called with a `Progress` after each epoch.
        """
        check_positive(eta=self.eta, epsilon=self.epsilon)
        check_count(max_epochs=self.max_epochs)
        check_choice(self.multiclass, "multiclass", WAYS)
        check_flags(fit_intercept=self.fit_intercept)
        data = self._check(X, y, {"sample_weight": sample_weight})
        start = np.zeros((n_vectors(len(data.classes), self.multiclass), data.n_features + 1))
        parts = list(problems(data, self.multiclass, start, self.fit_intercept))
        reporter = Reporter(callback, len(parts))
        results = [self._learn(problem, reporter) for problem in parts]
        self._keep(data, *assemble([problem.h for problem in parts]))
        self.n_updates_ = sum(n_updates for n_updates, _, _ in results)
        self.n_epochs_ = max(n_epochs for _, n_epochs, _ in results)
        self.converged_ = all(converged for _, _, converged in results)
        if not self.converged_:
            self._warn_not_converged(self.n_updates_, "max_epochs")
        return self

    def _learn(
        self,
        problem: Problem,
        reporter: Reporter,
        watch: Callable[[Hypothesis], None] | None = None,
    ) -> tuple[int, int, bool]:
        """Return (examples corrected, epochs, converged); `watch` sees the weights of each."""
        D, members, h = problem
        delta = Hypothesis(np.empty_like(h.w), np.empty_like(h.b), h.scores)
        total = D.s[members].sum() if len(D.s) else len(members)
        size = rows_per_slice(D.X, len(h.b))
        n_updates, length = 0, np.inf
        for epoch in range(1, self.max_epochs + 1):
            delta.w[:], delta.b[:] = 0.0, 0.0
            for piece in slices(members, size):
                n_updates += add_mistakes(D, piece, h, delta)
            delta.w[:] /= total
            delta.b[:] /= total
            with np.errstate(over="ignore", invalid="ignore"):  # weights too large are refused
                h.w[:] += self.eta * delta.w
                h.b[:] += self.eta * delta.b
                length = float(np.sqrt((delta.w**2).sum() + (delta.b**2).sum()))
            reporter.tell(n_updates, epoch, epoch / self.max_epochs)
            if watch is not None:
                watch(h)
            if length < self.epsilon:
                break
        reporter.finish(n_updates, epoch)
        return n_updates, epoch, length < self.epsilon
