"""The optimal Bayes classifier, for distributions that are known."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

import numpy as np

from rosenblatt.bayes.base import Decisive
from rosenblatt.bayes.probability import check_priors, log
from rosenblatt.checks import check_rows
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array, Floats, Labels


class BayesClassifier(Decisive):
    """Choose the class with the largest p(x|class) p(class), both given.

    No classifier makes fewer mistakes on data from these distributions. There is nothing to learn:
    `predict` works at once, and `fit` only checks.

    A row that is impossible in every class gets the prior.

    Parameters
    ----------
    priors : array-like of shape (n_classes,)
        Probabilities of the classes.
    densities : list
        p(x|class) for each class: a frozen `scipy.stats` distribution (of as many dimensions as X
        has columns), a list of frozen distributions of one dimension (one for each column, taken
        as independent), or a function that takes rows of shape (n, n_features) and returns n
        densities.
    classes : array-like of shape (n_classes,) or None, default=None
        The labels; None takes 0, 1, 2 ...

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    class_prior_ : ndarray of shape (n_classes,)
        The priors.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> from rosenblatt import BayesClassifier
    >>> model = BayesClassifier([0.5, 0.5], [norm(0, 1), norm(4, 1)], classes=["low", "high"])
    >>> model.predict([[1.9], [2.1]])
    array(['low', 'high'], dtype='<U4')
    """

    def __init__(self, priors: Any, densities: Any, *, classes: Any = None) -> None:
        self.priors = priors
        self.densities = densities
        self.classes = classes

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the parameters; there is nothing to learn. Return self.

        Parameters
        ----------
        X : None, default=None
            Not used.
        y : None, default=None
            Not used.

        Returns
        -------
        self
            The same object.
        """
        self._check()
        return self

    @property
    def classes_(self) -> Labels:  # type: ignore[override]  # given, not learned
        """The labels."""
        k = len(self.densities)
        labels = np.arange(k) if self.classes is None else np.asarray(self.classes)
        if labels.shape != (k,):
            raise ParameterError(
                f"classes must hold {counted(k, 'label')}, got shape {labels.shape}"
            )
        return labels

    @property
    def class_prior_(self) -> Floats:  # type: ignore[override]  # given, not learned
        """The priors."""
        return check_priors(self.priors, len(self.densities), f"{len(self.densities)} densities")

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn that there is nothing to wait for."""
        return True

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that it can predict before `fit`."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def _check(self) -> None:
        if not isinstance(self.densities, (list, tuple)) or not self.densities:
            raise ParameterError(f"densities must be a list, got {self.densities!r}")
        for density in self.densities:
            parts = density if isinstance(density, (list, tuple)) else [density]
            if not parts or not all(callable(p) or _log_density(p) for p in parts):
                raise ParameterError(
                    "each density must be a frozen scipy.stats distribution, a list of them, "
                    f"or a function, got {density!r}"
                )
        _ = self.classes_, self.class_prior_

    def _joint(self, X: Any) -> Array:
        self._check()
        rows, _, _ = check_rows(copy(self), X, reset=True)
        if not isinstance(rows, np.ndarray):
            raise DataError("given densities take dense rows, got a sparse matrix; use X.toarray()")
        parts = [_log_of(density, rows) for density in self.densities]
        joint: Array = np.column_stack(parts) + log(self.class_prior_)
        return joint


def _log_density(density: Any) -> Any:
    """Return the method for log p(x), for continuous or discrete distributions, or None."""
    kind = getattr(getattr(density, "dist", None), "pmf", None)
    discrete = kind is not None or not hasattr(density, "logpdf")
    return getattr(density, "logpmf" if discrete else "logpdf", None)


def _log_of(density: Any, X: Array) -> Array:
    n, d = X.shape
    if isinstance(density, (list, tuple)):
        if len(density) != d:
            raise DataError(
                f"X must have {counted(len(density), 'column')}, one for each distribution, got {d}"
            )
        columns = [_log_of(part, X[:, j : j + 1]) for j, part in enumerate(density)]
        total: Array = np.sum(columns, axis=0)
        return total
    method = _log_density(density)
    try:
        with np.errstate(divide="ignore"):
            answer = np.asarray(method(X) if method else density(X), dtype=np.float64)
    except ValueError as error:
        rows = f"rows of {counted(d, 'column')}"
        raise DataError(f"a density does not take {rows}: {error}") from error
    if answer.size != n:
        raise DataError(
            f"a density must give one number for each of the {counted(n, 'row')}, got shape "
            f"{answer.shape}; for columns that are independent pass a list with a distribution "
            "for each"
        )
    answer = answer.reshape(n)
    if method is None:
        if not (answer >= 0).all():
            raise DataError("a density must be a number from 0 on, got a negative one or NaN")
        answer = log(answer)
    return answer
