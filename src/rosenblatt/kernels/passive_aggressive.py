"""Passive-aggressive learning (Crammer et al. 2006): a margin of 1, by the shortest step.

    margin <- that of `judge` ;  loss <- 1 - margin ;  q <- |(x0, x_i)|^2, twice for many classes
    if loss > 0:  tau <- min(cap, loss / (q + softness)) ;  w moves by tau x_i, as in `move`

With no cap and softness 0 the margin becomes 1 (plain); a cap of C makes it variant I, a softness
of 1 / (2 C) variant II. C is what the loss (I) or its square (II) costs beside |step|^2 / 2, and a
sample weight multiplies that cost. The mean of the weights is kept as in `averaged`: w - u / time.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.hypothesis import judge, move, weight_of
from rosenblatt.kernels.prefetch import fetch_ahead
from rosenblatt.kernels.rows import norm2_row


class StepLimits(NamedTuple):
    """What keeps a passive-aggressive step short."""

    cap: float  # infinite: none
    softness: float


@kernel
def passive_aggressive_pass(limits, D, order, h, u, time):
    """Visit the examples in `order`; change h, u and time[0] in place; return n_updates.

    An empty `u.w` means that no mean is wanted.
    """
    n_updates = 0
    for p in range(order.shape[0]):
        fetch_ahead(D.X, order, p)
        moved, _ = approach(limits, D, order[p], h, u, time)
        n_updates += moved
    return n_updates


@inlined
def approach(limits, D, i, h, u, time):
    """Visit example i; return (whether the weights moved, the rival class)."""
    _, margin, rival = judge(D, i, h, 0)
    weight, moved = weight_of(D.s, i), False
    # asked this way round, a margin that is not a number (overflow) counts as too small
    if not margin >= 1.0:
        square = norm2_row(D.X, i) + D.x0 * D.x0
        if h.w.ndim == 2:
            square *= 2.0
        if square > 0.0:  # no step makes a row of zeros right
            step = step_length(limits, 1.0 - margin, square, weight)
            move(D, i, rival, h, step)
            if u.w.shape[0] > 0:
                move(D, i, rival, u, step * time[0])
            moved = True
    time[0] += weight
    return moved, rival


@inlined
def step_length(limits, loss, square, weight):
    """Return tau; not a number if the row is too long for one, which spoils the weights."""
    if square == np.inf:
        return np.nan
    step = loss / (square + limits.softness / weight)
    return limits.cap * weight if step > limits.cap * weight else step
