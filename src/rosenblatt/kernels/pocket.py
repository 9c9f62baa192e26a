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
from rosenblatt.kernels.hypothesis import correct, judge, weight_of
from rosenblatt.kernels.rows import BLOCK, Columns, sum_block
from rosenblatt.kernels.selection import BUDGET_OVER, ROWS, UPDATES, moved, next_mistake

BETTER = -5  # h makes fewer errors than the pocket

UNIT = 2.0**-24  # the largest relative error of one rounding to float32
LARGEST = 1e37  # from here on a weight could overflow in float32, with room to spare
LEAST = 1e-30  # below, weights could lose more by underflow than by rounding
SMALLEST = 1e-40  # more than a float32 loses by underflow


class Rough(NamedTuple):
    """Dense rows in float32, in the order in which they are counted."""

    columns: Columns
    y: np.ndarray  # float32: -1 and +1
    length: np.ndarray  # float32: |x_i|, not less, and above 0
    w: np.ndarray  # float32: room for the weights


@kernel
def learn_until_better(rule, D, h, tie, clock, hard, best):
    """Run PLA until h errs less than `best`; return (why it stopped, the errors of h).

    `hard` = (Rough rows or D, the order in which to count): the hardest examples first.
    """
    while clock[UPDATES] > 0:
        i, rival = next_mistake(rule, D, h, tie, clock)
        if i < 0:
            return i, best
        correct(D, i, rival, h, 1.0)
        moved(rule, D, h, i)
        clock[UPDATES] -= 1
        errors = count_errors(hard, D, h, tie, best, clock)
        if errors < best:
            return BETTER, errors
    return BUDGET_OVER, best


@inlined
def count_errors(hard, D, h, tie, enough, clock):
    """Add up the weights of the mistakes of h; stop where they reach `enough`."""
    rows, order = hard
    slack = round_weights(rows, h)
    errors = 0.0
    for start in range(0, order.shape[0], BLOCK):
        stop = min(order.shape[0], start + BLOCK)
        errors += errors_of_block(rows, order, start, stop, D, h, tie, slack)
        # a clock may run out here: what is begun is finished, the caller sees it in time
        clock[ROWS] = max(0, clock[ROWS] - (stop - start))
        if errors >= enough:
            break
    return errors


@kernel
def count_all_errors(hard, D, h, tie, clock):
    """Add up the weights of all mistakes of h."""
    return count_errors(hard, D, h, tie, np.inf, clock)


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


def errors_of_block(rows, order, start, stop, D, h, tie, slack):
    """Add up the weights of the mistakes among order[start:stop], one block."""
    find = _errors_roughly if isinstance(rows, Rough) else _errors_in_rows
    return find(rows, order, start, stop, D, h, tie, slack)


def _errors_in_rows(rows, order, start, stop, D, h, tie, slack):
    errors = 0.0
    for p in range(start, stop):
        if judge(D, order[p], h, tie)[0]:
            errors += weight_of(D.s, order[p])
    return errors


def _errors_roughly(rows, order, start, stop, D, h, tie, slack):
    sum_block(rows.columns, start // BLOCK, rows.w)
    sums, y, length, b = rows.columns.sums, rows.y, rows.length, np.float32(h.b[0])
    smallest = np.float32(SMALLEST)
    n_wrong = 0
    n_sure = 0
    for r in range(stop - start):
        margin = y[start + r] * (sums[r] + b)
        doubt = slack * length[start + r] + smallest
        n_wrong += margin < -doubt
        n_sure += abs(margin) > doubt
    if n_sure == stop - start and D.s.shape[0] == 0:
        return float(n_wrong)
    errors = 0.0
    for r in range(stop - start):
        i = order[start + r]
        margin = y[start + r] * (sums[r] + b)
        if abs(margin) > slack * length[start + r] + smallest:
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
def _(rows, order, start, stop, D, h, tie, slack):
    return _errors_roughly if _is_rough(rows) else _errors_in_rows
