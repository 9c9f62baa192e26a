"""A unit with given weights: gates, the boundary, and what is refused."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from rosenblatt import DataError, ParameterError, ThresholdUnit

BOTH = list(product([0, 1], repeat=2))


@pytest.mark.parametrize(
    ("weights", "gate"),
    [
        ([-1.5, 1, 1], lambda a, b: a and b),
        ([-0.5, 1, 1], lambda a, b: a or b),
        ([1.5, -1, -1], lambda a, b: not (a and b)),
        ([0.5, -1, -1], lambda a, b: not (a or b)),
    ],
    ids=["and", "or", "nand", "nor"],
)
def test_the_gates_of_the_lecture(weights, gate):
    expected = [1 if gate(a, b) else -1 for a, b in BOTH]
    assert ThresholdUnit(weights).predict(BOTH).tolist() == expected


def test_not_is_a_unit_with_one_input():
    assert ThresholdUnit([0.5, -1]).predict([[0], [1]]).tolist() == [1, -1]


def test_the_boundary_is_minus_one_unless_told_otherwise():
    points = [[0, 0], [1, -1], [1, 0], [-1, 0]]
    assert ThresholdUnit([0, 1, 1]).predict(points).tolist() == [-1, -1, 1, -1]
    assert ThresholdUnit([0, 1, 1], tie="+1").predict(points).tolist() == [1, 1, 1, -1]


def test_scores_and_weights_are_in_canonical_form():
    unit = ThresholdUnit([3, -1, 2])
    assert unit.intercept_.tolist() == [3]
    assert unit.coef_.tolist() == [[-1, 2]]
    assert unit.classes_.tolist() == [-1, 1]
    assert unit.n_features_in_ == 2
    assert unit.decision_function([[1, 1], [5, 0]]).tolist() == [4, -2]
    assert unit.score([[1, 1], [5, 0]], [1, 1]) == 0.5


def test_fit_learns_nothing_and_looks_at_the_columns():
    unit = ThresholdUnit([0, 1])
    assert unit.fit([[1], [2]], [-1, -1]) is unit
    assert unit.predict([[1]]).tolist() == [1]
    with pytest.raises(DataError, match="2 features"):
        unit.fit([[1, 2]])


@pytest.mark.parametrize("weights", [[1], [], [[1, 2]], [1, np.nan], ["a", "b"], None])
def test_weights_must_be_numbers_for_at_least_one_input(weights):
    with pytest.raises(ParameterError, match="weights"):
        ThresholdUnit(weights).predict([[1]])


def test_the_tie_must_be_one_of_two():
    with pytest.raises(ParameterError, match="tie"):
        ThresholdUnit([0, 1], tie="mistake").predict([[1]])


def test_fit_keeps_the_names_of_the_columns():
    unit = ThresholdUnit([0, 1, 1]).fit(pd.DataFrame({"a": [1, 2], "b": [3, 4]}))
    assert unit.feature_names_in_.tolist() == ["a", "b"]
    assert unit.predict(pd.DataFrame({"a": [1], "b": [-2]})).tolist() == [-1]
    assert not hasattr(unit.fit([[1, 2]]), "feature_names_in_")
