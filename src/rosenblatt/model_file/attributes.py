"""What attributes must look like, so that no file can lead a kernel astray.

The checks are about kinds, shapes and places: a kernel never reads beyond an array, whatever the
numbers in it are. They are made when a model is saved, too. Here are the kinds of values, and the
tables of models that are neither linear nor of Bayes; those have files of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.linear.multiclass import WAYS, n_vectors
from rosenblatt.model_file.parts import are_ends, is_part
from rosenblatt.types import Array

OPTIONAL = {"feature_names_in_", "_sums", "alpha_", "loo_error_"}
OPTIONAL |= {"n_documents_", "document_counts_"}  # of words that are not weighed
OPTIONAL |= {"calibration_", "threshold_"}
# of a mail filter: earlier versions had none, and one that has judged nothing has none of the last
OPTIONAL |= {"secret_", "letter_spam_", "letter_ham_", "letter_weights_", "letter_steps_"}
OPTIONAL |= {"arrivals_", "times_", "judged_arrivals_", "judged_scores_"}
OPTIONAL |= {"judged_labels_", "judged_times_"}
OPTIONAL |= {"mixed_"}  # of models that were
# How parameters were while learning: in a file only if they were changed since
OPTIONAL |= {"_learned_multiclass", "_learned_tie", "_learned_fit_intercept", "_learned_binarize"}
OPTIONAL |= {"_learned_complement"}

LETTERS = 1 << 16  # places in the table of letters of a mail filter


class Model(NamedTuple):
    """Attributes with the sizes that follow from them."""

    attributes: dict[str, Any]
    joint: bool  # whether all classes are learned in one problem
    k: int  # classes
    d: int  # features
    v: int  # weight vectors


Check = Callable[[Any, Model], bool]


def check_attributes(
    name: str, checks: dict[str, Check], parameters: dict[str, Any], attributes: dict[str, Any]
) -> None:
    """Raise a ValueError if attributes are missing, unknown, or do not fit each other."""
    unknown = set(attributes) - set(checks)
    missing = set(checks) - set(attributes) - OPTIONAL
    if unknown or missing:
        what = f"has no {min(missing)}" if missing else f"has an unknown {min(unknown)[:80]!r}"
        raise ValueError(f"{name} {what}")
    model = _sizes(parameters, attributes)
    for attribute, value in attributes.items():
        if not checks[attribute](value, model):
            raise ValueError(f"{attribute} of {name} does not fit the rest")


def _sizes(parameters: dict[str, Any], attributes: dict[str, Any]) -> Model:
    classes, d = attributes.get("classes_"), attributes.get("n_features_in_", 0)
    way = attributes.get("_learned_multiclass", parameters.get("multiclass", "joint"))
    if way not in WAYS or not is_count(d, None):
        raise ValueError("multiclass or n_features_in_ is none")
    if classes is None:  # least squares: a vector for each target
        coef = attributes.get("coef_", np.empty((0, 0)))
        return Model(attributes, True, 0, int(d), len(coef))
    if not is_labels(classes, None):
        raise ValueError("classes_ must hold different labels in order")
    k = len(classes)
    return Model(attributes, way == "joint" or k <= 2, k, int(d), n_vectors(k, way))


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


def _column(dtype: Any, like: str, more: int = 0) -> Check:
    """Return a check for a column of a mail filter: as long as another one."""
    return lambda value, m: is_array(value, dtype, (len(m.attributes[like]) + more,))


def _are_word_ends(value: Any, m: Model) -> bool:
    right = _column(np.uint32, "keys_", 1)(value, m)
    return right and are_ends(value.astype(np.int64), m.attributes["names_"])


def _are_document_counts(value: Any, m: Model) -> bool:
    n = m.attributes.get("n_documents_")
    right = is_count(n, None) and is_array(value, np.int64, value.shape[:1])
    return right and (not len(value) or bool(value.min() >= 0 and value.max() <= n))


def _is_calibration(value: Any, m: Model) -> bool:
    right = is_part(value, "Calibration") and is_number(value.slope, m)
    right = right and 0 < value.slope < np.inf and is_array(value.offsets, np.float64, (m.k,))
    return right and bool(np.isfinite(value.offsets).all())


def _is_threshold(value: Any, m: Model) -> bool:
    return is_number(value, m) and bool(abs(value) < np.inf) and m.k <= 2


# What learners with classes may keep to decide by
DECIDED: dict[str, Check] = {"calibration_": _is_calibration, "threshold_": _is_threshold}
LABELLED: dict[str, Check] = {
    "classes_": is_labels,
    "n_features_in_": is_count,
    "feature_names_in_": are_names,
}
SCALER: dict[str, Check] = {
    "n_features_in_": is_count,
    "feature_names_in_": are_names,
    "n_samples_seen_": is_number,
    "mean_": floats("d"),
    "var_": floats("d"),
    "scale_": floats("d"),
}
OTHERS: dict[str, dict[str, Check]] = {
    "StandardScaler": SCALER,
    "DenseScaler": SCALER,
    "Normalizer": {"n_features_in_": is_count, "feature_names_in_": are_names},
    "MailFilter": {
        "keys_": _column(np.uint32, "keys_"),
        "ends_": _are_word_ends,
        "names_": lambda value, m: is_array(value, np.uint8, value.shape[:1]),
        "spam_": _column(np.int32, "keys_"),
        "ham_": _column(np.int32, "keys_"),
        "weights_": _column(np.int64, "keys_"),
        "digests_": _column(np.uint64, "digests_"),
        "labels_": _column(np.uint8, "digests_"),
        "text_steps_": _column(np.int64, "digests_"),
        "head_steps_": _column(np.int64, "digests_"),
        "scores_": _column(np.float64, "digests_"),
        "letter_steps_": _column(np.int64, "digests_"),
        "arrivals_": _column(np.uint64, "digests_"),
        "times_": _column(np.uint32, "digests_"),
        "secret_": lambda value, m: is_count(value, m) and value < 1 << 32,
        "letter_spam_": lambda value, m: is_array(value, np.int32, (LETTERS,)),
        "letter_ham_": lambda value, m: is_array(value, np.int32, (LETTERS,)),
        "letter_weights_": lambda value, m: is_array(value, np.int64, (LETTERS,)),
        "judged_arrivals_": _column(np.uint64, "judged_arrivals_"),
        "judged_scores_": _column(np.float64, "judged_arrivals_"),
        "judged_labels_": _column(np.uint8, "judged_arrivals_"),
        "judged_times_": _column(np.uint32, "judged_arrivals_"),
        "spam_from_": is_number,
        "ham_below_": is_number,
    },
    "BagOfWords": {
        "vocabulary_": lambda value, m: is_part(value, "Vocabulary"),
        "collisions_": is_count,
        "n_documents_": is_count,
        "document_counts_": _are_document_counts,
    },
}
