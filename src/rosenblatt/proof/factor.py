"""An orthogonal factor of a growing and shrinking set of columns: M = Q R.

The squared lengths that a Gram matrix holds would lose half of the digits, and a margin of 1e-8 of
the radius with them; the factor loses none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import qr_delete
from scipy.linalg.lapack import dtrtrs

from rosenblatt._validation import Array

# A column this near to the span of the others, relative to its length, is taken for dependent
DEPENDENT = 1e-13


class Factor:
    """Q has orthonormal columns, R is upper triangular."""

    def __init__(self, n_coordinates: int) -> None:
        self.Q: Any = np.zeros((n_coordinates, 0), order="F")
        self.R: Any = np.zeros((0, 0), order="F")

    def start(self, M: Array) -> None:
        """Factor the columns of M anew, without the rounding of many small changes."""
        Q, R = np.linalg.qr(M)
        self.Q, self.R = np.asfortranarray(Q), np.asfortranarray(R)

    def split(self, z: Array) -> tuple[Array, Array]:
        """Return (r, e) with z = Q r + e and e orthogonal to Q."""
        r = z @ self.Q
        e = z - self.Q @ r
        # once more: the first difference may be mostly rounding
        again = e @ self.Q
        return r + again, e - self.Q @ again

    def append(self, r: Array, e: Array) -> None:
        """Add the column that `split` has taken apart."""
        n, length = len(r), np.linalg.norm(e)
        R = np.zeros((n + 1, n + 1), order="F")
        R[:n, :n], R[:n, n], R[n, n] = self.R, r, length
        Q = np.empty((len(e), n + 1), order="F")
        Q[:, :n], Q[:, n] = self.Q, e / length
        self.Q, self.R = Q, R

    def delete(self, place: int) -> None:
        """Take one column out."""
        Q, R = qr_delete(self.Q, self.R, place, which="col", check_finite=False)
        n = R.shape[1]
        self.Q, self.R = np.asfortranarray(Q[:, :n]), np.asfortranarray(R[:n])

    def divide(self, r: Array) -> Array:
        """Return R^-1 r."""
        return dtrtrs(self.R, r)[0] if len(r) else r

    def divide_transposed(self, r: Array) -> Array:
        """Return R^-T r."""
        return dtrtrs(self.R, r, trans=1)[0] if len(r) else r
