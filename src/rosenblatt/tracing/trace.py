"""A trace: what a learner did, step by step, in arrays, beside what theory says of it.

The theorem (Novikoff 1962) is about a perceptron that starts from zero: with w* the rule of largest
margin, in T updates its cosine to w* grows as sqrt(T) / (R B), so T is at most (R B)^2. Of other
learners a trace says why it does not speak of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from rosenblatt.as_json import json_line
from rosenblatt.checks import check_block
from rosenblatt.checks.parameters import check_count
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ProofError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.linear.arow import AROW
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.batch import BatchPerceptron
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.passive_aggressive import PassiveAggressive
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.progress import Deadline, PassReporter
from rosenblatt.proof.margin import MaxMargin, solve_margin
from rosenblatt.proof.prove import prove
from rosenblatt.proof.widest import TOLERANCE
from rosenblatt.rows import matrix
from rosenblatt.shown import Tabular
from rosenblatt.tracing.recorder import (
    Recorded,
    check_traceable,
    errors_of_rows,
    is_mean,
    recorded,
    tie_of,
)
from rosenblatt.tracing.table import lecture_table
from rosenblatt.types import Array, Block, Dense, Floats, Integers, SparseRows

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# for the largest margin; any rule that separates gives bounds that hold, the best gives the closest
MARGIN_SECONDS = 2.0
# What there is for each row, and for each step; a bound only where the theorem holds
OF_ROWS = (
    *("weights", "steps", "errors", "pocket_errors", "cosine", "cosine_bound"),
    *("along_best", "length2", "length2_bound"),
)
OF_STEPS = ("picked", "ywx_before", "ywx_after")
OF_PROOF = ("along_best", "length2", "length2_bound", "cosine", "cosine_bound")
NOT_SEPARABLE = (
    "the data is not separable: no linear rule has every example right; `prove` shows examples "
    "that contradict each other, and the pocket algorithm keeps the best rule on the way"
)
NOT_FOUND = "no rule that separates the examples was found; `prove` tells whether there is one"


@dataclass(frozen=True, repr=False)
class Trace(Tabular):
    """Every kept step of a fit; row 0 is the start. `print` shows the table of the lecture.

    Examples
    --------
    >>> import rosenblatt
    >>> trace = rosenblatt.trace(
    ...     rosenblatt.Perceptron(rule="first"), [[1], [2], [7], [8]], [-1, -1, 1, 1]
    ... )
    >>> trace.picked
    array([0, 2, 0, 0, 0, 0, 1, 2, 0, 0, 1])
    >>> trace.weights[-1], len(trace.picked) <= trace.bound
    (array([-7.,  3.]), True)

    The proof of the theorem: w* . w_T is at least T, |w_T|^2 at most T R^2.

    >>> bool((trace.along_best >= trace.steps).all())
    True
    >>> bool((trace.length2 <= trace.length2_bound).all())
    True
    """

    weights: Floats  # (T+1, d+1), w0 first
    picked: Integers  # (T,): the example corrected in each step, -1 for a whole batch
    steps: Integers  # (T+1,): the number of updates (epochs for a batch) made before each row
    errors: Floats  # (T+1,): E_in of each row
    pocket_errors: Floats  # (T+1,): the smallest so far
    final: Floats  # (d+1,): the weights that `fit` ends with
    cosine: Floats | None  # (T+1,): to the direction of largest margin; None when there is none
    cosine_bound: Floats | None  # (T+1,): sqrt(T) / (B R)
    bound: int | None  # (R B)^2 rounded down, the most updates from a start at zero
    X: Dense | SparseRows
    y: Integers  # -1 and +1
    no_bound: str = ""  # why there is no bound
    # (T,): y (w . x) of the picked example before and after its step; NaN where it is not known
    ywx_before: Floats | None = None
    ywx_after: Floats | None = None
    best: Floats | None = None  # (d+1,): w*, of largest margin, with y (w* . x) >= 1
    B: float | None = None  # |w*|
    radius: float | None = None  # R, the largest |(1, x)|
    along_best: Floats | None = None  # (T+1,): w* . w_T, which is at least T
    length2: Floats | None = None  # (T+1,): |w_T|^2
    length2_bound: Floats | None = None  # (T+1,): T R^2

    def thin(self, every: int) -> Trace:
        """Return a trace with every `every`-th row, the first and the last.

        Parameters
        ----------
        every : int
            How many steps there are from one row to the next.

        Returns
        -------
        Trace
            A shorter one.
        """
        check_count(every=every)
        last = len(self.steps) - 1
        keep = np.unique(np.append(np.arange(0, last + 1, every), last))
        places = dict.fromkeys(OF_ROWS, keep) | dict.fromkeys(OF_STEPS, keep[1:] - 1)
        kept: dict[str, Any] = {
            name: None if getattr(self, name) is None else getattr(self, name)[place]
            for name, place in places.items()
        }
        return replace(self, **kept)

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a row for each step; `picked` is empty in the first.

        Returns
        -------
        pyarrow.Table
            With `step`, `picked`, `ywx_before` and `ywx_after`, the errors, the weights `w0`, `w1`,
            ..., and the quantities of the proof.
        """
        import pyarrow

        columns: dict[str, Any] = {
            "step": self.steps,
            "picked": pyarrow.array([None, *self.picked.tolist()], type=pyarrow.int64()),
            **{name: _after_start(getattr(self, name)) for name in OF_STEPS[1:]},
            "error": self.errors,
            "pocket_error": self.pocket_errors,
        }
        columns |= {f"w{j}": self.weights[:, j] for j in range(self.weights.shape[1])}
        for name in OF_PROOF:
            if getattr(self, name) is not None:
                columns[name] = getattr(self, name)
        return pyarrow.table(columns)

    def __str__(self) -> str:
        """Return the table of the lecture, and what the theorem says."""
        return lecture_table(self)

    def __repr__(self) -> str:
        bound = "" if self.bound is None else f", at most {self.bound}"
        return (
            f"<Trace of {counted(int(self.steps[-1]), 'step')}{bound}, on "
            f"{counted(len(self.y), 'example')}: E_in from {self.errors[0]:.4g} to "
            f"{self.errors[-1]:.4g}>"
        )

    def to_json(self) -> str:
        """Return a JSON object of lists; what is not a number is null.

        Returns
        -------
        str
            On one line.
        """
        facts = {
            name: getattr(self, name)
            for name in (*OF_ROWS[:4], *OF_STEPS, "final", "bound", "no_bound")
        }
        facts |= {name: getattr(self, name) for name in ("best", "B", "radius", *OF_PROOF)}
        return json_line(facts)

    def plot(self, ax: Axes | None = None) -> Figure:
        """Return a figure of the points, the last line and the curves of the errors.

        Parameters
        ----------
        ax : Axes or None, default=None
            Axes of a figure of your own: the points and the last line alone are drawn there.

        Returns
        -------
        Figure
            Of matplotlib.
        """
        from rosenblatt.plot.movies import plot_trace

        return plot_trace(self, ax)

    def animate(self, path: str | Path, most_frames: int = 60) -> None:
        """Write the lines one after the other as a GIF; of long traces later steps are left out.

        Parameters
        ----------
        path : str or Path
            The file.
        most_frames : int, default=60
            Pictures at most.
        """
        from rosenblatt.plot.movies import animate_trace

        animate_trace(self, path, most_frames)


