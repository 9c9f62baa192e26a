"""The averaged perceptron as an estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self, Unpack

import numpy as np

from rosenblatt.checks import without_rows
from rosenblatt.checks.parameters import check_choice, check_count, check_flags, check_seed
from rosenblatt.kernels.averaged import averaged_pass
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.multiclass import WAYS, assemble, grow, hypotheses, layout, n_vectors, splits
from rosenblatt.linear.passes import Pass, over_blocks, over_rows, splits_of
from rosenblatt.progress import FitOptions, Reporter
from rosenblatt.types import Array, Block

if TYPE_CHECKING:
    from rosenblatt.data.blocks import Blocks


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
        check_flags(shuffle=self.shuffle, fit_intercept=self.fit_intercept)
        data = self._check(X, y, options)
        memory = self._blank(data)
        random_state = check_seed(self.random_state) if self.shuffle else None
        passes = self._passes(data, random_state)
        return self._learn(data, memory, self.epochs, passes, options.get("callback"))

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, *, sample_weight: Any = None
    ) -> Self:
        """Visit the rows once, in order, and go on averaging.

        `classes` names labels to come; a label that was not named becomes a new class.
        """
        check_choice(self.multiclass, "multiclass", WAYS)
        check_flags(shuffle=self.shuffle, fit_intercept=self.fit_intercept)
        if hasattr(self, "classes_"):
            self._check_goes_on()
        data, before = self._check_more(X, y, classes, sample_weight)
        memory = self._blank(data)
        if before is not None:
            old, way = self._memory, self.multiclass
            for part, kept in ((memory.last, old.last), (memory.sums, old.sums)):
                part[:] = grow(kept, before, data.classes, way)
            if way == "one-vs-one" and len(data.classes) > 2:
                memory.times[:] = grow(old.times[:, np.newaxis], before, data.classes, way)[:, 0]
            else:
                # a vector of zeros has been there, unused, for as long as the others
                memory.times[:] = old.times.max()
        passes = self._passes(data, None)
        return self._learn(data, memory, 1, passes, None, so_far=before is not None)

    def _fit_blocks(self, blocks: Blocks, callback: Any) -> Self:
        check_count(epochs=self.epochs)
        check_choice(self.multiclass, "multiclass", WAYS)
        check_flags(shuffle=self.shuffle, fit_intercept=self.fit_intercept)
        random_state = check_seed(self.random_state) if self.shuffle else None
        passes = [
            over_blocks(blocks, split, self.fit_intercept, random_state)
            for split in splits_of(blocks, self.multiclass, self.shuffle)
        ]
        data = without_rows(blocks)
        return self._learn(data, self._blank(data), self.epochs, passes, callback)

    def _passes(self, data: Block, random_state: np.random.RandomState | None) -> list[Pass]:
        parts = splits(len(data.classes), self.multiclass)
        return [over_rows(data, split, self.fit_intercept, random_state) for split in parts]

    def _blank(self, data: Block) -> Memory:
        shape = (n_vectors(len(data.classes), self.multiclass), data.n_features + 1)
        n_problems = len(splits(len(data.classes), self.multiclass))
        last, sums = (np.zeros(shape, order=layout(n_problems)) for _ in range(2))
        return Memory(last, sums, np.zeros(n_problems))

    def _learn(
        self,
        data: Block,
        memory: Memory,
        epochs: int,
        passes: list[Pass],
        callback: Any,
        so_far: bool = False,
    ) -> Self:
        """Learn in `memory`, which becomes a part of the model at the end."""
        lasts, sums = (
            hypotheses(part, len(passes), is_ours=True) for part in (memory.last, memory.sums)
        )
        times = memory.times
        reporter = Reporter(callback, len(passes))
        counts = [
            _passes(one_pass, h, u, times[k : k + 1], epochs, reporter)
            for k, (one_pass, h, u) in enumerate(zip(passes, lasts, sums, strict=True))
        ]
        means = [_mean(h, u, t) for h, u, t in zip(lasts, sums, times, strict=True)]
        self._keep(data, *assemble(means))
        self._memory = memory
        self.n_updates_ = sum(map(sum, counts)) + (self.n_updates_ if so_far else 0)
        self.n_epochs_ = epochs + (self.n_epochs_ if so_far else 0)
        self.converged_ = all(count[-1] == 0 for count in counts)
        return self


def _passes(
    one_pass: Pass, h: Hypothesis, u: Hypothesis, time: Array, epochs: int, reporter: Reporter
) -> list[int]:
    """Make the passes of one problem; return the updates of each."""
    counts: list[int] = []
    for epoch in range(1, epochs + 1):
        count = 0
        for D, piece in one_pass():
            count += averaged_pass(D, piece, h, u, time)
            reporter.tell(sum(counts) + count, epoch, (epoch - 1) / epochs)
        counts.append(count)
    reporter.finish(sum(counts), epochs)
    return counts


def _mean(h: Hypothesis, u: Hypothesis, time: float) -> Hypothesis:
    T = time or 1.0
    with np.errstate(invalid="ignore"):  # weights that overflowed are refused in `_keep`
        w = u.w / T
        return Hypothesis(np.subtract(h.w, w, out=w), h.b - u.b / T, h.scores)
