"""What the attributes of each class must look like, so that no file can lead a kernel astray.

The checks are about kinds, shapes and places: a kernel never reads beyond an array, whatever the
numbers in it are. They are made when a model is saved, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.linear.multiclass import WAYS, n_vectors
from rosenblatt.model_file import bayes_checks, linear_checks
from rosenblatt.model_file.kinds import (
    Check,
    Model,
    are_names,
    floats,
    is_array,
    is_count,
    is_labels,
    is_number,
)
from rosenblatt.model_file.parts import are_ends, is_part


def check_attributes(name: str, parameters: dict[str, Any], attributes: dict[str, Any]) -> None:
    """Raise a ValueError if attributes are missing, unknown, or do not fit each other."""
    checks = CHECKS[name]
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


def _column(dtype: Any, like: str, more: int = 0) -> Check:
    """Return a check for a column of a mail filter: as long as another one."""
    return lambda value, m: is_array(value, dtype, (len(m.attributes[like]) + more,))


def _are_word_ends(value: Any, m: Model) -> bool:
    right = _column(np.uint32, "keys_", 1)(value, m)
    return right and are_ends(value.astype(np.int64), m.attributes["names_"])


CHECKS: dict[str, dict[str, Check]] = (
    linear_checks.CHECKS
    | bayes_checks.CHECKS
    | {
        "StandardScaler": {
            "n_features_in_": is_count,
            "feature_names_in_": are_names,
            "n_samples_seen_": is_number,
            "mean_": floats("d"),
            "var_": floats("d"),
            "scale_": floats("d"),
        },
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
            "spam_from_": is_number,
            "ham_below_": is_number,
        },
        "BagOfWords": {
            "vocabulary_": lambda value, m: is_part(value, "Vocabulary"),
            "collisions_": is_count,
        },
    }
)
OPTIONAL = {"feature_names_in_", "_sums"}
# How parameters were while learning: in a file only if they were changed since
OPTIONAL |= {"_learned_multiclass", "_learned_tie", "_learned_fit_intercept", "_learned_binarize"}
