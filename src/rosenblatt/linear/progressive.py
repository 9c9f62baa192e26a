"""Progressive validation: each row is predicted, then learned from.

The share of wrong answers is an honest estimate of the error, since no row was seen before it was
answered, and none is held out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.checks import check_rows
from rosenblatt.checks.labels import check_labels
from rosenblatt.decision.deciding import threshold_of
from rosenblatt.linear.multiclass import splits
from rosenblatt.linear.one_row import LARGEST, RowOfBlock
from rosenblatt.linear.stream import STREAM, OneByOne
from rosenblatt.rows import matrix, part_of, values_of
from rosenblatt.types import Array, Rows


def predict_then_learn(model: OneByOne, X: Any, y: Any) -> Array:
    """Predict each row, then learn from it, in their order; tell which answers were wrong.

    The answers are those of `predict` before `partial_fit` with each row alone, and the model is
    the same, to the bit. The first row of a class is always a wrong answer. Sparse rows may have
    more columns than those before.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> predict_then_learn(Perceptron(), [[1], [8], [2], [9]], ["low", "high", "low", "high"])
    array([ True,  True,  True, False])
    """
    rows, n_rows, n_features = check_rows(None, X)
    labels = check_labels(y, n_rows)
    values = values_of(rows)
    is_ordinary = values is None or float(np.abs(values).max(initial=0.0)) < LARGEST
    wrong: Array = np.ones(n_rows, dtype=bool)
    start = 0
    while start < n_rows:
        n = _run(model, rows, n_features, labels, start, wrong) if is_ordinary else 0
        if start + n < n_rows:
            row = matrix(part_of(rows, start + n, start + n + 1), n_features)
            wrong[start + n] = _one(model, row, labels[start + n : start + n + 1])
            _begin(model, rows)
            n += 1
        start += n
    return wrong


def _run(
    model: OneByOne, rows: Rows, n_features: int, labels: Array, start: int, wrong: Array
) -> int:
    """Go through the rows up to the first of a new class; return how many there were."""
    stream = vars(model).get(STREAM)
    if stream is None or not isinstance(stream.row, RowOfBlock):
        return 0
    is_dense, n_known = isinstance(rows, np.ndarray), len(stream.row.columns)
    if is_dense and n_features != n_known:
        return 0
    found = [stream.codes.get(label, -1) for label in labels[start:].tolist()]
    codes = np.array(found[: found.index(-1)] if -1 in found else found, dtype=np.int64)
    if len(codes):
        part = part_of(rows, start, start + len(codes))
        row = RowOfBlock(part, max(n_features, n_known))
        wrong[start : start + len(codes)] = stream.run(model, row, codes) != codes
    return len(codes)


def _one(model: OneByOne, row: Any, label: Array) -> bool:
    """Predict a row and learn from it by the full door; return whether the answer was wrong."""
    if not hasattr(model, "classes_"):
        model.partial_fit(row, label)
        return True
    if not isinstance(row, np.ndarray):
        n_known = model.n_features_in_
        if row.shape[1] > n_known:
            model.widen(row.shape[1])
        else:
            row.resize((1, n_known))
    is_wrong = bool(model.predict(row)[0] != label[0])
    model.partial_fit(row, label)
    return is_wrong


def _begin(model: OneByOne, rows: Rows) -> None:
    """Begin a stream of rows of blocks: with one problem, no weights, and the boundary at 0."""
    n_problems = len(splits(len(model.classes_), model.multiclass))
    is_plain = getattr(model, "class_weight", None) is None and threshold_of(model) == 0.0
    if n_problems == 1 and is_plain:
        model.begin_stream(RowOfBlock(rows, model.n_features_in_), learns=True)
