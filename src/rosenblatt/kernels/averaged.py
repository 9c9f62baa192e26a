"""The averaged perceptron (Freund and Schapire 1998), averaged lazily.

The mean of the weights after each of T examples is  w - u / T  when every correction made at
time t (with t examples seen before) is added to u, t times over. So an update costs two passes
over the non-zeros of a row, and nothing is done for the weights that stay.
"""

from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.hypothesis import correct, judge, weight_of
from rosenblatt.kernels.prefetch import fetch_ahead


@kernel
def averaged_pass(D, order, h, u, time):
    """Visit the examples in `order`; change h, u and time[0] in place; return n_updates."""
    n_updates = 0
    for p in range(order.shape[0]):
        fetch_ahead(D.X, order, p)
        i = order[p]
        wrong, _, rival = judge(D, i, h, 0)
        if wrong:
            correct(D, i, rival, h, 1.0)
            correct(D, i, rival, u, time[0])
            n_updates += 1
        time[0] += weight_of(D.s, i)
    return n_updates
