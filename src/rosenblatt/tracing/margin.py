"""The largest margin, for the bound and the cosine of a trace.

This is the one place that traces ask. It solves min |w| subject to z_i . w >= 1 as a least
distance problem (Lawson and Hanson 1974, chapter 23) by non-negative least squares, which is
exact to rounding and fit for the small sets that people trace.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.optimize import nnls

from rosenblatt._validation import Array

MOST_ROWS = 2000


class Margin(NamedTuple):
    """w* with z_i . w* >= 1 and the smallest norm B, and R = max |x_i|."""

    w: Array  # (d + 1,), w0 first
    B: float
    R: float

    @property
    def bound(self) -> float:
        """The most updates that PLA from zero can make."""
        return (self.B * self.R) ** 2


def largest_margin(X: Any, y: Array, fit_intercept: bool) -> Margin | None:
    """Return the largest margin in canonical form; None when there is none or it is too large."""
    if len(y) > MOST_ROWS:
        return None
    rows = X.toarray() if sparse.issparse(X) else X
    A = np.column_stack([np.full(len(y), float(fit_intercept)), rows]).astype(np.float64)
    R = float(np.linalg.norm(A, axis=1).max())
    if not 0.0 < R < np.inf:
        return None
    # scaled to R = 1, so that what counts as zero below does not depend on the unit of X
    Z = A * (y[:, np.newaxis] / R)
    E = np.vstack([Z.T, np.ones(len(y))])
    f = np.zeros(len(E))
    f[-1] = 1.0
    a, _ = nnls(E, f, maxiter=30 * E.shape[1])
    r = E @ a - f
    if -r[-1] <= 1e-12:
        return None
    w = -r[:-1] / r[-1]
    smallest = float((Z @ w).min())
    if smallest <= 0.0:
        return None
    w = w / smallest / R
    return Margin(w, float(np.linalg.norm(w)), R)
