"""The learning problem: a target f, samples of it, and how wrong a hypothesis g is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, Self, get_args

import numpy as np

from rosenblatt.checks.parameters import check_choice, check_count, check_positive, check_seed
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array, Floats, Integers, Seed

FeatureMap = Literal["linear", "quadratic"]
FEATURES: tuple[FeatureMap, ...] = get_args(FeatureMap)
N_FRESH = 10_000


class Sample(NamedTuple):
    """Points and their labels."""

    X: Floats
    y: Integers


@dataclass(frozen=True)
class Target:
    """What is to be learned: a rule on the box [low, high]^2, drawn from evenly."""

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
        """Draw n points evenly from the box, with the labels that a learner gets to see."""
        check_count(n=n)
        return self.draw((n,), check_seed(random_state))

    def draw(self, shape: tuple[int, ...], random: np.random.RandomState) -> Sample:
        """Draw points for an array of samples; the last number of `shape` is their size."""
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

        `g` holds weights, w0 first (a row for each of many hypotheses), or is a fitted classifier
        of -1 and +1. Each hypothesis meets `n_fresh` points of its own.
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
        """Return E_out: how likely g is wrong about the label of a new example, noise included."""
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
        """Draw two points from the box and take the line through them; `n` such lines if given."""
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
        """Return P[f != g]: an area for a line g, else from fresh points."""
        weights = weights_of(g)
        if weights is not None and features == "linear" and weights.shape[-1] == 3:
            return disagreement(self.weights, weights, self.low, self.high)
        return super().disagreement(g, features, n_fresh=n_fresh, random_state=random_state)


@dataclass(frozen=True)
class CircleTarget(Target):
    """f(x) = sign(x1^2 + x2^2 - radius2): -1 inside of the circle.

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
        """Draw points and labels, then flip the share in each sample."""
        X, y = self.target.draw(shape, random)
        ranks = random.random_sample(shape).argsort(axis=-1)
        return Sample(X, np.where(ranks < round(self.noise * shape[-1]), -y, y))

    def disagreement(self, g: Any, features: FeatureMap = "linear", **options: Any) -> Floats:
        """Return P[f != g], noise left aside, as the target behind the noise does."""
        return self.target.disagreement(g, features, **options)


def expand(X: Array, features: FeatureMap) -> Array:
    """Return the features that a hypothesis sees: x1, x2, and for "quadratic" x1x2, x1^2, x2^2."""
    check_choice(features, "features", FEATURES)
    X = np.asarray(X, dtype=np.float64)
    if features == "linear":
        return X
    if X.shape[-1] != 2:
        raise DataError(f"quadratic features are made of two columns, X has {X.shape[-1]}")
    x1, x2 = X[..., :1], X[..., 1:]
    return np.concatenate([X, x1 * x2, x1**2, x2**2], axis=-1)


def weights_of(g: Any) -> Array | None:
    """Return the weights of g, w0 first, or None if g is not one linear rule on -1 and +1."""
    if not hasattr(g, "predict"):
        w = np.asarray(g, dtype=np.float64)
        if w.ndim not in (1, 2) or not np.isfinite(w).all():
            raise DataError(f"the weights of g must be finite numbers, w0 first, got {g!r}")
        return w
    if np.shape(getattr(g, "coef_", ()))[:-1] == (1,) and list(g.classes_) == [-1, 1]:
        return np.concatenate([np.ravel(g.intercept_), g.coef_[0]])
    return None


def signs_of(weights: Array, X: Array) -> Array:
    """Return sign(w . x), with -1 for 0, of points (..., n, d) for weights (..., d + 1)."""
    if weights.shape[-1] != X.shape[-1] + 1:
        raise DataError(
            f"{counted(X.shape[-1], 'feature')} take {X.shape[-1] + 1} weights, w0 first"
        )
    scores = np.matmul(X, weights[..., 1:, np.newaxis])[..., 0] + weights[..., :1]
    return np.where(scores > 0, 1, -1)


