"""The averaged perceptron (Freund and Schapire 1998), averaged lazily.

The mean of the weights after each of T examples is  w - u / T  when every correction made at
time t (with t examples seen before) is added to u, t times over. So an update costs two passes
over the non-zeros of a row, and nothing is done for the weights that stay.
"""

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.hypothesis import correct, judge, weight_of
from rosenblatt.kernels.prefetch import fetch_ahead


@kernel
def averaged_pass(D, order, h, u, time):
    """Visit the examples in `order`; change h, u and time[0] in place; return n_updates."""
    n_updates = 0
    for p in range(order.shape[0]):
        fetch_ahead(D.X, order, p)
        moved, _ = correct_mistake(D, order[p], h, u, time)
        n_updates += moved
    return n_updates


@inlined
def correct_mistake(D, i, h, u, time):
    """Visit example i; return (whether the weights moved, the rival class).

    An empty `u.w` means that no mean is wanted.
    """
    wrong, _, rival = judge(D, i, h, 0)
    if wrong:
        correct(D, i, rival, h, 1.0)
        if u.w.shape[0] > 0:
            correct(D, i, rival, u, time[0])
    time[0] += weight_of(D.s, i)
    return wrong, rival
