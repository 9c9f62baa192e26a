"""The fewest mistakes are those of trying everything; stopped early, the bounds hold."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_iris

import rosenblatt
from rosenblatt import DataError, ParameterError, fewest_mistakes
from rosenblatt.progress import Deadline, ProofReporter
from rosenblatt.proof.mistakes import smallest_hitting_set
from tests.examples import FEW
from tests.reference import plane as reference

XOR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])


def wrong(w, X, y):
    signs = np.where(np.asarray(y) == max(y), 1, -1)
    return np.flatnonzero(signs * (X @ w[1:] + w[0]) <= 0)


@st.composite
def grids(draw):
    """Up to nine examples of three features that take few values: much is degenerate."""
    n = draw(st.integers(2, 9))
    X = draw(st.lists(st.tuples(*[st.integers(-1, 1)] * 3), min_size=n, max_size=n))
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=n - 2, max_size=n - 2))
    return np.array(X, dtype=float), np.array([*y, -1, 1])


@pytest.mark.soak
@FEW
@given(grids(), st.booleans(), st.booleans())
def test_nobody_makes_fewer_mistakes_in_three_dimensions(data, fit_intercept, is_sparse):
    X, y = data
    rows = sparse.csr_array(X) if is_sparse else X
    found = fewest_mistakes(rows, y, fit_intercept=fit_intercept)
    assert found.proved
    assert found.lower == found.upper == found.mistakes
    assert found.lower == reference.fewest_mistakes(X.tolist(), y.tolist(), fit_intercept)
    assert found.examples.tolist() == wrong(found.w, X, y).tolist()
    assert len(found.examples) == found.mistakes


@FEW
@given(st.integers(0, 2**32 - 1))
def test_points_in_general_position_are_solved(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(8, 3)), np.append(rng.choice([-1, 1], size=6), [-1, 1])
    found = fewest_mistakes(X, y)
    assert found.proved
    assert found.lower == reference.fewest_mistakes(X.tolist(), y.tolist())


@pytest.mark.parametrize(("y", "fewest"), [([0, 1, 1, 0], 1), ([0, 0, 0, 1], 0), ([0, 1, 1, 1], 0)])
def test_the_gates(y, fewest):
    found = fewest_mistakes(XOR, y)
    assert (found.lower, found.upper, found.proved) == (fewest, fewest, True)


def test_equal_examples_count_as_often_as_they_are_there():
    # at each of two places, in three dimensions, labels are divided: 3 against 2 and 1 against 4
    X = np.repeat([[0.0, 0, 0], [1.0, 2, 3]], 5, axis=0)
    y = [0, 0, 0, 1, 1, 0, 1, 1, 1, 1]
    found = fewest_mistakes(X, y)
    assert (found.mistakes, found.proved) == (3, True)


def test_versicolor_and_virginica_take_one_mistake():
    # known: all but one of the 100 flowers can be told apart by a plane
    iris = load_iris()
    both = iris.target > 0
    found = fewest_mistakes(iris.data[both], iris.target[both])
    assert (found.mistakes, found.proved) == (1, True)
    rest = np.delete(np.flatnonzero(both), found.examples)
    assert rosenblatt.prove(iris.data[rest], iris.target[rest]).separable


def test_separable_data_takes_none():
    X, y = np.random.default_rng(0).normal(size=(200, 5)), None
    y = X @ [1, 2, 3, 4, 5] > 0.5
    found = fewest_mistakes(X, y)
    assert (found.mistakes, found.proved) == (0, True)
    assert str(found) == "The fewest mistakes of any linear rule: 0, proved."


def test_stopped_early_it_gives_both_bounds(clock):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 6)), rng.integers(0, 2, size=400)

    def stop_at_a_lower_bound(progress):
        if progress.lower > 0:
            clock.let_pass(100)

    found = fewest_mistakes(X, y, time_limit=99, callback=stop_at_a_lower_bound)
    # 400 labels of coins in 7 dimensions: far from separable, and a rule is right on half or more
    assert 0 < found.lower < found.upper <= 200
    assert not found.proved
    assert len(found.examples) == found.upper == len(wrong(found.w, X, y))
    assert str(found) == (
        f"The fewest mistakes of any linear rule: between {found.lower} and {found.upper}."
    )


def test_bounds_only_get_better(clock):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, size=60)
    told = []

    def tell(progress):
        told.append(progress)
        clock.let_pass(len(told) > 3)

    found = fewest_mistakes(X, y, time_limit=1, callback=tell)
    assert all(a.lower <= b.lower and a.upper >= b.upper for a, b in pairwise(told))
    assert (told[-1].lower, told[-1].upper) == (found.lower, found.upper)


def test_the_same_seed_gives_the_same_rule():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(16, 3)), rng.integers(0, 2, size=16)
    a, b = (fewest_mistakes(X, y, random_state=5) for _ in range(2))
    assert a.proved
    assert a.w.tobytes() == b.w.tobytes()


@FEW
@given(st.lists(st.sets(st.integers(0, 6), min_size=1, max_size=3), min_size=1, max_size=8))
def test_the_hitting_set_is_a_cheapest_one(sets):
    costs = np.array([1, 2, 3, 1, 2, 3, 1])
    hit, bound = smallest_hitting_set(
        [dict.fromkeys(s, 1) for s in sets], costs, ProofReporter(Deadline())
    )
    everyone = [[(k >> i) & 1 for i in range(7)] for k in range(128)]
    hits = [h for h in everyone if all(any(h[i] for i in s) for s in sets)]
    assert bound == min(int(costs @ h) for h in hits)
    assert costs[hit].sum() == bound
    assert all(any(hit[i] for i in s) for s in sets)


def test_more_than_two_classes_are_refused():
    with pytest.raises(DataError, match=r"two classes are needed, got 3.*y == 0"):
        fewest_mistakes([[0], [1], [2]], [0, 1, 2])


@pytest.mark.parametrize("limit", [0, -1, "soon"])
def test_the_time_limit_must_be_positive(limit):
    with pytest.raises(ParameterError, match="time_limit must be a number above 0"):
        fewest_mistakes(XOR, [0, 1, 1, 0], time_limit=limit)


def test_the_callback_must_be_callable():
    with pytest.raises(ParameterError, match="callback must be callable"):
        fewest_mistakes(XOR, [0, 1, 1, 0], callback=3)
