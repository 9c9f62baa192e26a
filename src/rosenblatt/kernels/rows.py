"""What a linear learner does to a row: read it, measure it, and add it to weights.

Each function has a body for every kind of rows, chosen by the compiler from the type of X,
so every kernel above this file is written once:

    dense      a C-ordered array of shape (N, d)
    CSR        values, column indices, row starts
    Presence   CSR without values: every stored entry is 1
    Columns    a copy of dense rows, column by column in blocks of rows

Columns are for rules that look at many rows of few features between two updates: the sums of a
whole block vectorise across its rows.
"""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE

# Sums may be taken in any order, so that they vectorise. NaN and infinity keep their meaning.
REORDER = INLINE | {"fastmath": {"reassoc", "contract"}}
# A sum over a sparse row must not be vectorised: a hardware gather is slower than four plain loads
# (measured: 70 against 34 ms an epoch of 15 million non-zeros). Four sums of our own hide latency.
CONTRACT = INLINE | {"fastmath": {"contract"}}


BLOCK = 64  # rows of a block of Columns


class CSR(NamedTuple):
    """The three arrays of a SciPy CSR matrix, in a form that Numba accepts."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray


class Presence(NamedTuple):
    """A CSR matrix in which every stored value is 1."""

    indices: np.ndarray
    indptr: np.ndarray


class Columns(NamedTuple):
    """Dense rows as an array of shape (blocks, d, BLOCK), with room for the sums of one block."""

    blocks: np.ndarray
    sums: np.ndarray


def dot_row(X, i, w):
    """Return w . x_i."""
    return _of_value(X, _dot_dense, _dot_csr, _dot_presence, _dot_columns)(X, i, w)


def add_row(X, i, c, w):
    """Do w <- w + c x_i in place."""
    return _of_value(X, _add_dense, _add_csr, _add_presence, _add_columns)(X, i, c, w)


def norm2_row(X, i):
    """Return |x_i|^2."""
    return _of_value(X, _norm2_dense, _norm2_csr, _norm2_presence, _norm2_columns)(X, i)


def scores_row(X, i, W, out):
    """Do out_c <- out_c + sum_j x_ij W_jc for every column c of W."""
    return _of_value(X, _scores_dense, _scores_csr, _scores_presence, None)(X, i, W, out)


def sum_block(X, block, w):
    """Fill X.sums with w . x_i for the rows of one block of Columns."""
    d, rows, sums = X.blocks.shape[1], X.blocks, X.sums
    for r in range(BLOCK):
        sums[r] = 0.0
    # four columns at a time: `sums` is read and written a quarter as often
    for j in range(0, d - 3, 4):
        a, b, c, e = w[j], w[j + 1], w[j + 2], w[j + 3]
        for r in range(BLOCK):
            total = sums[r] + a * rows[block, j, r]
            total += b * rows[block, j + 1, r]
            total += c * rows[block, j + 2, r]
            sums[r] = total + e * rows[block, j + 3, r]
    for j in range(d - d % 4, d):
        a = w[j]
        for r in range(BLOCK):
            sums[r] += a * rows[block, j, r]


def _dot_dense(X, i, w):
    total = 0.0
    for j in range(w.shape[0]):
        total += X[i, j] * w[j]
    return total


def _dot_csr(X, i, w):
    # Unsigned, here and below: Numba then leaves out its support for negative indices, which
    # costs a quarter of the time of a sparse epoch.
    k, end, four = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1]), np.uint64(4)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    while k + four <= end:
        a += X.data[k] * w[np.uint64(X.indices[k])]
        b += X.data[k + one] * w[np.uint64(X.indices[k + one])]
        c += X.data[k + two] * w[np.uint64(X.indices[k + two])]
        d += X.data[k + three] * w[np.uint64(X.indices[k + three])]
        k += four
    while k < end:
        a += X.data[k] * w[np.uint64(X.indices[k])]
        k += one
    return (a + b) + (c + d)


def _dot_presence(X, i, w):
    k, end, four = np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1]), np.uint64(4)
    one, two, three = np.uint64(1), np.uint64(2), np.uint64(3)
    # the compiler makes these floats, or leaves them whole if the weights are
    a, b, c, d = 0, 0, 0, 0
    while k + four <= end:
        a += w[np.uint64(X.indices[k])]
        b += w[np.uint64(X.indices[k + one])]
        c += w[np.uint64(X.indices[k + two])]
        d += w[np.uint64(X.indices[k + three])]
        k += four
    while k < end:
        a += w[np.uint64(X.indices[k])]
        k += one
    return (a + b) + (c + d)


def _dot_columns(X, i, w):
    total = 0.0
    for j in range(w.shape[0]):
        total += X.blocks[i // BLOCK, j, i % BLOCK] * w[j]
    return total


def _add_dense(X, i, c, w):
    for j in range(w.shape[0]):
        w[j] += c * X[i, j]


def _add_csr(X, i, c, w):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        w[np.uint64(X.indices[k])] += c * X.data[k]


def _add_presence(X, i, c, w):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        w[np.uint64(X.indices[k])] += c


def _add_columns(X, i, c, w):
    for j in range(w.shape[0]):
        w[j] += c * X.blocks[i // BLOCK, j, i % BLOCK]


def _norm2_dense(X, i):
    total = 0.0
    for j in range(X.shape[1]):
        # in float64: the square of a float32 may not fit into a float32
        x = np.float64(X[i, j])
        total += x * x
    return total


def _norm2_csr(X, i):
    total = 0.0
    for k in range(X.indptr[i], X.indptr[i + 1]):
        x = np.float64(X.data[k])
        total += x * x
    return total


def _norm2_presence(X, i):
    return np.float64(X.indptr[i + 1] - X.indptr[i])


def _norm2_columns(X, i):
    total = 0.0
    for j in range(X.blocks.shape[1]):
        x = np.float64(X.blocks[i // BLOCK, j, i % BLOCK])
        total += x * x
    return total


def _scores_dense(X, i, W, out):
    for j in range(W.shape[0]):
        x = X[i, j]
        for c in range(W.shape[1]):
            out[c] += x * W[j, c]


def _scores_csr(X, i, W, out):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        x, j = X.data[k], np.uint64(X.indices[k])
        for c in range(W.shape[1]):
            out[c] += x * W[j, c]


def _scores_presence(X, i, W, out):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        j = np.uint64(X.indices[k])
        for c in range(W.shape[1]):
            out[c] += W[j, c]


def _of_value(X, dense, csr, presence, columns):
    """Choose a body as Python does, for `NUMBA_DISABLE_JIT=1`."""
    return {CSR: csr, Presence: presence, Columns: columns}.get(type(X), dense)


def is_columns(X):
    """Tell whether a Numba type is that of Columns."""
    return getattr(X, "instance_class", None) is Columns


def of_type(X, dense, csr, presence, columns):
    """Choose a body as the compiler does, from the Numba type of X."""
    if isinstance(X, types.Array):
        return dense
    return {CSR: csr, Presence: presence, Columns: columns}[X.instance_class]


@overload(dot_row, jit_options=REORDER)
def _(X, i, w):
    return _dot_dense if isinstance(X, types.Array) else None


@overload(dot_row, jit_options=CONTRACT)
def _(X, i, w):
    return of_type(X, None, _dot_csr, _dot_presence, _dot_columns)


@overload(add_row, jit_options=CONTRACT)
def _(X, i, c, w):
    return of_type(X, _add_dense, _add_csr, _add_presence, _add_columns)


@overload(norm2_row, jit_options=REORDER)
def _(X, i):
    return of_type(X, _norm2_dense, _norm2_csr, _norm2_presence, _norm2_columns)


@overload(scores_row, jit_options=CONTRACT)
def _(X, i, W, out):
    return of_type(X, _scores_dense, _scores_csr, _scores_presence, None)


@overload(sum_block, jit_options=CONTRACT)
def _(X, block, w):
    return sum_block
