"""Labellings that a linear rule can make, counted one by one, and the largest margin, by SciPy."""

from itertools import product

import numpy as np
from scipy.optimize import linprog, minimize


def is_separable(Z):
    """Tell whether some w has z_i . w >= 1 for all i: a linear program of SciPy."""
    found = linprog(
        np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None), method="highs"
    )
    return found.status == 0


def canonical(X, y, fit_intercept=True):
    """Return z_i = y_i (1, x_i)."""
    ones = np.ones((len(X), 1)) if fit_intercept else np.empty((len(X), 0))
    return np.hstack([ones, X]) * np.asarray(y)[:, np.newaxis]


def count_labellings(X, fit_intercept=True):
    """Try all 2^N labellings of the points."""
    signs = product([-1, 1], repeat=len(X))
    return sum(is_separable(canonical(X, y, fit_intercept)) for y in signs)


def largest_margin(Z):
    """Return 1 / min |w| over z_i . w >= 1, by a solver for smooth programs."""
    start = linprog(
        np.zeros(Z.shape[1]), A_ub=-Z, b_ub=-np.ones(len(Z)), bounds=(None, None), method="highs"
    ).x
    found = minimize(
        lambda w: w @ w,
        start,
        jac=lambda w: 2 * w,
        constraints={"type": "ineq", "fun": lambda w: Z @ w - 1, "jac": lambda w: Z},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return 1 / np.sqrt(found.fun)
