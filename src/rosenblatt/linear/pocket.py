"""The pocket algorithm as an estimator."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np

from rosenblatt.blocks import Blocks, needs_all_rows
from rosenblatt.checks.parameters import check_callback
from rosenblatt.choices import ClassWeight, Multiclass, Rule, Threshold, Tie
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.pocket import BETTER, Count, Rough, learn_until_better
from rosenblatt.kernels.rows import BLOCK
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.base import NOT_A_COPY
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.least_squares_solver import regression_start
from rosenblatt.linear.multiclass import assemble, hypotheses, problems
from rosenblatt.linear.rules import TIES, columns
from rosenblatt.linear.run import Run
from rosenblatt.progress import Callback, Reporter
from rosenblatt.rows import lengths_of, scores_of
from rosenblatt.types import Array, Numbers, Seed

TINY = 1e-37  # more than the numbers of a row can lose where float32 begins
MOST_TO_SOLVE = 2_000  # features, for the start from least squares
# Times the length of the averaged weights: a correction turns long weights by little, so that the
# pocket looks for better ones near a good start. Mistakes on german, seeds 0 to 2, with 1: 217, 213
# and 217; with 32: 210, 211 and 209
LONGER = 32.0
FIRST_SORT = 64  # updates before the examples are sorted by how hard they are
COUNTS_ALL = "counts its mistakes on all of them after each update"  # why it needs them


class PocketPerceptron(BudgetedPerceptron):
    """Run the perceptron and keep the weights that made the fewest mistakes.

    For data that is not separable. The result is that of counting the errors of all examples
    after each of the `max_updates` updates, at a fraction of the cost.

    Parameters
    ----------
    rule : {"random", "first", "cyclic", "shuffled", "worst"}, default="random"
        Which misclassified example is corrected; see `Perceptron`.
    tie : {"mistake", "+1", "-1"}, default="mistake"
        What a point on the boundary is while learning, counting and, two classes only, predicting:
        as for `Perceptron`.
    init : array-like of shape (n_features + 1,), "regression", "best" or None, default=None
        The weights to start from, w0 first; they are the first in the pocket. "best" is those of
        `AveragedPerceptron` or of least squares, whichever make fewer mistakes: the pocket ends
        with no more than either. Beyond 2,000 features least squares would take longer than
        the pocket, and are not tried.
    max_epochs : int or None, default=None
        Budget of epochs; see `Perceptron`.
    max_updates : int or None, default=10000
        Budget of updates, the T of the lecture.
    multiclass : {"joint", "one-vs-rest", "one-vs-one"}, default="joint"
        How more than two classes are learned.
    warm_start : bool, default=False
        Start from the weights of the last fit.
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
        Draws for the rules "random" and "shuffled".

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (n_vectors, n_features) and (n_vectors,)
        The weights in the pocket.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    error_ : float
        E_in of the pocket: the share of training examples, by sample weight, that it gets wrong.
        With several problems (one-vs-rest, one-vs-one) their mean.
    error_path_ : list of (int, float)
        (t, E_in) at the start and at each improvement; with several problems a list for each.
    n_updates_, n_epochs_ : int
        Updates made and epochs begun.
    converged_ : bool
        Whether the pocket makes no mistake.
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what `decision_function` takes off the scores.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    One label is wrong, the second: no threshold gets all six right, but five can be had.

    >>> from rosenblatt import PocketPerceptron
    >>> X, y = [[1], [2], [3], [7], [8], [9]], [-1, 1, -1, 1, 1, 1]
    >>> model = PocketPerceptron(max_updates=1000, random_state=0).fit(X, y)
    >>> round(6 * model.error_), model.n_updates_
    (1, 1000)
    """

    _expected_failed_checks: ClassVar[dict[str, str]] = NOT_A_COPY
    _named_starts: ClassVar[tuple[str, ...]] = ("regression", "best")

    def __init__(
        self,
        *,
        rule: Rule = "random",
        tie: Tie = "mistake",
        init: Numbers | Literal["regression", "best"] | None = None,
        max_epochs: int | None = None,
        max_updates: int | None = 10000,
        multiclass: Multiclass = "joint",
        warm_start: bool = False,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        super().__init__(
            rule=rule,
            tie=tie,
            init=init,  # type: ignore[arg-type]  # a pocket knows one word more
            max_epochs=max_epochs,
            max_updates=max_updates,
            multiclass=multiclass,
            warm_start=warm_start,
            fit_intercept=fit_intercept,
            class_weight=class_weight,
            probability=probability,
            threshold=threshold,
            random_state=random_state,
        )

    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, callback: Callback | None = None
    ) -> Self:
        """Run PLA for the budget of updates, keep the best weights; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Scales the update and the error; 0 leaves the example out.
        callback : callable or None, default=None
            Called with a `Progress` now and then.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        blocks = self._check(X, y, sample_weight)
        if blocks.whole is None:
            raise needs_all_rows(self, COUNTS_ALL)
        decision = self._decision(X, y, sample_weight)
        runs = self._runs(blocks)
        reporter = Reporter(check_callback(callback), len(runs))
        pockets = [_fill_pocket(run, reporter) for run in runs]
        self._keep(blocks, *assemble([pocket for pocket, _ in pockets]))
        self._keep_decision(decision)
        paths = [path for _, path in pockets]
        self.error_ = float(np.mean([path[-1][1] for path in paths]))
        self.error_path_ = paths[0] if len(paths) == 1 else paths
        self.n_updates_ = sum(run.n_updates for run in runs)
        self.n_epochs_ = max(run.n_epochs for run in runs)
        self.converged_ = self.error_ == 0.0
        return self

    def _check_in_passes(self) -> None:
        raise needs_all_rows(self, COUNTS_ALL)

    def _named_start(self, data: Blocks) -> Array:
        if self.init == "regression":
            return super()._named_start(data)
        if data.whole is None:
            raise needs_all_rows(self, COUNTS_ALL)
        parts = problems(data, self.multiclass, self.fit_intercept)
        model = AveragedPerceptron(
            multiclass=self.multiclass,
            fit_intercept=self.fit_intercept,
            random_state=self.random_state,
        ).fit(data)
        means = hypotheses(np.column_stack([model.intercept_, model.coef_]), len(parts))
        best = means
        if data.n_features <= MOST_TO_SOLVE:
            solved = regression_start(data, self.multiclass, self.fit_intercept, exactly=False)
            pairs = zip(parts, means, hypotheses(solved, len(parts)), strict=True)
            best = [min(pair, key=partial(_mistakes, part, self.tie)) for part, *pair in pairs]
        long = [_stretched(h, LONGER * _length(mean)) for h, mean in zip(best, means, strict=True)]
        coef, intercept = assemble(long)
        return np.column_stack([intercept, coef])


