"""Watch a learner of the perceptron family on any number of classes.

One against the rest and one against one are learned one problem after the other, as `fit` does.
While one is learned, those before it have their final weights and those after it their first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rosenblatt._slices import rows_per_slice
from rosenblatt._validation import Array, TrainingSet
from rosenblatt.kernels.trace import errors_along
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.multiclass import Problem, examples, splits
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.regression.solve import matrix_of
from rosenblatt.tracing.recorder import Alive, Recorded, check_learner, recorded, tie_of
from rosenblatt.tracing.steps import (
    ARGMAX,
    NO_SINGLE,
    NOBODY,
    SIGN,
    Steps,
    best_so_far,
    classes_of,
    coding_of,
    pairs,
    rows_to_keep,
)

MOST_ROWS = 2000
# examples judged by all weights of a run: up to here the errors of every row are counted
MOST_LOOKS = 30_000_000


class _Whole(NamedTuple):
    """Whom the errors of all weight vectors together are counted on."""

    data: TrainingSet
    problem: Problem | None  # for a kernel; None where votes are counted
    coding: str
    tie: int


def watch(
    learner: Any, X: Any, y: Any, *, most_rows: int = MOST_ROWS, alive: Alive = lambda: True
) -> Steps:
    """Fit a copy of the learner's parameters and return its steps, thinned to `most_rows`.

    `alive` is asked now and then; when it says no the run ends where it is. The learner itself is
    not changed. `final` holds the weights that `fit` ends with, bit for bit.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> steps = watch(Perceptron(), [[0], [4], [9]], ["a", "b", "c"])
    >>> steps.coding, steps.weights.shape[1:], steps.converged
    ('argmax', (3, 2), True)
    """
    check_learner(learner)
    data = learner._check(X, y, {})
    way, n_classes = learner.multiclass, len(data.classes)
    coding = coding_of(n_classes, way)
    together = n_classes == 2 or way == "joint"
    parts = [_closed(part, learner, alive) for part in recorded(learner, data, alive=alive)]
    whole = _whole(data, coding, tie_of(learner) if together else 0, learner.fit_intercept)
    n_rows = 1 + sum(len(part.picked) for part in parts)
    all_rows = n_rows * data.n_rows * len(parts) <= MOST_LOOKS
    keep = np.arange(n_rows) if all_rows else rows_to_keep(None, n_rows, most_rows)
    weights = _weights_at(parts, keep, n_classes if together and n_classes > 2 else 1)
    errors = _errors(weights, whole)
    chosen = rows_to_keep(errors, len(keep), most_rows)
    keep, weights, errors = keep[chosen], weights[chosen], errors[chosen]
    final = _finals(parts, n_classes if together and n_classes > 2 else 1)
    final_error = float(_errors(final[np.newaxis], whole)[0])
    gains, loses = _sides(parts, data, way)
    steps = np.concatenate([[0], _counted([part.steps for part in parts])])
    return Steps(
        coding,
        n_classes,
        weights,
        steps[keep],
        _joined(part.picked for part in parts)[keep[1:] - 1],
        gains[keep[1:] - 1],
        loses[keep[1:] - 1],
        errors,
        best_so_far(errors),
        final,
        final_error,
        _converged(parts),
    )


def _closed(part: Recorded, learner: Any, alive: Alive) -> Recorded:
    """Settle the final weights: the best row of a pocket; a last row for a mean that moved on."""
    if part.final is None:
        h = part.problem.h
        weights = np.vstack([part.start, part.weights])
        whole = weights.reshape(len(weights), -1, len(h.b)) if h.w.ndim == 2 else weights
        errors = _count(whole, part.problem, tie_of(learner))
        best = int(errors.argmin())  # the first of the smallest: strictly smaller replaces
        done = part.converged if part.converged is None else bool(errors[best] == 0)
        return part._replace(final=weights[best], converged=done)
    if isinstance(learner, AveragedPerceptron) and len(part.picked):
        return part._replace(
            picked=np.append(part.picked, NO_SINGLE),
            rivals=np.append(part.rivals, NOBODY),
            weights=np.vstack([part.weights, part.final]),
            steps=np.append(part.steps, part.steps[-1]),
        )
    return part


def _whole(data: TrainingSet, coding: str, tie: int, fit_intercept: bool) -> _Whole:
    problem = None
    if coding in (SIGN, ARGMAX):
        (split,) = splits(len(data.classes), "joint")
        D, members = examples(data, split, fit_intercept)
        problem = Problem(D, members, None)  # type: ignore[arg-type]  # judged by other weights
    return _Whole(data, problem, coding, tie)


def _weights_at(parts: Sequence[Recorded], keep: Array, n_together: int) -> Array:
    """Return the weights of all vectors, (rows, vectors, d+1), at the kept rows."""
    starts = np.stack([part.start for part in parts])
    finals = np.stack([np.asarray(part.final) for part in parts])
    blocks = [starts[np.newaxis]]
    first = 1
    for p, part in enumerate(parts):
        last = first + len(part.picked)
        rows = keep[(keep >= first) & (keep < last)] - first
        block = np.empty((len(rows), len(parts), len(part.start)))
        block[:, :p] = finals[:p]
        block[:, p] = part.weights[rows]
        block[:, p + 1 :] = starts[p + 1 :]
        blocks.append(block)
        first = last
    return _apart(np.concatenate(blocks), n_together)


def _finals(parts: Sequence[Recorded], n_together: int) -> Array:
    finals = np.stack([np.asarray(part.final) for part in parts])
    return np.asarray(_apart(finals[np.newaxis], n_together)[0])


def _apart(weights: Array, n_together: int) -> Array:
    """Take joint vectors, which are written w0 of all, w1 of all, ..., apart."""
    if n_together == 1:
        return weights
    shape = (len(weights), -1, n_together)
    return np.ascontiguousarray(weights[:, 0].reshape(shape).transpose(0, 2, 1))


def _errors(weights: Array, whole: _Whole) -> Array:
    """Return E_in of weights (rows, vectors, d+1)."""
    data = whole.data
    if whole.problem is None:
        X = np.asarray(matrix_of(data.rows, data.n_features))
        k = len(data.classes)
        said = (classes_of(w, X, whole.coding, k) != data.labels for w in weights)
        return np.array([wrong.mean() for wrong in said])
    if whole.coding == SIGN:
        return _count(np.ascontiguousarray(weights[:, 0]), whole.problem, whole.tie)
    joint = np.ascontiguousarray(weights.transpose(0, 2, 1))
    return _count(joint, whole.problem, whole.tie)


def _count(weights: Array, problem: Problem, tie: int) -> Array:
    D, members, _ = problem
    errors, scores = np.empty(len(weights)), np.empty(weights.shape[-1])
    size = max(1, rows_per_slice(D.X, len(scores)) // max(1, len(members)))
    for k in range(0, len(weights), size):
        errors_along(D, members, weights, scores, tie, k, min(len(weights), k + size), errors)
    return errors / max(1, len(members))


def _sides(parts: Sequence[Recorded], data: TrainingSet, way: str) -> tuple[Array, Array]:
    """Return the class that gains y x and the one that loses it, for each update."""
    gains, loses = [], []
    for p, part in enumerate(parts):
        right = part.problem.D.y[np.maximum(part.picked, 0)]
        if len(data.classes) == 2 or way == "one-vs-one":
            low, high = pairs(len(data.classes))[p]
            gain, lose = np.where(right > 0, high, low), np.where(right > 0, low, high)
        elif way == "joint":
            gain, lose = right, part.rivals
        else:
            gain, lose = np.where(right > 0, p, NOBODY), np.where(right > 0, NOBODY, p)
        single = part.picked >= 0
        gains.append(np.where(single, gain, NOBODY))
        loses.append(np.where(single, lose, NOBODY))
    return _joined(gains), _joined(loses)


def _joined(pieces: Any) -> Array:
    return np.concatenate(list(pieces)).astype(np.int64)


def _counted(steps: Sequence[Array]) -> Array:
    """Let each problem count on from where the one before it ended."""
    ends = np.cumsum([0, *(int(part[-1]) if len(part) else 0 for part in steps)])
    return _joined(part + end for part, end in zip(steps, ends[:-1], strict=True))


def _converged(parts: Sequence[Recorded]) -> bool | None:
    ends = [part.converged for part in parts]
    return None if None in ends else all(ends)


def survival_along(model: VotedPerceptron, steps: Steps) -> Array:
    """Return how long the hypothesis of each row lived; the zero vectors count once.

    Examples
    --------
    >>> X, y = [[1], [2], [7], [8]], [-1, -1, 1, 1]
    >>> model = VotedPerceptron(epochs=2)
    >>> survival_along(model.fit(X, y), watch(model, X, y))
    array([0., 1., 1., 0., 2.])
    """
    found = model.survival_
    several = found if isinstance(found, list) else [found]
    return np.asarray(np.concatenate([several[0][:1], *(p[1:] for p in several)])[steps.steps])
