"""Targets seen otherwise: with some labels flipped, or with a margin around their boundary."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.checks.parameters import check_positive
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.lab.hypotheses import FeatureMap
from rosenblatt.lab.targets import Sample, Target
from rosenblatt.types import Array, Floats

ROUNDS = 1000  # of drawing anew what came too near, before it is given up


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
            raise ParameterError(f"must be a share from 0 to 0.5, got {noise!r}", about="noise")
        super().__init__(low=target.low, high=target.high)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "noise", float(noise))

    target: Target

    @property
    def dimension(self) -> int:
        """The features of a point."""
        return self.target.dimension

    def __repr__(self) -> str:
        return f"NoisyTarget({self.target!r}, {self.noise!r})"

    def __call__(self, X: Array) -> Array:
        """Return f(x) before the noise."""
        return self.target(X)

    def points(self, shape: tuple[int, ...], random: np.random.RandomState) -> Floats:
        """Draw points as the target behind the noise does.

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
        return self.target.points(shape, random)

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


class WideTarget(Target):
    """A target that leaves out all points nearer to its boundary than a margin.

    What is drawn, for learning and for measuring, is drawn evenly from the rest of the box.

    Parameters
    ----------
    target : Target
        The rule; it has to know the `distance` of points, as lines and circles do.
    margin : float, default=0.1
        The distance that every point keeps.

    Examples
    --------
    >>> from rosenblatt.lab import LineTarget, WideTarget
    >>> X, y = WideTarget(LineTarget([0, 1, 0]), 0.2).sample(100, random_state=0)
    >>> bool((y * X[:, 0] >= 0.2).all())
    True
    """

    def __init__(self, target: Target, margin: float = 0.1) -> None:
        if not isinstance(target, Target):
            raise ParameterError(f"must be a Target, got {target!r}", about="target")
        check_positive(margin=margin)
        super().__init__(low=target.low, high=target.high)
        object.__setattr__(self, "target", target)
        object.__setattr__(self, "margin", float(margin))
        object.__setattr__(self, "noise", target.noise)

    target: Target
    margin: float

    @property
    def dimension(self) -> int:
        """The features of a point."""
        return self.target.dimension

    def __repr__(self) -> str:
        return f"WideTarget({self.target!r}, {self.margin!r})"

    def __call__(self, X: Array) -> Array:
        """Return f(x)."""
        return self.target(X)

    def distance(self, X: Array) -> Floats:
        """Return how far each point is from the boundary.

        Parameters
        ----------
        X : array-like of shape (..., dimension)
            The points.

        Returns
        -------
        ndarray of shape (...)
            A distance from 0 on for each.
        """
        return self.target.distance(X)

    def points(self, shape: tuple[int, ...], random: np.random.RandomState) -> Floats:
        """Draw points outside of the margin.

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
        X = self.target.points(shape, random)
        for _ in range(ROUNDS):
            near = self.distance(X) < self.margin
            if not near.any():
                return X
            X[near] = self.target.points((int(near.sum()),), random)
        raise DataError(
            f"next to nothing of the box is farther than the margin of {self.margin:g} from the "
            "boundary of the target",
            do="set a smaller {margin}",
        )
