"""Where the boundary between two classes lies best, by scores of rows that were not learned from.

"f1"         the largest F1, the harmonic mean of precision and recall of the second class
"balanced"   the largest mean of the two shares of rows that are right, one of each class
"mistakes"   the fewest mistakes, if that saves more of them than chance does; else 0
"""

from __future__ import annotations

from math import sqrt
from typing import Any, get_args

import numpy as np

from rosenblatt.checks.parameters import as_float, did_you_mean
from rosenblatt.choices import NamedThreshold
from rosenblatt.errors import ParameterError
from rosenblatt.types import Array

F1, BALANCED_ACCURACY, MISTAKES = WAYS_TO_CHOOSE = get_args(NamedThreshold)
BY_CHANCE = 2.0  # standard deviations of what is saved, if it were saved by chance
LARGEST = 1e300


def check_threshold(threshold: Any) -> None:
    """Refuse what is neither None, a way to choose one nor a finite number."""
    if threshold is None or (isinstance(threshold, str) and threshold in WAYS_TO_CHOOSE):
        return
    if not abs(as_float(threshold)) < np.inf:
        raise ParameterError(
            f"must be None, 'f1', 'balanced', 'mistakes' or a finite number, got {threshold!r}",
            about="threshold",
            do=did_you_mean(threshold, WAYS_TO_CHOOSE),
        )


def check_two_classes(threshold: Any, n_classes: int) -> None:
    """Refuse a threshold where there are more than two classes."""
    if threshold is not None and n_classes > 2:
        raise ParameterError(
            f"is for two classes, got {n_classes}",
            about="threshold",
            do="set {threshold:None}",
            in_shell="",
        )


def choose_threshold(
    way: str, scores: Array, positive: Array, weights: Array | None = None
) -> float:
    """Return the number above which a score should mean the second class.

    It is the middle of the interval between two scores that is best, of several that nearest to 0.

    Examples
    --------
    >>> scores, positive = np.array([-3.0, -1.0, 5.0, 7.0]), np.array([0, 0, 1, 1], dtype=bool)
    >>> choose_threshold("f1", scores, positive)
    2.0
    >>> choose_threshold("mistakes", scores, positive)
    0.0
    """
    weights = np.ones(len(scores)) if weights is None else weights / weights.mean()
    scores = np.clip(scores, -LARGEST, LARGEST)
    middles, hits, alarms = _cuts(scores, positive, weights)
    n_positive, n_negative = float(weights[positive].sum()), float(weights[~positive].sum())
    if way == F1:
        merit = 2.0 * hits / np.maximum(n_positive + hits + alarms, np.finfo(float).tiny)
    elif way == BALANCED_ACCURACY:
        merit = hits / (n_positive or 1.0) - alarms / (n_negative or 1.0)
    else:
        merit = hits - alarms  # all mistakes are n_positive less this
    # sums of weights that should be equal may differ in the last digits
    best = middles[merit >= merit.max() - 1e-12 * max(1.0, abs(merit.max()))]
    found = float(best[np.abs(best).argmin()])
    return found if way != MISTAKES or _pays(found, scores, positive, weights) else 0.0


def _pays(threshold: float, scores: Array, positive: Array, weights: Array) -> bool:
    """Whether answers that change become right more often than by the toss of a coin."""
    changed = (scores > threshold) != (scores > 0.0)
    to_right = (scores > threshold) == positive
    n = float(weights[changed].sum())
    saved = float(weights[changed & to_right].sum()) - float(weights[changed & ~to_right].sum())
    return saved > BY_CHANCE * sqrt(n)


def _cuts(scores: Array, positive: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return the middle of each interval, and the weights of hits and false alarms above it."""
    order = np.argsort(scores, kind="stable")
    values, mine, w = scores[order], positive[order], weights[order]
    ends = np.flatnonzero(np.append(values[1:] > values[:-1], True))  # the last of equal scores
    distinct = values[ends]
    beyond = (distinct[-1] / 2.0 - distinct[0] / 2.0) / len(distinct) or 1.0
    low = np.append(distinct[0] - 2.0 * beyond, distinct)
    high = np.append(distinct, distinct[-1] + 2.0 * beyond)
    middles = low / 2.0 + high / 2.0
    middles = np.where(middles < high, middles, low)  # two neighbours among floats have none
    below = [np.append(0.0, np.cumsum(w * part)[ends]) for part in (mine, ~mine)]
    return middles, below[0][-1] - below[0], below[1][-1] - below[1]
