"""The perceptron learning algorithm (Rosenblatt 1957).

    while some example is misclassified:  pick one, (x, y);  w <- w + y x

Which one is picked is the selection rule's; whether there are two classes or many, and what kind
of rows, is the compiler's.
"""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import correct, judge
from rosenblatt.kernels.selection import BUDGET_OVER, ROOM_OVER, UPDATES, moved, next_mistake
from rosenblatt.kernels.small_weights import has_room


@kernel
def learn(rule, D, h, tie, clock):
    """Correct mistakes until none is left or a counter of the clock is used up; return why."""
    while clock[UPDATES] > 0:
        if not has_room(h):
            return ROOM_OVER
        i, rival = next_mistake(rule, D, h, tie, clock)
        if i < 0:
            return i
        correct(D, i, rival, h, 1.0)
        moved(rule, D, h, i)
        clock[UPDATES] -= 1
    return BUDGET_OVER


@kernel
def first_mistake(D, order, h, tie):
    """Return the first example in `order` that h gets wrong, or -1."""
    for i in order:
        if judge(D, i, h, tie)[0]:
            return i
    return -1
