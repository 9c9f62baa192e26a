"""Least squares as a classifier."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from rosenblatt.checks.parameters import check_choice
from rosenblatt.choices import ClassWeight, Solver, Threshold
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.least_squares_solver import SOLVERS, Sums, as_system
from rosenblatt.linear.ridge import check_alpha, check_alpha_of_sums, keep_chosen, ridge_solution
from rosenblatt.rows import matrix
from rosenblatt.types import Array, Block, Floats, Seed


class LeastSquaresClassifier(LinearClassifier):
    """Fit the labels as -1 and +1 by least squares and classify by the sign.

    Quick and in closed form; a good start for `Perceptron(init="regression")`. Its squared error
    is not the classification error: both are reported.

    Parameters
    ----------
    alpha : float or "loo", default=0.0
        The ridge, see `LeastSquares`. "loo" is by squared errors here, too: to count wrong signs
        would choose a worse alpha more often than not.
    solver : {"auto", "iterative"}, default="auto"
        See `LeastSquares`.
    fit_intercept : bool, default=True
        Fit the constant w0.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the weight of each row by that of its class: a dict of label: weight (1 for a
        label that it leaves out), or N / (k N_class), where rows count by their sample weights.
    probability : bool, default=False
        Learn probabilities from the scores of 5 folds, each by a model that has not seen it, which
        takes five more fits; then there is `predict_proba`.
    threshold : {"f1", "balanced", "mistakes"}, float or None, default=None
        Two classes only: the score above which `classes_[1]` is said. A name chooses it by the
        scores of such folds: for the largest F1 of `classes_[1]`, for the largest balanced
        accuracy, or for the fewest mistakes where that saves more of them than chance. None is 0.
    random_state : int, RandomState, Generator or None, default=None
        Not used: there is nothing to draw.

    Attributes
    ----------
    coef_, intercept_ : ndarray of shape (n_vectors, n_features) and (n_vectors,)
        The weights: one vector for two classes, one per class for more.
    classes_ : ndarray of shape (n_classes,)
        The labels; the second is +1.
    squared_error_ : float
        The mean of squared errors on the training examples, over all vectors.
    error_ : float or None
        The share of training examples that are misclassified; None after `partial_fit`, which
        does not keep them.
    rank_ : int or None
        The rank of (1, X); None when it is not known.
    singular_ : ndarray or None
        The singular values of (1, X); None when it was not factorised, and for an alpha above 0.
    alpha_, loo_error_ : float
        After alpha="loo": the alpha that was taken, and its mean of squared errors on rows that
        are left out, over all vectors.
    calibration_ : Calibration
        With `probability`: the slope a and the offsets b_k; p is the softmax of a s_k + b_k.
    threshold_ : float
        With `threshold`: what `decision_function` takes off the scores.
    n_features_in_, feature_names_in_
        Columns of X and their names.

    Examples
    --------
    >>> from rosenblatt import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier().fit([[1], [2], [7], [8]], ["no", "no", "yes", "yes"])
    >>> model.decision_function([[1], [2], [7], [8]]).round(4)
    array([-1.1351, -0.8108,  0.8108,  1.1351])
    >>> model.error_
    0.0
    """

    error_: float | None
    rank_: int | None
    singular_: Floats | None
    alpha_: float
    loo_error_: float
    _sums: Sums

    def __init__(
        self,
        *,
        alpha: float | Literal["loo"] = 0.0,
        solver: Solver = "auto",
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.alpha = alpha
        self.solver = solver
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Solve for the rows of X and the labels y; return self.

        X may be blocks of rows, which have their labels with them; the weights are then those of
        all rows at once but for the last digits.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Weighs the squared errors.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        blocks = self._check(X, y, sample_weight)
        decision = self._decision(X, y, sample_weight)
        system = blocks.changed(as_system)
        solution = ridge_solution(system, self.fit_intercept, self.solver, self.alpha)
        W = solution.weights
        errors = blocks.total(partial(_add_errors, W), Errors.plus)
        self._keep(blocks, W[:, 1:], W[:, 0].copy())
        self._keep_decision(decision)
        self.squared_error_ = float(errors.squared / errors.total)
        self.error_ = float(errors.wrong / errors.total)
        self.rank_, self.singular_ = solution.rank, solution.singular
        keep_chosen(self, solution)
        self.__dict__.pop("_sums", None)
        return self

    def _check_parameters(self) -> None:
        check_choice(self.solver, "solver", SOLVERS)
        check_alpha(self.alpha)

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, sample_weight: Any = None
    ) -> Self:
        """Add the rows to the sums and solve again; a label not met before is a new class.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        classes : array-like or None, default=None
            Labels to come; a label that was not named becomes a new class.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Weighs the squared errors.

        Returns
        -------
        self
            The same object.
        """
        check_alpha_of_sums(self.alpha)
        blocks, before = self._check_more(X, y, classes, sample_weight)
        if before is not None and not hasattr(self, "_sums"):
            before = None  # after `fit` there are no sums: begin anew
        more = blocks.total(_add_sums, Sums.__add__)
        if before is not None:
            more = more + _grown(self._sums, before, blocks.classes)
        signed = _as_signs(more, len(blocks.classes))
        weights, rank, error = signed.solve(self.fit_intercept, float(self.alpha))
        self._keep(blocks, weights[:, 1:], weights[:, 0].copy())
        self._sums, self.squared_error_, self.error_ = more, float(error.mean()), None
        self.rank_, self.singular_ = rank, None
        keep_chosen(self, None)
        return self


class Errors(NamedTuple):
    """Sums over rows: squared errors, wrong answers, weights."""

    squared: Any
    wrong: Any
    total: Any

    def plus(self, more: Errors) -> Errors:
        """Return the sums of both."""
        return Errors(*(a + b for a, b in zip(self, more, strict=True)))


def _add_errors(W: Array, so_far: Errors | None, block: Block) -> Errors:
    X, Y, s, *_ = as_system(block)
    scores = X @ W[:, 1:].T + W[:, 0]
    wrong, squared = _choices(scores) != block.labels, ((scores - Y) ** 2).mean(axis=1)
    if s is None:
        here = Errors(squared.sum(), wrong.sum(), len(wrong))
    else:
        here = Errors((squared * s).sum(), (wrong * s).sum(), s.sum())
    return here if so_far is None else so_far.plus(here)


def _add_sums(so_far: Sums | None, block: Block) -> Sums:
    X, weights = matrix(block.rows, block.n_features, float), block.weights
    here = Sums.of(X, _memberships(block), weights if len(weights) else None)
    return here if so_far is None else so_far + here


def _choices(scores: Array) -> Array:
    return (scores[:, 0] > 0).astype(np.int64) if scores.shape[1] == 1 else scores.argmax(axis=1)


def _memberships(data: Block) -> Array:
    """Return 1 for the class of each row, 0 elsewhere: sums of them can take in a new class."""
    mine: Array = data.labels[:, np.newaxis] == np.arange(len(data.classes))
    return mine.astype(np.float64)


def _grown(sums: Sums, before: Array, after: Array) -> Sums:
    moments = np.zeros((len(sums.moments), len(after)))
    squares = np.zeros(len(after))
    place = np.searchsorted(after, before)
    moments[:, place], squares[place] = sums.moments, sums.squares
    return Sums(sums.gram, moments, squares, sums.total)


def _as_signs(sums: Sums, n_classes: int) -> Sums:
    """Turn sums of 0 and 1 into those of -1 and +1: twice the first less the sum of all rows."""
    moments = 2.0 * sums.moments - sums.gram[:, :1]
    if n_classes <= 2:
        moments = moments[:, -1:]
    return Sums(sums.gram, moments, np.full(moments.shape[1], sums.total), sums.total)
