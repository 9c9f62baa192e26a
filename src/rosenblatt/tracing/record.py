"""Record a fit step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from rosenblatt._slices import rows_per_slice
from rosenblatt._validation import Array, TrainingSet, check_count, check_training_set
from rosenblatt.errors import DataError, ParameterError, ProofError
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.trace import errors_along, learn_recorded, online_recorded
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.batch import BatchPerceptron
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.multiclass import Problem, problems
from rosenblatt.linear.orders import draw_order
from rosenblatt.linear.pocket import PocketPerceptron
from rosenblatt.linear.progress import Reporter
from rosenblatt.linear.run import TIES
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.proof.clock import Clock
from rosenblatt.proof.margin import MaxMargin, solve_margin
from rosenblatt.regression.solve import matrix_of
from rosenblatt.tracing.trace import Trace

ROWS_AT_A_TIME = 4096
# for the largest margin; any rule that separates gives bounds that hold, the best gives the closest
MARGIN_SECONDS, MARGIN_TOLERANCE = 2.0, 1e-9
TRACED = BudgetedPerceptron, BatchPerceptron, VotedPerceptron, AveragedPerceptron


class _Record:
    """Arrays that kernels fill, emptied into longer ones."""

    def __init__(self, n_weights: int) -> None:
        picked = np.zeros(ROWS_AT_A_TIME, dtype=np.int64)
        weights, step = np.zeros((ROWS_AT_A_TIME, n_weights)), np.zeros(ROWS_AT_A_TIME, np.int64)
        self.arrays = picked, weights, step
        self.filled = np.zeros(2, dtype=np.int64)
        self._parts: list[tuple[Array, ...]] = []

    def empty(self) -> None:
        n = self.filled[0]
        self._parts.append(tuple(array[:n].copy() for array in self.arrays))
        self.filled[0] = 0

    def add(self, i: int, h: Hypothesis) -> None:
        self.filled[1] += 1
        row = np.concatenate([h.b, h.w])[np.newaxis]
        self._parts.append((np.array([i]), row, self.filled[1:].copy()))

    def join(self) -> tuple[Array, Array, Array]:
        self.empty()
        picked, weights, steps = (np.concatenate(p) for p in zip(*self._parts, strict=True))
        return picked, weights, steps


def trace(
    learner: LinearClassifier, X: Any, y: Any, *, sample_weight: Any = None, thin: int = 1
) -> Trace:
    """Fit a copy of the learner's parameters to two classes and record every `thin`-th update.

    Takes `Perceptron`, `PocketPerceptron`, `BatchPerceptron` (a step is an epoch),
    `VotedPerceptron` and `AveragedPerceptron` (the weights are the mean so far). The learner
    itself is not changed. `final` holds the weights that `fit` ends with, bit for bit.

    Examples
    --------
    >>> import rosenblatt
    >>> t = rosenblatt.trace(rosenblatt.BatchPerceptron(), [[0], [1], [3], [4]], [0, 0, 1, 1])
    >>> float(t.errors[0]), float(t.errors[-1])
    (1.0, 0.0)
    """
    check_count(thin=thin)
    if not isinstance(learner, TRACED):
        raise ParameterError(f"there is no trace of a {type(learner).__name__}")
    data = learner._check(X, y, {"sample_weight": sample_weight})
    if len(data.classes) > 2:
        raise DataError(f"a trace shows two classes, got {len(data.classes)}; choose two of them")
    if isinstance(learner, BudgetedPerceptron):
        learner._check_parameters()
        problem, record, final = _of_budgeted(learner, data, thin)
        start, tie = learner._start(data)[0], TIES[learner.tie]
    else:
        problem = _problem(learner, data)
        start, tie = np.zeros(data.n_features + 1), 0
        record, final = _of_fixed(learner, problem, thin)
    return _finish(learner, data, problem, record, start, final, tie)


def _problem(learner: Any, data: TrainingSet) -> Problem:
    start = np.zeros((1, data.n_features + 1))
    return next(problems(data, learner.multiclass, start, learner.fit_intercept))


def _of_budgeted(
    learner: Any, data: TrainingSet, thin: int
) -> tuple[Problem, _Record, Array | None]:
    (run,) = learner._runs(data)
    record = _Record(data.n_features + 1)
    going = True
    while going:
        code = run.go(learn_recorded, record.arrays, record.filled, thin)
        going = run.goes_on(code)
        record.empty()
    problem = Problem(run.rows, run.members, run.h)
    return problem, record, None if isinstance(learner, PocketPerceptron) else _row(run.h)


def _of_fixed(learner: Any, problem: Problem, thin: int) -> tuple[_Record, Array]:
    record = _Record(len(problem.h.w) + 1)
    if isinstance(learner, BatchPerceptron):
        learner._learn(problem, Reporter(None, 1), watch=lambda h: record.add(-1, h))
        return record, _row(problem.h)
    D, members, h = problem
    averaged = isinstance(learner, AveragedPerceptron)
    u = Hypothesis(np.zeros(len(h.w) if averaged else 0), np.zeros(1), np.zeros(1))
    random = check_random_state(learner.random_state) if learner.shuffle else None
    time, size = np.zeros(1), rows_per_slice(D.X)
    for _ in range(learner.epochs):
        order = members if random is None else draw_order(members, random)
        while len(order):
            piece = order[:size]
            n = online_recorded(D, piece, h, u, time, record.arrays, record.filled, thin)
            record.empty()
            order = order[n:]
    if averaged:
        h = Hypothesis(h.w - u.w / time[0], h.b - u.b / time[0], h.scores)
    return record, _row(h)


def _row(h: Hypothesis) -> Array:
    return np.concatenate([h.b, h.w])


def _finish(
    learner: Any,
    data: TrainingSet,
    problem: Problem,
    record: _Record,
    start: Array,
    final: Array | None,
    tie: int,
) -> Trace:
    picked, weights, steps = record.join()
    weights = np.vstack([start, weights])
    D, members, _ = problem
    errors = np.empty(len(weights))
    size = max(1, rows_per_slice(D.X) // max(1, len(members)))
    for k in range(0, len(weights), size):
        stop = min(len(weights), k + size)
        errors_along(D, members, weights, np.zeros(1), tie, k, stop, errors)
    total = D.s[members].sum() if len(D.s) else len(members)
    errors /= total
    if final is None:
        final = weights[errors.argmin()]  # the first of the smallest: strictly smaller replaces
    X = matrix_of(data.rows, data.n_features)
    best = _margin(X[members], D.y[members], learner.fit_intercept)
    cosine = cosine_bound = bound = None
    all_steps = np.concatenate([[0], steps])
    if best is not None:
        length = np.linalg.norm(weights, axis=1)
        with np.errstate(invalid="ignore"):
            cosine = weights @ best.w / (length * best.B)
        # the bounds hold for unit corrections from zero
        if (
            not start.any()
            and not len(D.s)
            and isinstance(learner, BudgetedPerceptron | VotedPerceptron)
        ):
            cosine_bound, bound = np.sqrt(all_steps / best.updates_bound), best.updates_bound
    return Trace(
        weights,
        picked,
        all_steps,
        errors,
        np.minimum.accumulate(errors),
        final,
        cosine,
        cosine_bound,
        bound,
        X,
        D.y,
    )


def _margin(X: Any, y: Array, fit_intercept: bool) -> MaxMargin | None:
    """Return the largest margin; None when nothing separates or no rule was found in time."""
    try:
        data = check_training_set(BaseEstimator(), X, y)
        return solve_margin(data, fit_intercept, MARGIN_TOLERANCE, Clock(MARGIN_SECONDS))
    except ProofError:
        return None
