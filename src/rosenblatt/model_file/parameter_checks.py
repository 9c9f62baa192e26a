"""What the parameters of each class must look like, so that no file makes a model that falls over.

A parameter has one meaning in all classes. The checks are about kinds: a number that makes no
sense is refused in words when the model learns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.checks.parameters import as_float
from rosenblatt.decision.threshold import WAYS_TO_CHOOSE
from rosenblatt.linear.class_weight import BALANCED
from rosenblatt.linear.least_squares_solver import SOLVERS
from rosenblatt.linear.multiclass import WAYS
from rosenblatt.linear.passive_aggressive import VARIANTS
from rosenblatt.linear.ridge import LOO
from rosenblatt.linear.rules import RULES, TIES
from rosenblatt.model_file.attributes import is_number
from rosenblatt.text.words import TFIDF

Check = Callable[[Any], bool]
# Parameters that came later than the first files: one with this value is not written, so that
# a file is the same as ever
LATER = {"class_weight": None, "weighting": None, "complement": False}
LATER |= {"probability": False, "threshold": None, "symbols": False}
# and those that other classes have had from the first on
LATER_OF = {"LeastSquares": {"alpha": 0.0}, "LeastSquaresClassifier": {"alpha": 0.0}}


def check_parameters(name: str, parameters: dict[str, Any]) -> None:
    """Raise a ValueError if a parameter of the class of this name is of another kind."""
    for parameter, value in parameters.items():
        if not CHECKS[parameter](value):
            raise ValueError(f"{parameter} of {name} cannot be {str(value)[:40]!r}")


def _is_number(value: Any) -> bool:
    """Whether a value is a number that a float can be made of."""
    return is_number(value, None) and not (np.isnan(as_float(value)) and value == value)


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or (_is_number(value) and value in (0, 1))


def _are_numbers(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray)) and all(map(_is_number, value))


def _are_ngrams(value: Any) -> bool:
    return _is_number(value) or (_are_numbers(value) and len(value) == 2)


def _is_init(value: Any) -> bool:
    return _are_numbers(value) or _one_of(("regression", "best"))(value)


def _is_seed(value: Any) -> bool:
    return _is_number(value) or isinstance(value, np.random.RandomState | np.random.Generator)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, np.ndarray))


def _are_names(value: Any) -> bool:
    return _is_list(value) and all(isinstance(name, str) for name in value)


def _is_class_weight(value: Any) -> bool:
    if isinstance(value, str):
        return value == BALANCED
    return isinstance(value, dict) and all(map(_is_number, value.values()))


def _is_threshold(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, str) and value in WAYS_TO_CHOOSE)


def _one_of(choices: Any) -> Check:
    return lambda value: isinstance(value, str) and value in choices


def _or_none(check: Check) -> Check:
    return lambda value: value is None or check(value)


FLAGS = "shuffle average fit_intercept warm_start counts lowercase signed characters copy with_mean"
FLAGS += " complement probability symbols"
NUMBERS = "var_smoothing eta epsilon max_false_positives epochs first_vote n_names C r"
NUMBERS += " least_odds"
NUMBERS_OR_NONE = "max_epochs max_updates bits binarize n_jobs"
CHECKS: dict[str, Check] = {
    **dict.fromkeys([*FLAGS.split(), "with_std", "verbose"], _is_flag),
    **dict.fromkeys(NUMBERS.split(), _is_number),
    **dict.fromkeys(NUMBERS_OR_NONE.split(), _or_none(_is_number)),
    "alpha": lambda value: _is_number(value) or _one_of((LOO,))(value),
    "ngrams": _are_ngrams,
    "rule": _one_of(RULES),
    "tie": _one_of(TIES),
    "multiclass": _one_of(WAYS),
    "variant": _one_of(VARIANTS),
    "weighting": _or_none(_one_of((TFIDF,))),
    "norm": _one_of(("l1", "l2", "max")),
    "solver": _one_of(SOLVERS),
    "init": _or_none(_is_init),
    "random_state": _or_none(_is_seed),
    "priors": _or_none(_are_numbers),
    "weights": _are_numbers,
    "densities": _is_list,
    "classes": _or_none(_is_list),
    "class_weight": _or_none(_is_class_weight),
    "threshold": _or_none(_is_threshold),
    "transform_input": _or_none(_are_names),
}
