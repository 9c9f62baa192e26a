"""The examples as the margin sees them: y_i (1, x_i), of any kind of rows, with their scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.rows import lengths_of, longest_of, matrix, scores_of
from rosenblatt.types import Array, Rows

# Beyond these, squares of values leave the range of a float64
SMALLEST, LARGEST = 2.0**-200, 2.0**200
EPS = float(np.finfo(np.float64).eps)


class NotSeparableError(Exception):
    """Positive weights of some examples cancel each other out, as far as floats can tell."""


class LinearRule(NamedTuple):
    """sign(b + w . x)."""

    b: float
    w: Array
    w0: float  # what of b counts in the norm: b / x0, or 0 where the intercept is free

    @property
    def norm(self) -> float:
        """|(w0, w)|."""
        return float(np.hypot(np.linalg.norm(self.w), self.w0))


class Points:
    """Rows in units of `unit`, a power of two; y is -1 and +1."""

    def __init__(self, rows: Rows, y: Array, n_features: int) -> None:
        self.rows, self.unit = _in_range(rows)
        self.y = y.astype(np.float64)
        self.n_features = n_features
        self.matrix = matrix(self.rows, n_features, float)
        self.length = lengths_of(self.rows, len(self.y), 0.0)
        self.radius = float(self.length.max())
        if isinstance(self.rows, (CSR, Presence)):
            used = np.bincount(self.rows.indices, minlength=self.n_features)
            self.columns = np.flatnonzero(used)  # those that are not zero throughout
        else:
            self.columns = np.arange(self.n_features)
        # a sum of n products is off by at most this share of the product of the lengths
        self.rounding = EPS * (longest_of(self.rows) + 8)

    def scores(self, w: Array) -> Array:
        """Return w . x_i of every row, in slices that Ctrl-C can end."""
        return scores_of(self.rows, len(self.y), w, np.zeros(1))

    def coordinates(self, indices: Array) -> Array:
        """Return y_i x_i of some rows as a float64 array of the `columns`."""
        chosen = self.take(indices)
        if sparse.issparse(chosen):
            chosen = chosen[:, self.columns].toarray()
        out: Array = chosen
        return out

    def take(self, indices: Array) -> Any:
        """Return y_i x_i of some rows in float64: an array or a CSR matrix."""
        chosen = self.matrix[indices].astype(np.float64)
        if sparse.issparse(chosen):
            return chosen.multiply(self.y[indices, np.newaxis]).tocsr()
        return chosen * self.y[indices, np.newaxis]


def _in_range(rows: Rows) -> tuple[Rows, float]:
    """Divide values by a power of two if their squares would overflow or vanish."""
    if isinstance(rows, Presence):
        return rows, 1.0
    values = rows.data if isinstance(rows, CSR) else rows
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if largest == 0.0 or SMALLEST <= largest <= LARGEST:
        return rows, 1.0
    exponent = int(np.frexp(largest)[1]) - 1  # 2^1024 is no float
    scaled = np.ldexp(values, -exponent)
    return (rows._replace(data=scaled) if isinstance(rows, CSR) else scaled), 2.0**exponent
