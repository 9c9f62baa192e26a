"""What a hypothesis sees of points, and how often it is wrong about them."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np

from rosenblatt.checks.parameters import check_choice
from rosenblatt.counting import counted
from rosenblatt.decision.deciding import weights_threshold_of
from rosenblatt.errors import DataError
from rosenblatt.types import Array, Floats

FeatureMap = Literal["linear", "quadratic"]
FEATURES: tuple[FeatureMap, ...] = get_args(FeatureMap)


def expand(X: Array, features: FeatureMap) -> Array:
    """Return the features that a hypothesis sees: x1, x2, and for "quadratic" x1x2, x1^2, x2^2."""
    check_choice(features, "features", FEATURES)
    X = np.asarray(X, dtype=np.float64)
    if features == "linear":
        return X
    if X.shape[-1] != 2:
        raise DataError(
            f"quadratic features are made of two columns, got {X.shape[-1]}",
            in_shell="use --dimension 2, or --features linear",
        )
    x1, x2 = X[..., :1], X[..., 1:]
    return np.concatenate([X, x1 * x2, x1**2, x2**2], axis=-1)


def weights_of(g: Any) -> Array | None:
    """Return the weights of g, w0 first, or None if g is not one linear rule on -1 and +1."""
    if not hasattr(g, "predict"):
        w = np.asarray(g, dtype=np.float64)
        if w.ndim not in (1, 2) or not np.isfinite(w).all():
            raise DataError(f"the weights of g must be finite numbers, w0 first, got {g!r}")
        return w
    if not getattr(g, "_scores_are_sums", True):
        return None  # votes: `coef_` is the last of all that vote
    if np.shape(getattr(g, "coef_", ()))[:-1] == (1,) and list(g.classes_) == [-1, 1]:
        return np.concatenate([np.ravel(g.intercept_) - weights_threshold_of(g), g.coef_[0]])
    return None


def signs_of(weights: Array, X: Array) -> Array:
    """Return sign(w . x), with -1 for 0, of points (..., n, d) for weights (..., d + 1)."""
    return np.where(scores_of_points(weights, X) > 0, 1, -1)


def scores_of_points(weights: Array, X: Array) -> Array:
    """Return w . x of points (..., n, d) for weights (..., d + 1), w0 first."""
    if weights.shape[-1] != X.shape[-1] + 1:
        raise DataError(
            f"{counted(X.shape[-1], 'feature')} take {X.shape[-1] + 1} weights, w0 first"
        )
    return np.asarray(np.matmul(X, weights[..., 1:, np.newaxis])[..., 0] + weights[..., :1])


def error_in(g: Any, X: Array, y: Array, features: FeatureMap = "linear") -> Floats:
    """Return the share of examples that g gets wrong: a number, or one for each run.

    Parameters
    ----------
    g : array-like of shape (n_features + 1,) or (runs, n_features + 1), or a fitted model
        Weights, w0 first; of many runs, a row for each.
    X : array-like of shape (n_examples, n_features) or (runs, n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,) or (runs, n_examples)
        Their labels, -1 and +1 for weights.
    features : {"linear", "quadratic"}, default="linear"
        What g sees: x1 and x2, or x1x2, x1^2 and x2^2 as well.

    Returns
    -------
    ndarray
        The share, or an array with that of each run.

    Examples
    --------
    >>> from rosenblatt.lab import error_in
    >>> float(error_in([0, 1], [[-1.0], [1.0], [2.0], [3.0]], [-1, 1, 1, -1]))
    0.25
    """
    Z, y = expand(X, features), np.asarray(y)
    if Z.shape[:-1] != y.shape or y.size == 0:
        raise DataError(f"X and y must hold as many examples, got {Z.shape[:-1]} and {y.shape}")
    weights = None if hasattr(g, "predict") else weights_of(g)
    said = g.predict(Z) if weights is None else signs_of(weights, Z)
    return np.asarray((said != y).mean(axis=-1))
