"""A threshold unit with given weights."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from rosenblatt.checks import check_columns
from rosenblatt.checks.parameters import check_choice
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.types import Array, Floats, Labels, Numbers


class ThresholdUnit(LinearClassifier):
    """A fixed unit: +1 if w0 + w1 x1 + ... + wd xd > 0, else -1 (McCulloch and Pitts 1943).

    Nothing is learned; `fit` only looks whether X fits the weights.

    Parameters
    ----------
    weights : array-like of shape (n_features + 1,)
        w0 first.
    tie : {"-1", "+1"}, default="-1"
        The answer for a point on the boundary.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (1, n_features) and (1,)
        The weights and the threshold.
    classes_ : ndarray of shape (2,)
        -1 and +1.
    n_features_in_ : int
        Columns that X must have.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, when `fit` has seen any.

    Examples
    --------
    >>> from rosenblatt import ThresholdUnit
    >>> both = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> ThresholdUnit([-1.5, 1, 1]).predict(both)     # AND
    array([-1, -1, -1,  1])
    >>> ThresholdUnit([-0.5, 1, 1]).predict(both)     # OR
    array([-1,  1,  1,  1])
    >>> ThresholdUnit([0.5, -1]).predict([[0], [1]])  # NOT
    array([ 1, -1])
    """

    def __init__(self, weights: Numbers, *, tie: Literal["-1", "+1"] = "-1") -> None:
        self.weights = weights
        self.tie = tie

    def fit(self, X: Any, y: Any = None) -> Self:
        """Look whether X fits the weights; keep the names of its columns; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : None, default=None
            Not used: there is nothing to learn.

        Returns
        -------
        self
            The same object.
        """
        n_features, names = check_columns(X)
        if n_features != self.n_features_in_:
            raise DataError(
                f"X has {n_features} features, but ThresholdUnit is expecting "
                f"{self.n_features_in_} features as input: one for each weight after w0"
            )
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict(self, X: Any) -> Labels:
        """Return +1 or -1 for each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            +1 or -1.
        """
        check_choice(self.tie, "tie", ("-1", "+1"))
        return super().predict(X)

    def _said_of_probabilities(self, name: str) -> str:
        return f"ThresholdUnit has no {name}: its weights are given; use decision_function"

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn that there is nothing to wait for."""
        return True

    @property
    def coef_(self) -> Floats:  # type: ignore[override]  # given, not learned
        """The weights w1 ... wd."""
        return self._checked()[np.newaxis, 1:]

    @property
    def intercept_(self) -> Floats:  # type: ignore[override]  # given, not learned
        """The threshold w0."""
        return self._checked()[:1]

    @property
    def classes_(self) -> Labels:  # type: ignore[override]  # given, not learned
        """The two answers."""
        return np.array([-1, 1])

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]  # given, not learned
        """The number of inputs."""
        return len(self._checked()) - 1

    def _checked(self) -> Array:
        try:
            weights = np.asarray(self.weights, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ParameterError(f"weights must be numbers: {error}") from error
        if weights.ndim != 1 or len(weights) < 2 or not np.isfinite(weights).all():
            raise ParameterError(
                "weights must be finite numbers (w0, w1, ... wd) for at least one input, "
                f"got {self.weights!r}"
            )
        return weights
