"""The perceptron with a margin (Krauth and Mezard 1987), averaged, in its dual form.

    repeat for each (x_i, y_i), y_i in {-1, +1}:
        if y_i (w . x_i) <= tau:   w <- w + y_i x_i ;  step_i <- step_i + 1

So w = sum of step_i y_i x_i, and the mean of w over T visits is the same sum with each update made
at time t counted 1 - t / T times. A row that is k margins on the right side is left alone for
k visits: most rows are, after two or three passes. As passes go by updates thin out, and what is
safe for k visits at first is safe for longer: for pace k, if (k - 1) pace > 1.

Rows are presence rows, with a scale s_i of each row and a factor e_j of each column: x_ij = s_i e_j
where j is present. The kernel keeps v_j = e_j w_j, so that  w . x_i = s_i (sum of v_j)  reads
nothing but v, and an update is  v_j <- v_j + y_i s_i e_j^2.
"""

import numpy as np

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.rows import add_row, dot_row

UPDATES, TIMES, REST = 0, 1, 2  # columns of `steps`: how often, sum of the times, visits left out
VISITS, PACE = 0, 1  # places of `clock`: how many so far, and how long rows are left alone


@kernel
def margin_pass(X, scales, squares, y, order, tau, v, steps, clock):
    """Visit the rows in `order`; change v, steps and visits in place; return n_updates."""
    n_updates = 0
    for p in range(order.shape[0]):
        i = order[p]
        clock[VISITS] += 1.0
        if steps[i, REST] > 0.0:
            steps[i, REST] -= 1.0
            continue
        margin = y[i] * scales[i] * dot_row(X, i, v)
        if margin <= tau:
            for k in range(np.uint64(X.indptr[i]), np.uint64(X.indptr[i + 1])):
                j = np.uint64(X.indices[k])
                v[j] += y[i] * scales[i] * squares[j]
            steps[i, UPDATES] += 1.0
            steps[i, TIMES] += clock[VISITS]
            n_updates += 1
        elif (margin - tau) * clock[PACE] > tau:
            steps[i, REST] = np.floor(clock[PACE] * margin / tau)
    return n_updates


@kernel
def add_rows(X, coefficients, total):
    """Do total <- total + sum of c_i x_i, in place."""
    for i in range(coefficients.shape[0]):
        if coefficients[i] != 0.0:
            add_row(X, i, coefficients[i], total)


@kernel
def dot_rows(X, chosen, w, out):
    """Write w . x_i of the chosen rows into out."""
    for p in range(chosen.shape[0]):
        out[p] = dot_row(X, chosen[p], w)
