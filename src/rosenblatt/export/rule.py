"""What a fitted model is, for others: a few arrays, and how they become an answer.

value     X W' + b                          a regression
sign      one score; above 0 the second of two classes
argmax    a score for each class, the first of the largest
votes     a score for each pair of classes; above 0 the second gets the vote
normal    -sum_j log(v_j) / 2 + (x_j - m_j)^2 / 2 v_j, and b: Gaussian naive Bayes
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from rosenblatt.decision.calibration import Calibration
from rosenblatt.types import Array

VALUE, SIGN, ARGMAX, VOTES = "value", "sign", "argmax", "votes"


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelRule:
    """How a model answers: `classes` is None for a regression.

    Probabilities are the softmax of slope * score + offset, before a threshold is taken off; with
    two classes the first one has the score 0.
    """

    name: str  # of the class that learned it
    answer: str
    classes: Array | None
    coef: Array  # (vectors, d); the means of a normal rule
    intercept: Array  # (vectors,)
    variance: Array | None = None  # (vectors, d) of a normal rule
    tie: str = "mistake"  # "+1": a score of 0 means the second of two classes
    threshold: float = 0.0  # taken off the score of two classes
    are_logs: bool = False  # scores of classes are logarithms of probabilities, up to a constant
    binarize: float | None = None  # features above it are 1, others 0
    calibration: Calibration | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Scaling:
    """What is done to rows before: columns minus their means, over their deviations."""

    mean: Array
    scale: Array


@dataclass(frozen=True)
class UnitLength:
    """What is done to rows before: each is divided by its length."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Exported:
    """A whole model: columns of a table, if it knows them; the form of rows; the rule."""

    rule: ModelRule
    before: tuple[Scaling | UnitLength, ...] = ()
    columns: tuple[Any, ...] | None = None  # of a recipe; None: rows of numbers
    missing: str = "error"
    dtype: str = "float64"


def pair_signs(n_classes: int) -> tuple[Array, Array]:
    """Return two matrices (pairs, classes): the first and the second class of each pair.

    Examples
    --------
    >>> pair_signs(3)[1]
    array([[0., 1., 0.],
           [0., 0., 1.],
           [0., 0., 1.]])
    """
    pairs = list(combinations(range(n_classes), 2))
    low, high = np.zeros((len(pairs), n_classes)), np.zeros((len(pairs), n_classes))
    for p, (first, second) in enumerate(pairs):
        low[p, first] = high[p, second] = 1.0
    return low, high
