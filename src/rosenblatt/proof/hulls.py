"""The convex hull of points in the plane: where two hulls meet, no line keeps them apart."""

from __future__ import annotations

import numpy as np

from rosenblatt.types import Array


def hull(points: Array) -> Array:
    """Return the corners of the convex hull, as rows of `points`, counter-clockwise.

    Andrew's chain: along the points in order, drop whoever makes the chain turn right.

    Examples
    --------
    >>> hull(np.array([[0.0, 0.0], [1.0, 0.0], [0.4, 0.3], [1.0, 1.0], [0.0, 1.0]]))
    array([0, 1, 3, 4])
    """
    order = np.lexsort((points[:, 1], points[:, 0]))
    same = np.zeros(len(order), dtype=bool)
    same[1:] = (points[order[1:]] == points[order[:-1]]).all(axis=1)
    rows = order[~same].tolist()
    if len(rows) < 3:
        return np.array(rows, dtype=np.int64)
    places = dict(zip(rows, points[rows].tolist(), strict=True))
    lower, upper = _chain(rows, places), _chain(rows[::-1], places)
    return np.array(lower[:-1] + upper[:-1])


def _chain(rows: list[int], places: dict[int, list[float]]) -> list[int]:
    kept: list[int] = []
    for row in rows:
        while len(kept) > 1 and _turn(places[kept[-2]], places[kept[-1]], places[row]) <= 0:
            kept.pop()
        kept.append(row)
    return kept


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
