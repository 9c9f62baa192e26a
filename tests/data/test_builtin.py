"""The built-in sets hold what the lectures and scikit-learn say."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from rosenblatt import DataError
from rosenblatt.data.builtin import BUILTIN, load_builtin


def test_lecture_is_the_four_points():
    examples = load_builtin("lecture")
    np.testing.assert_array_equal(examples.X, [[1], [2], [7], [8]])
    np.testing.assert_array_equal(examples.y, [-1, -1, 1, 1])


@pytest.mark.parametrize(
    ("name", "gate"), [("and", np.logical_and), ("or", np.logical_or), ("xor", np.logical_xor)]
)
def test_gates_are_their_truth_tables(name, gate):
    examples = load_builtin(name)
    np.testing.assert_array_equal(examples.y == 1, gate(examples.X[:, 0], examples.X[:, 1]))


def test_exercise_1_4_follows_its_target():
    examples = load_builtin("exercise-1.4", seed=3)
    assert examples.X.shape == (20, 2)
    assert np.abs(examples.X).max() <= 10
    np.testing.assert_array_equal(
        examples.y, np.sign(1 + 2 * examples.X[:, 0] + 4 * examples.X[:, 1])
    )
    assert not np.array_equal(examples.X, load_builtin("exercise-1.4", seed=4).X)


def test_classics_keep_their_names():
    examples = load_builtin("iris")
    np.testing.assert_array_equal(examples.X, load_iris().data)
    assert set(examples.y) == {"setosa", "versicolor", "virginica"}
    assert examples.feature_names[0] == "sepal length (cm)"


@pytest.mark.parametrize("name", BUILTIN)
def test_every_set_has_names_for_its_columns(name):
    examples = load_builtin(name)
    assert len(examples.feature_names) == examples.X.shape[1]
    assert len(examples.y) == examples.X.shape[0]
    assert examples.source == name


def test_near_name_is_suggested():
    with pytest.raises(DataError, match="did you mean 'breast-cancer'"):
        load_builtin("breast_cancer")
