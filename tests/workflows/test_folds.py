"""No tested example was learned from, nor a copy of it, nor one of its group, nor a later one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import read
from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError
from rosenblatt.workflows.compare import compare
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import LARGE, N_FOLDS, dealt, folds_of, forward, units_of
from rosenblatt.workflows.task import make_task


def task_of(X, y, **beside):
    X = np.asarray(X, dtype=float)
    return make_task(Examples(X, np.asarray(y), list("abc")[: X.shape[1]], "toys", **beside))


def alone(n):
    return np.arange(n)


def test_small_data_is_cross_validated_and_every_example_is_tested_once():
    y = np.repeat([0, 1], [30, 70])
    folds = dealt(y, alone(100))
    assert folds.way == "5-fold"
    assert sorted(np.concatenate([test for _, test in folds.parts])) == list(range(100))
    for train, test in folds.parts:
        assert sorted([*train, *test]) == list(range(100))
        assert np.bincount(y[test]).tolist() == [6, 14]


def test_of_large_data_a_fifth_is_held_out():
    y = np.arange(LARGE + 5) % 2
    folds = dealt(y, alone(len(y)))
    [(train, test)] = folds.parts
    assert folds.way == "a fifth held out"
    assert len(test) == pytest.approx(len(y) / 5, abs=1)
    assert len(train) + len(test) == len(y)


def test_a_large_group_that_is_held_out_is_called_what_it_is():
    y, units = np.arange(LARGE + 5) % 2, np.arange(LARGE + 5) % 2  # two groups, a class each
    assert dealt(y, units).parts == []
    folds = dealt(np.arange(len(y)) // 2 % 2, units)
    assert folds.way == "50% held out"


def test_another_seed_deals_otherwise():
    y = np.arange(40) % 2
    one, same, other = (dealt(y, alone(40), seed).parts for seed in (0, 0, 1))
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(one, same, strict=True))
    assert any(not np.array_equal(a[1], b[1]) for a, b in zip(one, other, strict=True))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 8)), min_size=2, max_size=60))
def test_units_stay_together_and_every_class_is_learned(rows):
    y, units = (np.array(part) for part in zip(*rows, strict=True))
    y, units = (np.unique(part, return_inverse=True)[1] for part in (y, units))
    tested = []
    for train, test in dealt(y, units).parts:
        assert not set(units[train]) & set(units[test])
        assert set(y[train]) == set(y)
        assert len(train) + len(test) == len(y)
        tested += test.tolist()
    assert len(tested) == len(set(tested))
    # what is never tested is needed: a class is in it that is, but for it, in one fold alone
    n_units = len(set(units))
    if n_units == len(y) and min(np.bincount(y)) > 1:
        assert len(tested) == len(y)


def test_rows_connected_by_groups_and_copies_are_one_unit():
    digests = np.array([1, 2, 3, 1, 4, 5])
    groups = np.array(["a", "b", "b", "c", "c", "d"])
    units, n_copies = units_of(digests, groups)
    assert n_copies == 1
    # 0 and 3 are copies, 3 and 4 of group c, 1 and 2 of group b
    assert [(units == units[i]).nonzero()[0].tolist() for i in (0, 1, 5)] == [
        [0, 3, 4],
        [1, 2],
        [5],
    ]


def test_groups_of_many_sizes_are_dealt_evenly():
    sizes = np.arange(10, 101, 10)
    units = np.repeat(alone(10), sizes)
    y = np.arange(len(units)) % 2
    assert {len(test) for _, test in dealt(y, units).parts} == {sizes.sum() // N_FOLDS}


def test_copies_stay_in_one_fold_and_are_counted():
    random = np.random.default_rng(0)
    X = np.repeat(random.standard_normal((30, 2)), [3] * 10 + [1] * 20, axis=0)
    y = random.integers(0, 2, 50)
    folds = folds_of(task_of(X, y))
    for train, test in folds.parts:
        assert not {tuple(row) for row in X[train]} & {tuple(row) for row in X[test]}
    assert folds.notes == ("20 of 50 examples are copies of another; copies stay in one fold",)


def test_one_who_learns_copies_by_heart_is_found_out():
    # coins: nobody can foretell them; but with copies in both parts, they were known
    random = np.random.default_rng(0)
    X = np.repeat(random.standard_normal((40, 60)), 5, axis=0)
    y = np.repeat(random.integers(0, 2, 40), 5)
    names = [str(j) for j in range(60)]
    report = fit(Examples(X, y, names, "coins"), "perceptron", prove_seconds=0)
    assert report.error_in == 0
    assert report.validation.error > 0.25
    assert "160 of 200 examples are copies of another" in report.notes[-1]


def test_classes_with_one_or_two_examples_are_named_and_do_not_end_the_validation():
    y = ["a"] * 20 + ["b"] * 20 + ["one", "two", "two"]
    X = np.random.default_rng(0).standard_normal((43, 3))
    report = fit(Examples(X, np.array(y), list("pqr"), "toys"), prove_seconds=0)
    assert report.validation.n_tested == 42
    assert report.notes == (
        "1 class with a single example: 'one'; learned from, but not tested",
        "1 class with two examples: 'two'; tested on each of them, learned from the other",
    )
    table = compare(Examples(X, np.array(y), list("pqr"), "toys"))
    assert table.notes == report.notes


def test_a_class_in_one_group_is_learned_from_but_not_tested():
    y, groups = np.array(list("aabbaabbcc")), np.array([1, 1, 1, 2, 2, 3, 3, 3, 4, 4])
    folds = folds_of(task_of(alone(10)[:, np.newaxis], y, groups=groups))
    assert not {8, 9} & {row for _, test in folds.parts for row in test.tolist()}
    assert folds.notes[0] == "4 groups of examples; each stays in one fold"
    assert "'c'; learned from, but not tested" in folds.notes[1]


def test_data_of_which_nothing_can_be_spared_is_not_validated():
    report = fit(Examples(np.eye(2), np.array([0, 1]), list("ab"), "two"), prove_seconds=0)
    assert report.validation is None
    assert report.why_not_validated == "each class has a single example, or group of examples"
    with pytest.raises(DataError, match="nothing to test learners on: each class has a single"):
        compare(Examples(np.eye(2), np.array([0, 1]), list("ab"), "two"))


@given(st.lists(st.integers(0, 12), min_size=12, max_size=80))
def test_by_time_the_future_is_never_learned_from(times):
    times = np.array(times, dtype=float)
    y = alone(len(times)) % 2
    for train, test in forward(y, alone(len(times)), times).parts:
        assert times[train].max() < times[test].min()


def test_by_time_every_later_block_is_tested_once_by_all_before_it():
    times = np.random.default_rng(0).permutation(100)
    folds = forward(alone(100) % 2, alone(100), times.astype(float))
    assert folds.way == "4 forward cuts in time"
    assert [len(train) for train, _ in folds.parts] == [20, 40, 60, 80]
    assert sorted(np.concatenate([times[test] for _, test in folds.parts])) == list(range(20, 100))


def test_by_time_of_large_data_the_latest_fifth_is_held_out():
    times = np.arange(LARGE + 10, 0.0, -1)
    folds = forward(alone(len(times)) % 2, alone(len(times)), times)
    [(_, test)] = folds.parts
    assert folds.way == "the latest fifth held out"
    assert test.tolist() == list(range(len(times) // 5))


def test_by_time_earlier_copies_and_groups_of_what_is_tested_are_not_learned_from():
    y, groups = alone(100) % 2, alone(100) % 10
    for train, test in forward(y, groups // 2 * 2, alone(100)).parts:
        assert not set(groups[train] // 2) & set(groups[test] // 2)


def test_by_time_data_of_one_moment_or_class_is_not_validated():
    y = alone(10) // 5
    assert forward(y, alone(10), np.zeros(10)).why_none == "the rows have one time"
    late = (alone(10) == 9).astype(int)
    assert forward(late, alone(10), alone(10)).why_none == "the earlier rows are of one class"


def test_iris_has_a_copy():
    assert folds_of(make_task(read("iris"))).notes == (
        "1 of 150 examples is a copy of another; copies stay in one fold",
    )