def _after_start(values: Array | None) -> Any:
    """Return a column whose first row, the start, is empty; and so is what is not known."""
    import pyarrow

    known = [] if values is None else values.tolist()
    return pyarrow.array([None, *(None if v != v else v for v in known)], type=pyarrow.float64())


def trace(
    learner: LinearClassifier, X: Any, y: Any, *, sample_weight: Any = None, thin: int = 1
) -> Trace:
    """Fit a copy of the learner's parameters to two classes and record every `thin`-th update.

    Takes `Perceptron`, `PocketPerceptron`, `BatchPerceptron` (a step is an epoch),
    `VotedPerceptron`, `AveragedPerceptron`, `PassiveAggressive` (of both the weights are the mean
    so far, if there is one) and `AROW`. The learner itself is not changed. `final` holds the
    weights that `fit` ends with, bit for bit.

    Parameters
    ----------
    learner : one of these
        Its parameters are used.
    X : array-like or sparse matrix of shape (n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,)
        Their labels, of two classes.
    sample_weight : array-like of shape (n_examples,) or None, default=None
        What the update of each example is multiplied by; None is 1.
    thin : int, default=1
        Record every so-many-th update, to save memory.

    Returns
    -------
    Trace
        The steps, in arrays.

    Examples
    --------
    >>> import rosenblatt
    >>> t = rosenblatt.trace(rosenblatt.BatchPerceptron(), [[0], [1], [3], [4]], [0, 0, 1, 1])
    >>> float(t.errors[0]), float(t.errors[-1])
    (1.0, 0.0)
    """
    check_count(thin=thin)
    check_traceable(learner)
    blocks = learner._check(X, y, sample_weight)
    data = blocks.whole
    if len(data.classes) > 2:
        raise DataError(
            f"a trace shows two classes, got {len(data.classes)}",
            do="choose the rows of two of them, or one against the rest: y == {label!r}",
            in_shell="--classes A,B takes the rows of two of them; `rosenblatt studio` shows the "
            "steps of all",
            label=data.classes.tolist()[0],
        )
    (record,) = recorded(learner, blocks, thin)
    return _finish(learner, data, record)


