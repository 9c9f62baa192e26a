"""The largest margin of a few examples by an active set (Wolfe 1976; Lawson and Hanson 1974).

Coordinates of example i: m_i = y_i (c, x_i). The dual of "min |w|, every margin >= 1" is

    max  sum a_i - |sum a_i m_i|^2 / 2     over  a >= 0     (intercept free: and sum a_i y_i = 0)

The corral holds the examples with a_i > 0. Its own optimum puts every member at margin 1. Then:

    j <- the example of smallest margin under the corral's rule; stop if it is about 1
    move a towards the optimum of the corral with j; whoever meets a_i = 0 on the way leaves

The dual grows with every step, so no corral comes twice. If a can grow without end, then some
a >= 0 has sum a_i m_i = 0, and nothing separates the examples.

The optimum of a corral is found from an orthogonal factor of its members, M = Q R, which grows and
shrinks with them. The squared lengths that a Gram matrix holds would lose half of the digits, and a
margin of 1e-8 of the radius with them; the factor loses none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import qr_delete
from scipy.linalg.lapack import dtrtrs

from rosenblatt.proof.points import LinearRule, NotSeparableError, Points
from rosenblatt.types import Array

# What is smaller than this share of a length is taken for rounding
NOTHING = 1e-11
# A column this near to the span of the others, relative to its length, is taken for dependent
DEPENDENT = 1e-13


class Corral:
    """A working set of examples, and among them the members of the corral with weights a > 0."""

    growth = 64, 0.5  # a pass adds at most so many examples, or this share of the working set

    def __init__(self, points: Points, x0: float, free: bool) -> None:
        self._points, self._x0, self._free = points, x0, free
        # any c will do where the intercept is free; this one is of the size of the rows
        self._c = points.radius if free else x0
        self._centre = np.zeros(len(points.columns))
        self.working = np.zeros(0, dtype=np.int64)
        self._M = np.zeros((0, len(points.columns) + 1))
        self._y = np.zeros(0)
        self._members: list[int] = []
        self.weights = np.zeros(0)
        self._factor = Factor(self._M.shape[1])

    @property
    def support(self) -> Array:
        """The rows that are members, in the order of `weights`."""
        return self.working[self._members]

    def begin(self, support: Array, weights: Array, out_of_time: Callable[[], bool]) -> LinearRule:
        """Start from members with weights above 0, less those that depend on others."""
        if self._free:
            # a free intercept takes up any shift; numbers near zero keep more digits
            rows = self._points.coordinates(support) * self._points.y_of(support)[:, np.newaxis]
            self._centre = rows.mean(axis=0)
        self._take(support)
        for k in range(len(support)):
            part, rest = self._factor.split(self._M[k])
            if np.linalg.norm(rest) > DEPENDENT * np.linalg.norm(self._M[k]):
                self._factor.append(part, rest)
                self._members.append(k)
        self.weights = weights[self._members].astype(np.float64)
        return self._settle_afresh()

    def grow(self, indices: Array, inner: float, out_of_time: Callable[[], bool]) -> LinearRule:
        """Take more examples into the working set; return the best rule for all of it."""
        self._take(indices)
        going = True
        while going and not out_of_time():
            margins = self._M @ self._optimum()[1]
            j = int(margins.argmin())
            going = margins[j] < 1.0 - inner and j not in self._members and self._enter(j)
        return self._settle_afresh()

    def _take(self, indices: Array) -> None:
        y = self._points.y_of(indices)[:, np.newaxis]
        x = self._points.coordinates(indices) - y * self._centre
        self._M = np.vstack([self._M, np.hstack([self._c * y, x])])
        self._y = np.concatenate([self._y, y[:, 0]])
        self.working = np.concatenate([self.working, indices])

    def _optimum(self) -> tuple[Array, Array]:
        """Return the weights with every member at margin 1, signs aside, and their rule."""
        factor, y = self._factor, self._y[self._members]
        g, b = factor.divide_transposed(np.ones(len(y))), 0.0
        if self._free:
            if abs(y.sum()) == len(y):
                raise NotSeparableError  # a whole class left: its weights met zero with the other's
            h = factor.divide_transposed(y)
            b = (g @ h) / (h @ h)
            g = g - b * h
        rule = factor.Q @ g
        if self._free:
            rule[0] = b / self._c
        return factor.divide(g), rule

    def _enter(self, j: int) -> bool:
        """Let j in; return whether it is there to stay."""
        before = self.weights.sum()
        part, rest = self._factor.split(self._M[j])
        weight = 0.0
        if np.linalg.norm(rest) <= DEPENDENT * np.linalg.norm(self._M[j]):
            weight = self._exchange(j, self._factor.divide(part))
            part, rest = self._factor.split(self._M[j])
            if np.linalg.norm(rest) <= DEPENDENT * np.linalg.norm(self._M[j]):
                return False
        self._factor.append(part, rest)
        self._members.append(j)
        self.weights = np.append(self.weights, weight)
        self._settle()
        return j in self._members and bool(self.weights.sum() > before)

    def _exchange(self, j: int, share: Array) -> float:
        """Make room for m_j = sum share_i m_i: a_j grows until a member is at 0 and leaves."""
        lengths = np.linalg.norm(self._M[self._members], axis=1)
        # less than that is rounding: m_j does not need member i
        falling = np.flatnonzero(share * lengths > NOTHING * np.linalg.norm(self._M[j]))
        if len(falling) == 0:
            raise NotSeparableError
        steps = self.weights[falling] / share[falling]
        first = int(steps.argmin())
        self.weights = self.weights - steps[first] * share
        self._leave(int(falling[first]))
        return float(steps[first])

    def _settle(self) -> Array:
        """Move the weights to the optimum, who meets 0 on the way leaves; return the rule."""
        while True:
            goal, rule = self._optimum()
            falling = np.flatnonzero(goal <= 0.0)
            if len(falling) == 0:
                self.weights = goal
                return rule
            if len(goal) == 1 + self._free:
                raise NotSeparableError
            steps = self.weights[falling] / (self.weights[falling] - goal[falling])
            first = int(steps.argmin())
            self.weights = self.weights + steps[first] * (goal - self.weights)
            self._leave(int(falling[first]))

    def _leave(self, place: int) -> None:
        self._factor.delete(place)
        del self._members[place]
        # rounding may leave others a little below
        self.weights = np.maximum(np.delete(self.weights, place), 0.0)

    def _settle_afresh(self) -> LinearRule:
        """Factor anew, so that no rounding is handed on, and return the corral's rule."""
        self._factor.start(self._M[self._members].T)
        rule = self._settle()
        w = np.zeros(self._points.n_features)
        w[self._points.columns] = rule[1:]
        b = float(self._c * rule[0] - rule[1:] @ self._centre)
        return LinearRule(b, w, 0.0 if self._free or self._x0 == 0.0 else float(rule[0]))


class Factor:
    """M = Q R of the columns of M: Q has orthonormal columns, R is upper triangular."""

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
