"""The pocket algorithm (Gallant 1990).

    run PLA; after each update, if E_in(w) < E_in(pocket), put w into the pocket

Counting stops as soon as the count reaches the pocket's best, and begins with the examples that
the pocket finds hardest, so most updates are judged by a small part of the data.
"""

from numba.extending import overload

from rosenblatt.kernels.compiler import INLINE, inlined, kernel
from rosenblatt.kernels.hypothesis import correct, judge, judge_block, weight_of
from rosenblatt.kernels.rows import BLOCK, Columns, is_columns
from rosenblatt.kernels.selection import BUDGET_OVER, ROWS, UPDATES, moved, next_mistake

BETTER = -5  # h makes fewer errors than the pocket


@kernel
def learn_until_better(rule, D, h, tie, clock, hard, best):
    """Run PLA until h errs less than `best`; return (why it stopped, the errors of h).

    `hard` = (the examples as they are counted, their order), the hardest first.
    """
    while clock[UPDATES] > 0:
        i, rival = next_mistake(rule, D, h, tie, clock)
        if i < 0:
            return i, best
        correct(D, i, rival, h, 1.0)
        moved(rule, D, h, i)
        clock[UPDATES] -= 1
        errors = count_errors(hard[0], hard[1], h, tie, best, clock)
        if errors < best:
            return BETTER, errors
    return BUDGET_OVER, best


@inlined
def count_errors(D, order, h, tie, enough, clock):
    """Add up the weights of the mistakes of h; stop where they reach `enough`."""
    errors = 0.0
    for start in range(0, order.shape[0], BLOCK):
        stop = min(order.shape[0], start + BLOCK)
        errors += errors_of_block(D, order, start, stop, h, tie)
        # a clock may run out here: what is begun is finished, the caller sees it in time
        clock[ROWS] = max(0, clock[ROWS] - (stop - start))
        if errors >= enough:
            break
    return errors


def errors_of_block(D, order, start, stop, h, tie):
    """Add up the weights of the mistakes among order[start:stop], one block."""
    find = _errors_in_columns if isinstance(D.X, Columns) else _errors_in_rows
    return find(D, order, start, stop, h, tie)


def _errors_in_rows(D, order, start, stop, h, tie):
    errors = 0.0
    for p in range(start, stop):
        if judge(D, order[p], h, tie)[0]:
            errors += weight_of(D.s, order[p])
    return errors


def _errors_in_columns(D, order, start, stop, h, tie):
    # order[p] = p here: Columns are copied in the order in which they are counted
    judge_block(D, start // BLOCK, h, tie)
    s, margins = D.s, D.X.sums
    if s.shape[0] == 0:
        n_errors = 0
        for r in range(stop - start):
            n_errors += not margins[r] > 0.0
        return float(n_errors)
    errors = 0.0
    for r in range(stop - start):
        errors += s[start + r] * (not margins[r] > 0.0)
    return errors


@overload(errors_of_block, jit_options=INLINE)
def _(D, order, start, stop, h, tie):
    return _errors_in_columns if is_columns(D[0]) else _errors_in_rows
