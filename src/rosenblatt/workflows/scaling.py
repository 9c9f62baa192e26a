"""Columns brought to mean 0 and deviation 1, by the same sums whether rows are in memory or not.

Means and deviations are added up over pieces of some thousand rows. Where the pieces end depends
on the number of columns alone, so rows that come in blocks of any size are scaled by the same
numbers, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from rosenblatt._validation import Array

CELLS = 1 << 18  # numbers in a piece
SCALE, LEARNER = "scale", "learner"


def with_scaling(learner: Any) -> Pipeline:
    """Return a model that scales the columns for a learner."""
    return Pipeline([(SCALE, StandardScaler()), (LEARNER, learner)])


def fit_scaled(model: Any, X: Any, y: Any, **options: Any) -> Any:
    """Fit a model of `with_scaling`, or a learner alone; return it.

    Examples
    --------
    >>> from rosenblatt import AveragedPerceptron
    >>> X, y = np.array([[1.0], [2.0], [7.0], [8.0]]), [0, 0, 1, 1]
    >>> fit_scaled(with_scaling(AveragedPerceptron(random_state=0)), X, y).predict(X)
    array([0, 0, 1, 1])
    """
    if not isinstance(model, Pipeline):
        return model.fit(X, y, **options)
    scaler: StandardScaler = fit_scaler(model[SCALE], [np.ascontiguousarray(X)], X.shape[1])
    model[LEARNER].fit(scaler.transform(X), y, **options)
    return model


def fit_scaler(scaler: StandardScaler, blocks: Iterable[Array], n_columns: int) -> StandardScaler:
    """Learn the means and deviations of dense rows that come in blocks; return the scaler."""
    for piece in _pieces(blocks, max(1, CELLS // n_columns)):
        scaler.partial_fit(piece)
    return scaler


def _pieces(blocks: Iterable[Array], size: int) -> Iterator[Array]:
    """Yield the rows of blocks, `size` at a time."""
    waiting: list[Array] = []
    n_waiting = 0
    for block in blocks:
        start = 0
        while len(block) - start >= size - n_waiting:
            stop = start + size - n_waiting
            yield np.concatenate([*waiting, block[start:stop]]) if waiting else block[start:stop]
            waiting, n_waiting, start = [], 0, stop
        if start < len(block):
            waiting.append(block[start:].copy())  # a block may be overwritten by the next
            n_waiting += len(block) - start
    if waiting:
        yield np.concatenate(waiting)
