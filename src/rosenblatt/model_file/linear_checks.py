"""What the attributes of perceptrons and of least squares must look like."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.linear.multiclass import WAYS
from rosenblatt.linear.rules import TIES
from rosenblatt.model_file.attributes import (
    DECIDED,
    LABELLED,
    Check,
    Model,
    are_names,
    floats,
    is_array,
    is_count,
    is_count_or_none,
    is_flag,
    is_number,
    is_number_or_none,
    is_vector,
    is_within,
)
from rosenblatt.model_file.parts import is_part


def _is_memory(value: Any, m: Model) -> bool:
    shape, n_times = (m.v, m.d + 1), 1 if m.joint else m.v
    right = is_part(value, "Memory") and is_array(value.times, np.float64, (n_times,))
    return right and all(is_array(part, np.float64, shape) for part in value[:2])


def _is_memory_of_margins(value: Any, m: Model) -> bool:
    # without a mean there are no sums but those of w0
    if not is_part(value, "Memory") or not is_array(value.sums, np.float64, (m.v, 1)):
        return _is_memory(value, m)
    return _is_memory(value._replace(sums=value.last), m)


def _are_variances(*axes: str) -> Check:
    right = floats(*axes)
    return lambda value, m: right(value, m) and bool(((value >= 0) & (value <= 1)).all())


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


LINEAR: dict[str, Check] = (
    LABELLED
    | DECIDED
    | {
        "coef_": floats("v", "d"),
        "intercept_": floats("v"),
        "n_updates_": is_count,
        "n_epochs_": is_count,
        "converged_": is_flag,
        "mixed_": is_flag,
        "_learned_multiclass": lambda value, m: isinstance(value, str) and value in WAYS,
    }
)
BUDGETED: dict[str, Check] = LINEAR | {
    "_learned_tie": lambda value, m: isinstance(value, str) and value in TIES,
}
SQUARES: dict[str, Check] = {
    "coef_": floats("v", "d"),
    "intercept_": floats("v"),
    "rank_": is_count_or_none,
    "singular_": _are_singular,
    "alpha_": is_number,
    "loo_error_": is_number,
    "_sums": _are_sums,
}
CHECKS: dict[str, dict[str, Check]] = {
    "Perceptron": BUDGETED,
    "BatchPerceptron": LINEAR,
    "PocketPerceptron": BUDGETED
    | {"error_": is_number, "error_path_": lambda value, m: isinstance(value, list)},
    "AveragedPerceptron": LINEAR | {"_memory": _is_memory},
    "PassiveAggressive": LINEAR | {"_memory": _is_memory_of_margins},
    "AROW": LINEAR
    | {"variance_": _are_variances("v", "d"), "intercept_variance_": _are_variances("v")},
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
    | DECIDED
    | {"squared_error_": is_number, "error_": is_number_or_none},
}
