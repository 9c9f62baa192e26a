"""PLA and its relatives with every step written down: the same arithmetic, recorded.

A record is (picked, weights, step, rival): rows of arrays that the caller made, of which filled[0]
are used. weights[k] = (w0, w1, ... wd) after update step[k]; for several vectors at once (joint)
the w0 of all, then the w1 of all, and so on. Every `thin`-th update is kept.
"""

from numba.extending import overload

from rosenblatt.kernels.arow import Uncertainty, adapt
from rosenblatt.kernels.averaged import correct_mistake
from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.hypothesis import Hypothesis, correct, judge, weight_of
from rosenblatt.kernels.passive_aggressive import StepLimits, approach
from rosenblatt.kernels.selection import BUDGET_OVER, SLICE_OVER, UPDATES, moved, next_mistake


@inlined
def write_down(record, filled, i, rival, h):
    """Add one step: the example i, the class that it was taken from, and the weights after it."""
    k = filled[0]
    record[0][k], record[2][k], record[3][k] = i, filled[1], rival
    copy_weights(h, record[1][k])
    filled[0] += 1


def copy_weights(h, out):
    """Write the thresholds, then the weights row by row."""
    return (_copy_two if h.w.ndim == 1 else _copy_many)(h, out)


def take_share(u, time, out):
    """Subtract u / time from weights that were written by `copy_weights`."""
    return (_share_two if u.w.ndim == 1 else _share_many)(u, time, out)


def _copy_two(h, out):
    out[0] = h.b[0]
    for j in range(h.w.shape[0]):
        out[1 + j] = h.w[j]


def _copy_many(h, out):
    n = h.b.shape[0]
    for c in range(n):
        out[c] = h.b[c]
        for j in range(h.w.shape[0]):
            out[(1 + j) * n + c] = h.w[j, c]


def _share_two(u, time, out):
    out[0] -= u.b[0] / time
    for j in range(u.w.shape[0]):
        out[1 + j] -= u.w[j] / time


def _share_many(u, time, out):
    n = u.b.shape[0]
    for c in range(n):
        out[c] -= u.b[c] / time
        for j in range(u.w.shape[0]):
            out[(1 + j) * n + c] -= u.w[j, c] / time


@overload(copy_weights, jit_options=INLINE)
def _(h, out):
    return _copy_two if h[0].ndim == 1 else _copy_many


@overload(take_share, jit_options=INLINE)
def _(u, time, out):
    return _share_two if u[0].ndim == 1 else _share_many


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
            write_down(record, filled, i, rival, h)
    return BUDGET_OVER


@kernel
def online_recorded(rule, D, order, h, u, time, record, filled, thin):
    """Visit `order` as an online learner does, while the record has room; return how many.

    With `u` empty the weights themselves are written down, otherwise their mean so far.
    """
    for p in range(order.shape[0]):
        if filled[0] == record[0].shape[0]:
            return p
        i = order[p]
        moved, rival = visit(rule, D, i, h, u, time)
        filled[1] += moved
        if moved and filled[1] % thin == 0:
            write_down(record, filled, i, rival, h)
            if u.w.shape[0] > 0:
                take_share(u, time[0], record[1][filled[0] - 1])
    return order.shape[0]


def visit(rule, D, i, h, u, time):
    """Visit example i by the rule of a learner; return (whether h moved, the rival class).

    A perceptron has no rule but to correct mistakes: None.
    """
    bodies = {StepLimits: _visit_with_margin, Uncertainty: _visit_with_variances}
    return bodies.get(type(rule), _visit_perceptron)(rule, D, i, h, u, time)


def _visit_perceptron(rule, D, i, h, u, time):
    return correct_mistake(D, i, h, u, time)


def _visit_with_margin(rule, D, i, h, u, time):
    return approach(rule, D, i, h, u, time)


def _visit_with_variances(rule, D, i, h, u, time):
    return adapt(rule, D, i, h)


@overload(visit, jit_options=INLINE)
def _(rule, D, i, h, u, time):
    kind = getattr(rule, "instance_class", None)
    if kind is StepLimits:
        return _visit_with_margin
    return _visit_with_variances if kind is Uncertainty else _visit_perceptron


@kernel
def errors_along(D, members, weights, scores, tie, start, stop, out):
    """Write the (weighted) mistakes of weights[k] among the members into out[k].

    weights has the shape (rows, d+1), or (rows, d+1, classes) for a joint form.
    """
    for k in range(start, stop):
        out[k] = errors_of(D, members, weights, k, scores, tie)


def errors_of(D, members, weights, k, scores, tie):
    """Return the (weighted) mistakes of weights[k]."""
    count = _errors_of_two if weights.ndim == 2 else _errors_of_many
    return count(D, members, weights, k, scores, tie)


def _errors_of_two(D, members, weights, k, scores, tie):
    h = Hypothesis(weights[k, 1:], weights[k, :1], scores)
    errors = 0.0
    for i in members:
        if judge(D, i, h, tie)[0]:
            errors += weight_of(D.s, i)
    return errors


def _errors_of_many(D, members, weights, k, scores, tie):
    h = Hypothesis(weights[k, 1:], weights[k, 0], scores)
    errors = 0.0
    for i in members:
        if judge(D, i, h, tie)[0]:
            errors += weight_of(D.s, i)
    return errors


@overload(errors_of, jit_options=INLINE)
def _(D, members, weights, k, scores, tie):
    return _errors_of_two if weights.ndim == 2 else _errors_of_many
