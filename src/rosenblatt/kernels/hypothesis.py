"""A training set D, a hypothesis h, and the two steps of every perceptron: judge and correct.

Two classes: w has shape (d,), y_i is -1 or +1.

    u <- w . x_i + b ;  margin <- y_i u ;  a mistake has margin < 0, or = 0 by the tie convention
    to correct:         w <- w + s_i y_i x_i ;  b <- b + s_i y_i x0   (`move` by a step of s_i)

Many classes, joint: w has shape (d, k), y_i is the index of a class.

    u <- x_i w + b ;  rival <- the best other class ;  margin <- u[y_i] - u[rival]
    to correct:       add s_i x_i to the column of y_i, subtract it from the rival's

The compiler chooses between the two from the shape of w, so a rule is written once for both.
"""

from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.rows import BLOCK, add_row, dot_row, norm2_row, scores_row, sum_block
from rosenblatt.kernels.small_weights import SmallWeights, add_small, is_small

JUST_INSIDE = 5e-324


class LabelledRows(NamedTuple):
    """The training data D: rows, labels, sample weights and the constant coordinate."""

    X: Any  # rows of any kind
    y: np.ndarray  # int32: -1 and +1, or the index of the class
    s: np.ndarray  # sample weights; empty when all are 1
    x0: float  # 1.0 with an intercept, 0.0 without


class Hypothesis(NamedTuple):
    """Weights and bias, with room for the scores of one row."""

    w: np.ndarray  # (d,) or (d, k)
    b: np.ndarray  # (1,) or (k,)
    scores: np.ndarray  # like b


def judge(D, i, h, tie):
    """Return (is example i a mistake of h, its margin, the rival class)."""
    return (_judge_two if h.w.ndim == 1 else _judge_many)(D, i, h, tie)


def correct(D, i, rival, h, scale):
    """Move h towards example i, away from the rival, by `scale` times the sample weight.

    Small weights always move by 1: without sample weights, with a scale of 1.
    """
    body = _correct_small if isinstance(h, SmallWeights) else _correct_by_weight
    return body(D, i, rival, h, scale)


def move(D, i, rival, h, step):
    """Move h towards example i, away from the rival, by `step` times the example."""
    return (_move_two if h.w.ndim == 1 else _move_many)(D, i, rival, h, step)


@inlined
def weight_of(s, i):
    """Return the sample weight of example i."""
    return s[i] if s.shape[0] > 0 else 1.0


@kernel
def length_of(X, i, x0):
    """Return |(x0, x_i)|."""
    return np.sqrt(norm2_row(X, i) + x0 * x0)


@inlined
def is_wrong(margin, y, tie):
    """Tell a mistake by its margin; tie is 0 (a point on the boundary is one), +1 or -1."""
    # asked this way round, a margin that is not a number (overflow) is a mistake too
    return not (margin > 0.0 or (margin == 0.0 and tie * y > 0))


@inlined
def judge_block(D, block, h, tie):
    """Judge a block of Columns, two classes: D.X.sums becomes the margins, > 0 if right."""
    sum_block(D.X, block, h.w)
    sums, y, b, start = D.X.sums, D.y, h.b[0], block * BLOCK
    n = min(BLOCK, y.shape[0] - start)
    for r in range(n):
        sums[r] = y[start + r] * (sums[r] + b)
    if tie != 0:
        for r in range(n):
            # a point on the boundary that is right by the tie convention stands just inside
            if sums[r] == 0.0 and tie * y[start + r] > 0:
                sums[r] = JUST_INSIDE


def _judge_two(D, i, h, tie):
    margin = D.y[i] * (dot_row(D.X, i, h.w) + h.b[0])
    return is_wrong(margin, D.y[i], tie), margin, 0


def _judge_many(D, i, h, tie):
    u, right = h.scores, D.y[i]
    for c in range(u.shape[0]):
        u[c] = h.b[c]
    scores_row(D.X, i, h.w, u)
    rival = 0 if right != 0 else 1
    for c in range(rival + 1, u.shape[0]):
        if c != right and u[c] > u[rival]:
            rival = c
    margin = u[right] - u[rival]
    # the lowest of equal classes is chosen; a tie with the right class is a mistake only when
    # another was chosen (`tie` is a convention of two classes)
    wrong = not (margin > 0.0 or (margin == 0.0 and right < rival))
    return wrong, margin, rival


def _correct_by_weight(D, i, rival, h, scale):
    move(D, i, rival, h, scale * weight_of(D.s, i))


def _correct_small(D, i, rival, h, scale):
    add_small(D.X, i, D.y[i], h)
    h.b[0] += D.y[i] * D.x0


def _move_two(D, i, rival, h, step):
    add_row(D.X, i, step * D.y[i], h.w)
    h.b[0] += step * D.y[i] * D.x0


def _move_many(D, i, rival, h, step):
    right = D.y[i]
    add_row(D.X, i, step, h.w[:, right])
    add_row(D.X, i, -step, h.w[:, rival])
    h.b[right] += step * D.x0
    h.b[rival] -= step * D.x0


@overload(judge, jit_options=INLINE)
def _(D, i, h, tie):
    return _judge_two if h[0].ndim == 1 else _judge_many


@overload(correct, jit_options=INLINE)
def _(D, i, rival, h, scale):
    return _correct_small if is_small(h) else _correct_by_weight


@overload(move, jit_options=INLINE)
def _(D, i, rival, h, step):
    return _move_two if h[0].ndim == 1 else _move_many
