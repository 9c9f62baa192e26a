"""Data of any kind as points in the plane: two columns, or the projection along w."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.counting import counted
from rosenblatt.data.examples import Examples
from rosenblatt.data.target import nearest
from rosenblatt.errors import DataError
from rosenblatt.studio.scenes.choices import MOST_CLASSES, MOST_POINTS, AllColumns, PlaneSet
from rosenblatt.types import Array

MOST_NUMBERS = 20_000_000  # of dense rows to project
UNEVEN = 8.0  # spreads that differ by more than this are brought to one size


class Opened(NamedTuple):
    """Points, and what was done to get them, in sentences."""

    data: PlaneSet
    notes: list[str]


def open_points(examples: Examples, features: Sequence[str] | None = None) -> Opened:
    """Return examples in the plane; with `features` by these two columns.

    Examples
    --------
    >>> from rosenblatt import read
    >>> open_points(read("iris"), ["petal length (cm)", "petal width (cm)"]).data.points.shape
    (150, 2)
    """
    X, y, names = examples.X, np.asarray(examples.y), list(examples.feature_names)
    if len(y) == 0:
        raise DataError(f"{examples.source} has no labels; the studio needs classes to tell apart")
    classes, labels = np.unique(y, return_inverse=True)
    _check_classes(classes, examples.source)
    notes: list[str] = []
    if len(y) > MOST_POINTS:
        rows = np.sort(np.random.RandomState(0).permutation(len(y))[:MOST_POINTS])
        notes.append(f"{MOST_POINTS:,} of {len(y):,} rows are shown, drawn at random")
        X, labels = X[rows], labels[rows]
    if features is not None:
        points, shown = _columns(X, names, features)
    elif X.shape[1] <= 2:
        points, shown = _columns(X, names, names)
    else:
        points, shown = _projected(X, labels, names, notes)
    opened = in_the_plane(points, labels, [str(c) for c in classes.tolist()], shown, notes)
    return opened._replace(data=opened.data._replace(whole=_whole(X, shown, names)))


def _whole(X: Any, shown: list[str], names: list[str]) -> AllColumns | None:
    """Return all columns, where the plane shows fewer or none of them as they are."""
    n = X.shape[1]
    n_shown = sum(name in names for name in shown)
    if n == n_shown:
        return None
    return AllColumns(
        X, f"{n_shown} of {n:,} columns" if n_shown else f"a projection of {n:,} columns"
    )


def in_the_plane(
    points: Array, labels: Array, classes: list[str], names: list[str], notes: list[str]
) -> Opened:
    """Return points as a set; axes of very different sizes are brought to one."""
    spread = points.std(axis=0)
    if spread.min() > 0 and spread.max() / spread.min() > UNEVEN:
        points = (points - points.mean(axis=0)) / spread
        names = [f"{name} (standardised)" for name in names]
        notes.append("columns were brought to mean 0 and deviation 1: their sizes differ much")
    if set(classes) == {"-1", "1"}:
        classes = ["-1", "+1"]
    side = float(np.abs(points).max(initial=1.0))
    return Opened(PlaneSet(points, labels, classes, names, None, (-side, side)), notes)


def _check_classes(classes: Array, source: str) -> None:
    if len(classes) < 2:
        raise DataError(
            f"{source} has 1 class, {classes[0]!r}, and there is nothing to tell apart; "
            "check the label column"
        )
    if len(classes) > MOST_CLASSES:
        raise DataError(
            f"{source} has {len(classes)} different labels, the studio shows up to "
            f"{MOST_CLASSES} classes; choose another label column"
        )


def _columns(X: Any, names: list[str], chosen: Sequence[str]) -> tuple[Array, list[str]]:
    if len(chosen) > 2:
        raise DataError(f"a plane has two axes, got {counted(len(chosen), 'feature')}")
    for name in chosen:
        if name not in names:
            raise DataError(f"there is no feature {name!r}{nearest(name, names)}")
    picked = _dense(X[:, [names.index(name) for name in chosen]])
    if len(chosen) == 2:
        return picked, list(chosen)
    return np.column_stack([picked[:, 0], np.zeros(len(picked))]), [chosen[0], ""]


def _projected(
    X: Any, labels: Array, names: list[str], notes: list[str]
) -> tuple[Array, list[str]]:
    from sklearn.preprocessing import StandardScaler

    from rosenblatt.linear.averaged import AveragedPerceptron
    from rosenblatt.plot.projection import project

    if labels.max() > 2:
        return _two_that_differ(X, labels, names, notes)
    rows = StandardScaler().fit_transform(_dense(X))
    model = AveragedPerceptron(epochs=20, random_state=0).fit(rows, labels)
    two = len(model.coef_) == 1
    w = np.concatenate([model.intercept_, model.coef_[0]]) if two else None
    view = project(rows, w, model)
    notes.append(
        f"{rows.shape[1]} columns are shown along the weights of an averaged perceptron; "
        "--features A,B shows two of them"
    )
    return view.points(rows), list(view.names)


def _two_that_differ(
    X: Any, labels: Array, names: list[str], notes: list[str]
) -> tuple[Array, list[str]]:
    """Choose the two columns whose means differ most between the classes, by their spread."""
    rows = _dense(X)
    inside = np.zeros(rows.shape[1])
    for c in np.unique(labels):
        inside += rows[labels == c].var(axis=0) * (labels == c).mean()
    total = rows.var(axis=0)
    share = np.divide(inside, total, out=np.ones_like(total), where=total > 0)
    best = np.sort(np.argsort(share, kind="stable")[:2])
    chosen = [names[j] for j in best]
    notes.append(f"{chosen[0]!r} and {chosen[1]!r} are shown; --features A,B shows others")
    return rows[:, best], chosen


def _dense(X: Any) -> Array:
    if X.shape[0] * X.shape[1] > MOST_NUMBERS:
        if not sparse.issparse(X):
            return np.asarray(X, dtype=np.float64)
        X = X[:, np.unique(X.indices)]  # columns of zeros show nothing
        if X.shape[0] * X.shape[1] > MOST_NUMBERS:
            raise DataError(
                f"{X.shape[1]} columns are too many to project; choose two with --features A,B"
            )
    return np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
