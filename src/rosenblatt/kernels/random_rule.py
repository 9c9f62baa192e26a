"""The selection rule `random`: uniformly among all that are misclassified.

    on trial    draw an example; if it is a mistake, that is the pick: each mistake is equally
                likely, and while there are many of them it takes few draws
    by scan     list all mistakes and draw one of the list; an empty list is the end

With few examples there are only scans. With many, trials come first while the last scan lets
expect a mistake among them, and a scan passes over what cannot have become a mistake (see
`odometer.py`). Few dense examples come as Columns, without an odometer: their scan vectorises.
"""

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE
from rosenblatt.kernels.hypothesis import judge, judge_block, weight_of
from rosenblatt.kernels.odometer import READING, Odometer, note_margin, roll
from rosenblatt.kernels.rows import BLOCK, Columns, is_columns
from rosenblatt.kernels.selection import NONE_LEFT, ROWS, SLICE_OVER, rule_for

MOST_TO_LIST = 1024  # examples; from here on there are trials
# A trial reads from anywhere in the memory, a scan reads on and passes over much: below this many
# mistakes among all examples the scan is cheaper
FEW = 16

# The state: where the scan is, mistakes listed, trials left for this pick, trials for each pick
POSITION, FOUND, TRIALS, BUDGET = 0, 1, 2, 3


class RandomRule(NamedTuple):
    """Uniform `draws`, of which used[0] are used up, and the state of the scan in `place`."""

    members: np.ndarray
    odometer: Odometer
    mistakes: np.ndarray  # room for the list, one longer than there are members
    rivals: np.ndarray
    place: np.ndarray  # see above
    draws: np.ndarray
    used: np.ndarray


def _next_at_random(rule, D, h, tie, clock):
    members, place, draws, used = rule.members, rule.place, rule.draws, rule.used
    n = members.shape[0]
    while place[TRIALS] > 0:
        if clock[ROWS] == 0 or used[0] == draws.shape[0]:
            return SLICE_OVER, 0
        clock[ROWS] -= 1
        i = members[int(draws[used[0]] * n)]
        used[0] += 1
        wrong, _, rival = judge(D, i, h, tie)
        if wrong:
            return i, rival
        place[TRIALS] -= 1
    while place[POSITION] < n:
        if clock[ROWS] == 0:
            return SLICE_OVER, 0
        stop = min(n, place[POSITION] + BLOCK)
        clock[ROWS] = max(0, clock[ROWS] - (stop - place[POSITION]))
        list_mistakes(rule, D, stop, h, tie)
        place[POSITION] = stop
    if place[FOUND] == 0:
        return NONE_LEFT, 0
    if used[0] == draws.shape[0]:
        return SLICE_OVER, 0
    pick = int(draws[used[0]] * place[FOUND])
    used[0] += 1
    return rule.mistakes[pick], rule.rivals[pick]


def _moved_at_random(rule, D, h, i):
    dial, length, _ = rule.odometer
    if dial.shape[0] > 0:
        # two columns of w move when there are many classes (w.ndim = 2), one when there are two
        roll(dial, h.w.ndim * weight_of(D.s, i) * length[i])
    n, found = rule.members.shape[0], rule.place[FOUND]
    if n > MOST_TO_LIST:
        if rule.place[POSITION] == n:
            # eight times as many as are needed on average: one pick in 3,000 needs a scan; with
            # four times as many one in 50 did, and the scans took most of the time
            rule.place[BUDGET] = 8 * n // found if found >= FEW else 0
        rule.place[TRIALS] = rule.place[BUDGET]
    rule.place[POSITION], rule.place[FOUND] = 0, 0


def list_mistakes(rule, D, stop, h, tie):
    """Add the mistakes among the members from place[POSITION] to `stop` to the list."""
    find = _list_in_columns if isinstance(D.X, Columns) else _list_in_rows
    return find(rule, D, stop, h, tie)


def _list_in_rows(rule, D, stop, h, tie):
    dial, length, due = rule.odometer
    found = rule.place[FOUND]
    for p in range(rule.place[POSITION], stop):
        i = rule.members[p]
        if due[i] <= dial[READING]:
            wrong, margin, rival = judge(D, i, h, tie)
            if wrong:
                rule.mistakes[found], rule.rivals[found] = i, rival
                found += 1
            else:
                note_margin(dial, length, due, i, margin)
    rule.place[FOUND] = found


def _list_in_columns(rule, D, stop, h, tie):
    start, found, margins, mistakes = (
        rule.place[POSITION],
        rule.place[FOUND],
        D.X.sums,
        rule.mistakes,
    )
    judge_block(D, start // BLOCK, h, tie)
    for r in range(stop - start):
        # write first, count afterwards: no branch to guess
        mistakes[found] = start + r
        found += not margins[r] > 0.0
    rule.place[FOUND] = found


@overload(list_mistakes, jit_options=INLINE)
def _(rule, D, stop, h, tie):
    return _list_in_columns if is_columns(D[0]) else _list_in_rows


rule_for(RandomRule, _next_at_random, _moved_at_random)
