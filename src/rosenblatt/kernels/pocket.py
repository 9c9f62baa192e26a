"""The pocket algorithm (Gallant 1990).

    run PLA; after each update, if E_in(w) < E_in(pocket), put w into the pocket

Counting stops as soon as the count reaches the pocket's best, and begins with the examples that
the pocket finds hardest, so most updates are judged by a small part of the data. Dense rows are
counted in a float32 copy, column by column in blocks: half the bytes and twice the lanes. Where
its rounding could change a sign, the example itself is judged, so the count is exact.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.hypothesis import LabelledRows, correct, judge, weight_of
from rosenblatt.kernels.rows import BLOCK, Columns, sum_block
from rosenblatt.kernels.selection import (
    BUDGET_OVER,
    ROWS,
    SLICE_OVER,
    UPDATES,
    moved,
    next_mistake,
)

BETTER = -6  # h makes fewer errors than the pocket

UNIT = 2.0**-24  # the largest relative error of one rounding to float32
LARGEST = 1e37  # from here on a weight could overflow in float32, with room to spare
LEAST = 1e-30  # below, weights could lose more by underflow than by rounding
SMALLEST = 1e-40  # more than a float32 loses by underflow


class Rough(NamedTuple):
    """Dense rows in float32, in blocks, in the order in which they are counted."""

    columns: Columns
    y: np.ndarray  # float32, (blocks, BLOCK): -1 and +1
    length: np.ndarray  # float32, (blocks, BLOCK): |x_i|, not less, and above 0
    w: np.ndarray  # float32: room for the weights


class Count(NamedTuple):
    """The errors of h, as far as they are counted."""

    rows: Rough | LabelledRows
    order: np.ndarray  # the hardest examples first
    place: np.ndarray  # the block to go on with; -1: all is counted that has to be
    errors: np.ndarray  # the sum of the weights of the mistakes found


@kernel
def learn_until_better(rule, D, h, tie, clock, count, best):
    """Run PLA until h errs less than `best`; return why it stopped. `count` holds the errors."""
    while clock[UPDATES] > 0 or count.place[0] >= 0:
        if count.place[0] < 0:
            i, rival = next_mistake(rule, D, h, tie, clock)
            if i < 0:
                return i
            correct(D, i, rival, h, 1.0)
            moved(rule, D, h, i)
            clock[UPDATES] -= 1
            count.place[0], count.errors[0] = 0, 0.0
        count_errors(count, D, h, tie, best, clock)
        if count.place[0] >= 0:
            return SLICE_OVER
        if count.errors[0] < best:
            return BETTER
    return BUDGET_OVER


@inlined
def count_errors(count, D, h, tie, enough, clock):
    """Add up the weights of the mistakes of h until they reach `enough` or the clock runs out."""
    rows, order, place, found = count
    n_blocks = (order.shape[0] + BLOCK - 1) // BLOCK
    slack = round_weights(rows, h)
    errors, block, place[0] = found[0], place[0], -1
    for k in range(block, n_blocks):
        errors += errors_of_block(rows, order, k, D, h, tie, slack)
        clock[ROWS] = max(0, clock[ROWS] - BLOCK)
        if errors >= enough:
            break
        if clock[ROWS] == 0 and k + 1 < n_blocks:
            place[0] = k + 1
            break
    found[0] = errors


def round_weights(rows, h):
    """Copy the weights for rough counting; return the error of a margin for rows of length 1."""
    return _round_weights(rows, h) if isinstance(rows, Rough) else _no_rounding(rows, h)


def _round_weights(rows, h):
    squares = h.b[0] * h.b[0]
    for j in range(rows.w.shape[0]):
        rows.w[j] = h.w[j]
        squares += h.w[j] * h.w[j]
    # d + 1 products and sums, each of three numbers rounded before; twice, to be far from it
    size = np.sqrt(squares)
    slack = 2.0 * (rows.w.shape[0] + 4) * UNIT * size
    return np.float32(slack) if LEAST < size < LARGEST else np.float32(np.inf)


def _no_rounding(rows, h):
    return np.float32(0.0)


def errors_of_block(rows, order, k, D, h, tie, slack):
    """Add up the weights of the mistakes among the k-th block of the order."""
    find = _errors_roughly if isinstance(rows, Rough) else _errors_in_rows
    return find(rows, order, k, D, h, tie, slack)


def _errors_in_rows(rows, order, k, D, h, tie, slack):
    errors = 0.0
    for p in range(k * BLOCK, min(order.shape[0], (k + 1) * BLOCK)):
        if judge(D, order[p], h, tie)[0]:
            errors += weight_of(D.s, order[p])
    return errors


def _errors_roughly(rows, order, k, D, h, tie, slack):
    sum_block(rows.columns, k, rows.w)
    sums, y, length, b = rows.columns.sums, rows.y, rows.length, np.float32(h.b[0])
    smallest = np.float32(SMALLEST)
    n_rows = min(BLOCK, order.shape[0] - k * BLOCK)
    n_wrong = 0
    n_sure = 0
    for r in range(n_rows):
        margin = y[k, r] * (sums[r] + b)
        doubt = slack * length[k, r] + smallest
        n_wrong += margin < -doubt
        n_sure += abs(margin) > doubt
    if n_sure == n_rows and D.s.shape[0] == 0:
        return float(n_wrong)
    errors = 0.0
    for r in range(n_rows):
        i = order[k * BLOCK + r]
        margin = y[k, r] * (sums[r] + b)
        if abs(margin) > slack * length[k, r] + smallest:
            wrong = margin < 0.0
        else:
            wrong = judge(D, i, h, tie)[0]
        if wrong:
            errors += weight_of(D.s, i)
    return errors


def _is_rough(rows):
    return getattr(rows, "instance_class", None) is Rough


@overload(round_weights, jit_options=INLINE)
def _(rows, h):
    return _round_weights if _is_rough(rows) else _no_rounding


@overload(errors_of_block, jit_options=INLINE)
def _(rows, order, k, D, h, tie, slack):
    return _errors_roughly if _is_rough(rows) else _errors_in_rows
