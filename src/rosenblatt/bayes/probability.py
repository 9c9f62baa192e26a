"""Logarithms of probabilities, where 0 is one of them; priors and smoothing, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.checks.parameters import as_float
from rosenblatt.errors import ParameterError
from rosenblatt.rows import scores_of
from rosenblatt.types import Array, Rows


def log(p: Array) -> Array:
    """Return the logarithm, -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.log(p)


def linear_joint(rows: Rows, n_rows: int, change: Array, base: Array, prior: Array) -> Array:
    """Return log p(x, class) = log prior + base + x . change, with probabilities of 0 in place.

    `change` and `base` are pairs (finite logarithms, number of factors 0) along their first axis:
    infinities would turn into NaN where they meet. Shapes (2, d, classes) and (2, classes).
    """
    joint = scores_of(rows, n_rows, np.ascontiguousarray(change[0]), base[0])
    joint += log(prior)
    if change[1].any() or base[1].any():
        impossible = scores_of(rows, n_rows, np.ascontiguousarray(change[1]), base[1]) > 0
        joint[impossible] = -np.inf
    return joint


def without_empty_columns(rows: Rows, n_columns: int) -> tuple[Rows, Array | slice]:
    """Return rows without the columns that none of them has, and which columns are left.

    A text has some hundred of a million hashed words: logarithms of the others are not needed.
    """
    if isinstance(rows, np.ndarray):
        return rows, slice(None)
    there = np.zeros(n_columns, dtype=bool)
    there[rows.indices] = True
    columns = np.flatnonzero(there)
    if 2 * len(columns) > n_columns:
        return rows, slice(None)
    place: Array = np.empty(n_columns, dtype=rows.indices.dtype)
    place[columns] = np.arange(len(columns))
    return rows._replace(indices=place[rows.indices]), columns


def finite_and_zeros(p: Array) -> Array:
    """Return the pair (log p with 0 for -inf, 1 where p is 0)."""
    zero = p == 0
    return np.stack([np.log(np.where(zero, 1.0, p)), zero.astype(np.float64)])


def normalised(joint: Array) -> Array:
    """Return log p(class|x) from log p(x, class)."""
    joint = joint - joint.max(axis=1, keepdims=True)
    posterior: Array = joint - np.log(np.exp(joint).sum(axis=1, keepdims=True))
    return posterior


def shares(counts: Array, totals: Array, alpha: float, n_values: int | Array) -> Array:
    """Return (count + alpha) / (total + alpha n_values), equal shares of nothing."""
    bottom = totals[:, np.newaxis] + alpha * np.atleast_1d(n_values)
    # in one array: a million words and twenty classes are 160 MB
    p: Array = counts + alpha
    with np.errstate(invalid="ignore", divide="ignore"):
        p /= bottom
    if not (bottom > 0).all():
        p = np.where(bottom > 0, p, 1 / np.maximum(n_values, 1))
    # sums of fractional weights may round to a little above the total
    return np.minimum(p, 1.0, out=p)


def check_smoothing(**parameters: Any) -> None:
    """Refuse parameters that are not finite numbers from 0 on."""
    for name, value in parameters.items():
        if not 0 <= as_float(value) < np.inf:
            raise ParameterError(f"must be a number from 0 on, got {value!r}", about=name)


def check_priors(priors: Any, n_classes: int, of: str) -> Array:
    """Return the priors as an array; refuse what is no distribution over the classes."""
    try:
        given = np.array(priors, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"priors must hold numbers, got {priors!r}") from error
    if given.shape != (n_classes,):
        raise ParameterError(
            f"priors must hold {n_classes} numbers, one for each of {of}, got shape {given.shape}"
        )
    if not ((given >= 0).all() and abs(given.sum() - 1) < 1e-8):
        raise ParameterError(f"priors must be from 0 on and sum to 1, got {priors!r}")
    return given
