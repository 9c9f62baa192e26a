"""Directions about a point come in their true order, however near to each other they are."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.kernels.sweep import (
    ALL,
    GAIN,
    PASSED,
    PIVOT,
    ROOMY,
    exact_product,
    look_from,
    make_turn,
    orientation,
    sort_directions,
    sweep,
    turn_of,
)
from tests.examples import FEW

# Numbers whose sums and products round, of one size and of very different sizes
COORDINATES = st.one_of(
    st.integers(-3, 3).map(float),
    st.integers(-9, 9).map(lambda k: k * 0.1),
    st.integers(0, 8).map(lambda k: 1.0 + k * 2.0**-52),
    st.builds(lambda m, e: m * 2.0**e, st.floats(-1, 1, width=16), st.integers(-380, 380)),
)
POINTS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=2, max_size=12, unique=True)


def exact_cross(points, p, i, j):
    (px, py), (ix, iy), (jx, jy) = (map(Fraction, points[k]) for k in (p, i, j))
    return (ix - px) * (jy - py) - (iy - py) * (jx - px)


def sign(value):
    return (value > 0) - (value < 0)


def is_front(points, p, i):
    return points[i][::-1] > points[p][::-1]


@settings(FEW, max_examples=100)
@given(POINTS)
def test_the_turn_is_the_sign_of_the_exact_determinant(points):
    turn, array = make_turn(len(points)), np.array(points)
    look_from(array, np.zeros(len(points), dtype=np.int64), 0, turn)
    for i in range(1, len(points)):
        for j in range(1, len(points)):
            sides = 1 if is_front(points, 0, i) == is_front(points, 0, j) else -1
            expected = sign(exact_cross(points, 0, i, j))
            assert turn_of(array, 0, i, j, turn) == sides * expected
            assert orientation(array, 0, i, j, turn.parts) == expected


@settings(FEW, max_examples=100)
@given(POINTS)
def test_neighbours_in_order_are_in_order_exactly(points):
    turn, array = make_turn(len(points)), np.array(points)
    look_from(array, np.zeros(len(points), dtype=np.int64), 0, turn)
    sort_directions(array, 0, turn)
    order = turn.order[:-1].tolist()
    assert sorted(order) == list(range(1, len(points)))
    for i, j in pairwise(order):
        sides = 1 if is_front(points, 0, i) == is_front(points, 0, j) else -1
        assert sides * exact_cross(points, 0, i, j) >= 0


@settings(FEW, max_examples=100)
@given(COORDINATES, COORDINATES)
def test_a_product_and_its_tail_are_exact(a, b):
    product, tail = exact_product(a, b)
    assert Fraction(product) + Fraction(tail) == Fraction(a) * Fraction(b)


def swept(points, gains, pivots):
    points, gains = np.array(points, dtype=np.float64), np.array(gains)
    best, width = np.array([[-99, -1, 0]] * 2), np.zeros(2)
    sweep(points, gains, np.array(pivots), make_turn(len(points)), best, width)
    return best, width


def test_points_on_one_line_with_the_pivot_change_sides_together():
    # Gains 1, -1, 1 in a row: no line through the first has the third alone on a side
    best, width = swept([(0, 0), (1, 0), (2, 0)], [1, -1, 1], [0])
    assert best[ALL].tolist() == [1, 0, 2]
    assert width[ALL] == np.pi


def test_a_line_between_two_directions_takes_one_of_the_points():
    best, _ = swept([(0, 0), (1, 0), (0, 1)], [1, 1, -1], [0])
    assert best[ALL, [GAIN, PIVOT]].tolist() == [2, 0]


def test_a_narrow_line_is_kept_apart_from_a_roomy_one():
    # Only a line between the two directions, 2^-50 apart, has both gains on one side
    points = [(0, 0), (1, 1), (-1, -1 - 2.0**-50)]
    best, width = swept(points, [0, 1, 1], [0])
    assert best[ALL, GAIN] == 2
    assert 0 <= width[ALL] < 2.0**-49
    assert best[ROOMY, GAIN] == 1
    assert width[ROOMY] > 3
    assert best[ROOMY, PASSED] == 2
