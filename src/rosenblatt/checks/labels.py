"""Labels of any type, as classes in their order and a number for each row."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from rosenblatt.counting import counted
from rosenblatt.errors import LabelError

Array = np.ndarray[Any, Any]

MISSING = (
    "Input y contains NaN or infinity: every row needs a label, got {n} without one, the first at "
    "row {row}; drop those rows or fill in their labels"
)


def check_labels(y: Any, n_rows: int) -> Array:
    """Return y as an array of labels, one for each row."""
    labels = _as_column(y)
    if labels.dtype == object and len(labels) > 0 and isinstance(labels[0], (Real, np.bool_)):
        labels = _as_numbers(labels)
    if labels.dtype.kind in "fmM":
        _check_there(~np.isfinite(labels))
    if labels.dtype.kind not in "iub":  # whole numbers are classes: nothing to look for
        _check_classes_not_amounts(labels)
    if len(labels) != n_rows:
        raise LabelError(
            f"X and y must have the same length, got {counted(n_rows, 'row')} in X and "
            f"{counted(len(labels), 'label')} in y"
        )
    return labels


def check_classes(classes: Any) -> Array:
    """Return the labels that a user names beforehand, sorted."""
    try:
        named: Array = np.unique(check_labels(classes, np.size(classes)))
    except LabelError as error:
        raise LabelError(f"classes must be a list of labels: {error}") from error
    return named


def _as_column(y: Any) -> Array:
    if isinstance(y, np.ma.MaskedArray):
        _check_there(np.ma.getmaskarray(y))
    try:
        labels: Array = column_or_1d(y, warn=True)
    except (TypeError, ValueError) as error:
        raise LabelError(
            f"{str(error).splitlines()[0]} Pass one label for each row of X, in a list, an array "
            f"or a column; got {type(y).__name__}"
        ) from error
    if labels.dtype.kind == "T":  # strings of any length are objects elsewhere, too
        return labels.astype(object)
    column = y.iloc[:, 0] if hasattr(y, "iloc") and getattr(y, "ndim", 1) == 2 else y
    whole = getattr(getattr(column, "dtype", None), "numpy_dtype", None)
    if whole is None or whole.kind not in "iub":
        return labels
    # whole numbers and truth values of pandas, which may be missing; NumPy makes floats of them
    _check_there(np.asarray(column.isna()))
    return np.asarray(column.to_numpy(dtype=whole))


def _check_there(missing: Array) -> None:
    """Refuse labels some of which are missing."""
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise LabelError(MISSING.format(n=np.count_nonzero(missing), row=row))


def _check_classes_not_amounts(labels: Array) -> None:
    """Refuse labels that are no classes: amounts, or objects that nothing is known of."""
    if labels.dtype.kind == "S" or (len(labels) and isinstance(labels[0], bytes)):
        raise LabelError(
            f"the labels in y must be text or numbers, got bytes such as {labels[0]!r}",
            do="decode them first: numpy.char.decode(y)",
            in_shell="",
        )
    try:
        check_classification_targets(labels)
    except TypeError as error:
        raise _differing_types(labels) from error
    except ValueError as error:
        if labels.dtype == object and len({type(label) for label in labels}) > 1:
            raise _differing_types(labels) from error
        raise LabelError(
            "Unknown label type: y must hold classes, which are whole numbers of 64 bits, text or "
            f"True and False, got {labels[0]!r}; turn the labels into text, or use LeastSquares if "
            "they are amounts"
        ) from error


def _as_numbers(labels: Array) -> Array:
    """Return labels that came as Python objects as numbers, which the first of them is."""
    if not all(isinstance(label, (Real, np.bool_)) for label in labels):
        raise _differing_types(labels)
    numbers = np.array(labels.tolist())
    return numbers if numbers.dtype.kind in "iubf" else labels


def _differing_types(labels: Array) -> LabelError:
    kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
    return LabelError(
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
        raise _unlike(known, seen)
    try:
        both: Array = np.unique(np.concatenate([known, seen]))
    except TypeError as error:
        raise _unlike(known, seen) from error
    if both.dtype.kind == "f" and known.dtype.kind in "iub" and seen.dtype.kind in "iub":
        # int64 with uint64: a float does not hold all of them apart
        if max(int(known.max()), int(seen.max())) > np.iinfo(np.int64).max:
            raise _unlike(known, seen)
        both = np.unique(np.concatenate([known.astype(np.int64), seen.astype(np.int64)]))
    return both


def _unlike(known: Array, seen: Array) -> LabelError:
    return LabelError(
        f"the labels in y must be like the known classes, {known.tolist()}, got {seen.tolist()}; "
        "use labels of one type"
    )
