"""The selection rule `random`: uniformly among all that are misclassified.

    draw an example from the suspects, those that may be misclassified, until it is a mistake

An example that is found right leaves the set, and comes back on the day it is due: the calendar
has a list of examples for each day, a day being a stretch of the odometer. So a pick costs a look
at a few suspects, not at all N examples, and when no suspect is left, nothing is misclassified.

Drawing from a set that holds every mistake, until a mistake is drawn, is uniform among them.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import judge, weight_of
from rosenblatt.kernels.odometer import READING, WIDTH, Odometer, note_margin, roll
from rosenblatt.kernels.selection import NONE_LEFT, ROWS, SLICE_OVER, rule_for

NOBODY = -1  # the end of a day's list


class Calendar(NamedTuple):
    """Lists of the examples due on each of the coming days, as linked lists."""

    today: np.ndarray  # (1,)
    head: np.ndarray  # (days,) first example of the day's list; day t is at t mod days
    after: np.ndarray  # (N,) the example behind i in its list


class Random(NamedTuple):
    """Suspects as a list in any order; used[0] of the uniform `draws` are used up."""

    odometer: Odometer
    calendar: Calendar
    pool: np.ndarray
    size: np.ndarray
    draws: np.ndarray
    used: np.ndarray


@kernel
def put_on_calendar(dial, due, calendar, i):
    """Put example i on the list of the day it is due; what is too far away goes on the last."""
    today, n_days = calendar.today[0], calendar.head.shape[0]
    days = due[i] / dial[WIDTH] - today
    ahead = n_days - 1
    if days < ahead:
        ahead = max(0, int(days))
    slot = (today + ahead) % n_days
    calendar.after[i] = calendar.head[slot]
    calendar.head[slot] = i


def _next_random(rule, D, h, tie, clock):
    dial, length, due = rule.odometer
    while rule.size[0] > 0:
        if clock[ROWS] == 0 or rule.used[0] == rule.draws.shape[0]:
            return SLICE_OVER, 0
        clock[ROWS] -= 1
        place = int(rule.draws[rule.used[0]] * rule.size[0])
        rule.used[0] += 1
        i = rule.pool[place]
        wrong, margin, rival = judge(D, i, h, tie)
        if wrong:
            return i, rival
        rule.size[0] -= 1
        rule.pool[place] = rule.pool[rule.size[0]]
        note_margin(dial, length, due, i, margin)
        put_on_calendar(dial, due, rule.calendar, i)
    return NONE_LEFT, 0


def _moved_random(rule, D, h, i):
    """Roll the odometer and let the days pass: whoever is due becomes a suspect again."""
    dial, length, due = rule.odometer
    calendar = rule.calendar
    n_days = calendar.head.shape[0]
    # two columns of w move when there are many classes (w.ndim = 2), one when there are two
    roll(dial, h.w.ndim * weight_of(D.s, i) * length[i])
    before = calendar.today[0]
    calendar.today[0] = int(dial[READING] / dial[WIDTH])
    for day in range(before, before + min(calendar.today[0] - before + 1, n_days)):
        example = calendar.head[day % n_days]
        calendar.head[day % n_days] = NOBODY
        while example != NOBODY:
            following = calendar.after[example]
            if due[example] > dial[READING]:
                put_on_calendar(dial, due, calendar, example)
            else:
                rule.pool[rule.size[0]] = example
                rule.size[0] += 1
            example = following


rule_for(Random, _next_random, _moved_random)
