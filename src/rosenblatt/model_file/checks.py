"""What the attributes of each class must look like, so that no file can lead a kernel astray.

The checks are about kinds, shapes and places: a kernel never reads beyond an array, whatever the
numbers in it are. They are made when a model is saved, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt._validation import Array
from rosenblatt.linear.multiclass import WAYS, n_vectors
from rosenblatt.model_file.kinds import (
    Check,
    Model,
    are_names,
    floats,
    is_array,
    is_count,
    is_count_or_none,
    is_flag,
    is_labels,
    is_number,
    is_number_or_none,
    is_vector,
    is_within,
)
from rosenblatt.model_file.parts import are_ends, is_part

MOST_UNIT = 1 << 13  # the units of products of float64 are powers of 2 from -4300 to 4200


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


def _is_memory(value: Any, m: Model) -> bool:
    shape, n_times = (m.v, m.d + 1), 1 if m.joint else m.v
    right = is_part(value, "Memory") and is_array(value.times, np.float64, (n_times,))
    return right and all(is_array(part, np.float64, shape) for part in value[:2])


def _are_kept(value: Any, m: Model) -> bool:
    right = isinstance(value, (np.ndarray, sparse.csr_array)) and value.ndim == 2
    return right and value.shape[1] == m.d and value.dtype in (np.float32, np.float64, np.bool_)


def _are_ballots(value: Any, m: Model) -> bool:
    right = isinstance(value, list) and len(value) == (1 if m.joint else m.v)
    return right and all(_is_ballot(ballot, m) for ballot in value)


def _is_ballot(value: Any, m: Model) -> bool:
    if not is_part(value, "Ballot") or not is_vector(value.which, "i"):
        return False
    n, n_kept = len(value.which), m.attributes["_kept"].shape[0]
    right = is_array(value.step, np.float64, (n,)) and is_within(value.which, n_kept)
    right = right and is_array(value.survival, np.float64, (n + 1,))
    right = right and isinstance(value.sides, tuple) and len(value.sides) == 2
    right = right and all(is_array(side, np.int32, (n,)) for side in value.sides)
    many = m.joint and m.k > 2
    return right and (not many or all(is_within(side, m.k) for side in value.sides))


def _are_vectors(kinds: str) -> Check:
    def check(value: Any, m: Model) -> bool:
        many = isinstance(value, list) and len(value) == m.v and not m.joint
        return is_vector(value, kinds) or (many and all(is_vector(a, kinds) for a in value))

    return check


def _are_sums(value: Any, m: Model) -> bool:
    n, targets = m.d + 1, m.k or m.v
    right = is_part(value, "Sums") and is_array(value.gram, np.float64, (n, n))
    right = right and is_array(value.moments, np.float64, (n, targets))
    return right and is_array(value.squares, np.float64, (targets,)) and is_number(value.total, m)


def _is_error(value: Any, m: Model) -> bool:
    return is_number(value, m) or is_array(value, np.float64, (m.v,))


def _is_one_target(value: Any, m: Model) -> bool:
    return is_flag(value, m) and (m.v == 1 or not value)


def _are_singular(value: Any, m: Model) -> bool:
    return value is None or is_vector(value, "f")


def _are_counts(value: Any, k: int, n_cells: int) -> bool:
    right = is_part(value, "Counts") and is_array(value.n_rows, np.int64, (k,))
    right = right and is_array(value.weight, np.float64, (k,)) and is_flag(value.rounded, None)
    return right and is_array(value.cells, np.float64, (k, n_cells)) and _is_unit(value.unit)


def _is_unit(value: Any) -> bool:
    return type(value) is int and abs(value) <= MOST_UNIT


def _is_tally(value: Any, m: Model) -> bool:
    return _are_counts(value, m.k, m.d)


def _is_keyed(value: Any, m: Model, is_key: Callable[[Array, Model], bool]) -> bool:
    if not is_part(value, "KeyedCounts") or not isinstance(value.keys, np.ndarray):
        return False
    keys = value.keys
    right = keys.ndim == 1 and is_key(keys, m) and bool((keys[1:] > keys[:-1]).all())
    parts = (value.weighted, value.plain)
    return right and all(_are_counts(part, m.k, len(keys)) for part in parts)


def _are_pairs(keys: Array, m: Model) -> bool:
    if keys.dtype != np.complex128 or not np.isfinite(keys).all():
        return False
    return is_within(keys.real, m.d) and bool((keys.real == np.floor(keys.real)).all())


def _are_rows(keys: Array, m: Model) -> bool:
    return keys.dtype == object and all(isinstance(key, bytes) for key in keys)


def _are_moments(value: Any, m: Model) -> bool:
    right = is_part(value, "Moments") and is_array(value.n_rows, np.int64, (m.k,))
    right = right and _is_whole(value.total, (m.k,))
    right = right and all(_is_whole(part, (m.k, m.d)) for part in (value.linear, value.square))
    return right and _is_unit(value.unit) and _is_unit(value.weight_unit)


def _is_whole(value: Any, shape: tuple[int, ...]) -> bool:
    return is_array(value, object, shape) and all(type(item) is int for item in value.flat)


def _n_keys(m: Model) -> int:
    return len(m.attributes["_tally"].keys)


def _are_categories(value: Any, m: Model) -> bool:
    right = isinstance(value, list) and len(value) == m.d
    return right and all(is_vector(a, "f") for a in value)


def _are_shares(value: Any, m: Model) -> bool:
    categories = m.attributes["categories_"]
    right = isinstance(value, list) and len(value) == len(categories)
    return right and all(
        is_array(p, np.float64, (m.k, len(values)))
        for p, values in zip(value, categories, strict=True)
    )


def _column(dtype: Any, like: str, more: int = 0) -> Check:
    """Return a check for a column of a mail filter: as long as another one."""
    return lambda value, m: is_array(value, dtype, (len(m.attributes[like]) + more,))


def _are_word_ends(value: Any, m: Model) -> bool:
    right = _column(np.uint32, "keys_", 1)(value, m)
    return right and are_ends(value.astype(np.int64), m.attributes["names_"])


LABELLED: dict[str, Check] = {
    "classes_": is_labels,
    "n_features_in_": is_count,
    "feature_names_in_": are_names,
}
LINEAR: dict[str, Check] = LABELLED | {
    "coef_": floats("v", "d"),
    "intercept_": floats("v"),
    "n_updates_": is_count,
    "n_epochs_": is_count,
    "converged_": is_flag,
    "_learned_multiclass": lambda value, m: isinstance(value, str) and value in WAYS,
}
SQUARES: dict[str, Check] = {
    "coef_": floats("v", "d"),
    "intercept_": floats("v"),
    "rank_": is_count_or_none,
    "singular_": _are_singular,
    "_sums": _are_sums,
}
BAYES: dict[str, Check] = LABELLED | {
    "class_prior_": floats("k"),
    "class_count_": floats("k"),
    "_tally": _is_tally,
    "_named": lambda value, m: isinstance(value, np.ndarray) and value.ndim == 1,
    "_record": lambda value, m: is_part(value, "Record"),
}
SHARES: dict[str, Check] = BAYES | {
    "feature_prob_": floats("k", "d"),
    "feature_count_": floats("k", "d"),
}
CHECKS: dict[str, dict[str, Check]] = {
    "Perceptron": LINEAR,
    "BatchPerceptron": LINEAR,
    "PocketPerceptron": LINEAR
    | {"error_": is_number, "error_path_": lambda value, m: isinstance(value, list)},
    "AveragedPerceptron": LINEAR | {"_memory": _is_memory},
    "VotedPerceptron": LINEAR
    | {
        "_kept": _are_kept,
        "_ballots": _are_ballots,
        "mistakes_": _are_vectors("i"),
        "survival_": _are_vectors("f"),
        "n_hypotheses_": is_count,
        "_learned_fit_intercept": lambda value, m: is_flag(value, m) or is_number(value, m),
    },
    "ThresholdUnit": {},
    "LeastSquares": SQUARES
    | {
        "n_features_in_": is_count,
        "feature_names_in_": are_names,
        "squared_error_": _is_error,
        "_one_target": _is_one_target,
    },
    "LeastSquaresClassifier": SQUARES
    | LABELLED
    | {"squared_error_": is_number, "error_": is_number_or_none},
    "BernoulliNaiveBayes": SHARES | {"_learned_binarize": is_number_or_none},
    "MultinomialNaiveBayes": SHARES,
    "GaussianNaiveBayes": BAYES
    | {
        "_tally": _are_moments,
        "mean_": floats("k", "d"),
        "var_": floats("k", "d"),
        "epsilon_": is_number,
    },
    "CategoricalNaiveBayes": BAYES
    | {
        "_tally": lambda value, m: _is_keyed(value, m, _are_pairs),
        "categories_": _are_categories,
        "category_prob_": _are_shares,
        "_change": lambda value, m: is_array(value, np.float64, (2, _n_keys(m) + m.d, m.k)),
        "_base": lambda value, m: is_array(value, np.float64, (2, m.k)),
    },
    "EmpiricalBayes": BAYES
    | {
        "_tally": lambda value, m: _is_keyed(value, m, _are_rows),
        "n_cells_": lambda value, m: is_count(value, m) and value == _n_keys(m),
        "_cell_prob": lambda value, m: is_array(value, np.float64, (m.k, _n_keys(m))),
    },
    "BayesClassifier": {},
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
OPTIONAL = {"feature_names_in_", "_sums"}
# How parameters were while learning: in a file only if they were changed since
OPTIONAL |= {"_learned_multiclass", "_learned_fit_intercept", "_learned_binarize"}
