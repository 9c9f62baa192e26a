"""The perceptron learning algorithm (Rosenblatt 1957).

    while some example is misclassified:  pick one, (x, y);  w <- w + y x

Which one is picked is the selection rule's; whether there are two classes or many, and what kind
of rows, is the compiler's.

The perceptron on rows of length 1, counting how often each example was a mistake.

    repeat for each i:
        if z_i . w <= 0:   w <- w + z_i / |z_i| ;  c_i <- c_i + 1

Where no rule is right, the examples that stand in each other's way collect the counts.
"""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import correct, judge
from rosenblatt.kernels.prefetch import fetch_ahead
from rosenblatt.kernels.selection import BUDGET_OVER, ROOM_OVER, UPDATES, moved, next_mistake
from rosenblatt.kernels.small_weights import can_move


@kernel
def learn(rule, D, h, tie, clock):
    """Correct mistakes until none is left or a counter of the clock is used up; return why."""
    while clock[UPDATES] > 0:
        if not can_move(h):
            return ROOM_OVER
        i, rival = next_mistake(rule, D, h, tie, clock)
        if i < 0:
            return i
        correct(D, i, rival, h, 1.0)
        moved(rule, D, h, i)
        clock[UPDATES] -= 1
    return BUDGET_OVER


@kernel
def online_pass(D, order, h, tie):
    """Visit the examples in `order` once, and correct each mistake; return n_updates."""
    n_updates = 0
    for p in range(order.shape[0]):
        fetch_ahead(D.X, order, p)
        wrong, _, rival = judge(D, order[p], h, tie)
        if wrong:
            correct(D, order[p], rival, h, 1.0)
            n_updates += 1
    return n_updates


@kernel
def first_mistake(D, order, h, tie):
    """Return the first example in `order` that h gets wrong, or -1."""
    for i in order:
        if judge(D, i, h, tie)[0]:
            return i
    return -1


@kernel
def count_mistakes(D, h, lengths, counts, start, stop):
    """Visit the rows start <= i < stop; change h and counts in place; return the mistakes."""
    n_mistakes = 0
    for i in range(start, stop):
        # label 0: not an example
        if D.y[i] != 0:
            wrong, _, rival = judge(D, i, h, 0)
            if wrong:
                correct(D, i, rival, h, 1.0 / lengths[i])
                counts[i] += 1
                n_mistakes += 1
    return n_mistakes
