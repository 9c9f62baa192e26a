"""Scores and lengths of many rows."""

from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, kernel
from rosenblatt.kernels.hypothesis import length_of
from rosenblatt.kernels.rows import dot_row, scores_row


def score_row(X, i, w, b, out):
    """Write the score of row i, or its scores for the columns of w, into out[i]."""
    return (_score_two if w.ndim == 1 else _score_many)(X, i, w, b, out)


def _score_two(X, i, w, b, out):
    out[i] = dot_row(X, i, w) + b[0]


def _score_many(X, i, w, b, out):
    for c in range(b.shape[0]):
        out[i, c] = b[c]
    scores_row(X, i, w, out[i])


@overload(score_row, jit_options=INLINE)
def _(X, i, w, b, out):
    return _score_two if w.ndim == 1 else _score_many


@kernel
def score_rows(X, start, stop, w, b, out):
    """Write the scores of the rows start <= i < stop into out."""
    for i in range(start, stop):
        score_row(X, i, w, b, out)


@kernel
def measure_rows(X, start, stop, x0, out):
    """Write the lengths |(x0, x_i)| of the rows start <= i < stop into out."""
    for i in range(start, stop):
        out[i] = length_of(X, i, x0)
