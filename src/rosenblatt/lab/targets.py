"""The learning problem: a target f, samples of it, and how wrong a hypothesis g is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt.checks.parameters import check_count, check_positive, check_seed
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.lab.area import disagreement
from rosenblatt.lab.hypotheses import (
    FeatureMap,
    error_in,
    scores_of_points,
    signs_of,
    weights_of,
)
from rosenblatt.types import Array, Floats, Integers, Seed

N_FRESH = 10_000


class Sample(NamedTuple):
    """Points and their labels."""

    X: Floats
    y: Integers


@dataclass(frozen=True)
class Target:
    """What is to be learned: a rule on the box [low, high]^d, drawn from evenly.

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

    @property
    def dimension(self) -> int:
        """The features of a point."""
        return 2

    def __call__(self, X: Array) -> Array:
        """Return f(x), -1 or +1, for each point; each target has its own."""
        raise NotImplementedError

    def distance(self, X: Array) -> Floats:
        """Return how far each point is from the boundary between -1 and +1.

        Parameters
        ----------
        X : array-like of shape (..., dimension)
            The points.

        Returns
        -------
        ndarray of shape (...)
            A distance from 0 on for each.
        """
        raise ParameterError(
            f"of {self!r} nobody knows how far a point is from its boundary, so there is no margin "
            "around it",
            do="give it a method distance(X), or set {margin:0}",
            in_shell="",
        )

    def points(self, shape: tuple[int, ...], random: np.random.RandomState) -> Floats:
        """Draw points without labels.

        Parameters
        ----------
        shape : tuple of int
            How many, in as many rows and columns as there are numbers.
        random : RandomState
            Draws them.

        Returns
        -------
        ndarray of shape (*shape, dimension)
            The points.
        """
        return random.uniform(self.low, self.high, (*shape, self.dimension))

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
        X = self.points(shape, random)
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
        X = self.points((*runs, n_fresh), check_seed(random_state))
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
    """f(x) = sign(w0 + w1 x1 + ... + wd xd): a line in the plane, else a hyperplane.

    Parameters
    ----------
    weights : array-like of shape (d + 1,) or (runs, d + 1)
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
        if w.ndim not in (1, 2) or w.shape[-1] < 2 or not np.isfinite(w).all():
            raise DataError(
                f"weights must be two or more finite numbers, w0 first, got {self.weights!r}"
            )
        object.__setattr__(self, "weights", w)

    @property
    def dimension(self) -> int:
        """The features of a point."""
        return int(self.weights.shape[-1]) - 1

    @classmethod
    def through_random_points(
        cls,
        random_state: Seed = None,
        n: int | None = None,
        *,
        dimension: int = 2,
        low: float = -1.0,
        high: float = 1.0,
    ) -> Self:
        """Draw d points from the box and take what goes through them; `n` times if given.

        Parameters
        ----------
        random_state : int, RandomState instance or None, default=None
            Draws the points.
        n : int or None, default=None
            How many lines; None for one.
        dimension : int, default=2
            The features d of a point: in the plane two points make a line.
        low : float, default=-1.0
            The lower side of the box.
        high : float, default=1.0
            The upper side of the box.

        Returns
        -------
        LineTarget
            With one row of weights, or `n`.
        """
        check_count(dimension=dimension)
        random = check_seed(random_state)
        if dimension != 2:
            shape = (dimension, dimension) if n is None else (n, dimension, dimension)
            through = random.uniform(low, high, shape)
            # what is orthogonal to (1, x) of all of them; either side may be the positive one
            rows = np.concatenate([np.ones((*shape[:-1], 1)), through], axis=-1)
            across = np.linalg.svd(rows)[2][..., -1, :]
            return cls(across * random.choice([-1.0, 1.0], (*shape[:-2], 1)), low=low, high=high)
        ends = random.uniform(low, high, ((2, 2) if n is None else (n, 2, 2)))
        start, along = ends[..., 0, :], ends[..., 1, :] - ends[..., 0, :]
        normal = np.stack([-along[..., 1], along[..., 0]], axis=-1)
        w0 = -(normal * start).sum(axis=-1, keepdims=True)
        return cls(np.concatenate([w0, normal], axis=-1), low=low, high=high)

    def __call__(self, X: Array) -> Array:
        """Return -1 or +1 for each point; a point on the line is -1."""
        return signs_of(self.weights, np.asarray(X, dtype=np.float64))

    def distance(self, X: Array) -> Floats:
        """Return how far each point is from the line; infinity where there is no direction.

        Parameters
        ----------
        X : array-like of shape (..., dimension)
            The points.

        Returns
        -------
        ndarray of shape (...)
            A distance from 0 on for each.
        """
        length = np.linalg.norm(self.weights[..., 1:], axis=-1)[..., np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.abs(scores_of_points(self.weights, X)) / length)

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
        if (
            weights is not None
            and features == "linear"
            and weights.shape[-1] == 3 == self.dimension + 1
        ):
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

    def distance(self, X: Array) -> Floats:
        """Return how far each point is from the circle.

        Parameters
        ----------
        X : array-like of shape (..., dimension)
            The points.

        Returns
        -------
        ndarray of shape (...)
            A distance from 0 on for each.
        """
        return np.asarray(np.abs(np.hypot(X[..., 0], X[..., 1]) - self.radius2**0.5))
