"""Run a learner problem by problem, as `fit` does, and write down every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.blocks.orders import draw_order
from rosenblatt.checks.parameters import check_seed
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.arow import Uncertainty
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.selection import NONE_LEFT
from rosenblatt.kernels.trace import errors_along, learn_recorded, online_recorded
from rosenblatt.linear.arow import AROW
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.batch import BatchPerceptron, BatchSteps
from rosenblatt.linear.budgeted import BudgetedPerceptron
from rosenblatt.linear.multiclass import (
    Problem,
    ProblemBlock,
    hypotheses,
    n_vectors,
    problems,
)
from rosenblatt.linear.passive_aggressive import PassiveAggressive
from rosenblatt.linear.pocket import PocketPerceptron
from rosenblatt.linear.rules import TIES
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.progress import Reporter
from rosenblatt.rows import rows_per_slice
from rosenblatt.types import Array

ROWS_AT_A_TIME = 4096
BATCH = -1  # what is picked when all mistakes are corrected at once
TRACED = (
    BudgetedPerceptron,
    BatchPerceptron,
    VotedPerceptron,
    AveragedPerceptron,
    PassiveAggressive,
    AROW,
)
Alive = Callable[[], bool]  # is asked between two slices whether to go on


class Recorded(NamedTuple):
    """What was done on one problem; the weights of a row are (w0, w1, ...), see `kernels.trace`."""

    problem: Problem
    start: Array
    picked: Array
    rivals: Array
    weights: Array  # (T, n_weights)
    steps: Array  # (T,)
    final: Array
    converged: bool | None  # None: stopped before its budget was used up
    errors: Array | None = None  # (T+1,) of a pocket: E_in of the start and of each row


class _StopError(Exception):
    """Ends a batch run after an epoch."""


class _Record:
    """Arrays that kernels fill, emptied into longer ones."""

    def __init__(self, n_weights: int) -> None:
        picked, step = np.zeros((2, ROWS_AT_A_TIME), dtype=np.int64)
        rival = np.zeros(ROWS_AT_A_TIME, dtype=np.int64)
        self.arrays = picked, np.zeros((ROWS_AT_A_TIME, n_weights)), step, rival
        self.filled = np.zeros(2, dtype=np.int64)
        self._parts: list[tuple[Array, ...]] = []

    def empty(self) -> None:
        n = self.filled[0]
        self._parts.append(tuple(array[:n].copy() for array in self.arrays))
        self.filled[0] = 0

    def add(self, h: Hypothesis) -> None:
        self.filled[1] += 1
        nobody = np.array([BATCH])
        self._parts.append((nobody, flat(h)[np.newaxis], self.filled[1:].copy(), nobody))

    def join(
        self, problem: Problem, start: Array, final: Array, converged: bool | None
    ) -> Recorded:
        self.empty()
        parts = zip(*self._parts, strict=True)
        picked, weights, steps, rivals = (np.concatenate(part) for part in parts)
        return Recorded(problem, start, picked, rivals, weights, steps, final, converged)


def check_traceable(learner: Any) -> None:
    """Refuse what is not learned step by step, and parameters that `fit` would refuse."""
    if not isinstance(learner, TRACED):
        kind = type(learner)
        library = kind.__module__.split(".")[0]
        name = kind.__name__ if library == "rosenblatt" else f"{library}.{kind.__name__}"
        raise ParameterError(
            f"there is no trace of a {name}: expected a learner that goes step by step",
            do="take Perceptron, PocketPerceptron, BatchPerceptron, VotedPerceptron, "
            "AveragedPerceptron, PassiveAggressive or AROW of rosenblatt",
            in_shell="take -a perceptron, pocket, batch, voted, averaged, passive-aggressive "
            "or arow",
        )
    learner._check_parameters()


def is_mean(learner: Any) -> bool:
    """Tell whether a learner predicts with the mean of all weights gone through."""
    if isinstance(learner, PassiveAggressive):
        return bool(learner.average)
    return isinstance(learner, AveragedPerceptron)


def tie_of(learner: LinearClassifier) -> int:
    """Return what a point on the boundary is while this learner learns."""
    return TIES[learner.tie] if isinstance(learner, BudgetedPerceptron) else 0


def recorded(
    learner: Any, blocks: Blocks, thin: int = 1, alive: Alive = lambda: True
) -> Iterator[Recorded]:
    """Learn every problem that the classes make, in the order of `fit`."""
    if isinstance(learner, BudgetedPerceptron):
        record = _of_pocket if isinstance(learner, PocketPerceptron) else _of_run
        for run in learner._runs(blocks):  # made before the first is run: they share their draws
            yield record(run, thin, alive)
        return
    shape = (n_vectors(len(blocks.classes), learner.multiclass), blocks.n_features + 1)
    parts = problems(blocks, learner.multiclass, learner.fit_intercept)
    shuffle = getattr(learner, "shuffle", False)
    random = check_seed(learner.random_state) if shuffle else None
    for part, h in zip(parts, hypotheses(np.zeros(shape), len(parts)), strict=True):
        if isinstance(learner, BatchPerceptron):
            yield _of_batch(learner, part, h, alive)
        else:
            yield _of_passes(learner, _problem(part.whole, h), thin, alive, random)


def _problem(whole: ProblemBlock, h: Hypothesis) -> Problem:
    return Problem(whole.D, whole.members, h)


def _of_run(run: Any, thin: int, alive: Alive) -> Recorded:
    problem, start = _problem(run.whole, run.h), flat(run.h)
    record, going = _Record(len(start)), True
    while going:
        code = run.go(learn_recorded, record.arrays, record.filled, thin)
        going = run.goes_on(code)
        record.empty()
        if going and not alive():
            return record.join(problem, start, flat(run.h), None)
    converged = code == NONE_LEFT or run.is_all_right()
    return record.join(problem, start, flat(run.h), converged)


def _of_pocket(run: Any, thin: int, alive: Alive) -> Recorded:
    """Record a run and count the errors of every row, as far as the time goes."""
    part = _of_run(run, thin, alive)
    weights = np.vstack([part.start, part.weights])
    errors = errors_of_rows(shaped(weights, run.h), part.problem, run.tie, alive)
    best = int(errors.argmin())  # the first of the smallest: strictly smaller replaces
    n = len(errors) - 1
    done = None if n < len(part.picked) or part.converged is None else bool(errors[best] == 0)
    part = part._replace(picked=part.picked[:n], rivals=part.rivals[:n], steps=part.steps[:n])
    part = part._replace(weights=part.weights[:n])
    return part._replace(final=weights[best], converged=done, errors=errors)


def shaped(weights: Array, h: Hypothesis) -> Array:
    """Return flat rows as `errors_along` wants them: (rows, d+1), or (rows, d+1, classes)."""
    return weights if h.w.ndim == 1 else weights.reshape(len(weights), -1, len(h.b))


def errors_of_rows(
    weights: Array, problem: Problem, tie: int, alive: Alive = lambda: True
) -> Array:
    """Return E_in of each row of weights, of the first at least; fewer when the time is over."""
    D, members, _ = problem
    errors = np.empty(len(weights))
    scores = np.empty(1 if weights.ndim == 2 else weights.shape[2])
    total = D.s[members].sum() if len(D.s) else max(1, len(members))
    size = max(1, rows_per_slice(D.X, len(scores)) // max(1, len(members)))
    for start in range(0, len(weights), size):
        stop = min(len(weights), start + size)
        errors_along(D, members, weights, scores, tie, start, stop, errors)
        if not alive():
            return np.asarray(errors[:stop] / total)
    return np.asarray(errors / total)


def _of_batch(learner: BatchPerceptron, part: Blocks, h: Hypothesis, alive: Alive) -> Recorded:
    problem, start = _problem(part.whole, h), flat(h)
    record = _Record(len(start))

    def record_epoch(h: Hypothesis) -> None:
        record.add(h)
        if not alive():
            raise _StopError

    try:
        result = learner._learn(
            part, BatchSteps.none(h), Reporter(None, 1), after_epoch=record_epoch
        )
        converged: bool | None = result[2]
    except _StopError:
        converged = None
    return record.join(problem, start, flat(problem.h), converged)


def _of_passes(
    learner: Any, problem: Problem, thin: int, alive: Alive, random: np.random.RandomState | None
) -> Recorded:
    D, members, h = problem
    start = flat(h)
    averaged, rule = is_mean(learner), _rule_of(learner, h)
    u = Hypothesis(np.zeros_like(h.w if averaged else h.w[:0]), np.zeros_like(h.b), h.scores.copy())
    record, time, size = _Record(len(start)), np.zeros(1), rows_per_slice(D.X, len(h.b))
    before, going = 0, True
    for _ in range(learner.epochs):
        if not going:
            break
        before = int(record.filled[1])
        order = members if random is None else draw_order(members, random)
        while going and len(order):
            n = online_recorded(
                rule, D, order[:size], h, u, time, record.arrays, record.filled, thin
            )
            record.empty()
            order, going = order[n:], alive()
    converged = None if not going else bool(record.filled[1] == before)
    if averaged and time[0]:
        h = Hypothesis(h.w - u.w / time[0], h.b - u.b / time[0], h.scores)
    return record.join(problem, start, flat(h), converged)


def _rule_of(learner: Any, h: Hypothesis) -> Any:
    """Return what decides how h is corrected, as `kernels.trace.visit` wants it."""
    if isinstance(learner, PassiveAggressive):
        return learner._limits()
    if isinstance(learner, AROW):
        variances = Hypothesis(np.ones_like(h.w), np.ones_like(h.b), h.scores.copy())
        return Uncertainty(variances, float(learner.r))
    return None


def flat(h: Hypothesis) -> Array:
    """Return (w0, w1, ... wd), for several vectors the w0 of all, then the w1 of all, ..."""
    return np.concatenate([h.b, h.w.ravel()])
