"""Errors on unseen examples, and how sure they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rosenblatt import read
from rosenblatt.workflows.task import make_task
from rosenblatt.workflows.validate import LARGE, folds_of, n_bytes, validate, wilson


@given(st.integers(1, 10_000), st.data())
def test_interval_is_that_of_scipy(n, data):
    n_wrong = data.draw(st.integers(0, n))
    expected = binomtest(n_wrong, n).proportion_ci(0.95, method="wilson")
    assert wilson(n_wrong, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_small_data_is_cross_validated_and_every_example_is_tested_once():
    y = np.repeat([0, 1], [30, 70])
    way, parts = folds_of(y)
    assert way == "5-fold"
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(100))
    for train, test in parts:
        assert not set(train) & set(test)


def test_of_large_data_a_fifth_is_held_out():
    y = np.arange(LARGE + 5) % 2
    way, [(train, test)] = folds_of(y)
    assert way == "a fifth held out"
    assert len(test) == pytest.approx(len(y) / 5, abs=1)
    assert len(train) + len(test) == len(y)


def test_a_rare_class_has_as_many_folds_as_examples():
    assert folds_of(np.array([0] * 9 + [1] * 3))[0] == "3-fold"
    assert folds_of(np.array([0] * 9 + [1])) == ("", [])


def test_validation_tells_how_far_it_is_and_adds_up():
    task, told = make_task(read("iris")), []
    way, parts = folds_of(task.y, 0)
    result = validate(task, "averaged", way, parts, 0, lambda stage, share: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert result.error == pytest.approx(np.mean(result.fold_errors))
    assert (result.predicted != task.y[result.tested]).tolist() == result.wrong.tolist()


def test_size_counts_arrays_wherever_they_are():
    class Holder:
        def __init__(self):
            self.array = np.zeros(10)
            self.more = [np.zeros(5), (np.zeros(1, dtype=np.int8), "text")]

    assert n_bytes(Holder()) == 80 + 40 + 1
