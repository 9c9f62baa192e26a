"""The kinds of values that attributes have, and the sizes they must fit."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.types import Array


class Model(NamedTuple):
    """Attributes with the sizes that follow from them."""

    attributes: dict[str, Any]
    joint: bool  # whether all classes are learned in one problem
    k: int  # classes
    d: int  # features
    v: int  # weight vectors


Check = Callable[[Any, Model], bool]


def is_labels(value: Any, _: Any) -> bool:
    """Whether a value is an array of different labels in order."""
    if not isinstance(value, np.ndarray) or value.ndim != 1 or not len(value):
        return False
    return bool((value[1:] > value[:-1]).all())


def is_count(value: Any, _: Any) -> bool:
    """Whether a value is a whole number from 0 on."""
    return isinstance(value, (int, np.integer)) and type(value) is not bool and bool(value >= 0)


def is_count_or_none(value: Any, _: Any) -> bool:
    """Whether a value is a whole number from 0 on, or None."""
    return value is None or is_count(value, None)


def is_number(value: Any, _: Any) -> bool:
    """Whether a value is a real number."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_number_or_none(value: Any, _: Any) -> bool:
    """Whether a value is a real number or None."""
    return value is None or is_number(value, None)


def is_flag(value: Any, _: Any) -> bool:
    """Whether a value is True or False."""
    return isinstance(value, (bool, np.bool_))


def is_array(value: Any, dtype: Any, shape: tuple[int, ...]) -> bool:
    """Whether a value is an array of this dtype and shape."""
    return isinstance(value, np.ndarray) and value.dtype == dtype and value.shape == shape


def is_vector(value: Any, kinds: str) -> bool:
    """Whether a value is an array of one axis and of these kinds of dtype."""
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in kinds


def floats(*axes: str) -> Check:
    """Return a check for float64 with these axes, named as in `Model`."""
    return lambda value, m: is_array(value, np.float64, tuple(getattr(m, a) for a in axes))


def are_names(value: Any, m: Model) -> bool:
    """Whether a value is an array of strings, one for each feature."""
    right = is_array(value, object, (m.d,))
    return right and all(isinstance(name, str) for name in value)


def is_within(places: Array, n: int) -> bool:
    """Whether all places are from 0 to n - 1."""
    return not len(places) or bool(places.min() >= 0 and places.max() < n)


LABELLED: dict[str, Check] = {
    "classes_": is_labels,
    "n_features_in_": is_count,
    "feature_names_in_": are_names,
}
