"""Sums and sums of squares as whole numbers: nothing is rounded, so anything can be taken back.

With every value a multiple of u = 2^unit and every weight one of v = 2^weight_unit, the sums

    weight = sum s_i / v     linear = sum s_i x_i / (v u)     square = sum s_i x_i^2 / (v u^2)

are whole numbers, kept as Python's. Means and variances are rounded once, when they are asked for,
and do not depend on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.kernels.gaussian import LIMB, MOST_ROWS, LimbSums, bit_range, sum_rows
from rosenblatt.kernels.rows import Presence
from rosenblatt.rows import rows_per_slice, slices
from rosenblatt.types import Array, Block, Rows


class Moments(NamedTuple):
    """The sums of each class; arrays of Python's whole numbers but for `n_rows`."""

    n_rows: Array  # (classes,) int64
    total: Array  # (classes,)
    linear: Array  # (classes, d)
    square: Array  # (classes, d)
    unit: int
    weight_unit: int

    @property
    def weight(self) -> Array:
        """The weight of each class."""
        return np.array([_scaled(int(w), 1, self.weight_unit) for w in self.total])

    @classmethod
    def of(cls, data: Block) -> Self:
        """Add up the rows of the data."""
        k = len(data.classes)
        n_rows = np.bincount(data.labels[data.members], minlength=k)
        unit, size = _range(data.rows)
        weight_unit, _ = _bits(data.weights)
        linear, square = _sums(data, data.rows, data.n_features, (unit, size), weight_unit)
        if len(data.weights):
            ones = np.ones((data.n_rows, 1))
            total = _sums(data, ones, 1, (0, 1), weight_unit)[0][:, 0]
        else:
            total = n_rows.astype(object)
        return cls(n_rows, total, linear, square, unit, weight_unit)

    def spread(self, where: Array, n_classes: int) -> Self:
        """Make room for more classes: class c becomes class where[c]."""

        def grown(part: Array) -> Array:
            more = np.zeros((n_classes, *part.shape[1:]), dtype=part.dtype)
            more[where] = part
            return more

        return self._each(grown)

    def keep(self, classes: Array) -> Self:
        """Drop the other classes."""
        return self._each(lambda part: part[classes])

    def plus(self, more: Self) -> Self:
        """Return the sums of both."""
        return self._with(more, 1)

    def minus(self, less: Self) -> Self:
        """Take away sums that were added."""
        return self._with(less, -1)

    def mean_and_variance(self) -> tuple[Array, Array]:
        """Return both for each class; a class without rows gets those of all rows."""
        total, linear, square = (
            np.concatenate([part, part.sum(axis=0, keepdims=True)])
            for part in (self.total, self.linear, self.square)
        )
        mean, variance = np.zeros(linear.shape), np.zeros(linear.shape)
        try:
            for c, w in enumerate(int(w) for w in total):
                if w > 0:
                    above = square[c] * w - linear[c] ** 2
                    mean[c] = [_scaled(s, w, self.unit) for s in linear[c]]
                    variance[c] = [_scaled(s, w * w, 2 * self.unit) for s in above]
        except OverflowError as error:
            raise DataError(
                "the variance is beyond what a float64 holds",
                do="scale the columns of X first, for example with "
                "sklearn.preprocessing.StandardScaler",
                in_shell="divide the columns by their size first",
            ) from error
        empty = total == 0
        mean[empty], variance[empty] = mean[-1], variance[-1]
        return mean, variance

    def _with(self, other: Self, sign: int) -> Self:
        unit, weight_unit = min(self.unit, other.unit), min(self.weight_unit, other.weight_unit)
        a, b = self._in(unit, weight_unit), other._in(unit, weight_unit)
        return a._replace(
            n_rows=a.n_rows + sign * b.n_rows,
            total=a.total + sign * b.total,
            linear=a.linear + sign * b.linear,
            square=a.square + sign * b.square,
        )

    def _in(self, unit: int, weight_unit: int) -> Self:
        """Return the same in finer units."""
        finer, lighter = self.unit - unit, self.weight_unit - weight_unit
        return self._replace(
            total=self.total * (1 << lighter),
            linear=self.linear * (1 << (lighter + finer)),
            square=self.square * (1 << (lighter + 2 * finer)),
            unit=unit,
            weight_unit=weight_unit,
        )

    def _each(self, change: Callable[[Array], Array]) -> Self:
        return self._replace(
            n_rows=change(self.n_rows),
            total=change(self.total),
            linear=change(self.linear),
            square=change(self.square),
        )


def _range(rows: Rows) -> tuple[int, int]:
    if isinstance(rows, Presence):
        return 0, 1
    return _bits(rows.reshape(-1) if isinstance(rows, np.ndarray) else rows.data)


def _bits(values: Array) -> tuple[int, int]:
    """Return (unit, bits) so that every value is a whole number of that many bits times 2^unit."""
    low, high = (int(bound) for bound in bit_range(values))
    return (low, high - low) if low < high else (0, 1)


def _sums(
    data: Block, rows: Rows, d: int, bits: tuple[int, int], weight_unit: int
) -> tuple[Array, Array]:
    k, weight_bits = len(data.classes), _bits(data.weights)[1]
    linear, square = np.zeros((k, d), dtype=object), np.zeros((k, d), dtype=object)
    for part in slices(data.members, MOST_ROWS):
        S = LimbSums(
            np.zeros((k, d, (bits[1] + weight_bits) // LIMB + 5), dtype=np.int64),
            np.zeros((k, d, (2 * bits[1] + weight_bits) // LIMB + 5), dtype=np.int64),
            bits[0],
            weight_unit,
        )
        for piece in slices(part, rows_per_slice(rows, 8)):
            sum_rows(rows, piece, data.labels, data.weights, S)
        linear, square = linear + _whole(S.linear), square + _whole(S.square)
    return linear, square


def _whole(limbs: Array) -> Array:
    """Put limbs together to Python's whole numbers."""
    number = limbs[..., -1].astype(object)
    for limb in range(limbs.shape[-1] - 2, -1, -1):
        number = number * (1 << LIMB) + limbs[..., limb].astype(object)
    return number


def _scaled(above: int, below: int, exponent: int) -> float:
    """Return above / below * 2^exponent, rounded once."""
    return (above << exponent) / below if exponent >= 0 else above / (below << -exponent)
