"""Orders of rows, drawn at random."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rosenblatt.kernels.orders import mix_pools
from rosenblatt.types import Array

# Up to here every order is equally likely. Beyond, rows no longer fit into the caches, and
# neighbours are kept near each other so that their memory is: 200,000 sparse rows took 92 ms an
# epoch in a uniformly drawn order, 40 ms in this one and 33 ms in their own.
FEW = 1 << 16
PIECE = 32  # neighbouring rows
POOL = 16  # pieces whose rows are shuffled together
PART = 4 * POOL  # pieces that are drawn at a time when the order is not kept as a whole


def draw_order(members: Array, random_state: np.random.RandomState) -> Array:
    """Return the members in a random order.

    With many members, pieces of neighbours are put in random order first, then the rows of 16
    pieces at a time are shuffled: any row may come anywhere, next to rows from anywhere.
    """
    if len(members) <= FEW:
        return random_state.permutation(members)
    order: Array = members[next(_draw(len(members), random_state, len(members)))]
    return order


def draw_parts(n: int, random_state: np.random.RandomState) -> Iterator[Array]:
    """Draw the order of n rows part by part: together they are what `draw_order` returns.

    All that is random is drawn when this is called.
    """
    if n <= FEW:
        return iter((random_state.permutation(n),))
    return _draw(n, random_state, PART)


def _draw(n: int, random_state: np.random.RandomState, pieces: int) -> Iterator[Array]:
    """Draw the order of many rows; return it, so many pieces at a time."""
    starts = PIECE * random_state.permutation(-(-n // PIECE))
    state = random_state.randint(1 << 63, size=1, dtype=np.uint64)
    return _mixed(starts, n, state, pieces)


def _mixed(starts: Array, n: int, state: Array, pieces: int) -> Iterator[Array]:
    for k in range(0, len(starts), pieces):
        some = starts[k : k + pieces]
        order = np.empty(PIECE * len(some), dtype=np.int64)
        yield order[: mix_pools(some, PIECE, POOL, n, state, order)]
