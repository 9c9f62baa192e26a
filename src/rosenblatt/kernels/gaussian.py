"""Sums and sums of squares for each class without rounding, and scores of normal densities.

A float is a whole number times a power of 2. With the powers taken from the data, the sums

    sum s_i x_ij   and   sum s_i x_ij^2

are sums of whole numbers. They are kept in limbs of 32 bits inside int64, so that carries can wait
until 2^26 rows have been added. Nothing is rounded, so what was added can be taken away.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.rows import CSR, Presence, of_type

LIMB = 32
MOST_ROWS = 1 << 26


class LimbSums(NamedTuple):
    """The limbs of both sums, lowest first, shape (classes, d, limbs); the units are exponents."""

    linear: np.ndarray
    square: np.ndarray
    unit: int
    weight_unit: int


class Normals(NamedTuple):
    """Densities of each class and column: mean, 1/(2 variance) (0: the mean is certain)."""

    mean: np.ndarray
    half: np.ndarray


@inlined
def _whole(x, unit):
    """Return (m, s) with |x| = m 2^(s + unit), m and s whole numbers from 0 on."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits >> 52) & 0x7FF
    m = bits & 0xFFFFFFFFFFFFF
    if exponent > 0:
        m |= 1 << 52
    shift = max(exponent, 1) - 1075 - unit
    if shift < 0:
        # the bits that go are zeros: x is a multiple of 2^unit
        return (m >> -shift if shift > -64 else 0), 0
    return m, shift


@inlined
def _deposit(cell, value, shift, sign):
    """Add sign * value * 2^shift, where 0 <= value < 2^56."""
    if value == 0:
        return
    limb, s = shift >> 5, shift & 31
    low = (value & 0xFFFFFFFF) << s
    high = ((value >> 32) << s) + (low >> 32)
    cell[limb] += sign * (low & 0xFFFFFFFF)
    cell[limb + 1] += sign * (high & 0xFFFFFFFF)
    cell[limb + 2] += sign * (high >> 32)


@inlined
def _add_value(x, weight, S, c, j):
    sign = 1 if x > 0 else -1
    m, s = _whole(x, S.unit)
    w, t = _whole(weight, S.weight_unit)
    low, high = m & 0x7FFFFFF, m >> 27
    if w == 1:
        # the usual case; half as many parts, as nothing has to leave room for a weight
        _deposit(S.linear[c, j], m, s + t, sign)
        _deposit(S.square[c, j], low * low, 2 * s + t, 1)
        _deposit(S.square[c, j], 2 * low * high, 2 * s + t + 27, 1)
        _deposit(S.square[c, j], high * high, 2 * s + t + 54, 1)
        return
    for digit in range(2):
        # products of 27 bits fit into an int64
        v = w & 0x7FFFFFF if digit == 0 else w >> 27
        if v == 0:
            continue
        at = t + 27 * digit
        _deposit(S.linear[c, j], v * low, s + at, sign)
        _deposit(S.linear[c, j], v * high, s + at + 27, sign)
        for part in range(3):
            square = low * low if part == 0 else (2 * low * high if part == 1 else high * high)
            place = 2 * s + at + 27 * part
            _deposit(S.square[c, j], v * (square & 0xFFFFFFF), place, 1)
            _deposit(S.square[c, j], v * (square >> 28), place + 28, 1)


def sum_row(X, i, weight, S, c):
    """Add row i to the sums of class c."""
    return {CSR: _sum_csr, Presence: _sum_presence}.get(type(X), _sum_dense)(X, i, weight, S, c)


def _sum_dense(X, i, weight, S, c):
    for j in range(X.shape[1]):
        _add_value(X[i, j], weight, S, c, j)


def _sum_csr(X, i, weight, S, c):
    for k in range(X.indptr[i], X.indptr[i + 1]):
        _add_value(X.data[k], weight, S, c, X.indices[k])


def _sum_presence(X, i, weight, S, c):
    for k in range(X.indptr[i], X.indptr[i + 1]):
        _add_value(1.0, weight, S, c, X.indices[k])


@overload(sum_row, jit_options=INLINE)
def _(X, i, weight, S, c):
    return of_type(X, _sum_dense, _sum_csr, _sum_presence, None)


@kernel
def sum_rows(X, members, labels, weights, S):
    """Add the rows in `members` to the sums of their classes; no weights: each counts 1."""
    for i in members:
        sum_row(X, i, 1.0 if weights.shape[0] == 0 else weights[i], S, labels[i])


@kernel
def bit_range(values):
    """Return (low, high): every value but 0 is a multiple of 2^low and below 2^high in size."""
    low, high = 1100, -1100
    for x in values:
        if x != 0:
            bits = np.float64(x).view(np.int64)
            exponent = max((bits >> 52) & 0x7FF, 1) - 1075
            high = max(high, exponent + 53)
            if exponent < low:
                m = bits & 0xFFFFFFFFFFFFF
                m = m if (bits >> 52) & 0x7FF == 0 else m | 1 << 52
                while m & 1 == 0:
                    m >>= 1
                    exponent += 1
                low = min(low, exponent)
    return low, high


def normal_row(X, i, N, zeros, zero_misses, out, misses):
    """Add -(x - mean)^2 / (2 variance) over the columns to out[c], and count the impossible.

    `zeros` and `zero_misses` are the same for a row of zeros: sparse rows start from them.
    """
    body = {CSR: _normal_csr, Presence: _normal_presence}.get(type(X), _normal_dense)
    return body(X, i, N, zeros, zero_misses, out, misses)


def _normal_dense(X, i, N, zeros, zero_misses, out, misses):
    for c in range(out.shape[0]):
        total, n_misses = 0.0, 0
        for j in range(X.shape[1]):
            away = X[i, j] - N.mean[c, j]
            # in this order, where a density is certain (half = 0) nothing is inf * 0
            total -= away * N.half[c, j] * away
            n_misses += away != 0 and N.half[c, j] == 0
        out[c] += total
        misses[c] += n_misses


@inlined
def _instead_of_zero(x, j, N, c, out, misses):
    mean, half = N.mean[c, j], N.half[c, j]
    if half == 0:
        misses[c] += np.int64(x != mean) - np.int64(mean != 0)
    else:
        # (x - mean)^2 - mean^2, without the cancellation
        out[c] -= x * half * (x - 2.0 * mean)


def _normal_csr(X, i, N, zeros, zero_misses, out, misses):
    for c in range(out.shape[0]):
        out[c] += zeros[c]
        misses[c] += zero_misses[c]
        for k in range(X.indptr[i], X.indptr[i + 1]):
            _instead_of_zero(np.float64(X.data[k]), X.indices[k], N, c, out, misses)


def _normal_presence(X, i, N, zeros, zero_misses, out, misses):
    for c in range(out.shape[0]):
        out[c] += zeros[c]
        misses[c] += zero_misses[c]
        for k in range(X.indptr[i], X.indptr[i + 1]):
            _instead_of_zero(1.0, X.indices[k], N, c, out, misses)


@overload(normal_row, jit_options=INLINE)
def _(X, i, N, zeros, zero_misses, out, misses):
    return of_type(X, _normal_dense, _normal_csr, _normal_presence, None)


@kernel
def normal_rows(X, start, stop, N, zeros, zero_misses, out, misses):
    """Do `normal_row` for the rows start <= i < stop, adding to out[i] and misses[i]."""
    for i in range(start, stop):
        normal_row(X, i, N, zeros, zero_misses, out[i], misses[i])
