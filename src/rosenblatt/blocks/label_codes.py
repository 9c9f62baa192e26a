"""Labels that come block by block: numbered as they come, put in order at the end."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.checks.labels import check_labels
from rosenblatt.errors import DataError
from rosenblatt.types import Array

Settle = Callable[[Array], Array]


def as_they_are(labels: Array) -> Array:
    """Return the labels."""
    return labels


class LabelCodes:
    """The different labels met so far.

    Examples
    --------
    >>> labels = LabelCodes()
    >>> labels.codes(np.array(["spam", "ham"])), labels.codes(np.array(["ham"]))
    (array([0, 1], dtype=int32), array([1], dtype=int32))
    >>> settled(labels.known)
    (array(['ham', 'spam'], dtype='<U4'), array([1, 0], dtype=int32))
    """

    def __init__(self) -> None:
        self._codes: dict[Any, int] = {}
        self._dtype: np.dtype[Any] | None = None

    def __len__(self) -> int:
        return len(self._codes)

    def codes(self, y: Any) -> Array:
        """Return the number of each label; a new one gets the next."""
        with warnings.catch_warnings():
            # scikit-learn wonders about many classes in few rows, of which a block may have some
            warnings.simplefilter("ignore", UserWarning)
            labels = check_labels(y, len(y))
        self._note_type(labels)
        # the first places, so that numbers are given in the order of coming
        different, first, places = np.unique(labels, return_index=True, return_inverse=True)
        numbers = np.empty(len(different), dtype=np.int32)
        for k in np.argsort(first).tolist():
            numbers[k] = self._codes.setdefault(different[k].item(), len(self._codes))
        return numbers[places]

    @property
    def known(self) -> Array:
        """The labels in the order of their numbers."""
        return np.array(list(self._codes), dtype=self._dtype)

    def _note_type(self, labels: Array) -> None:
        if self._dtype is None:
            self._dtype = labels.dtype
        elif (labels.dtype.kind in "US") != (self._dtype.kind in "US"):
            raise DataError(
                f"the labels in y must be of one type, got {labels.dtype} after {self._dtype}"
            )
        self._dtype = np.result_type(self._dtype, labels.dtype)


def settled(labels: Array) -> tuple[Array, Array]:
    """Return different labels in order, and the place there of each; refuse a single one."""
    classes, ranks = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise DataError(
            f"y has {len(classes)} class, {', '.join(map(repr, classes.tolist()))}, and learning "
            "needs at least two; check the label column"
        )
    return classes, ranks.astype(np.int32)


def whole_if_possible(numbers: Array) -> Array:
    """Return labels as int64 if every one is a whole number, else as they are."""
    with np.errstate(invalid="ignore"):
        whole = numbers.astype(np.int64)
    exact = np.abs(numbers).max(initial=0.0) <= 2.0**53
    return whole if exact and np.array_equal(whole, numbers) else numbers.copy()
