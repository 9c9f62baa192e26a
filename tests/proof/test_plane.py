"""The fewest mistakes in the plane are those of trying everything, and w really makes them."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rosenblatt.errors import DataError
from rosenblatt.proof.plane import count_mistakes_exactly, fewest_in_the_plane
from tests.examples import FEW
from tests.reference.plane import fewest_by_pairs, fewest_mistakes

SQUARE = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def whole(low, high):
    return st.integers(low, high).map(float)


GRID = whole(-2, 2)
THREE_VALUES = st.sampled_from([0.1, 0.2, 0.3])
TENTHS = st.integers(0, 9).map(lambda k: k * 0.1)
ANY_SIZE = st.builds(lambda m, e: m * 2.0**e, whole(-9, 9), st.integers(-200, 200))


@st.composite
def examples_of(draw, coordinates, n_features=2):
    point = st.tuples(*[coordinates] * n_features)
    data = draw(st.lists(st.tuples(point, st.sampled_from([-1, 1])), min_size=1, max_size=8))
    return np.array([x for x, _ in data]), np.array([label for _, label in data])


def numpy_count(w, X, y):
    return int((y * (w[0] + X @ w[1:]) <= 0).sum())


def check(data, fit_intercept):
    """The bound is the truth, and the rule is no better than that."""
    X, y = data
    found = fewest_in_the_plane(X, y, fit_intercept=fit_intercept)
    assert found.lower == fewest_mistakes(X.tolist(), y.tolist(), fit_intercept)
    assert found.mistakes >= found.lower
    assert found.w.shape == (X.shape[1] + 1,)
    assert np.isfinite(found.w).all()
    assert fit_intercept or found.w[0] == 0
    return found


@FEW
@given(examples_of(GRID), st.booleans())
def test_a_grid_is_solved(data, fit_intercept):
    found = check(data, fit_intercept)
    assert found.mistakes == found.lower


@FEW
@given(examples_of(whole(0, 1)), st.booleans())
def test_many_examples_at_one_place_are_solved(data, fit_intercept):
    found = check(data, fit_intercept)
    assert found.mistakes == found.lower


@FEW
@given(examples_of(st.integers(-1000, 1000).map(lambda k: k / 7)), st.booleans())
def test_points_in_general_position_are_solved(data, fit_intercept):
    found = check(data, fit_intercept)
    assert found.mistakes == found.lower


@FEW
@given(st.one_of(examples_of(THREE_VALUES), examples_of(TENTHS)), st.booleans())
def test_decimals_that_are_nearly_on_one_line_are_bounded(data, fit_intercept):
    check(data, fit_intercept)


@FEW
@given(examples_of(ANY_SIZE), st.booleans())
def test_numbers_of_any_size_are_bounded(data, fit_intercept):
    check(data, fit_intercept)


@FEW
@given(st.one_of(examples_of(GRID, 1), examples_of(ANY_SIZE, 1)), st.booleans())
def test_one_feature_is_solved(data, fit_intercept):
    found = check(data, fit_intercept)
    assert found.mistakes == found.lower


@FEW
@given(examples_of(GRID), st.integers(-1000, 1000), st.integers(-1000, 1000), st.booleans())
@example((SQUARE, np.array([-1, 1, 1, -1])), 1000, -1000, True)
def test_the_units_of_the_features_do_not_matter(data, first, second, fit_intercept):
    X, y = data
    plain = fewest_in_the_plane(X, y, fit_intercept=fit_intercept)
    scaled = np.ldexp(X.astype(float), [first, second])
    found = fewest_in_the_plane(scaled, y, fit_intercept=fit_intercept)
    assert (found.lower, found.mistakes) == (plain.lower, plain.mistakes)
    assert count_mistakes_exactly(found.w, scaled, y) == found.mistakes


@pytest.mark.parametrize(
    ("labels", "fewest"),
    [([-1, -1, -1, 1], 0), ([-1, 1, 1, 1], 0), ([-1, 1, 1, -1], 1), ([1, 1, 1, 1], 0)],
    ids=["and", "or", "xor", "one class"],
)
def test_logic(labels, fewest):
    found = fewest_in_the_plane(SQUARE, np.array(labels))
    assert (found.lower, found.mistakes) == (fewest, fewest)
    assert numpy_count(found.w, SQUARE, np.array(labels)) == fewest


def test_every_rule_through_the_origin_fails_there():
    y = np.array([-1, 1, 1, 1])
    found = fewest_in_the_plane(SQUARE, y, fit_intercept=False)
    assert (found.lower, found.mistakes) == (1, 1)
    nothing = fewest_in_the_plane(np.zeros((3, 2)), y[:3], fit_intercept=False)
    assert (nothing.lower, nothing.mistakes) == (3, 3)


def test_both_labels_at_one_place_cost_the_rarer():
    X, y = np.full((7, 2), 0.1), np.array([1, -1, 1, 1, -1, 1, 1])
    found = fewest_in_the_plane(X, y)
    assert (found.lower, found.mistakes) == (2, 2)
    assert found.w.tolist() == [1, 0, 0]  # the constant rule


def test_two_examples_are_always_separable():
    found = fewest_in_the_plane(np.array([[0.1, 0.2], [0.1, 0.2 + 2.0**-54]]), np.array([1, -1]))
    assert (found.lower, found.mistakes) == (0, 0)


def test_alternating_labels_on_a_line_allow_one_change():
    x = np.arange(9.0)
    y = np.where(x % 2 == 0, 1, -1)
    for X in (np.column_stack([x, 3 * x]), x[:, np.newaxis]):
        found = fewest_in_the_plane(X, y)
        assert (found.lower, found.mistakes) == (4, 4)


@pytest.mark.parametrize("n", [40, 100, 500])
def test_random_labels_are_solved(n):
    random = np.random.default_rng(n)
    X, y = random.normal(size=(n, 2)), random.choice([-1, 1], n)
    found = fewest_in_the_plane(X, y)
    assert found.lower == found.mistakes == numpy_count(found.w, X, y)
    if n <= 100:
        assert found.lower == fewest_by_pairs(X, y)


def test_a_shift_of_the_origin_changes_nothing():
    random = np.random.default_rng(0)
    X, y = random.integers(0, 30, (300, 2)), random.choice([-1, 1], 300)
    here, there = fewest_in_the_plane(X, y), fewest_in_the_plane(X + np.array([1000, -5]), y)
    assert here.lower == here.mistakes == there.lower == there.mistakes


def test_the_callback_sees_the_bounds_come_down():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(1200, 2)), random.choice([-1, 1], 1200)
    told = []
    found = fewest_in_the_plane(X, y, callback=lambda *progress: told.append(progress))
    lower, upper, share = zip(*told, strict=True)
    assert len(told) > 1
    assert set(lower) == {0}
    assert list(upper) == sorted(upper, reverse=True)
    assert list(share) == sorted(share)
    assert (upper[-1], share[-1]) == (found.lower, 1.0)


@pytest.mark.parametrize("tiny", [1e-300, 2.0**-440])
def test_numbers_too_different_in_size_are_bounded_only(tiny):
    largest = 1e300 if tiny < 1e-200 else 1.0
    X = np.array([[0, 0], [0, 0], [tiny, 0], [largest, 5]])
    # Separable but for the first two, though the third is all but at their place
    found = fewest_in_the_plane(X, np.array([-1, 1, 1, 1]))
    assert found.lower == 1
    assert found.mistakes == count_mistakes_exactly(found.w, X, np.array([-1, 1, 1, 1]))
    separable = fewest_in_the_plane(X[1:], np.array([-1, 1, 1]))
    assert separable.lower == 0


def test_a_rule_is_counted_without_rounding():
    X = np.array([[0.1, 0.2], [1e300, 1e300], [1e-300, 0.0]])
    # 0.1 + 0.2 - 0.3 is 2^-54 above 0, which floats round to 2^-54 or more
    assert count_mistakes_exactly(np.array([-0.3, 1.0, 1.0]), X[:1], np.array([1])) == 0
    assert (
        count_mistakes_exactly(np.array([-0.30000000000000004, 1.0, 1.0]), X[:1], np.array([1]))
        == 1
    )
    assert count_mistakes_exactly(np.array([0.0, 1e300, -1e300]), X[1:2], np.array([1])) == 1
    assert count_mistakes_exactly(np.array([0.0, 1e-300, 0.0]), X[2:], np.array([1])) == 0


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (np.zeros((2, 3)), [1, -1], r"\(N, 1\) or \(N, 2\)"),
        (np.zeros((0, 2)), [], "N > 0"),
        (np.array([[np.nan, 0.0]]), [1], "finite"),
        (np.zeros((1, 2)), [0], r"-1 and \+1"),
    ],
)
def test_data_outside_the_plane_is_refused(X, y, words):
    with pytest.raises(DataError, match=words):
        fewest_in_the_plane(X, np.array(y))


@pytest.mark.soak
@settings(FEW, max_examples=5000, derandomize=False)
@given(st.one_of(*map(examples_of, (GRID, TENTHS, THREE_VALUES, ANY_SIZE))), st.booleans())
def test_many_small_sets_are_bounded_by_the_truth(data, fit_intercept):
    check(data, fit_intercept)
