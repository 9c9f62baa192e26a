"""The perceptron with a margin (Krauth and Mezard 1987), averaged, in its dual form.

    repeat for each (x_i, y_i), y_i in {-1, +1}:
        if y_i (w . x_i) <= tau:   w <- w + y_i x_i ;  step_i <- step_i + 1

So w = sum of step_i y_i x_i, and the mean of w over T visits is the same sum with each update made
at time t counted 1 - t / T times. A row that is k margins on the right side is left alone for
k visits: most rows are, after two or three passes.
"""

import numpy as np

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.rows import add_row, dot_row

UPDATES, TIMES, REST = 0, 1, 2  # columns of `steps`: how often, sum of the times, visits left out


@kernel
def margin_pass(X, y, order, tau, w, steps, clock):
    """Visit the rows in `order`; change w, steps and clock in place; return n_updates."""
    n_updates = 0
    for p in range(order.shape[0]):
        i = order[p]
        clock[0] += 1.0
        if steps[i, REST] > 0.0:
            steps[i, REST] -= 1.0
            continue
        margin = y[i] * dot_row(X, i, w)
        if margin <= tau:
            add_row(X, i, y[i], w)
            steps[i, UPDATES] += 1.0
            steps[i, TIMES] += clock[0]
            n_updates += 1
        elif margin > 2.0 * tau:
            steps[i, REST] = np.floor(margin / tau)
    return n_updates