def error_in(g: Any, X: Array, y: Array, features: FeatureMap = "linear") -> Floats:
    """Return the share of examples that g gets wrong: a number, or one for each run.

    Parameters
    ----------
    g : array-like of shape (n_features + 1,) or (runs, n_features + 1), or a fitted model
        Weights, w0 first; of many runs, a row for each.
    X : array-like of shape (n_examples, n_features) or (runs, n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,) or (runs, n_examples)
        Their labels, -1 and +1 for weights.
    features : {"linear", "quadratic"}, default="linear"
        What g sees: x1 and x2, or x1x2, x1^2 and x2^2 as well.

    Returns
    -------
    ndarray
        The share, or an array with that of each run.

    Examples
    --------
    >>> from rosenblatt.lab import error_in
    >>> float(error_in([0, 1], [[-1.0], [1.0], [2.0], [3.0]], [-1, 1, 1, -1]))
    0.25
    """
    Z, y = expand(X, features), np.asarray(y)
    if Z.shape[:-1] != y.shape or y.size == 0:
        raise DataError(f"X and y must hold as many examples, got {Z.shape[:-1]} and {y.shape}")
    weights = None if hasattr(g, "predict") else weights_of(g)
    said = g.predict(Z) if weights is None else signs_of(weights, Z)
    return np.asarray((said != y).mean(axis=-1))


def disagreement(f: Array, g: Array, low: float = -1.0, high: float = 1.0) -> Array:
    """Return the share of the box [low, high]^2 on which sign(f . x) and sign(g . x) differ.

    Exactly and for many pairs of weights, w0 first, at once:

        P[f != g] = P[f > 0] + P[g > 0] - 2 P[f > 0 and g > 0]

    Each probability is an area: the box, clipped by one line or by both (Sutherland and Hodgman).

    Examples
    --------
    >>> float(disagreement(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])))
    0.5
    """
    f, g = np.broadcast_arrays(np.asarray(f, dtype=np.float64), np.asarray(g, dtype=np.float64))
    shape = f.shape[:-1]
    f, g = f.reshape(-1, 3), g.reshape(-1, 3)
    corners = np.array([[low, low], [high, low], [high, high], [low, high]])
    box = np.broadcast_to(corners, (len(f), 4, 2))
    by_f = _clip(box, f)
    area = _area(by_f) + _area(_clip(box, g)) - 2 * _area(_clip(by_f, g))
    # rounding may leave a hair below 0, or above 1
    share: Array = np.clip(area / (high - low) ** 2, 0.0, 1.0).reshape(shape)
    return share


def _clip(vertices: Array, w: Array) -> Array:
    """Cut each polygon (k vertices) by its line; return polygons of 2k vertices.

    A vertex on the wrong side moves to its foot on the line instead of being left out, so that
    all polygons keep one shape. What this adds runs to and fro on the line and has no area.
    """
    normal = w[:, np.newaxis, 1:]
    values = w[:, :1] + (vertices * normal).sum(axis=2)
    inside = values > 0
    norm2 = (normal**2).sum(axis=2)
    # without a direction all vertices are on one side: they fall into one point if it is the wrong
    step = np.divide(values, norm2, out=np.zeros_like(values), where=norm2 > 0)
    foot = np.where(norm2[..., np.newaxis] > 0, vertices - step[..., np.newaxis] * normal, 0.0)
    kept = np.where(inside[..., np.newaxis], vertices, foot)
    following = np.roll(vertices, -1, axis=1)
    crosses = inside != np.roll(inside, -1, axis=1)
    drop = values - np.roll(values, -1, axis=1)
    share = np.divide(values, drop, out=np.zeros_like(values), where=crosses)[..., np.newaxis]
    crossing = np.where(crosses[..., np.newaxis], vertices + share * (following - vertices), kept)
    return np.stack([kept, crossing], axis=2).reshape(len(w), -1, 2)


def _area(vertices: Array) -> Array:
    following = np.roll(vertices, -1, axis=1)
    turns = vertices[..., 0] * following[..., 1] - vertices[..., 1] * following[..., 0]
    area: Array = turns.sum(axis=1) / 2
    return area
