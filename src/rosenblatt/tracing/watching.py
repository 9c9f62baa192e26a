"""Watch a learner of the perceptron family on any number of classes.

One against the rest and one against one are learned one problem after the other, as `fit` does.
While one is learned, those before it have their final weights and those after it their first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.linear.multiclass import Problem, problems
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.rows import matrix
from rosenblatt.tracing.recorder import (
    Alive,
    Recorded,
    check_traceable,
    errors_of_rows,
    is_mean,
    recorded,
    tie_of,
)
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
from rosenblatt.types import Array, Block

MOST_ROWS = 2000
# examples judged by all weights of a run: up to here the errors of every row are counted
MOST_LOOKS = 30_000_000
FEWEST_ROWS = 25
VOTES_COST = 8  # to count votes takes longer than to compare scores
NO_HYPOTHESIS = Hypothesis(np.empty(0), np.empty(0), np.empty(0))


class _Whole(NamedTuple):
    """Whom the errors of all weight vectors together are counted on."""

    data: Block
    problem: Problem | None  # for a kernel; None where votes are counted
    coding: str
    tie: int
    n_together: int  # vectors that one problem learns: all of a joint form


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
    check_traceable(learner)
    blocks = learner._check(X, y)
    data = blocks.whole
    way, k = learner.multiclass, len(data.classes)
    together = k == 2 or way == "joint"
    parts = [_closed(part, learner) for part in recorded(learner, blocks, alive=alive)]
    whole = _whole(blocks, coding_of(k, way), tie_of(learner) if together else 0, learner)
    keep, weights, errors = _rows(parts, whole, most_rows)
    final = _apart(np.stack([part.final for part in parts])[np.newaxis], whole)
    gains, loses = _sides(parts, data, way)
    steps = np.concatenate([[0], _counted([part.steps for part in parts])])
    before = keep[1:] - 1
    return Steps(
        whole.coding,
        k,
        weights,
        steps[keep],
        _joined(part.picked for part in parts)[before],
        gains[before],
        loses[before],
        errors,
        best_so_far(errors),
        final[0],
        float(_errors(final, whole)[0]),
        _converged(parts),
    )


def _rows(parts: Sequence[Recorded], whole: _Whole, most_rows: int) -> tuple[Array, Array, Array]:
    """Choose rows; return their numbers, weights and errors.

    The errors of all rows are counted where that is quick, and tell which rows are worth keeping.
    """
    n_rows = 1 + sum(len(part.picked) for part in parts)
    looks = whole.data.n_rows * parts[0].start.size // (whole.data.n_features + 1) * len(parts)
    looks *= VOTES_COST if whole.problem is None else 1
    most = int(np.clip(MOST_LOOKS // looks, FEWEST_ROWS, most_rows))
    known = parts[0].errors if len(parts) == 1 else None
    if known is None and n_rows * looks <= MOST_LOOKS:
        known = _errors(_weights_at(parts, np.arange(n_rows), whole), whole)
    keep = rows_to_keep(known, n_rows, most)
    weights = _weights_at(parts, keep, whole)
    return keep, weights, _errors(weights, whole) if known is None else known[keep]


def _closed(part: Recorded, learner: Any) -> Recorded:
    """Add a last row to a mean that moved on after the last update."""
    if not is_mean(learner) or len(part.picked) == 0:
        return part
    return part._replace(
        picked=np.append(part.picked, NO_SINGLE),
        rivals=np.append(part.rivals, NOBODY),
        weights=np.vstack([part.weights, part.final]),
        steps=np.append(part.steps, part.steps[-1]),
    )


def _whole(blocks: Blocks, coding: str, tie: int, learner: Any) -> _Whole:
    problem = None
    if coding in (SIGN, ARGMAX):
        (part,) = problems(blocks, "joint", learner.fit_intercept)
        D, members = part.whole.D, part.whole.members
        problem = Problem(D, members, NO_HYPOTHESIS)
    joined = learner.multiclass == "joint" and len(blocks.classes) > 2
    return _Whole(blocks.whole, problem, coding, tie, len(blocks.classes) if joined else 1)


def _weights_at(parts: Sequence[Recorded], keep: Array, whole: _Whole) -> Array:
    """Return the weights of all vectors, (rows, vectors, d+1), at the kept rows."""
    starts = np.stack([part.start for part in parts])
    finals = np.stack([part.final for part in parts])
    blocks = [starts[np.newaxis]]
    first = 1
    for p, part in enumerate(parts):
        last = first + len(part.picked)
        rows = keep[(keep >= first) & (keep < last)] - first
        block = np.empty((len(rows), *starts.shape))
        block[:, :p] = finals[:p]
        block[:, p] = part.weights[rows]
        block[:, p + 1 :] = starts[p + 1 :]
        blocks.append(block)
        first = last
    return _apart(np.concatenate(blocks), whole)


def _apart(weights: Array, whole: _Whole) -> Array:
    """Take joint vectors, which are written w0 of all, w1 of all, ..., apart."""
    if whole.n_together == 1:
        return weights
    shape = (len(weights), -1, whole.n_together)
    return np.ascontiguousarray(weights[:, 0].reshape(shape).transpose(0, 2, 1))


def _errors(weights: Array, whole: _Whole) -> Array:
    """Return E_in of weights (rows, vectors, d+1)."""
    data = whole.data
    if whole.problem is None:
        X = np.asarray(matrix(data.rows, data.n_features, float))
        k = len(data.classes)
        said = (classes_of(w, X, whole.coding, k) != data.labels for w in weights)
        return np.array([wrong.mean() for wrong in said])
    if whole.coding == SIGN:
        return errors_of_rows(np.ascontiguousarray(weights[:, 0]), whole.problem, whole.tie)
    joint = np.ascontiguousarray(weights.transpose(0, 2, 1))
    return errors_of_rows(joint, whole.problem, whole.tie)


def _sides(parts: Sequence[Recorded], data: Block, way: str) -> tuple[Array, Array]:
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
    >>> model = VotedPerceptron(epochs=2, shuffle=False)
    >>> survival_along(model.fit(X, y), watch(model, X, y))
    array([0., 1., 1., 0., 2.])
    """
    found = model.survival_
    several = found if isinstance(found, list) else [found]
    return np.asarray(np.concatenate([several[0][:1], *(p[1:] for p in several)])[steps.steps])
