"""An order holds every row once, and mixes rows from everywhere."""

import numpy as np
import pytest

from rosenblatt import AveragedPerceptron
from rosenblatt.blocks.orders import FEW, PART, PIECE, draw_order, draw_parts


@pytest.mark.parametrize("n", [1, 5, FEW, FEW + 1, 3 * FEW + 17])
def test_order_is_a_permutation(n):
    members = 3 * np.arange(n) + 1
    np.testing.assert_array_equal(np.sort(draw_order(members, np.random.RandomState(0))), members)


def test_orders_differ_and_the_same_seed_gives_the_same():
    members = np.arange(2 * FEW)
    state = np.random.RandomState(0)
    one, two = draw_order(members, state), draw_order(members, state)
    assert not np.array_equal(one, two)
    np.testing.assert_array_equal(one, draw_order(members, np.random.RandomState(0)))


def test_rows_sorted_by_label_come_out_mixed():
    # the worst that can be given: all of one class, then all of the other
    members = np.arange(4 * FEW)
    second = draw_order(members, np.random.RandomState(0)) >= 2 * FEW
    shares = second.reshape(-1, PIECE * PART).mean(axis=1)
    # 64 random pieces a window: the share has a deviation of 1/16; 6 of them is out of reach
    assert np.abs(shares - 0.5).max() < 6 / 16
    longest = np.diff(np.flatnonzero(np.diff(second.astype(int)) != 0)).max()
    assert longest < 200


def test_learner_is_as_good_on_sorted_rows_as_on_mixed_ones():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2 * FEW, 2))
    y = X @ [1.0, -2.0] + 0.5 * rng.standard_normal(len(X)) > 0
    order = np.argsort(y, kind="stable")
    scores = [
        AveragedPerceptron(epochs=2, random_state=0).fit(X[rows], y[rows]).score(X, y)
        for rows in (order, slice(None))
    ]
    assert abs(scores[0] - scores[1]) < 0.01


@pytest.mark.parametrize("n", [1, 100, FEW + 1, 3 * FEW])
def test_an_order_drawn_in_parts_is_the_same(n):
    parts = np.concatenate(list(draw_parts(n, np.random.RandomState(4))))
    np.testing.assert_array_equal(parts, draw_order(np.arange(n), np.random.RandomState(4)))
