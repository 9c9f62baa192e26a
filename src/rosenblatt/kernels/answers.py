"""The class that weights give a row, by the weights themselves or by their mean over time.

The mean is written into a hypothesis of its own, at the columns of the row alone: rows of a few
words among a million columns are answered in the time that their words take.
"""

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, kernel
from rosenblatt.kernels.rows import CSR, Presence, dot_row, of_type, scores_row

UNSURE = -1  # a score is too large for a float64


def answer(X, i, h, tie):
    """Return the number of the class that h gives row i, or UNSURE."""
    return (_answer_two if h.w.ndim == 1 else _answer_many)(X, i, h, tie)


def mean_at_row(X, i, h, u, time, mean):
    """Write  w - u / time  into `mean` at the columns of row i."""
    sparse = isinstance(X, (CSR, Presence))
    return (_mean_sparse if sparse else _mean_dense)(X, i, h, u, time, mean)


def mean_at(w, u, time, mean, j):
    """Write the mean of the weights of column j."""
    return (_mean_two if w.ndim == 1 else _mean_many)(w, u, time, mean, j)


def _answer_two(X, i, h, tie):
    score = dot_row(X, i, h.w) + h.b[0]
    if not np.isfinite(score):
        return UNSURE
    return 1 if score > 0.0 or (score == 0.0 and tie > 0) else 0


def _answer_many(X, i, h, tie):
    u = h.scores
    for c in range(u.shape[0]):
        u[c] = h.b[c]
    scores_row(X, i, h.w, u)
    best, all_finite = 0, True
    for c in range(u.shape[0]):
        all_finite = all_finite and np.isfinite(u[c])
        # the lowest of equals
        if u[c] > u[best]:
            best = c
    return best if all_finite else UNSURE


def _mean_two(w, u, time, mean, j):
    mean[j] = w[j] - u[j] / time


def _mean_many(w, u, time, mean, j):
    for c in range(w.shape[1]):
        mean[j, c] = w[j, c] - u[j, c] / time


def _mean_dense(X, i, h, u, time, mean):
    for j in range(h.w.shape[0]):
        mean_at(h.w, u.w, time, mean.w, j)


def _mean_sparse(X, i, h, u, time, mean):
    for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
        mean_at(h.w, u.w, time, mean.w, np.uint64(X.indices[k]))


@overload(answer, jit_options=INLINE)
def _(X, i, h, tie):
    return _answer_two if h[0].ndim == 1 else _answer_many


@overload(mean_at, jit_options=INLINE)
def _(w, u, time, mean, j):
    return _mean_two if w.ndim == 1 else _mean_many


@overload(mean_at_row, jit_options=INLINE)
def _(X, i, h, u, time, mean):
    return of_type(X, _mean_dense, _mean_sparse, _mean_sparse, None)


@kernel
def answer_rows(X, order, h, tie, out):
    """Write the classes that h gives the rows in `order` into out."""
    for p in range(order.shape[0]):
        out[p] = answer(X, order[p], h, tie)


@kernel
def answer_rows_by_mean(X, order, h, u, time, mean, out):
    """Write the classes that the mean of the weights gives the rows in `order` into out."""
    T = time[0] if time[0] > 0.0 else 1.0
    for c in range(h.b.shape[0]):
        mean.b[c] = h.b[c] - u.b[c] / T
    for p in range(order.shape[0]):
        mean_at_row(X, order[p], h, u, T, mean)
        out[p] = answer(X, order[p], mean, 0)
