"""From a line in exact numbers to weights in float64, and the mistakes that these make.

A best line may leave very little room: points that would lie on one line in decimals miss it by
the rounding of their coordinates, and a line may pass between. But only the ratios of the weights
matter, and rounding errs differently for each multiple of them. So many multiples are offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from rosenblatt.types import Array

N_MULTIPLES = 64
# Steps of the golden ratio spread the multiples evenly between 1 and 2
GOLDEN = 0.6180339887498949

Direction = tuple[Fraction, Fraction]


class Line(NamedTuple):
    """A line through one point of the plane and beside all others."""

    side: Array  # of each point, +1 or -1
    normal: Direction  # towards the side +1


def float_rules(points: Array, line: Line, free: bool) -> Iterator[Array]:
    """Yield (w0, w1, w2) near the line, w0 as good as it can be, or 0 for lines that are not free.

    Points are at most 1 in each coordinate.
    """
    largest = max(map(abs, line.normal))
    for k in range(N_MULTIPLES):
        factor = Fraction(1.0 + k * GOLDEN % 1.0) / largest
        w = np.array([float(factor * v) for v in line.normal])
        yield np.append(_threshold(points, line.side, w) if free else 0.0, w)


def _threshold(points: Array, side: Array, w: Array) -> float:
    """Return the w0 in the middle between the two sides."""
    inner = points @ w
    # The rounding of these sums is below 2^-50, as points are at most 1 and w at most 2
    low, high = inner[side < 0].max() - 2.0**-48, inner[side > 0].min() + 2.0**-48
    below = _exact_products(points[(side < 0) & (inner >= low)], w.tolist())
    above = _exact_products(points[(side > 0) & (inner <= high)], w.tolist())
    return -float((max(below) + min(above)) / 2)


def count_mistakes_exactly(w: Array, X: Array, y: Array) -> int:
    """Count the examples with y (w0 + w . x) <= 0 without rounding; X has a few dense columns."""
    with np.errstate(all="ignore"):
        terms = np.column_stack([np.full(len(X), w[0]), X * w[1:]])
        margin, size = y * terms.sum(axis=1), np.abs(terms).sum(axis=1)
        # Far more than what rounding and underflow can change
        known = (np.abs(margin) > 2.0**-48 * size + 1e-300) & np.isfinite(size)
    close = np.column_stack([np.ones((~known).sum()), X[~known]])
    scores = _exact_products(close, w.tolist())
    n_close = sum(s * int(label) <= 0 for s, label in zip(scores, y[~known], strict=True))
    return int((margin[known] < 0).sum()) + n_close


def _exact_products(rows: Array, w: Sequence[float]) -> list[Fraction]:
    """Return the product of each row with w."""
    exact = [Fraction(v) for v in w]
    return [
        sum((v * Fraction(x) for v, x in zip(exact, row, strict=True)), Fraction(0))
        for row in rows.tolist()
    ]
