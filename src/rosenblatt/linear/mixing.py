"""Iterative parameter mixing (McDonald, Hall and Mann, NAACL 2010): rows on many machines at once.

    repeat for each epoch:
        each part i makes one pass from the same weights w, with k_i mistakes, and ends with w_i
        w <- sum of (k_i / k) w_i,   k = sum of k_i;   if k = 0, w stays

On separable data it converges: the mistakes, each part's weighed by k_i / k in its epoch, are at
most R^2 / gamma^2 in all, as those of one perceptron are (their theorem 3). Equal weights for all
parts would do so, too, and slower.

What a part has to say is a mixture, and mixtures add up; `into` makes a state of their sum, in the
arrays of the state that all parts began with.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from rosenblatt.blocks import Blocks, Draws
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.types import Array

Mixture = TypeVar("Mixture", bound=tuple[Any, ...])


class WeightMixture(NamedTuple):
    """The weights of parts times their mistakes, and the mistakes."""

    n: int
    w: Array
    b: Array

    @classmethod
    def of(cls, before: Any, after: Any) -> Self:
        """Return what a part has to say that began with one state and ended with another."""
        n = after.n_updates - before.n_updates
        return cls(n, n * after.h.w, n * after.h.b)

    def plus(self, more: Self) -> Self:
        """Return what both say."""
        return _added(self, more)

    def into(self, state: Any) -> Any:
        """Return the state that all parts go on with."""
        _mix(state.h, self.n, self.w, self.b)
        return state._replace(n_updates=state.n_updates + self.n)


class MeanMixture(NamedTuple):
    """A mixture of weights, the sum of all weights that parts went through, and how long.

    The mean of averaged learners is then over the weights of all parts after each of their rows.
    """

    n: int
    w: Array
    b: Array
    sum_w: Array
    sum_b: Array
    time: Array

    @classmethod
    def of(cls, before: Any, after: Any) -> Self:
        """Return what a part has to say that began with one state and ended with another."""
        n = after.n_updates - before.n_updates
        then, now = _sums(before), _sums(after)
        time = after.time - before.time
        return cls(n, n * after.h.w, n * after.h.b, now[0] - then[0], now[1] - then[1], time)

    def plus(self, more: Self) -> Self:
        """Return what both say."""
        return _added(self, more)

    def into(self, state: Any) -> Any:
        """Return the state that all parts go on with."""
        sum_w, sum_b = _sums(state)
        sum_w, sum_b = sum_w + self.sum_w, sum_b + self.sum_b
        _mix(state.h, self.n, self.w, self.b)
        state.time[:] += self.time
        if len(sum_w):  # else no mean is wanted
            state.u.w[:] = state.time[0] * state.h.w - sum_w
            state.u.b[:] = state.time[0] * state.h.b - sum_b
        return state._replace(n_updates=state.n_updates + self.n)


class BeliefMixture(NamedTuple):
    """What parts have learned of weights with variances: precisions, and weights times precision.

    Only what a part has gained counts, so what all of them began with counts once.
    """

    n: int
    gain: Hypothesis
    moved: Hypothesis

    @classmethod
    def of(cls, before: Any, after: Any) -> Self:
        """Return what a part has to say that began with one state and ended with another."""
        (p, pw), (q, qw) = _precisions(before), _precisions(after)
        return cls(
            after.n_updates - before.n_updates, _each(np.subtract, q, p), _each(np.subtract, qw, pw)
        )

    def plus(self, more: Self) -> Self:
        """Return what both say."""
        gain, moved = _each(np.add, self.gain, more.gain), _each(np.add, self.moved, more.moved)
        return type(self)(self.n + more.n, gain, moved)

    def into(self, state: Any) -> Any:
        """Return the state that all parts go on with."""
        before, weighed = _precisions(state)
        variances, weights = state.rule.s, state.h
        for name in ("w", "b"):
            gain, p = getattr(self.gain, name), getattr(before, name)
            new = gain > 0.0  # others stay to the bit
            now = p[new] + gain[new]
            moved = getattr(weighed, name)[new] + getattr(self.moved, name)[new]
            getattr(variances, name)[new] = 1.0 / now
            getattr(weights, name)[new] = moved / now
        return state._replace(n_updates=state.n_updates + self.n)


def mixed_pass(
    part: Blocks, visit: Any, state: Any, mixture: Any, draws: Draws, n_vectors: int
) -> Any:
    """Let all parts make a pass from one state; return the state that they go on with."""
    found = part.mix(visit, state, mixture.of, mixture.plus, draws=draws, n_vectors=n_vectors)
    return found.into(state)


def cannot_mix(learner: Any, why: str) -> ParameterError:
    """Return the error for a learner that has nothing to mix."""
    return ParameterError(
        f"{type(learner).__name__} cannot be mixed: {why}",
        do="leave out {mixing}",
        in_shell="",
    )


def keep_mixed(learner: Any, mixing: bool) -> None:
    """Let a model say whether it was mixed; the class says that others are not."""
    vars(learner).pop("mixed_", None)
    if mixing:
        learner.mixed_ = True


def _added(one: Mixture, other: Mixture) -> Mixture:
    pairs: Any = zip(one, other, strict=True)
    return type(one)(*(a + b for a, b in pairs))


def _mix(h: Hypothesis, n: int, w: Array, b: Array) -> None:
    if n:  # without a mistake the weights of all parts are those that they began with
        h.w[:], h.b[:] = w / n, b / n


def _sums(state: Any) -> tuple[Array, Array]:
    """Return the sum of all weights gone through: the mean is h - u / time."""
    if len(state.u.w) < len(state.h.w):
        return np.empty(0), np.empty(0)
    time = state.time[0]
    return time * state.h.w - state.u.w, time * state.h.b - state.u.b


def _precisions(state: Any) -> tuple[Hypothesis, Hypothesis]:
    """Return the precisions of weights, and the weights times them; 0 where nothing is learned."""
    precision = _each(_inverse, state.rule.s, state.rule.s)
    return precision, _each(np.multiply, precision, state.h)


def _inverse(s: Array, _: Array) -> Array:
    return np.divide(1.0, s, out=np.zeros_like(s), where=s > 0.0)


def _each(function: Any, one: Hypothesis, other: Hypothesis) -> Hypothesis:
    """Return what a function of arrays makes of two hypotheses; nobody needs the scores."""
    return Hypothesis(function(one.w, other.w), function(one.b, other.b), one.scores)
