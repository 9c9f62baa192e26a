"""What can be chosen: a small set in the plane, a run on it, and how much of either."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.checks.parameters import check_choice, check_count
from rosenblatt.choices import Multiclass
from rosenblatt.data.builtin import load_builtin
from rosenblatt.errors import ParameterError
from rosenblatt.lab.targets import CircleTarget, LineTarget
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO

MOST_POINTS, MOST_CLASSES = 20_000, 10
MOST_UPDATES, MOST_EPOCHS, MOST_RUNS = 100_000, 1000, 2
BOX = (-1.0, 1.0)
SIGNS = ["-1", "+1"]
MARGIN, THIN = 0.08, 0.02  # distance from the target that points keep, before they are rounded
# Drawn points are multiples of 1/128: floats hold them exactly, so that the whole numbers in their
# contradictions are small enough to read
GRID = 128
CENTRES = np.array([[-0.55, -0.45], [0.6, -0.35], [0.0, 0.6]])
EXERCISE = (1.0, 2.0, 4.0)  # the target of exercise 1.4


@dataclass(frozen=True)
class Choice:
    """One run as it is asked for."""

    algorithm: str = "perceptron"
    rule: str = "first"
    tie: str = "mistake"
    multiclass: Multiclass = "joint"
    eta: float = 1.0
    epsilon: float = 1e-6
    epochs: int = 10
    max_updates: int = 1000
    init: tuple[float, float, float] | None = None
    seed: int = 0

    @property
    def at_zero(self) -> str:
        """What a point on the boundary is: a choice where there is one."""
        return self.tie if "tie" in IN_STUDIO[self.algorithm].options else "mistake"

    @property
    def way(self) -> Multiclass:
        """How this algorithm tells more than two classes apart."""
        many = IN_STUDIO[self.algorithm].many
        return self.multiclass if self.multiclass in many else many[0]


class AllColumns(NamedTuple):
    """All columns of rows that the plane shows a part of, and which part it shows."""

    X: Any  # (N, d)
    view: str  # "2 of 30 columns"


class PlaneSet(NamedTuple):
    """Points, the index of the class of each, and the target f where there is one."""

    points: Array  # (N, 2)
    labels: Array  # (N,)
    classes: list[str]
    names: list[str]
    target: Array | None  # w0 first
    box: tuple[float, float]  # the side of the square that points are drawn from
    whole: AllColumns | None = None  # where there are more columns than the two that are shown


class Preset(NamedTuple):
    """A set by its name, and why one would look at it."""

    title: str
    sentence: str
    n: int
    noise: bool  # whether labels can be flipped
    draw: Callable[[int, np.random.RandomState], PlaneSet]


def draw_preset(name: str, *, seed: int = 0, noise: float = 0.0, n: int | None = None) -> PlaneSet:
    """Draw a set; `noise` is the share of labels that are changed.

    Examples
    --------
    >>> draw_preset("xor").labels
    array([0, 0, 1, 1])
    """
    check_choice(name, "preset", tuple(PRESETS))
    preset = PRESETS[name]
    size = preset.n if n is None else n
    check_count(least=2, n=size)
    if not 0 <= noise <= 0.5:
        raise ParameterError(f"must be a share from 0 to 0.5, got {noise!r}", about="noise")
    random = np.random.RandomState(seed)
    made = preset.draw(size, random)
    return made if not preset.noise else made._replace(labels=_changed(made, noise, random))


def _changed(made: PlaneSet, noise: float, random: np.random.RandomState) -> Array:
    """Give a share of the points another class."""
    labels, k = made.labels.copy(), len(made.classes)
    chosen = random.permutation(len(labels))[: round(noise * len(labels))]
    labels[chosen] = (labels[chosen] + random.randint(1, k, size=len(chosen))) % k
    return labels


def _signs(X: Array, y: Array, target: LineTarget | None = None) -> PlaneSet:
    weights = None if target is None else np.asarray(target.weights)
    labels = (np.asarray(y) > 0).astype(np.int64)
    return PlaneSet(X, labels, SIGNS, ["x1", "x2"], weights, BOX)


def _rounded(X: Array) -> Array:
    return np.asarray(np.round(X * GRID) / GRID + 0.0)  # + 0.0: no -0.0


def _separable(n: int, random: np.random.RandomState) -> PlaneSet:
    target = _central_line(random)
    X = _rounded(_off_the_line(n, target, MARGIN, random))
    return _signs(X, target(X), target)


def _thin_margin(n: int, random: np.random.RandomState) -> PlaneSet:
    target = _central_line(random)
    X = _off_the_line(n, target, THIN, random)
    X[:2] = _either_side(target, THIN, random)
    X = _rounded(X)
    return _signs(X, target(X), target)


def _central_line(random: np.random.RandomState) -> LineTarget:
    """Draw a line that leaves room for points on both sides, its normal of length 1."""
    angle, shift = random.uniform(0, 2 * np.pi), random.uniform(-0.3, 0.3)
    return LineTarget([shift, np.cos(angle), np.sin(angle)])


def _off_the_line(
    n: int, target: LineTarget, margin: float, random: np.random.RandomState
) -> Array:
    """Draw points from the box; those nearer to the line than the margin are drawn again."""
    X = random.uniform(*BOX, (n, 2))
    while (near := np.abs(target.weights[0] + X @ target.weights[1:]) < margin).any():
        X[near] = random.uniform(*BOX, (int(near.sum()), 2))
    return X


def _either_side(target: LineTarget, margin: float, random: np.random.RandomState) -> Array:
    """Return two points that face each other across the line, a margin away from it."""
    w0, normal = target.weights[0], target.weights[1:]
    along = np.array([-normal[1], normal[0]]) * random.uniform(-0.5, 0.5)
    foot = along - w0 * normal
    return np.array([foot + margin * normal, foot - margin * normal])


def _outlier(n: int, random: np.random.RandomState) -> PlaneSet:
    target = _central_line(random)
    X = _rounded(_off_the_line(n, target, MARGIN, random))
    y = target(X)
    # of the larger class the point farthest from the line, so that both classes stay
    distance = np.abs(target.weights[0] + X @ target.weights[1:])
    odd = int(np.where(y == (1 if y.sum() > 0 else -1), distance, -1.0).argmax())
    y[odd] = -y[odd]
    return _signs(X, y, target)


def _xor(n: int, random: np.random.RandomState) -> PlaneSet:
    corners = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]]) * 0.75
    which = np.arange(n) % 4
    spread = random.uniform(-0.2, 0.2, (n, 2)) * (np.arange(n) >= 4)[:, np.newaxis]
    return _signs(_rounded(corners[which] + spread), np.where(which >= 2, 1, -1))


def _circles(n: int, random: np.random.RandomState) -> PlaneSet:
    X = _rounded(random.uniform(*BOX, (n, 2)))
    return _signs(X, CircleTarget(0.45)(X))


def _three_classes(n: int, random: np.random.RandomState) -> PlaneSet:
    labels = np.arange(n) % 3
    X = _rounded(CENTRES[labels] + random.normal(0, 0.16, (n, 2)))
    return PlaneSet(X, labels, ["A", "B", "C"], ["x1", "x2"], None, BOX)


def _exercise_1_4(n: int, random: np.random.RandomState) -> PlaneSet:
    target = LineTarget(EXERCISE, low=-10.0, high=10.0)
    X, y = target.draw((n,), random)
    return _signs(X, y, target)._replace(box=(-10.0, 10.0))


def _measured(
    name: str, columns: tuple[int, int], scaled: bool
) -> Callable[[int, np.random.RandomState], PlaneSet]:
    def draw(n: int, random: np.random.RandomState) -> PlaneSet:
        sample, y, names, *_ = load_builtin(name)
        X = np.asarray(sample)
        points = X[:, columns]
        if scaled:
            points = (points - points.mean(axis=0)) / points.std(axis=0)
        classes, labels = np.unique(y, return_inverse=True)
        rows = np.sort(random.permutation(len(y))[:n]) if n < len(y) else np.arange(len(y))
        shown = [names[c] + (" (standardised)" if scaled else "") for c in columns]
        side = float(np.abs(points).max())
        whole = AllColumns(X[rows], f"2 of {X.shape[1]} columns")
        box = (-side, side)
        return PlaneSet(points[rows], labels[rows], classes.tolist(), shown, None, box, whole)

    return draw


PRESETS = {
    "separable": Preset(
        "Separable", "A line fits: the perceptron finds one.", 20, True, _separable
    ),
    "thin-margin": Preset(
        "Thin margin", "A line fits, but hardly: the bound grows.", 30, True, _thin_margin
    ),
    "outlier": Preset(
        "Outlier", "One label among the others: no line fits any more.", 26, True, _outlier
    ),
    "xor": Preset("XOR", "Opposite corners agree: four points contradict.", 4, True, _xor),
    "circles": Preset("Circles", "A disc inside of a ring: no line helps.", 60, True, _circles),
    "three-classes": Preset(
        "Three classes", "Three clouds: joint, one-vs-rest, one-vs-one.", 45, True, _three_classes
    ),
    "exercise-1.4": Preset(
        "Exercise 1.4", "20 points in [-10, 10]^2, target (1, 2, 4).", 20, True, _exercise_1_4
    ),
    "iris": Preset(
        "Iris", "Three flowers by the size of their petals.", 150, False,
        _measured("iris", (2, 3), scaled=False),
    ),
    "breast-cancer": Preset(
        "Breast cancer", "Tumours by radius and concave points.", 569, False,
        _measured("breast-cancer", (0, 27), scaled=True),
    ),
}  # fmt: skip
