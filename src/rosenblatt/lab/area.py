"""How often two lines disagree on a box: an area, exactly."""

from __future__ import annotations

import numpy as np

from rosenblatt.types import Array


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
