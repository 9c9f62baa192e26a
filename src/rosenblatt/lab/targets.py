"""The learning problem: a target f, samples of it, and how wrong a hypothesis g is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt.checks.parameters import check_count, check_positive, check_seed
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.lab.area import disagreement
from rosenblatt.lab.hypotheses import FeatureMap, error_in, signs_of, weights_of
from rosenblatt.types import Array, Floats, Integers, Seed

N_FRESH = 10_000


class Sample(NamedTuple):
    """Points and their labels."""

    X: Floats
    y: Integers


@dataclass(frozen=True)
class Target:
    """What is to be learned: a rule on the box [low, high]^2, drawn from evenly.

    Parameters
    ----------
    low, high : float
        The sides of the box that points are drawn from.
    """

    low: float = field(default=-1.0, kw_only=True)
    high: float = field(default=1.0, kw_only=True)
    noise: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite([self.low, self.high]).all() and self.low < self.high):
            raise ParameterError(f"low must be below high, got {self.low!r} and {self.high!r}")

    def __call__(self, X: Array) -> Array:
        """Return f(x), -1 or +1, for each point; each target has its own."""
        raise NotImplementedError

    def sample(self, n: int, random_state: Seed = None) -> Sample:
        """Draw n points evenly from the box, with the labels that a learner gets to see.

        Parameters
        ----------
        n : int
            How many points.
        random_state : int, RandomState instance or None, default=None
            Draws the points.

        Returns
        -------
        Sample
            Points `X` and labels `y`.
        """
        check_count(n=n)
        return self.draw((n,), check_seed(random_state))

    def draw(self, shape: tuple[int, ...], random: np.random.RandomState) -> Sample:
        """Draw points for an array of samples; the last number of `shape` is their size.

        Parameters
        ----------
        shape : tuple of int
            How many samples, in rows and columns, and last the size of each.
        random : RandomState
            Draws the points.

        Returns
        -------
        Sample
            Points `X` and labels `y`.
        """
        X = random.uniform(self.low, self.high, (*shape, 2))
        return Sample(X, self(X))

    def disagreement(
        self,
        g: Any,
        features: FeatureMap = "linear",
        *,
        n_fresh: int = N_FRESH,
        random_state: Seed = None,
    ) -> Floats:
        """Return P[f != g], noise left aside: exact for two half-planes, else from fresh points.

        Parameters
        ----------
        g : array-like or classifier
            Weights, w0 first (a row for each of many hypotheses), or a fitted classifier of -1
            and +1.
        features : {"linear", "quadratic"}, default="linear"
            What the hypothesis sees of a point.
        n_fresh : int, default=10000
            Points that each hypothesis meets, of its own.
        random_state : int, RandomState instance or None, default=None
            Draws the points.

        Returns
        -------
        ndarray
            A share from 0 to 1 for each hypothesis.
        """
        check_count(n_fresh=n_fresh)
        weights = weights_of(g)
        runs = () if weights is None else weights.shape[:-1]
        X = check_seed(random_state).uniform(self.low, self.high, (*runs, n_fresh, 2))
        return error_in(g, X, self(X), features)

    def error_out(
        self,
        g: Any,
        features: FeatureMap = "linear",
        *,
        n_fresh: int = N_FRESH,
        random_state: Seed = None,
    ) -> Floats:
        """Return E_out: how likely g is wrong about the label of a new example, noise included.

        Parameters
        ----------
        g : array-like or classifier
            Weights, w0 first (a row for each of many hypotheses), or a fitted classifier of -1
            and +1.
        features : {"linear", "quadratic"}, default="linear"
            What the hypothesis sees of a point.
        n_fresh : int, default=10000
            Points that each hypothesis meets, of its own.
        random_state : int, RandomState instance or None, default=None
            Draws the points.

        Returns
        -------
        ndarray
            A share from 0 to 1 for each hypothesis.
        """
        differ = self.disagreement(g, features, n_fresh=n_fresh, random_state=random_state)
        return np.asarray(self.noise + (1 - 2 * self.noise) * differ)


@dataclass(frozen=True, eq=False)
class LineTarget(Target):
    """f(x) = sign(w0 + w1 x1 + w2 x2).

    Parameters
    ----------
    weights : array-like of shape (3,) or (runs, 3)
        w0 first; with several rows a target for each of many runs.
    low, high : float
        The sides of the box that points are drawn from.

    Examples
    --------
    >>> from rosenblatt.lab import LineTarget
    >>> f = LineTarget([0, 1, 0])
    >>> X, y = f.sample(5, random_state=0)
    >>> bool((y * X[:, 0] > 0).all())
    True
    >>> float(f.error_out([0, 0, 1]))
    0.5
    """

    weights: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        w = np.asarray(self.weights, dtype=np.float64)
        if w.ndim not in (1, 2) or w.shape[-1] != 3 or not np.isfinite(w).all():
            raise DataError(f"weights must be three finite numbers, w0 first, got {self.weights!r}")
        object.__setattr__(self, "weights", w)

    @classmethod
    def through_random_points(
        cls,
        random_state: Seed = None,
        n: int | None = None,
        *,
        low: float = -1.0,
        high: float = 1.0,
    ) -> Self:
        """Draw two points from the box and take the line through them; `n` such lines if given.

        Parameters
        ----------
        random_state : int, RandomState instance or None, default=None
            Draws the points.
        n : int or None, default=None
            How many lines; None for one.
        low : float, default=-1.0
            The lower side of the box.
        high : float, default=1.0
            The upper side of the box.

        Returns
        -------
        LineTarget
            With one row of weights, or `n`.
        """
        random = check_seed(random_state)
        ends = random.uniform(low, high, ((2, 2) if n is None else (n, 2, 2)))
        start, along = ends[..., 0, :], ends[..., 1, :] - ends[..., 0, :]
        normal = np.stack([-along[..., 1], along[..., 0]], axis=-1)
        w0 = -(normal * start).sum(axis=-1, keepdims=True)
        return cls(np.concatenate([w0, normal], axis=-1), low=low, high=high)

    def __call__(self, X: Array) -> Array:
        """Return -1 or +1 for each point; a point on the line is -1."""
        return signs_of(self.weights, np.asarray(X, dtype=np.float64))

    def disagreement(
        self,
        g: Any,
        features: FeatureMap = "linear",
        *,
        n_fresh: int = N_FRESH,
        random_state: Seed = None,
    ) -> Floats:
        """Return P[f != g]: an area for a line g, else from fresh points.

        Parameters
        ----------
        g : array-like or classifier
            Weights, w0 first (a row for each of many hypotheses), or a fitted classifier of -1
            and +1.
        features : {"linear", "quadratic"}, default="linear"
            What the hypothesis sees of a point.
        n_fresh : int, default=10000
            Points that each hypothesis meets, of its own.
        random_state : int, RandomState instance or None, default=None
            Draws the points.

        Returns
        -------
        ndarray
            A share from 0 to 1 for each hypothesis.
        """
        weights = weights_of(g)
        if weights is not None and features == "linear" and weights.shape[-1] == 3:
            return disagreement(self.weights, weights, self.low, self.high)
        return super().disagreement(g, features, n_fresh=n_fresh, random_state=random_state)


@dataclass(frozen=True)
class CircleTarget(Target):
    """f(x) = sign(x1^2 + x2^2 - radius2): -1 inside of the circle.

    Parameters
    ----------
    radius2 : float, default=0.6
        The square of the radius.
    low, high : float
        The sides of the box that points are drawn from.

    Examples
    --------
    >>> from rosenblatt.lab import CircleTarget
    >>> CircleTarget()([[0.0, 0.0], [1.0, 1.0]])
    array([-1,  1])
    """

    radius2: float = 0.6

    def __post_init__(self) -> None:
        super().__post_init__()
        check_positive(radius2=self.radius2)

    def __call__(self, X: Array) -> Array:
        """Return -1 or +1 for each point; a point on the circle is -1."""
        X = np.asarray(X, dtype=np.float64)
        return np.where(X[..., 0] ** 2 + X[..., 1] ** 2 > self.radius2, 1, -1)


class NoisyTarget(Target):
    """A target of which a learner sees a share of the labels flipped.

    Parameters
    ----------
    target : Target
        The rule behind the noise.
    noise : float, default=0.1
        The share of each sample that is flipped, rounded to whole examples.

    Examples
    --------
    >>> from rosenblatt.lab import CircleTarget, NoisyTarget
    >>> f = NoisyTarget(CircleTarget(), 0.1)
    >>> X, y = f.sample(100, random_state=0)
    >>> int((y != f(X)).sum())
    10
    """

    def __init__(self, target: Target, noise: float = 0.1) -> None:
        if not isinstance(target, Target):
            raise ParameterError(f"must be a Target, got {target!r}", about="target")
        if not 0 <= noise <= 0.5:
            raise ParameterError(f"noise must be a share from 0 to 0.5, got {noise!r}")
        super().__init__(low=target.low, high=target.high)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "noise", float(noise))

    target: Target

    def __repr__(self) -> str:
        return f"NoisyTarget({self.target!r}, {self.noise!r})"

    def __call__(self, X: Array) -> Array:
        """Return f(x) before the noise."""
        return self.target(X)

    def draw(self, shape: tuple[int, ...], random: np.random.RandomState) -> Sample:
        """Draw points and labels, then flip the share in each sample.

        Parameters
        ----------
        shape : tuple of int
            How many samples, in rows and columns, and last the size of each.
        random : RandomState
            Draws the points.

        Returns
        -------
        Sample
            Points `X` and labels `y`.
        """
        X, y = self.target.draw(shape, random)
        ranks = random.random_sample(shape).argsort(axis=-1)
        return Sample(X, np.where(ranks < round(self.noise * shape[-1]), -y, y))

    def disagreement(self, g: Any, features: FeatureMap = "linear", **options: Any) -> Floats:
        """Return P[f != g], noise left aside, as the target behind the noise does.

        Parameters
        ----------
        g : array-like or classifier
            Weights, w0 first (a row for each of many hypotheses), or a fitted classifier of -1
            and +1.
        features : {"linear", "quadratic"}, default="linear"
            What the hypothesis sees of a point.
        **options
            As the target behind the noise takes them.

        Returns
        -------
        ndarray
            A share from 0 to 1 for each hypothesis.
        """
        return self.target.disagreement(g, features, **options)
