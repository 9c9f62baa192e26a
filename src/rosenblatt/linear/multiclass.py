"""More than two classes: joint, one against the rest, one against one.

A learner knows two kinds of problems: two classes with y = -1, +1 and one vector of weights, and
k classes at once with a vector for each (joint). Whatever the user's labels are, this file splits
them into such problems and puts the answers together again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.choices import Multiclass, Tie
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.linear.overflow import in_safe_units
from rosenblatt.types import Array, Block, Rows

WAYS: tuple[Multiclass, ...] = get_args(Multiclass)


class Split(NamedTuple):
    """What one problem makes of labels, and the classes whose rows take part (None: all)."""

    targets: Callable[[Array], Array]
    classes: tuple[int, ...] | None = None


class ProblemBlock(NamedTuple):
    """A block as one problem sees it: D has its own y."""

    rows: Rows
    members: Array
    D: LabelledRows
    block: Block


class Problem(NamedTuple):
    """One learning problem in memory: the examples, those that take part, the weights to change."""

    D: LabelledRows
    members: Array
    h: Hypothesis


def n_vectors(n_classes: int, way: str) -> int:
    """Return how many weight vectors a model has: rows of `coef_`."""
    if n_classes <= 2:
        return 1
    return n_classes * (n_classes - 1) // 2 if way == "one-vs-one" else n_classes


def splits(n_classes: int, way: str) -> list[Split]:
    """Return the problems that so many classes make."""
    if n_classes <= 2:
        # one class alone (partial_fit may begin so) has nothing to be told from
        return [Split(_two, None if n_classes == 2 else ())]
    if way == "joint":
        return [Split(_joint)]
    if way == "one-vs-rest":
        return [Split(partial(_against_others, c)) for c in range(n_classes)]
    pairs = combinations(range(n_classes), 2)
    return [Split(partial(_against_others, high), (low, high)) for low, high in pairs]


def problems(blocks: Blocks, way: str, fit_intercept: bool) -> list[Blocks]:
    """Return the blocks as each problem sees them: those of `ProblemBlock`."""
    return [as_problem(blocks, split, fit_intercept) for split in splits(len(blocks.classes), way)]


def as_problem(blocks: Blocks, split: Split, fit_intercept: bool) -> Blocks:
    """Return the blocks as one problem sees them."""
    if split.classes is not None:
        blocks = blocks.of_classes(np.array(split.classes, dtype=np.int32))
    return blocks.changed(partial(_as_problem_block, split, float(fit_intercept)))


def _as_problem_block(split: Split, x0: float, block: Block) -> ProblemBlock:
    y = split.targets(block.labels).astype(np.int32, copy=False)
    D = LabelledRows(block.rows, y, block.weights, x0)
    return ProblemBlock(block.rows, block.members, D, block)


def hypotheses(start: Array, n_problems: int, *, is_ours: bool = False) -> list[Hypothesis]:
    """Return the weights to start from for each problem: copies, unless `start` may be changed.

    What is learned then shows in `start` itself if it has the `layout` of so many problems.
    """
    order = layout(n_problems)
    # 2^22 weights take 7 ms to copy
    start = np.asarray(start, order=order) if is_ours else np.array(start, order=order)
    if n_problems > 1:
        return [Hypothesis(row[1:], row[:1], np.empty(1)) for row in start]
    w, b = start.T[1:], start.T[0]
    return [Hypothesis(w[:, 0] if len(start) == 1 else w, b, np.empty_like(b))]


def layout(n_problems: int) -> Literal["C", "F"]:
    """Return how weights lie in memory: those of a problem side by side, column by column of X."""
    return "F" if n_problems == 1 else "C"


def _two(labels: Array) -> Array:
    return 2 * labels - 1


def _joint(labels: Array) -> Array:
    return labels


def _against_others(c: int, labels: Array) -> Array:
    return np.where(labels == c, 1, -1)


def assemble(hypotheses: Sequence[Hypothesis]) -> tuple[Array, Array]:
    """Return (coef_, intercept_): a row for each weight vector, in the order of `problems`."""
    b = np.concatenate([h.b for h in hypotheses])
    if len(hypotheses) == 1:
        # as they are: 2^22 weights take 7 ms to copy
        return hypotheses[0].w.T.reshape(len(b), -1), b
    W = np.column_stack([h.w for h in hypotheses])
    return np.ascontiguousarray(W).T, b


def grow(
    weights: Array,
    before: Array,
    after: Array,
    way: str,
    *,
    pair: tuple[float, float] = (-1.0, 1.0),
    new: float = 0.0,
) -> Array:
    """Give weights learned for the classes `before` a place among the classes `after`.

    A new class begins with weights of zero, or what else is `new`. Two classes with one vector w
    become vectors -w and +w, which is what the joint rule makes of the same mistakes, or w times
    another `pair` of numbers.
    """
    if len(before) == len(after):
        return weights
    if len(after) <= 2:
        return weights  # one class alone: the start vector, nothing was learned yet
    grown = np.full((n_vectors(len(after), way), weights.shape[1]), new)
    place = np.searchsorted(after, before)
    if way == "one-vs-one":
        pairs = {pair: p for p, pair in enumerate(combinations(range(len(after)), 2))}
        for p, (low, high) in enumerate(combinations(range(len(before)), 2)):
            grown[pairs[place[low], place[high]]] = weights[p]
    elif len(before) == 2:
        grown[place[0]], grown[place[1]] = pair[0] * weights[0], pair[1] * weights[0]
    elif len(before) > 2:
        grown[place] = weights
    return grown


def learned_tie(model: Any) -> Tie:
    """Return what a point on the boundary was while a model learned; `tie` may be another now."""
    tie: Tie = getattr(model, "_learned_tie", getattr(model, "tie", "mistake"))
    return tie


def positive(scores: Array, tie: str) -> Array:
    """Tell which scores of two classes mean the second; 0 does after learning with tie="+1".

    Examples
    --------
    >>> positive(np.array([-1.0, 0.0, 2.0]), "mistake"), positive(np.array([0.0]), "+1")
    (array([False, False,  True]), array([ True]))
    """
    return np.asarray(scores >= 0 if tie == "+1" else scores > 0)


def decide(scores: Array, n_classes: int, way: str) -> Array:
    """Turn the scores of the weight vectors, a column each, into one score for each class."""
    if n_classes <= 2:
        return scores.reshape(-1)
    if way != "one-vs-one":
        return scores
    scores = in_safe_units(scores)
    votes = np.zeros((len(scores), n_classes))
    confidence = np.zeros((len(scores), n_classes))
    for p, (low, high) in enumerate(combinations(range(n_classes), 2)):
        wins = scores[:, p] > 0
        votes[:, high] += wins
        votes[:, low] += ~wins
        confidence[:, high] += scores[:, p]
        confidence[:, low] -= scores[:, p]
    # less than half a vote, and in the order of the confidences: it decides between equal votes
    largest = np.abs(confidence).max(axis=1, keepdims=True)
    votes += confidence / (3.0 * np.where(largest > 0.0, largest, 1.0))
    return votes
