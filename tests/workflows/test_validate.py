"""Errors on unseen examples, and how sure they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rosenblatt import read
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.task import make_task
from rosenblatt.workflows.uncertainty import are_apart, picked_error, wider, wilson
from rosenblatt.workflows.validate import n_bytes, validate


@given(st.integers(1, 10_000), st.data())
def test_interval_is_that_of_scipy(n, data):
    n_wrong = data.draw(st.integers(0, n))
    expected = binomtest(n_wrong, n).proportion_ci(0.95, method="wilson")
    assert wilson(n_wrong, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_validation_tells_how_far_it_is_and_adds_up():
    task, told = make_task(read("iris")), []
    folds = folds_of(task)
    result = validate(task, "averaged", folds, 0, lambda stage, share: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert result.error == pytest.approx(np.average(result.fold_errors, weights=result.fold_sizes))
    assert (result.predicted != task.y[result.tested]).tolist() == result.wrong.tolist()


def test_size_counts_arrays_wherever_they_are():
    class Holder:
        def __init__(self):
            self.array = np.zeros(10)
            self.more = [np.zeros(5), (np.zeros(1, dtype=np.int8), "text")]

    assert n_bytes(Holder()) == 80 + 40 + 1


@given(st.integers(1, 500), st.floats(0, 0.1), st.data())
def test_no_interval_is_narrower_than_that_of_fresh_examples(n, variance, data):
    n_wrong = data.draw(st.integers(0, n))
    low, high = wider(n_wrong, n, variance)
    inner = wilson(n_wrong, n)
    assert 0 <= low <= inner[0] <= inner[1] <= high <= 1


def test_learners_are_told_apart_by_a_difference_in_all_folds_and_not_in_one_alone():
    good = np.zeros(500, bool)
    everywhere, in_one = (np.arange(500) % 10 == 0), (np.arange(500) < 50)
    sizes = [100] * 5
    assert everywhere.sum() == in_one.sum()
    assert are_apart(everywhere, good, sizes, 0.25)
    assert not are_apart(in_one, good, sizes, 0.25)
    # with one part held out there are the rows alone: McNemar's test
    assert are_apart(in_one, good, [500], 0.25)


@pytest.mark.parametrize("is_clustered", [False, True])
def test_the_best_of_many_guesses_is_no_better_than_a_guess(is_clustered):
    random = np.random.default_rng(1)
    wrong, units = random.random((300, 30)) < 0.4, np.arange(300)
    if is_clustered:
        wrong, units = np.repeat(wrong, 3, axis=0), np.repeat(units, 3)
    assert wrong.mean(axis=0).min() < 0.35
    assert picked_error(wrong, units) == pytest.approx(0.4, abs=0.02)


def test_a_learner_that_is_better_by_far_needs_no_correction():
    random = np.random.default_rng(2)
    wrong = random.random((400, 10)) < np.array([0.1] + [0.5] * 9)
    assert picked_error(wrong, np.arange(400)) == pytest.approx(wrong[:, 0].mean(), abs=0.005)
