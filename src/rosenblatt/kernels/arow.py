"""AROW (Crammer, Kulesza, Dredze 2009), diagonal: each weight has a variance, which shrinks.

    margin <- that of `judge` ;  v <- s_0 x0^2 + sum_j s_j x_ij^2, of both vectors for many classes
    if margin < 1:  beta <- 1 / (v + r) ;  a <- (1 - margin) beta
                    w_j <- w_j + a y_i s_j x_ij ;  s_j <- s_j - beta (s_j x_ij)^2

So a weight that was often corrected moves little, and one of a rare feature a lot. A sample weight
divides r, which is the variance of the noise that labels are thought to have.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.hypothesis import Hypothesis, judge, weight_of
from rosenblatt.kernels.prefetch import fetch_ahead
from rosenblatt.kernels.rows import CONTRACT, CSR, REORDER, Presence, dot_row, of_type


class Uncertainty(NamedTuple):
    """How sure each weight is, and how much a label is believed."""

    s: Hypothesis  # the variances of its weights
    r: float


@kernel
def arow_pass(rule, D, order, h):
    """Visit the examples in `order`; change h and the variances in place; return n_updates."""
    n_updates = 0
    for p in range(order.shape[0]):
        fetch_ahead(D.X, order, p)
        moved, _ = adapt(rule, D, order[p], h)
        n_updates += moved
    return n_updates


@kernel
def measure_spreads(X, start, stop, s0, s, out):
    """Write the variances of the scores by one weight vector of the rows start <= i < stop."""
    for i in range(start, stop):
        out[i] = spread_row(X, i, s) + s0


@inlined
def adapt(rule, D, i, h):
    """Visit example i; return (whether the weights moved, the rival class)."""
    _, margin, rival = judge(D, i, h, 0)
    # asked this way round, a margin that is not a number (overflow) counts as too small
    if not margin >= 1.0:
        v = margin_variance(D, i, rival, rule.s)
        if v > 0.0:  # no step makes a row of zeros right
            r = rule.r / weight_of(D.s, i)
            beta = 1.0 / (v + r)
            # a row too long for a float64 spoils the weights, rather than being passed over
            a = (1.0 - margin) * beta if v < np.inf else np.nan
            shift(D, i, rival, h, rule.s, a, beta, r * beta)
            return True, rival
    return False, rival


def margin_variance(D, i, rival, s):
    """Return v, the variance of the margin of example i."""
    return (_spread_two if s.w.ndim == 1 else _spread_many)(D, i, rival, s)


def shift(D, i, rival, h, s, a, beta, floor):
    """Move h towards example i, away from the rival, each weight by its variance; shrink those."""
    return (_shift_two if s.w.ndim == 1 else _shift_many)(D, i, rival, h, s, a, beta, floor)


def _spread_two(D, i, rival, s):
    return spread_row(D.X, i, s.w) + s.b[0] * D.x0 * D.x0


def _spread_many(D, i, rival, s):
    right = D.y[i]
    of_rows = spread_row(D.X, i, s.w[:, right]) + spread_row(D.X, i, s.w[:, rival])
    return of_rows + (s.b[right] + s.b[rival]) * D.x0 * D.x0


def _shift_two(D, i, rival, h, s, a, beta, floor):
    shift_row(D.X, i, a * D.y[i], beta, floor, h.w, s.w)
    h.b[0] += a * D.y[i] * s.b[0] * D.x0
    s.b[0] = narrowed(s.b[0], s.b[0] * D.x0, beta, floor)


def _shift_many(D, i, rival, h, s, a, beta, floor):
    shift_class(D, i, D.y[i], h, s, a, beta, floor)
    shift_class(D, i, rival, h, s, -a, beta, floor)


@inlined
def shift_class(D, i, c, h, s, step, beta, floor):
    """Do what `shift` does, for the vector of one class of many."""
    shift_row(D.X, i, step, beta, floor, h.w[:, c], s.w[:, c])
    h.b[c] += step * s.b[c] * D.x0
    s.b[c] = narrowed(s.b[c], s.b[c] * D.x0, beta, floor)


@inlined
def narrowed(s, move, beta, floor):
    """Return s - beta move^2, where move = s x.

    It is never below s r / (v + r), since v has s x^2 in it; `floor` is r / (v + r). Where r is
    small beside v the difference alone would be rounded to 0, or below.
    """
    left, least = s - beta * (move * move), s * floor
    return least if left < least else left


def spread_row(X, i, s):
    """Return sum_j s_j x_ij^2."""
    return _of_value(X, _spread_dense, _spread_csr, _spread_presence)(X, i, s)


def shift_row(X, i, c, beta, floor, w, s):
    """Do w_j <- w_j + c s_j x_ij in place, and shrink the variances s_j."""
    return _of_value(X, _shift_dense, _shift_csr, _shift_presence)(X, i, c, beta, floor, w, s)


def _spread_dense(X, i, s):
    total = 0.0
    for j in range(s.shape[0]):
        # in float64: the square of a float32 may not fit into a float32
        x = np.float64(X[i, j])
        total += s[j] * (x * x)
    return total


def _spread_csr(X, i, s):
    # two sums hide latency, as the four of `dot_row` do
    k, end = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])
    one, two = np.uint64(1), np.uint64(2)
    a, b = 0.0, 0.0
    while k + two <= end:
        x, z = np.float64(X.data[k]), np.float64(X.data[k + one])
        a += s[np.uint64(X.indices[k])] * (x * x)
        b += s[np.uint64(X.indices[k + one])] * (z * z)
        k += two
    if k < end:
        x = np.float64(X.data[k])
        a += s[np.uint64(X.indices[k])] * (x * x)
    return a + b


def _spread_presence(X, i, s):
    return dot_row(X, i, s)


def _shift_dense(X, i, c, beta, floor, w, s):
    for j in range(w.shape[0]):
        before = s[j]
        move = before * X[i, j]
        s[j] = narrowed(before, move, beta, floor)
        w[j] += c * move


def _shift_csr(X, i, c, beta, floor, w, s):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        j = np.uint64(X.indices[k])
        before = s[j]
        move = before * X.data[k]
        s[j] = narrowed(before, move, beta, floor)
        w[j] += c * move


def _shift_presence(X, i, c, beta, floor, w, s):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        j = np.uint64(X.indices[k])
        before = s[j]
        s[j] = narrowed(before, before, beta, floor)
        w[j] += c * before


def _of_value(X, dense, csr, presence):
    """Choose a body as Python does, for `NUMBA_DISABLE_JIT=1`."""
    return {CSR: csr, Presence: presence}.get(type(X), dense)


@overload(margin_variance, jit_options=INLINE)
def _(D, i, rival, s):
    return _spread_two if s[0].ndim == 1 else _spread_many


@overload(shift, jit_options=INLINE)
def _(D, i, rival, h, s, a, beta, floor):
    return _shift_two if s[0].ndim == 1 else _shift_many


@overload(spread_row, jit_options=REORDER)
def _(X, i, s):
    return of_type(X, _spread_dense, None, None, None)


@overload(spread_row, jit_options=CONTRACT)
def _(X, i, s):
    return of_type(X, None, _spread_csr, _spread_presence, None)


@overload(shift_row, jit_options=CONTRACT)
def _(X, i, c, beta, floor, w, s):
    return of_type(X, _shift_dense, _shift_csr, _shift_presence, None)
