"""Labels of any type, as classes in their order and a number for each row."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from rosenblatt.errors import DataError

Array = np.ndarray[Any, Any]


def check_labels(y: Any, n_rows: int) -> Array:
    """Return y as an array of labels, one for each row."""
    try:
        labels: Array = column_or_1d(y, warn=True)
    except (TypeError, ValueError) as error:
        raise DataError(str(error)) from error
    if labels.dtype == object and len(labels) > 0 and isinstance(labels[0], (Real, np.bool_)):
        labels = _as_numbers(labels)
    try:
        if labels.dtype.kind == "f" and not np.isfinite(labels).all():
            raise DataError("Input y contains NaN or infinity; every row needs a label")
        if labels.dtype.kind not in "iub":  # whole numbers are classes: nothing to look for
            check_classification_targets(labels)
    except DataError:
        raise
    except TypeError as error:
        raise _differing_types(labels) from error
    except ValueError as error:
        raise DataError(str(error)) from error
    if len(labels) != n_rows:
        raise DataError(
            f"X and y must have the same length, got {n_rows} rows in X and "
            f"{len(labels)} labels in y"
        )
    return labels


def check_classes(classes: Any) -> Array:
    """Return the labels that a user names beforehand, sorted."""
    try:
        named: Array = np.unique(check_labels(classes, np.size(classes)))
    except DataError as error:
        raise DataError(f"classes must be a list of labels: {error}") from error
    return named


def _as_numbers(labels: Array) -> Array:
    """Return labels that came as Python objects as numbers, which the first of them is."""
    if not all(isinstance(label, (Real, np.bool_)) for label in labels):
        raise _differing_types(labels)
    numbers = np.array(labels.tolist())
    return numbers if numbers.dtype.kind in "iubf" else labels


def _differing_types(labels: Array) -> DataError:
    kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
    return DataError(
        f"the labels in y must be of one type, got {kinds}; drop the rows without a label, "
        "or turn all labels into text"
    )


def encode(y: Array) -> tuple[Array, Array]:
    """Return (sorted classes, the index of each label)."""
    if y.dtype.kind in "iub" and len(y) > 0:
        low, high = int(y.min()), int(y.max())
        is_high = y == high
        if low < high and (is_high | (y == low)).all():
            # most often there are two; new memory for half a million codes costs milliseconds
            return np.array([low, high], dtype=y.dtype), is_high.view(np.int8)
        if high - low < 1 << 16:
            # a table instead of a sort: 20 times faster on half a million labels
            numbers = y if y.dtype == np.uint64 else y.astype(np.int64, copy=False)
            offsets = (numbers - numbers.dtype.type(low)).astype(np.int64, copy=False)
            there = np.bincount(offsets) > 0
            classes = np.array([low + int(v) for v in np.flatnonzero(there)], dtype=y.dtype)
            return classes, (np.cumsum(there) - 1)[offsets]
    try:
        classes, codes = np.unique(y, return_inverse=True)
    except TypeError as error:
        raise _differing_types(y) from error
    return classes, codes


def union(known: Array, seen: Array) -> Array:
    """Return the known classes with those that were seen, sorted."""
    if len(known) == 0:
        return seen
    numbers = "iufb"
    if (known.dtype.kind in numbers) != (seen.dtype.kind in numbers):
        raise DataError(
            f"the labels in y must be like the known classes, {known.tolist()}, got {seen.tolist()}"
        )
    return np.unique(np.concatenate([known, seen]))
