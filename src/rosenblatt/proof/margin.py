"""The largest margin: how far apart classes can be kept, and how soon a perceptron is done."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.checks import check_block
from rosenblatt.checks.parameters import check_callback, check_positive, check_time_limit
from rosenblatt.counting import at_most, counted
from rosenblatt.errors import DataError, NoMarginError, ParameterError, ProofError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.progress import Callback, Deadline, PassReporter
from rosenblatt.proof.bound import most_updates
from rosenblatt.proof.exact import smallest_score
from rosenblatt.proof.joint_search import all_duels, problem_of
from rosenblatt.proof.points import Points
from rosenblatt.proof.problem import AskedRows, check_data
from rosenblatt.proof.prove import prove
from rosenblatt.proof.question import JOINT, JointProblem, SignedRows, question_of_two
from rosenblatt.proof.widest import (
    CONTRADICTION,
    NOT_SEPARABLE,
    SCALING,
    TOO_THIN,
    Widest,
    widest,
)
from rosenblatt.rows import matrix
from rosenblatt.shown import InSentences
from rosenblatt.types import Array, Block, Floats, Integers, Labels

WIDE_GAP = (
    "the margin is proved to a gap of {gap:.1e} only, not {tolerance:.1e}: {reason}. The margin "
    "given is reached; the largest may be greater by that share"
)


@dataclass(frozen=True, eq=False, repr=False)
class MaxMargin(InSentences):
    """The largest margin of two classes, and the rule that reaches it.

    The convergence theorem of the perceptron asks for the canonical form z_i = y_i (1, x_i), in
    which the intercept counts in the norm: w is the shortest vector with z_i . w >= 1 for every
    i. The `geometric` attributes are for the widest street between the classes, whose intercept
    costs nothing. Without an intercept both are the same.

    Attributes
    ----------
    w : ndarray of shape (d + 1,)
        w0 first, scaled so that the smallest z_i . w is 1; w0 = 0 without an intercept.
    B : float
        |w|.
    margin : float
        1 / B. It is reached by w, so it is a lower bound of the largest margin, which is at most
        margin / (1 - gap).
    radius : float
        R, the largest |(1, x_i)|, or |x_i| without an intercept.
    updates_bound : int
        (R B)^2 in exact arithmetic, without what follows the point: a perceptron that starts from
        zero makes no more updates on these numbers, whatever the order of the rows.
    support : ndarray of int
        The examples that w is a positive combination of, in order.
    gap : float
        How much of the largest margin w can be missing, as a share of it; rounding included.
    classes : ndarray
        The two labels; a score w0 + w . x above 0 means the second.
    geometric_margin, geometric_w, geometric_gap : float, ndarray of shape (d + 1,), float
        The distance of the nearest examples from the middle of the widest street, its rule, w0
        first, scaled so that the smallest y_i (w0 + w . x_i) is 1, and its gap.

    Examples
    --------
    >>> from rosenblatt import max_margin
    >>> margin = max_margin([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> round(margin.geometric_margin, 6), margin.support
    (2.5, array([1, 2]))
    >>> print(margin)
    The largest margin in canonical form is 0.542326 (B = 1.84391), proved to a share of 1e-12.
    It rests on 2 examples.
    With the radius R = 8.06226, a perceptron that starts from zero makes at most 221 updates.
    The nearest examples are 2.5 from the middle of the widest street between 'no' and 'yes'.
    """

    w: Floats
    B: float
    margin: float
    radius: float
    updates_bound: int
    support: Integers
    gap: float
    classes: Labels
    geometric_margin: float
    geometric_w: Floats
    geometric_gap: float

    def __str__(self) -> str:
        low, high = self.classes.tolist()
        return (
            f"The largest margin in canonical form is {self.margin:.6g} (B = {self.B:.6g}), "
            f"proved to a share of {max(self.gap, 1e-12):.0e}.\n"
            f"It rests on {len(self.support)} examples.\n"
            f"With the radius R = {self.radius:.6g}, a perceptron that starts from zero makes at "
            f"most {at_most(self.updates_bound, 'update')}.\n"
            f"The nearest examples are {self.geometric_margin:.6g} from the middle of the widest "
            f"street between {low!r} and {high!r}."
        )


def max_margin(
    X: Any,
    y: Any = None,
    *,
    fit_intercept: bool = True,
    tolerance: float = 1e-6,
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> MaxMargin:
    """Return the rule that keeps two classes farthest apart, and a proof of how good it is.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_features), or Blocks
        The rows. Blocks are gone through in passes; the margin is the same, to the bit.
    y : array of shape (n_rows,) or None, default=None
        Two classes; None for blocks, which have them.
    fit_intercept : bool, default=True
        False asks for rules through the origin.
    tolerance : float, default=1e-6
        The gap to reach, as a share of the margin. Where float64 cannot reach it, a
        `ConvergenceWarning` says so and `gap` says what was reached.
    time_limit : float or None, default=None
        Seconds after which the best rule so far is returned, with its gap.
    callback : callable or None, default=None
        Told a `Progress` after each pass over the rows.

    Returns
    -------
    MaxMargin
        `w`, `B`, `margin`, `radius`, `updates_bound`, `support`, `gap` and more.

    Raises
    ------
    ProofError
        When the data is not separable, or no separating rule was found in time.

    Examples
    --------
    >>> from rosenblatt import max_margin
    >>> margin = max_margin([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> margin.w.round(6), margin.updates_bound
    (array([-3.,  2.,  2.]), 51)
    """
    check_positive(tolerance=tolerance)
    time_limit, callback = check_time_limit(time_limit), check_callback(callback)
    data = check_data(X, y, "max_margin")
    _check_two(data.blocks.classes, "max_margin(X, y == {label!r})")
    deadline = Deadline(time_limit, working_time)
    reporter = PassReporter(deadline, callback)
    problem = data.put(question_of_two(data.classes, bool(fit_intercept)))
    try:
        margin = margin_of_problem(problem, data.blocks.classes, tolerance, reporter)
    except NoMarginError as error:
        raise _reason(X, y, fit_intercept, deadline) from error
    gap = max(margin.gap, margin.geometric_gap)
    if gap > tolerance:
        reason = (
            "float64 cannot tell more of these rows" if deadline.alive() else "the time is over"
        )
        message = WIDE_GAP.format(gap=gap, tolerance=tolerance, reason=reason)
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    return margin


@dataclass(frozen=True, eq=False, repr=False)
class LineMargin(InSentences):
    """How far a given rule keeps two classes apart; a margin below 0: some are on the wrong side.

    `margin` is that of the canonical form, min y (w . (1, x)) / |w|, which the convergence theorem
    speaks of; `geometric_margin` the distance of the nearest example from the line, for which the
    threshold w0 does not count in |w|. `nearest` is the row of that example, `wrong` are the rows
    that the rule does not get right, those on the line included.

    Examples
    --------
    >>> from rosenblatt import line_margin
    >>> print(line_margin([-1.5, 1], [[1], [2], [7], [8]], [-1, -1, 1, 1]))
    The margin is -0.5, in canonical form -0.27735: that of row 1.
    On the wrong side, or on the line: 1 example.
    """

    w: Floats
    margin: float
    geometric_margin: float
    nearest: int
    wrong: Integers

    def __str__(self) -> str:
        side = "Every example is on its side of the line."
        if len(self.wrong):
            side = f"On the wrong side, or on the line: {counted(len(self.wrong), 'example')}."
        return (
            f"The margin is {self.geometric_margin:.6g}, in canonical form {self.margin:.6g}: that "
            f"of row {self.nearest}.\n{side}"
        )


def line_margin(w: Any, X: Any, y: Any) -> LineMargin:
    """Return the margin of a given rule: of two separating lines, the wider one is better.

    Parameters
    ----------
    w : array-like of shape (n_features + 1,)
        The rule, w0 first: a score w0 + w . x above 0 means the second class in order.
    X : array or sparse matrix of shape (n_rows, n_features)
        The rows.
    y : array of shape (n_rows,)
        Two classes.

    Returns
    -------
    LineMargin
        `margin`, `geometric_margin`, `nearest` and `wrong`.

    Examples
    --------
    >>> from rosenblatt import line_margin
    >>> X, y = [[1], [2], [7], [8]], [-1, -1, 1, 1]
    >>> found = line_margin([-7, 3], X, y)
    >>> round(found.geometric_margin, 4), found.nearest, found.wrong
    (0.3333, 1, array([], dtype=int64))
    >>> line_margin([-4.5, 1], X, y).geometric_margin
    2.5
    """
    data = check_block("line_margin", X, y)
    _check_two(data.classes, "line_margin(w, X, y == {label!r})")
    try:
        line: Floats = np.array(w, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ParameterError(f"a rule must be an array of numbers: {error}") from error
    n = data.n_features + 1
    if line.shape != (n,) or not np.isfinite(line).all():
        got = f"{line.size}" if line.ndim == 1 else f"an array of shape {line.shape}"
        raise ParameterError(
            f"a rule for {counted(n - 1, 'feature')} must hold {n} finite weights, w0 first, "
            f"got {got}"
        )
    length = float(np.linalg.norm(line[1:]))
    if not length > 0:
        raise ParameterError("a rule that is 0 for every feature is no line")
    X = matrix(data.rows, data.n_features, float)
    scores = (2 * data.labels - 1) * (np.asarray(X @ line[1:]).ravel() + line[0])
    nearest = int(scores.argmin())
    least = float(scores[nearest])
    return LineMargin(
        w=line,
        margin=least / float(np.linalg.norm(line)),
        geometric_margin=least / length,
        nearest=nearest,
        wrong=np.flatnonzero(scores <= 0),
    )


def _check_two(classes: Labels, call: str) -> None:
    if len(classes) > 2:
        raise DataError(
            f"a margin lies between two classes, got {len(classes)}",
            do=f"pass two of them, or one against the rest: {call}",
            in_shell="--classes A,B takes the rows of two of them",
            label=classes.tolist()[0],
        )


def solve_margin(
    data: Block, fit_intercept: bool, tolerance: float, reporter: PassReporter
) -> MaxMargin:
    """Find the margin of checked data; no warning if the gap stays wide."""
    signs = (2 * data.labels - 1).astype(np.int8)
    rows = SignedRows(data.rows, signs, float(fit_intercept), data.n_features)
    return margin_of_problem(AskedRows.of(rows), data.classes, tolerance, reporter)


def margin_of_problem(
    problem: AskedRows, classes: Labels, tolerance: float, reporter: PassReporter
) -> MaxMargin:
    """Find the margin of rows wherever they are; no warning if the gap stays wide."""
    points, intercept = Points(problem), bool(problem.x0)
    best = widest(points, intercept, tolerance, reporter)
    return _result(problem, classes, points, best, intercept)


def _reason(X: Any, y: Any, fit_intercept: bool, deadline: Deadline) -> ProofError:
    """Say why no margin was found: floats alone cannot tell a thin one from none."""
    left = None if deadline.limit == np.inf else deadline.left
    try:
        separable = prove(X, y, fit_intercept, time_limit=left).separable
    except ProofError as error:
        return ProofError(f"no margin was found, and no proof that there is none: {error}")
    if separable:
        return ProofError(TOO_THIN, **SCALING)
    return NoMarginError(NOT_SEPARABLE, **CONTRADICTION)


def _result(
    problem: AskedRows, classes: Labels, points: Points, best: Widest, intercept: bool
) -> MaxMargin:
    w, B = best.direction, best.canonical.rule.norm
    b, street, _ = best.geometric.rule
    fractions = [Fraction(v) for v in w.tolist()]
    with np.errstate(over="ignore"):
        scaled = w / points.unit
    return MaxMargin(
        w=scaled,
        B=B / points.unit,
        margin=points.unit / B,
        radius=float(np.hypot(points.radius, intercept / points.unit)) * points.unit,
        updates_bound=most_updates(problem, smallest_score(problem, fractions), fractions),
        support=np.sort(best.canonical.support),
        gap=best.canonical.gap,
        classes=classes,
        geometric_margin=points.unit / float(np.linalg.norm(street)),
        geometric_w=np.concatenate([[b if intercept else 0.0], street / points.unit]),
        geometric_gap=best.geometric.gap,
    )


class JointVerdict(NamedTuple):
    """A proof about all classes at once, and the largest margin of separable ones."""

    proof: Any  # JointSeparable or JointContradiction
    margin: MaxMargin | None  # of the duels: w has k (d + 1) numbers
    support: Array | None  # the examples that it rests on

    def weights(self, n_classes: int) -> Array:
        """Return the vectors of the largest margin, (k, d+1), w0 first."""
        if self.margin is None:
            raise ProofError("there is no margin")
        # without an intercept w0 = 0 comes first; the thresholds are among the others
        return np.asarray(self.margin.w[1:].reshape(n_classes, -1))


def prove_joint(
    X: Array,
    labels: Array,
    n_classes: int,
    *,
    time_limit: float | None = None,
    callback: Any = None,
) -> JointVerdict:
    """Prove that some k vectors get every example right by arg max, or that none do.

    Examples
    --------
    Three intervals on a line: the one between the others is not separable from the rest, but three
    lines over the axis have each class on top somewhere.

    >>> X, labels = np.array([[0.0], [1.0], [4.0], [5.0], [8.0]]), np.array([0, 0, 1, 1, 2])
    >>> found = prove_joint(X, labels, 3)
    >>> found.proof.separable, found.weights(3).shape
    (True, (3, 2))
    """
    proof = prove(X, labels, multiclass=JOINT, time_limit=time_limit, callback=callback)
    if not proof.separable:
        return JointVerdict(proof, None, None)
    joint = JointProblem(np.asarray(X, dtype=np.float64), labels, n_classes, 1.0, X.shape[1])
    duels = all_duels(labels, n_classes)
    Z, turned = _in_two_classes(problem_of(joint, duels).rows, n_classes * (X.shape[1] + 1))
    margin = max_margin(Z, turned, fit_intercept=False, time_limit=time_limit)
    return JointVerdict(proof, margin, np.unique(duels.example[margin.support]))


def _in_two_classes(rows: Any, n_features: int) -> tuple[Array, Array]:
    """Turn every second duel round and call it -1: a margin lies between two classes."""
    shape = (len(rows.indptr) - 1, n_features)
    Z = sparse.csr_array((rows.data, rows.indices, rows.indptr), shape=shape).toarray()
    turned = np.where(np.arange(len(Z)) % 2 == 0, 1, -1)
    return Z * turned[:, np.newaxis], turned
