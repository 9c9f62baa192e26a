"""Pools are shuffled fairly, with the random numbers that splitmix64 is known for."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from rosenblatt.kernels.orders import below, mix_pools

# The first outputs of splitmix64 for the seed 1234567, as published with the algorithm
KNOWN = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def mixed(starts, piece, at_a_time, n_rows, state):
    order = np.empty(piece * len(starts), dtype=np.int64)
    return order[: mix_pools(np.array(starts), piece, at_a_time, n_rows, state, order)].tolist()


def test_random_numbers_are_those_of_splitmix64():
    state = np.array([1234567], dtype=np.uint64)
    assert [below(1 << 32, state) for _ in KNOWN] == [number >> 32 for number in KNOWN]
    assert [below(bound, state) for bound in (1, 1, 1)] == [0, 0, 0]


def test_every_order_of_a_pool_is_equally_likely():
    state = np.array([7], dtype=np.uint64)
    counts = Counter(tuple(mixed([0, 2], 2, 2, 4, state)) for _ in range(24_000))
    assert set(counts) == set(permutations(range(4)))
    # 1,000 of each are expected, with a deviation of 31
    assert max(abs(count - 1000) for count in counts.values()) < 6 * 31


@pytest.mark.parametrize("at_a_time", [1, 2, 5])
def test_pools_hold_the_rows_of_their_pieces(at_a_time):
    starts, piece, n_rows = [8, 0, 12, 4], 4, 14
    order = mixed(starts, piece, at_a_time, n_rows, np.array([3], dtype=np.uint64))
    for k in range(0, len(starts), at_a_time):
        rows = [
            row
            for start in starts[k : k + at_a_time]
            for row in range(start, start + piece)
            if row < n_rows
        ]
        pool, order = order[: len(rows)], order[len(rows) :]
        assert sorted(pool) == sorted(rows)
    assert order == []
