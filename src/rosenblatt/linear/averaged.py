"""The averaged perceptron as an estimator."""

from __future__ import annotations

from typing import Any, NamedTuple, Self, Unpack

import numpy as np
from sklearn.utils import check_random_state

from rosenblatt._slices import rows_per_slice, slices
from rosenblatt._validation import Array, TrainingSet, check_choice, check_count
from rosenblatt.kernels.averaged import averaged_pass
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.multiclass import WAYS, Problem, assemble, grow, n_vectors, problems
from rosenblatt.linear.orders import draw_order
from rosenblatt.linear.progress import FitOptions, Reporter


class Memory(NamedTuple):
    """What averaging needs to go on: the last weights, the sums u, the examples seen."""

    last: Array  # a row (w0, w1, ... wd) for each weight vector
    sums: Array
    times: Array  # for each problem


class AveragedPerceptron(LinearClassifier):
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
    random_state : int, RandomState instance or None, default=None
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
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron
    >>> model = AveragedPerceptron(epochs=2, shuffle=False).fit([[-1], [1]], ["ham", "spam"])
    >>> model.predict([[-2], [3]])
    array(['ham', 'spam'], dtype='<U4')
    """

    def __init__(
        self,
        *,
        epochs: int = 10,
        shuffle: bool = True,
        multiclass: str = "joint",
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.epochs = epochs
        self.shuffle = shuffle
        self.multiclass = multiclass
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **options: Unpack[FitOptions]) -> Self:
        """Make `epochs` passes over the rows; return self.

        Takes `sample_weight` (scales the update and the time that weights count for; 0 leaves
        the example out) and `callback` (called with a `Progress` now and then) by keyword.
        """
        check_count(epochs=self.epochs)
        check_choice(self.multiclass, "multiclass", WAYS)
        data = self._check(X, y, options)
        memory = self._blank(data)
        random_state = check_random_state(self.random_state) if self.shuffle else None
        return self._learn(data, memory, self.epochs, random_state, options.get("callback"))

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, *, sample_weight: Any = None
    ) -> Self:
        """Visit the rows once, in order, and go on averaging.

        `classes` names labels to come; a label that was not named becomes a new class.
        """
        check_choice(self.multiclass, "multiclass", WAYS)
        data, before = self._check_more(X, y, classes, sample_weight)
        memory = self._blank(data)
        if before is not None:
            old, way = self._memory, self.multiclass
            if way == "one-vs-one" and len(data.classes) > 2:
                times = grow(old.times[:, np.newaxis], before, data.classes, way)[:, 0]
            else:
                # a vector of zeros has been there, unused, for as long as the others
                times = np.full_like(memory.times, old.times.max())
            last, sums = (grow(part, before, data.classes, way) for part in (old.last, old.sums))
            memory = Memory(last, sums, times)
        return self._learn(data, memory, 1, None, None, so_far=before is not None)

    def _blank(self, data: TrainingSet) -> Memory:
        shape = (n_vectors(len(data.classes), self.multiclass), data.n_features + 1)
        joint = self.multiclass == "joint" or len(data.classes) <= 2
        return Memory(np.zeros(shape), np.zeros(shape), np.zeros(1 if joint else shape[0]))

    def _learn(
        self,
        data: TrainingSet,
        memory: Memory,
        epochs: int,
        random_state: np.random.RandomState | None,
        callback: Any,
        so_far: bool = False,
    ) -> Self:
        parts = list(problems(data, self.multiclass, memory.last, self.fit_intercept))
        sums = [p.h for p in problems(data, self.multiclass, memory.sums, self.fit_intercept)]
        times = memory.times.copy()
        reporter = Reporter(callback, len(parts))
        counts = [
            _passes(part, u, times[k : k + 1], epochs, random_state, reporter)
            for k, (part, u) in enumerate(zip(parts, sums, strict=True))
        ]
        means = [_mean(part.h, u, t) for part, u, t in zip(parts, sums, times, strict=True)]
        self._keep(data, *assemble(means))
        self._memory = Memory(_matrix([p.h for p in parts]), _matrix(sums), times)
        self.n_updates_ = sum(map(sum, counts)) + (self.n_updates_ if so_far else 0)
        self.n_epochs_ = epochs + (self.n_epochs_ if so_far else 0)
        self.converged_ = all(count[-1] == 0 for count in counts)
        return self


def _passes(
    problem: Problem,
    u: Hypothesis,
    time: Array,
    epochs: int,
    random_state: np.random.RandomState | None,
    reporter: Reporter,
) -> list[int]:
    """Make the passes of one problem; return the updates of each."""
    D, members, h = problem
    size = rows_per_slice(D.X, len(h.b))
    counts: list[int] = []
    for epoch in range(1, epochs + 1):
        order = members if random_state is None else draw_order(members, random_state)
        count = 0
        for piece in slices(order, size):
            count += averaged_pass(D, piece, h, u, time)
            reporter.tell(sum(counts) + count, epoch, (epoch - 1) / epochs)
        counts.append(count)
    reporter.finish(sum(counts), epochs)
    return counts


def _mean(h: Hypothesis, u: Hypothesis, time: float) -> Hypothesis:
    T = time or 1.0
    with np.errstate(invalid="ignore"):  # weights that overflowed are refused in `_keep`
        return Hypothesis(h.w - u.w / T, h.b - u.b / T, h.scores)


def _matrix(hypotheses: list[Hypothesis]) -> Array:
    coef, intercept = assemble(hypotheses)
    return np.column_stack([intercept, coef])
