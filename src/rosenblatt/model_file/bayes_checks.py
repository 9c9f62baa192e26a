"""What the attributes of Bayes classifiers must look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.model_file.attributes import (
    DECIDED,
    LABELLED,
    Check,
    Model,
    floats,
    is_array,
    is_count,
    is_flag,
    is_number,
    is_number_or_none,
    is_vector,
    is_within,
)
from rosenblatt.model_file.parts import is_part
from rosenblatt.types import Array

MOST_UNIT = 1 << 13  # the units of products of float64 are powers of 2 from -4300 to 4200


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


BAYES: dict[str, Check] = (
    LABELLED
    | DECIDED
    | {
        "class_prior_": floats("k"),
        "class_count_": floats("k"),
        "_tally": _is_tally,
        "_named": lambda value, m: isinstance(value, np.ndarray) and value.ndim == 1,
        "_record": lambda value, m: is_part(value, "Record"),
    }
)
SHARES: dict[str, Check] = BAYES | {
    "feature_prob_": floats("k", "d"),
    "feature_count_": floats("k", "d"),
}
CHECKS: dict[str, dict[str, Check]] = {
    "BernoulliNaiveBayes": SHARES | {"_learned_binarize": is_number_or_none},
    "MultinomialNaiveBayes": SHARES
    | {"_learned_complement": lambda value, m: is_flag(value, m) or is_number(value, m)},
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
}
