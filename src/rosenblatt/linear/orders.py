"""Orders of rows, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rosenblatt._validation import Array

# Up to here every order is equally likely. Beyond, rows no longer fit into the caches, and
# neighbours are kept near each other so that their memory is: 200,000 sparse rows took 92 ms an
# epoch in a uniformly drawn order, 45 ms in this one and 40 ms in their own.
FEW = 1 << 16
PIECE = 32  # neighbouring rows
AT_A_TIME = 64  # pieces whose rows are shuffled together


def draw_order(members: Array, random_state: np.random.RandomState) -> Array:
    """Return the members in a random order.

    With many members, pieces of neighbours are put in random order first, then the rows of 64
    pieces at a time are shuffled: any row may come anywhere, next to rows from anywhere.
    """
    if len(members) <= FEW:
        return random_state.permutation(members)
    order: Array = members[np.concatenate(list(draw_parts(len(members), random_state)))]
    return order


def draw_parts(n: int, random_state: np.random.RandomState) -> Iterator[Array]:
    """Draw the order of n rows part by part: together they are what `draw_order` returns."""
    if n <= FEW:
        yield random_state.permutation(n)
        return
    starts = PIECE * random_state.permutation(-(-n // PIECE))
    for k in range(0, len(starts), AT_A_TIME):
        rows = (starts[k : k + AT_A_TIME, np.newaxis] + np.arange(PIECE)).ravel()
        yield random_state.permutation(rows[rows < n])
