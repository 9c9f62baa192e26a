"""Selection rules that scan: which misclassified example PLA picks next.

    Scan       the next one in a given order, going on from where it was (`cyclic`, `shuffled`)
               or from the start (`first`)
    LazyScan   the same examples in the same order, passing over those that cannot be mistakes
    Worst      the one with the most negative margin (`worst`)

A rule is a tuple of arrays that remembers where it is. `next_mistake` is its pick, `moved` tells
it that the picked example has been corrected. The rule `random` is in `random_rule.py`.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE
from rosenblatt.kernels.hypothesis import judge, judge_block, weight_of
from rosenblatt.kernels.odometer import READING, Odometer, note_margin, roll
from rosenblatt.kernels.prefetch import fetch_ahead
from rosenblatt.kernels.rows import BLOCK, Columns, is_columns

# What `next_mistake` returns when it does not return an example
NONE_LEFT = -1  # nothing is misclassified
SLICE_OVER = -2  # the clock of this call has run out; call again to go on
ORDER_OVER = -3  # the order is used up; the caller brings a new one, or the same again
BUDGET_OVER = -4  # no update is left
ROOM_OVER = -5  # a small weight has become too large; the caller brings larger ones

# The counters of a clock, all counting down: rows to look at in this call, updates and epochs
ROWS, UPDATES, EPOCHS = 0, 1, 2


class Scan(NamedTuple):
    """Go through `order`; place = (position, right in a row, rows of a whole pass).

    An order may be that of a block of rows alone; the rule goes on with the next block then.
    """

    order: np.ndarray
    place: np.ndarray
    repeats: bool  # begin again at the end of the order
    restarts: bool  # begin again after each update


class LazyScan(NamedTuple):
    """A Scan with an odometer."""

    order: np.ndarray
    place: np.ndarray
    repeats: bool
    restarts: bool
    odometer: Odometer


class Worst(NamedTuple):
    """Look at all of `order` for each pick; place = (position, best so far, its rival)."""

    order: np.ndarray
    place: np.ndarray
    margin: np.ndarray  # the margin of the best so far


def next_mistake(rule, D, h, tie, clock):
    """Return (i, rival) of the example to correct; i < 0 is one of the codes above."""
    return _BODIES[type(rule)][0](rule, D, h, tie, clock)


def moved(rule, D, h, i):
    """Tell the rule that example i has just been corrected."""
    return _BODIES[type(rule)][1](rule, D, h, i)


_BODIES = {}  # (next_mistake, moved) of each class of rules, for `NUMBA_DISABLE_JIT=1`


def _next_in_scan(rule, D, h, tie, clock):
    order, place, n = rule.order, rule.place, rule.order.shape[0]
    while place[1] < place[2]:
        if clock[ROWS] == 0:
            return SLICE_OVER, 0
        if place[0] == n:
            if not rule.repeats or clock[EPOCHS] <= 1:
                return ORDER_OVER, 0
            clock[EPOCHS] -= 1
            place[0] = 0
        start = place[0]
        stop = start + min(n - start, place[2] - place[1], clock[ROWS])
        p, rival = find_mistake(rule, D, start, stop, h, tie)
        if p < stop:
            place[0], place[1] = p + 1, 0
            clock[ROWS] -= p + 1 - start
            return order[p], rival
        place[0], place[1] = stop, place[1] + stop - start
        clock[ROWS] -= stop - start
    return NONE_LEFT, 0


def find_mistake(rule, D, start, stop, h, tie):
    """Return (p, rival) of the first mistake order[p] with start <= p < stop, or (stop, 0)."""
    lazy, columns = isinstance(rule, LazyScan), isinstance(D.X, Columns)
    find = _find_when_due if lazy else _find_in_columns if columns else _find_in_rows
    return find(rule, D, start, stop, h, tie)


def _find_in_rows(rule, D, start, stop, h, tie):
    for p in range(start, stop):
        fetch_ahead(D.X, rule.order, p)
        wrong, _, rival = judge(D, rule.order[p], h, tie)
        if wrong:
            return p, rival
    return stop, 0


def _find_when_due(rule, D, start, stop, h, tie):
    dial, length, due = rule.odometer
    for p in range(start, stop):
        i = rule.order[p]
        if due[i] <= dial[READING]:
            wrong, margin, rival = judge(D, i, h, tie)
            if wrong:
                return p, rival
            note_margin(dial, length, due, i, margin)
    return stop, 0


def _find_in_columns(rule, D, start, stop, h, tie):
    # order[p] = p here: Columns are copied in the order in which they are scanned
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        judge_block(D, block, h, tie)
        offset = block * BLOCK
        first, last = max(start, offset), min(stop, offset + BLOCK)
        n_mistakes = 0
        for p in range(first, last):
            n_mistakes += not D.X.sums[p - offset] > 0.0
        if n_mistakes > 0:
            p = first
            while D.X.sums[p - offset] > 0.0:
                p += 1
            return p, 0
    return stop, 0


@overload(find_mistake, jit_options=INLINE)
def _(rule, D, start, stop, h, tie):
    if rule.instance_class is LazyScan:
        return _find_when_due
    return _find_in_columns if is_columns(D[0]) else _find_in_rows


def _moved_scan(rule, D, h, i):
    if rule.restarts:
        rule.place[0] = 0


def _moved_lazy(rule, D, h, i):
    if rule.restarts:
        rule.place[0] = 0
    dial, length, _ = rule.odometer
    # two columns of w move when there are many classes (w.ndim = 2), one when there are two
    roll(dial, h.w.ndim * weight_of(D.s, i) * length[i])


def _next_worst(rule, D, h, tie, clock):
    order, place, n = rule.order, rule.place, rule.order.shape[0]
    while place[0] < n:
        if clock[ROWS] == 0:
            return SLICE_OVER, 0
        clock[ROWS] -= 1
        i = order[place[0]]
        place[0] += 1
        wrong, margin, rival = judge(D, i, h, tie)
        if wrong and (place[1] < 0 or margin < rule.margin[0]):
            place[1], place[2], rule.margin[0] = i, rival, margin
    return place[1], place[2]


def _moved_worst(rule, D, h, i):
    rule.place[0], rule.place[1] = 0, NONE_LEFT


def rule_for(rule_class, pick, after):
    """Make `pick` and `after` the bodies of `next_mistake` and `moved` for a class of rules."""
    _BODIES[rule_class] = pick, after

    def is_it(rule):
        return getattr(rule, "instance_class", None) is rule_class

    @overload(next_mistake, jit_options=INLINE)
    def _(rule, D, h, tie, clock):
        return pick if is_it(rule) else None

    @overload(moved, jit_options=INLINE)
    def _(rule, D, h, i):
        return after if is_it(rule) else None


rule_for(Scan, _next_in_scan, _moved_scan)
rule_for(LazyScan, _next_in_scan, _moved_lazy)
rule_for(Worst, _next_worst, _moved_worst)
