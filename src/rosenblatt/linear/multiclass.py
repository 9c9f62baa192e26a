"""More than two classes: joint, one against the rest, one against one.

A learner knows two kinds of problems: two classes with y = -1, +1 and one vector of weights, and
k classes at once with a vector for each (joint). Whatever the user's labels are, this file splits
them into such problems and puts the answers together again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from rosenblatt._validation import Array, TrainingSet
from rosenblatt.kernels.hypothesis import Examples, Hypothesis

WAYS = ("joint", "one-vs-rest", "one-vs-one")


class Problem(NamedTuple):
    """One learning problem: the examples, which of them take part, and the weights to change."""

    D: Examples
    members: Array
    h: Hypothesis


def n_vectors(n_classes: int, way: str) -> int:
    """Return how many weight vectors a model has: rows of `coef_`."""
    if n_classes <= 2:
        return 1
    return n_classes * (n_classes - 1) // 2 if way == "one-vs-one" else n_classes


def problems(data: TrainingSet, way: str, start: Array, fit_intercept: bool) -> Iterator[Problem]:
    """Split the training set; `start` has a row (w0, w1, ... wd) for each weight vector."""
    n_classes, x0 = len(data.classes), float(fit_intercept)

    def problem(y: Array, members: Array, rows: Array) -> Problem:
        # copies: learning changes them, and `start` may be the model itself
        w = np.array(rows[:, 1:].T, order="C")
        b = rows[:, 0].copy()
        if len(rows) == 1:
            w = w[:, 0]
        y = y.astype(np.int32)
        return Problem(
            Examples(data.rows, y, data.weights, x0), members, Hypothesis(w, b, np.empty_like(b))
        )

    if n_classes <= 2:
        # one class alone (partial_fit may begin so) has nothing to be told from
        members = data.members if n_classes == 2 else data.members[:0]
        yield problem(2 * data.labels - 1, members, start)
    elif way == "joint":
        yield problem(data.labels, data.members, start)
    elif way == "one-vs-rest":
        for c in range(n_classes):
            yield problem(np.where(data.labels == c, 1, -1), data.members, start[c : c + 1])
    else:
        member_labels = data.labels[data.members]
        for p, (low, high) in enumerate(combinations(range(n_classes), 2)):
            pair = data.members[(member_labels == low) | (member_labels == high)]
            yield problem(np.where(data.labels == high, 1, -1), pair, start[p : p + 1])


def assemble(hypotheses: Sequence[Hypothesis]) -> tuple[Array, Array]:
    """Return (coef_, intercept_): a row for each weight vector, in the order of `problems`."""
    W = np.column_stack([h.w for h in hypotheses])
    return np.ascontiguousarray(W).T, np.concatenate([h.b for h in hypotheses])


def grow(weights: Array, before: Array, after: Array, way: str) -> Array:
    """Give weights learned for the classes `before` a place among the classes `after`.

    A new class begins with weights of zero. Two classes with one vector w become joint vectors
    -w and +w, which is what the joint rule makes of the same mistakes.
    """
    if len(before) == len(after):
        return weights
    if len(after) <= 2:
        return weights  # one class alone: the start vector, nothing was learned yet
    grown = np.zeros((n_vectors(len(after), way), weights.shape[1]))
    place = np.searchsorted(after, before)
    if way == "one-vs-one":
        pairs = {pair: p for p, pair in enumerate(combinations(range(len(after)), 2))}
        for p, (low, high) in enumerate(combinations(range(len(before)), 2)):
            grown[pairs[place[low], place[high]]] = weights[p]
    elif len(before) == 2:
        grown[place[0]], grown[place[1]] = -weights[0], weights[0]
    elif len(before) > 2:
        grown[place] = weights
    return grown


def decide(scores: Array, n_classes: int, way: str) -> Array:
    """Turn the scores of the weight vectors, a column each, into one score for each class."""
    if n_classes <= 2:
        return scores.reshape(-1)
    if way != "one-vs-one":
        return scores
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