def _mistakes(part: Blocks, tie: Tie, h: Hypothesis) -> float:
    """Return the weight of the examples of a problem that are mistakes, as the pocket counts."""
    D, members = part.whole.D, part.whole.members
    scores = scores_of(D.X, len(D.y), h.w, h.b)
    if h.w.ndim == 1:
        margin = D.y * scores
        wrong = ~((margin > 0.0) | ((margin == 0.0) & (TIES[tie] * D.y > 0)))
    else:
        wrong = scores.argmax(axis=1) != D.y
    return float(D.s[members] @ wrong[members] if len(D.s) else wrong[members].sum())


def _length(h: Hypothesis) -> float:
    return float(np.sqrt((h.w**2).sum() + (h.b**2).sum()))


def _stretched(h: Hypothesis, length: float) -> Hypothesis:
    """Return the same rule with weights of about this length: by a power of 2, to the bit."""
    now = _length(h)
    if not (0.0 < now < np.inf and 0.0 < length < np.inf):
        return h
    times = round(np.log2(length / now))
    return h._replace(w=np.ldexp(h.w, times), b=np.ldexp(h.b, times))


def _fill_pocket(run: Run, reporter: Reporter) -> tuple[Hypothesis, list[tuple[int, float]]]:
    """Run PLA with a pocket; return what is in it and the path of its errors."""
    pocket = Hypothesis(run.h.w.copy(), run.h.b.copy(), run.h.scores)
    members = run.whole.members
    total = float(run.D.s[members].sum()) if len(run.D.s) else float(len(members))
    # sums of sample weights depend on their order in the last digits; counts are exact
    rounding = 1e-12 * total if len(run.D.s) else 0.0
    count, next_sort = _for_counting(run, members), FIRST_SORT
    best, path, going = np.inf, [], True
    while going:
        code = run.go(learn_until_better, count, best - rounding)
        going = code == BETTER or run.goes_on(code)
        if code == BETTER:
            best = float(count.errors[0])
            going = best > 0.0
            pocket.w[:], pocket.b[:] = run.h.w, run.h.b
            path.append((run.n_updates, best / total))
        if run.n_updates >= next_sort:
            # ever more rarely, so that sorting stays cheap beside counting
            count, next_sort = _for_counting(run, _hardest_first(run, pocket)), 4 * run.n_updates
        reporter.tell(run.n_updates, run.n_epochs, run.share)
    reporter.finish(run.n_updates, run.n_epochs)
    return pocket, path


def _hardest_first(run: Run, pocket: Hypothesis) -> Array:
    """Return the members in the order of their distance from the boundary, wrong ones first."""
    D, members = run.whole.D, run.whole.members
    length = lengths_of(D.X, len(D.y), D.x0)
    scores = scores_of(D.X, len(D.y), pocket.w, pocket.b)
    if pocket.w.ndim == 1:
        margin = D.y * scores
    else:
        margin = scores[np.arange(len(D.y)), D.y] - scores.max(axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        distance = (margin / np.where(length > 0.0, length, 1.0))[members].astype(np.float32)
    return members[np.argsort(_upper_half(distance), kind="stable")]


def _upper_half(numbers: Array) -> Array:
    """Return 16-bit integers in the order of float32 numbers: NumPy sorts those without comparing.

    Two digits of a distance are enough, and 35 million rows take 2 s instead of 10.
    """
    upper = (numbers.view(np.int32) >> 16).astype(np.int16)
    return np.where(upper < 0, upper ^ 0x7FFF, upper)


def _for_counting(run: Run, order: Array) -> Count:
    """Return a count that begins, in the examples as they are quickest to count."""
    D, place, errors = run.whole.D, np.zeros(1, dtype=np.int64), np.zeros(1)
    if not isinstance(D.X, np.ndarray) or run.h.w.ndim == 2:
        return Count(run.D, order, place, errors)
    length = lengths_of(D.X, len(D.y), D.x0)[order]
    with np.errstate(over="ignore"):  # infinite where float32 ends: never sure, always judged
        rows = columns(D.X, order, np.float32)
        longer = (length * (1.0 + 1e-6) + TINY).astype(np.float32)
    w = np.zeros(D.X.shape[1], dtype=np.float32)
    rough = Rough(rows, _in_blocks(D.y[order].astype(np.float32)), _in_blocks(longer), w)
    return Count(rough, order, place, errors)


def _in_blocks(numbers: Array) -> Array:
    """Return numbers in rows of a block each, the last filled up with zeros."""
    missing = -len(numbers) % BLOCK
    return np.append(numbers, np.zeros(missing, dtype=numbers.dtype)).reshape(-1, BLOCK)
