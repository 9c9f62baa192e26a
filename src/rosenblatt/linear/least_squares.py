"""Least squares as a regressor."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rosenblatt.blocks import InMemory
from rosenblatt.checks import check_rows, check_targets
from rosenblatt.checks.named import Named
from rosenblatt.checks.parameters import check_choice
from rosenblatt.choices import Solver
from rosenblatt.export.leaving import Leaving
from rosenblatt.export.rule import VALUE, ModelRule
from rosenblatt.linear.least_squares_solver import SOLVERS, Sums, System
from rosenblatt.linear.ridge import check_alpha, check_alpha_of_sums, keep_chosen, ridge_solution
from rosenblatt.rows import matrix
from rosenblatt.sklearn_base import BaseEstimator, MultiOutputMixin, RegressorMixin
from rosenblatt.types import Array, Floats, Labels, Seed


class LeastSquares(Leaving, Named, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Fit w . (1, x) to y with the smallest mean of squared errors: w = X+ y.

    When several weights do so, because columns depend on each other or rows are few, the one of
    smallest norm; `alpha` draws the weights towards 0. `partial_fit` learns from sums and sees each
    row once.

    Parameters
    ----------
    alpha : float or "loo", default=0.0
        The ridge: alpha |w|^2, without w0, is added to the sum of squared errors. 0 is the
        pseudoinverse; "loo" takes the alpha with the least error on rows that are left out, each
        in turn, among 41 from 1e-8 to 100 times the largest eigenvalue of the centred X'X. One
        factorisation tells it; it takes at most 10,000 rows or as many features.
    solver : {"auto", "iterative"}, default="auto"
        The closed form, from sums or a factorisation as the condition of X asks; or LSQR, for
        more than 20,000 features.
    fit_intercept : bool, default=True
        Fit the constant w0.
    random_state : int, RandomState, Generator or None, default=None
        Not used: there is nothing to draw.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (n_targets, n_features) and (n_targets,)
        The weights.
    squared_error_ : float or ndarray of shape (n_targets,)
        E_in: the mean of squared errors on the training examples.
    rank_ : int or None
        The rank of (1, X); None when it is not known.
    singular_ : ndarray or None
        The singular values of (1, X); None when it was not factorised, and for an alpha above 0.
    alpha_, loo_error_ : float
        After alpha="loo": the alpha that was taken, and its mean of squared errors on rows that
        are left out, over all targets.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import LeastSquares
    >>> model = LeastSquares().fit([[1], [2], [7], [8]], [-1, -1, 1, 1])
    >>> model.intercept_.round(4), model.coef_.round(4)
    (array([-1.4595]), array([[0.3243]]))
    >>> model = LeastSquares(alpha="loo").fit([[1], [2], [7], [8]], [-1, -1, 1, 1])
    >>> round(model.alpha_, 3), round(model.loo_error_, 3)
    (2.081, 0.092)
    """

    coef_: Floats
    intercept_: Floats
    squared_error_: float | Floats
    rank_: int | None
    singular_: Floats | None
    alpha_: float
    loo_error_: float
    n_features_in_: int
    feature_names_in_: Labels

    def __init__(
        self,
        *,
        alpha: float | Literal["loo"] = 0.0,
        solver: Solver = "auto",
        fit_intercept: bool = True,
        random_state: Seed = None,
    ) -> None:
        self.alpha = alpha
        self.solver = solver
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Solve for the rows of X and the numbers y, one or several columns; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : array-like of shape (n_examples,) or (n_examples, n_targets)
            The numbers to come near to.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Weighs the squared errors.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        rows, targets = check_targets(self, X, y, sample_weight)
        M, n_rows = matrix(rows, targets.n_features, float), len(targets.Y)
        system = System(M, targets.Y, targets.weights, n_rows, targets.n_features)
        solution = ridge_solution(InMemory(system), self.fit_intercept, self.solver, self.alpha)
        residual = M @ solution.weights[:, 1:].T + solution.weights[:, 0] - targets.Y
        error = np.average(residual**2, axis=0, weights=targets.weights)
        self._keep(targets, solution.weights, error)
        self.rank_, self.singular_ = solution.rank, solution.singular
        keep_chosen(self, solution)
        self.__dict__.pop("_sums", None)
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add the rows to the sums and solve again.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features)
            The examples.
        y : array-like of shape (n_examples,) or (n_examples, n_targets)
            The numbers to come near to.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Weighs the squared errors.

        Returns
        -------
        self
            The same object.
        """
        check_alpha_of_sums(self.alpha)
        sums = getattr(self, "_sums", None)
        rows, targets = check_targets(self, X, y, sample_weight, reset=sums is None)
        more = Sums.of(matrix(rows, targets.n_features, float), targets.Y, targets.weights)
        sums = more if sums is None else sums + more
        weights, rank, error = sums.solve(self.fit_intercept, float(self.alpha))
        self._keep(targets, weights, error)
        self._sums, self.rank_, self.singular_ = sums, rank, None
        keep_chosen(self, None)
        return self

    def predict(self, X: Any) -> Floats:
        """Return w . (1, x) for each row, a column for each target when y had columns.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_targets)
            The numbers.
        """
        check_is_fitted(self)
        rows, _, n_features = check_rows(self, X)
        values: Floats = matrix(rows, n_features, float) @ self.coef_.T + self.intercept_
        return values[:, 0] if self._one_target else values

    def _check_parameters(self) -> None:
        check_choice(self.solver, "solver", SOLVERS)
        check_alpha(self.alpha)

    def _rule(self, form: str) -> ModelRule:
        check_is_fitted(self)
        return ModelRule(
            name=type(self).__name__,
            answer=VALUE,
            classes=None,
            coef=self.coef_,
            intercept=self.intercept_,
        )

    def _keep(self, targets: Any, weights: Array, error: Array) -> None:
        self.coef_, self.intercept_ = weights[:, 1:].copy(), weights[:, 0].copy()
        self._one_target = targets.one_target
        self.squared_error_ = float(error[0]) if self._one_target else error
        self.n_features_in_ = targets.n_features
        if targets.feature_names is not None:
            self.feature_names_in_ = targets.feature_names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that sparse rows are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
