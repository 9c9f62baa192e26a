"""The largest margin of wide rows, such as words: the same active set without a factor.

Thousands of examples of a text are members of the corral (`corral.py` has the mathematics), and a
factor of them would fill the memory. But rows of words are nearly orthogonal: conjugate gradients
find the optimum of a corral in some tens of products with the sparse rows. So many examples enter
at a time, and all that come out negative leave at once if the bound on the margin falls.

A free intercept asks for sum a_i y_i = 0: every step is projected onto that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.proof.points import LinearRule, NotSeparableError, Points
from rosenblatt.types import Array

# A direction that the rows map to less than this share of its length, squared, is taken for one
# along which the dual grows without end
FLAT = 1e-14
MOST_STEPS = 2000
ROUGH = 1e-3


class WideCorral:
    """The members of the corral with their weights; the working set is the corral itself."""

    growth = 512, 1.0

    def __init__(self, points: Points, x0: float, free: bool) -> None:
        self._points, self._x0, self._free = points, x0, free
        self.support = np.zeros(0, dtype=np.int64)
        self.weights = np.zeros(0)

    @property
    def working(self) -> Array:
        """The examples that need not be looked at again."""
        return self.support

    def begin(self, support: Array, weights: Array, out_of_time: Callable[[], bool]) -> LinearRule:
        """Start from these members and weights above 0."""
        self.support, self.weights = support, weights
        return self._settle(support, ROUGH, out_of_time)

    def grow(self, indices: Array, inner: float, out_of_time: Callable[[], bool]) -> LinearRule:
        """Let more examples in and find the best rule; who has no weight then is out again."""
        self.weights = np.concatenate([self.weights, np.zeros(len(indices))])
        return self._settle(np.concatenate([self.support, indices]), inner, out_of_time)

    def _settle(self, members: Array, inner: float, out_of_time: Callable[[], bool]) -> LinearRule:
        while True:
            face = Face(self._points, members, self._x0, self._free)
            goal, ray = face.optimum(self.weights, inner, out_of_time)
            keep = goal > 0.0
            if keep.all() and not ray:
                self.support, self.weights = members, goal
                return face.rule(goal)
            if not ray and face.bound(np.where(keep, goal, 0.0)) < face.bound(self.weights):
                self.weights = face.balanced(np.where(keep, goal, 0.0))
            else:
                keep = self._walk(goal)
            members, self.weights = members[keep], self.weights[keep]
            if out_of_time():
                self.support = members
                return Face(self._points, members, self._x0, self._free).rule(self.weights)

    def _walk(self, goal: Array) -> Array:
        """Go towards the goal until a weight is at 0; return who keeps one."""
        change = goal - self.weights
        falling = np.flatnonzero((goal <= 0.0) & (change <= 0.0))
        if len(falling) == 0:
            raise NotSeparableError
        left = self.weights[falling]
        steps = np.where(left > 0.0, left / np.where(left > 0.0, -change[falling], 1.0), 0.0)
        self.weights = self.weights + steps.min() * change
        keep = np.ones(len(goal), dtype=bool)
        keep[falling[steps <= steps.min()]] = False
        return keep


class Face:
    """The dual on some members, signs of the weights aside; rows are scaled to length 1."""

    def __init__(self, points: Points, members: Array, x0: float, free: bool) -> None:
        self._free, self._x0 = free, x0
        few = points.of(members)
        self._Z: Any = points.signed(few)
        self._y = few.y
        length = np.hypot(few.length, x0)
        self._length = np.where(length > 0.0, length, 1.0)
        across = self._y / self._length
        self._across = across / np.linalg.norm(across)

    def optimum(
        self, weights: Array, inner: float, out_of_time: Callable[[], bool]
    ) -> tuple[Array, bool]:
        """Return the best weights; or weights far along a direction of endless growth, and True."""
        a = weights * self._length
        rest = self._project(1.0 / self._length - self._product(a))
        step, size = rest, rest @ rest
        for _ in range(MOST_STEPS):
            if np.abs(rest * self._length).max() <= inner / 2 or out_of_time():
                break
            image = self._project(self._product(step))
            curve = step @ image
            if curve <= FLAT * (step @ step):
                far = (1.0 + np.abs(a).sum()) / np.abs(step).max() / FLAT
                return (a + far * step) / self._length, True
            a = a + size / curve * step
            rest = rest - size / curve * image
            before, size = size, rest @ rest
            step = rest + size / before * step
        return a / self._length, False

    def rule(self, weights: Array) -> LinearRule:
        """Return the rule of the weights, with the intercept that puts the members at margin 1."""
        w, w0 = self._Z.T @ weights, self._x0 * float(self._y @ weights)
        if not self._free:
            return LinearRule(self._x0 * w0, w, w0)
        return LinearRule(float(self._y @ (1.0 - self._Z @ w)) / len(weights), w, 0.0)

    def balanced(self, weights: Array) -> Array:
        """Scale the weights to the best of their multiples, both classes to the same sum."""
        if self._free:
            plus = self._y > 0
            sums = np.where(plus, weights[plus].sum(), weights[~plus].sum())
            weights = np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0.0)
        image = self._product(weights * self._length) @ (weights * self._length)
        return weights * (weights.sum() / image) if image > 0.0 else weights

    def bound(self, weights: Array) -> float:
        """Return the bound on the margin that the weights prove."""
        plus = self._y > 0
        if self._free and not (weights[plus].any() and weights[~plus].any()):
            return np.inf
        total = self.balanced(weights).sum()
        return float(1.0 / np.sqrt(total)) if total > 0.0 else np.inf

    def _project(self, vector: Array) -> Array:
        if not self._free:
            return vector
        return vector - float(self._across @ vector) * self._across

    def _product(self, a: Array) -> Array:
        """Return Z Z' a for rows of length 1."""
        weights = a / self._length
        image = self._Z @ (self._Z.T @ weights)
        if not self._free:
            image = image + self._x0**2 * (self._y @ weights) * self._y
        out: Array = image / self._length
        return out
