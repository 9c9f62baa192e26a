"""The one door in: what a user passes becomes rows, labels and weights that kernels can take.

Everything is checked here, before any work is done, and nothing is written on the estimator: a
failed `fit` or `partial_fit` leaves it as it was. Who is no estimator passes None, or the name that
messages about y and X shall have.
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.validation import validate_data

from rosenblatt.checks.labels import check_labels, encode, union
from rosenblatt.checks.tables import check_finite, check_table, in_words
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, LabelError, RosenblattError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.kernels.sparse_rows import is_canonical
from rosenblatt.rows import as_others
from rosenblatt.types import Array, Block, Rows

NO_WEIGHTS = np.empty(0)


def check_block(
    estimator: BaseEstimator | str | None,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    known_classes: Array | None = None,
    reset: bool = True,
) -> Block:
    """Check rows, labels and weights against each other; return them ready to learn from.

    With `known_classes` the labels may add to them, and one class alone is enough.
    """
    if y is None:
        raise LabelError(
            f"{_name_of(estimator)} requires y to be passed, but the target y is None; "
            "pass one label per row of X"
        )
    probe = BaseEstimator() if estimator is None else copy(estimator)
    rows, n_rows, n_features = check_rows(probe, X, reset=reset)
    y = check_labels(y, n_rows)
    weights, members = _check_weights(sample_weight, n_rows)
    if known_classes is None and len(members) < n_rows:
        _check_every_class_weighs(y, members)
    seen, codes = encode(y if len(members) == n_rows else y[members])
    classes = seen if known_classes is None else union(known_classes, seen)
    if known_classes is None and len(classes) < 2:
        raise LabelError(
            f"y has 1 class, {classes.tolist()[0]!r}, and learning needs at least two; "
            "check the label column"
        )
    if known_classes is not None:
        codes = np.searchsorted(classes, seen)[codes]
    labels = codes.astype(np.int32)
    if len(members) < n_rows:
        everyone = np.zeros(n_rows, dtype=np.int32)
        everyone[members] = labels
        labels = everyone
    names = getattr(probe, "feature_names_in_", None)
    return Block(rows, n_rows, labels, classes, weights, members, n_features, names)


class Targets(NamedTuple):
    """Numbers to fit, and what to remember about the rows they belong to."""

    Y: Array  # float64, (rows, targets)
    one_target: bool
    weights: Array | None
    n_features: int
    feature_names: Array | None


def check_targets(
    estimator: BaseEstimator, X: Any, y: Any, sample_weight: Any = None, *, reset: bool = True
) -> tuple[Rows, Targets]:
    """Check rows, numbers to fit and weights against each other."""
    if y is None:
        raise DataError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None; "
            "pass one number per row of X"
        )
    probe = copy(estimator)
    rows, n_rows, n_features = check_rows(probe, X, reset=reset)
    try:
        if getattr(y, "dtype", None) is not None and getattr(y.dtype, "kind", "") in ("m", "M"):
            raise ValueError(f"got {y.dtype}; turn times into numbers first")
        Y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        one_target = Y.ndim == 1 or (Y.ndim == 2 and Y.shape[1] == 1)
        if one_target:
            Y = column_or_1d(y, warn=True).astype(np.float64)[:, np.newaxis]
    except (TypeError, ValueError) as error:
        raise DataError(f"y must hold a number for each row of X: {error}") from error
    if Y.ndim != 2 or len(Y) != n_rows:
        raise DataError(
            f"X and y must have the same length, got {counted(n_rows, 'row')} in X and "
            f"{len(Y)} in y"
        )
    weights, _ = _check_weights(sample_weight, n_rows)
    names = getattr(probe, "feature_names_in_", None)
    return rows, Targets(Y, one_target, weights if len(weights) else None, n_features, names)


def check_rows(
    estimator: BaseEstimator | str | None, X: Any, *, reset: bool = False, finite: bool = True
) -> tuple[Rows, int, int]:
    """Return X as rows for the kernels, its number of rows and of features.

    With an estimator that has learned, X must have its features. With `finite=False` numbers that
    are not finite are left for the caller to find.
    """
    X = check_table(X)
    if estimator is None:
        estimator, reset = BaseEstimator(), True
    presence = sparse.issparse(X) and X.dtype == bool
    how = {
        "accept_sparse": "csr",
        "dtype": None if presence else [np.float64, np.float32],
        "order": "C",
        "ensure_all_finite": False,
    }
    try:
        with np.errstate(over="ignore"):  # what a float64 cannot hold is found to be infinite
            if isinstance(estimator, str):
                table, names = check_array(X, estimator=estimator, **how), _column_names(X)
            else:
                table = validate_data(estimator, X, reset=reset, **how)
                names = getattr(estimator, "feature_names_in_", None)
    except RosenblattError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        raise in_words(error, X) from error
    X = table
    n_rows, n_features = X.shape
    if not sparse.issparse(X):
        if finite:
            check_finite(X, X, names)
        return as_others(X), n_rows, n_features
    X = _check_csr(X)
    rows = Presence(as_others(X.indices), as_others(X.indptr))
    if presence:
        return rows, n_rows, n_features
    if finite:
        check_finite(X.data, X, None)
    return CSR(as_others(X.data), *rows), n_rows, n_features


def _name_of(estimator: BaseEstimator | str | None) -> str:
    if estimator is None:
        return "learning"
    return estimator if isinstance(estimator, str) else type(estimator).__name__


def _column_names(X: Any) -> Array | None:
    """Return the names of columns that are all text, for messages."""
    names = list(getattr(X, "columns", ()))
    if not names or not all(isinstance(name, str) for name in names):
        return None
    return np.array(names, dtype=object)


def check_columns(X: Any) -> tuple[int, Array | None]:
    """Return how many columns X has, and their names; refuse what is no table of numbers."""
    probe = BaseEstimator()
    _, _, n_features = check_rows(probe, X, reset=True)
    return n_features, getattr(probe, "feature_names_in_", None)


def _check_csr(X: Any) -> Any:
    """Refuse a broken matrix (a kernel would read outside of it); merge repeated entries."""
    try:
        X.check_format(full_check=False)
        in_order = is_canonical(as_others(X.indices), as_others(X.indptr), X.shape[1])
        if not in_order:
            X.check_format(full_check=True)
    except ValueError as error:
        raise DataError(f"X is not a valid CSR matrix: {error}") from error
    if X.dtype == bool and not X.data.all():
        X = X.copy()
        X.eliminate_zeros()
    if not in_order:
        X = X.copy()
        # what the matrix remembers of itself may be out of date
        X.has_canonical_format = X.has_sorted_indices = False
        X.sum_duplicates()
    return X


def _check_weights(sample_weight: Any, n_rows: int) -> tuple[Array, Array]:
    everyone = np.arange(n_rows)
    if sample_weight is None:
        return NO_WEIGHTS, everyone
    try:
        given = np.asanyarray(sample_weight)
        if np.ma.is_masked(given) or given.dtype.kind in "USTmM":
            raise TypeError("got some that are masked, text or times; turn them into numbers first")
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"sample_weight must hold numbers: {error}") from error
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise DataError(
            f"sample_weight must have shape ({n_rows},), one weight per row, got {weights.shape}"
        )
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        wrong = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise DataError(
            f"sample_weight must be finite and not negative, got {weights[wrong]} at row {wrong}"
        )
    if (weights == 1).all():
        return NO_WEIGHTS, everyone
    if not weights.any():
        raise DataError("every sample_weight is zero; at least two classes need a weight above 0")
    return weights, np.flatnonzero(weights)


def _check_every_class_weighs(y: Array, members: Array) -> None:
    """Refuse labels none of whose rows has a weight: nothing would be learned of their class."""
    without = np.ones(len(y), dtype=bool)
    without[members] = False
    labels, there = encode(y[without])[0], encode(y[members])[0]
    lost = labels[~np.isin(labels, there)]
    if len(lost):
        raise DataError(
            f"weights are all zero for class {lost.tolist()[0]!r}",
            do="give one of its rows a sample_weight above 0, or leave its rows out",
        )