def _finish(learner: Any, data: Block, record: Recorded) -> Trace:
    start, final, steps = record.start, record.final, record.steps
    weights = np.vstack([start, record.weights])
    D, members, _ = record.problem
    errors = record.errors
    if errors is None:
        errors = errors_of_rows(weights, record.problem, tie_of(learner))
    X = matrix(data.rows, data.n_features, float)
    best, why_none = _margin(X[members], D.y[members], learner.fit_intercept)
    theory: dict[str, Any] = {}
    no_bound = why_no_bound(learner, from_zero=not start.any(), weighted=len(D.s) > 0)
    all_steps = np.concatenate([[0], steps])
    if best is not None:
        theory = _measured(weights, best)
        if not no_bound:
            theory |= _promised(all_steps, best)
    else:
        no_bound = no_bound or why_none
    return Trace(
        weights=weights,
        picked=record.picked,
        steps=all_steps,
        errors=errors,
        pocket_errors=np.minimum.accumulate(errors),
        final=final,
        X=X,
        y=D.y,
        no_bound=no_bound,
        **dict.fromkeys(("cosine", "cosine_bound", "bound")) | theory,
        **_of_picked(X, D.y, weights, record.picked, all_steps),
    )


def _of_picked(X: Any, y: Array, weights: Array, picked: Array, steps: Array) -> dict[str, Any]:
    """Return y (w . x) of the picked examples before and after their steps."""
    is_one = picked >= 0
    rows, signs = X[np.maximum(picked, 0)], y[np.maximum(picked, 0)]

    def by(w: Array) -> Array:
        products = rows.multiply(w[:, 1:]) if sparse.issparse(rows) else rows * w[:, 1:]
        # + 0: no zero has a sign
        scores = signs * (w[:, 0] + np.asarray(products.sum(axis=1)).ravel()) + 0.0
        return np.where(is_one, scores, np.nan)

    # where steps in between were not kept, the weights before this one are not known
    is_next = np.diff(steps) == 1
    return {
        "ywx_before": np.where(is_next, by(weights[:-1]), np.nan),
        "ywx_after": by(weights[1:]),
    }


def _measured(weights: Array, best: MaxMargin) -> dict[str, Any]:
    """Return what the proof of the theorem speaks of, as it came out."""
    along, length2 = weights @ best.w, np.sum(weights**2, axis=1)
    with np.errstate(invalid="ignore"):
        cosine = along / (np.sqrt(length2) * best.B)
    found = {"best": best.w, "B": best.B, "radius": best.radius}
    return found | {"along_best": along, "length2": length2, "cosine": cosine}


def _promised(steps: Array, best: MaxMargin) -> dict[str, Any]:
    """Return the bounds of the theorem."""
    return {
        "bound": best.updates_bound,
        "length2_bound": steps * best.radius**2,
        # a cosine is bounded by (R B)^2 itself, not by what is left of it without a fraction
        "cosine_bound": np.sqrt(steps) / (best.radius * best.B),
    }


def _margin(X: Any, y: Array, fit_intercept: bool) -> tuple[MaxMargin | None, str]:
    """Return the largest margin, or why there is none: nothing separates, or it took too long."""
    try:
        data = check_block(None, X, y)
        reporter = PassReporter(Deadline(MARGIN_SECONDS, working_time))
        return solve_margin(data, fit_intercept, TOLERANCE, reporter), ""
    except ProofError:
        return None, _why_no_margin(X, y, fit_intercept)


def _why_no_margin(X: Any, y: Array, fit_intercept: bool) -> str:
    try:
        known = prove(X, y, fit_intercept, time_limit=MARGIN_SECONDS).separable
    except ProofError:
        known = True
    return NOT_FOUND if known else NOT_SEPARABLE


def why_no_bound(learner: Any, *, from_zero: bool = True, weighted: bool = False) -> str:
    """Return why the theorem does not bound the updates of a learner; "" where it does.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron, Perceptron
    >>> why_no_bound(Perceptron()), why_no_bound(AveragedPerceptron())
    ('', 'the theorem is about w, and this is the mean of all w')
    >>> why_no_bound(Perceptron(), from_zero=False)
    'the theorem is about a start from w = 0'
    """
    if isinstance(learner, BatchPerceptron):
        return "the theorem is about single corrections, and a batch makes many at once"
    if isinstance(learner, PassiveAggressive | AROW):
        return "the theorem is about mistakes, and this learner corrects small margins, too"
    if is_mean(learner):
        return "the theorem is about w, and this is the mean of all w"
    if not isinstance(learner, BudgetedPerceptron | VotedPerceptron):
        return "the theorem is about the perceptron, and this learner makes no updates"
    if not from_zero:
        return "the theorem is about a start from w = 0"
    if weighted:
        return "the theorem is about whole corrections, and sample weights change their length"
    return ""
