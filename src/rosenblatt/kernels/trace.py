"""PLA and its relatives with every step written down: the same arithmetic, recorded.

A record is (picked, weights, step): rows of arrays that the caller made, of which filled[0] are
used. weights[k] = (w0, w1, ... wd) after update step[k]; every `thin`-th update is kept.
"""

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.hypothesis import Hypothesis, correct, judge, weight_of
from rosenblatt.kernels.selection import BUDGET_OVER, SLICE_OVER, UPDATES, moved, next_mistake


@inlined
def write_down(record, filled, i, b, w):
    """Add one step: the example i and the weights after it."""
    k = filled[0]
    record[0][k], record[2][k] = i, filled[1]
    record[1][k, 0] = b
    for j in range(w.shape[0]):
        record[1][k, 1 + j] = w[j]
    filled[0] += 1


@kernel
def learn_recorded(rule, D, h, tie, clock, record, filled, thin):
    """Correct mistakes as `learn` does; filled = (rows of the record used, updates made)."""
    while clock[UPDATES] > 0:
        if filled[0] == record[0].shape[0]:
            return SLICE_OVER
        i, rival = next_mistake(rule, D, h, tie, clock)
        if i < 0:
            return i
        correct(D, i, rival, h, 1.0)
        moved(rule, D, h, i)
        clock[UPDATES] -= 1
        filled[1] += 1
        if filled[1] % thin == 0:
            write_down(record, filled, i, h.b[0], h.w)
    return BUDGET_OVER


@kernel
def online_recorded(D, order, h, u, time, record, filled, thin):
    """Visit `order` as the averaged perceptron does, while the record has room; return how many.

    With `u` empty the weights themselves are written down, otherwise their mean so far, for which
    the last row of the record is scratch.
    """
    averaged = u.w.shape[0] > 0
    mean, last = record[1], record[0].shape[0] - 1
    for p in range(order.shape[0]):
        if filled[0] == last:
            return p
        i = order[p]
        wrong, _, rival = judge(D, i, h, 0)
        if wrong:
            correct(D, i, rival, h, 1.0)
            if averaged:
                correct(D, i, rival, u, time[0])
            filled[1] += 1
        time[0] += weight_of(D.s, i)
        if wrong and filled[1] % thin == 0:
            if averaged:
                for j in range(h.w.shape[0]):
                    mean[last, 1 + j] = h.w[j] - u.w[j] / time[0]
                write_down(record, filled, i, h.b[0] - u.b[0] / time[0], mean[last, 1:])
            else:
                write_down(record, filled, i, h.b[0], h.w)
    return order.shape[0]


@kernel
def errors_along(D, members, weights, scores, tie, start, stop, out):
    """Write the (weighted) mistakes of weights[k] among the members into out[k]."""
    for k in range(start, stop):
        h = Hypothesis(weights[k, 1:], weights[k, :1], scores)
        errors = 0.0
        for i in members:
            if judge(D, i, h, tie)[0]:
                errors += weight_of(D.s, i)
        out[k] = errors
