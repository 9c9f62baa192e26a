"""Regression as a start for the perceptron."""

import numpy as np
from sklearn.datasets import load_iris

from rosenblatt import LeastSquaresClassifier, Perceptron, PocketPerceptron

LECTURE, LABELS = [[1], [2], [7], [8]], [-1, -1, 1, 1]


def test_lecture_needs_no_update_from_the_regression_weights():
    model = Perceptron(init="regression").fit(LECTURE, LABELS)
    assert model.n_updates_ == 0
    assert model.converged_
    np.testing.assert_allclose(model.coef_, [[48 / 148]], rtol=1e-14)
    np.testing.assert_allclose(model.intercept_, [-216 / 148], rtol=1e-14)


def test_pocket_starts_with_the_error_of_regression():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 3))
    y = np.where(X[:, 0] + rng.standard_normal(200) > 0, 1, -1)
    regression = LeastSquaresClassifier().fit(X, y)
    model = PocketPerceptron(init="regression", max_updates=500, random_state=0).fit(X, y)
    assert model.error_path_[0] == (0, regression.error_)
    assert model.error_ <= regression.error_


def starts(way):
    """Return the E_in that each problem of a pocket on iris starts with."""
    X, y = load_iris(return_X_y=True)
    model = PocketPerceptron(init="regression", multiclass=way, max_updates=50, random_state=0)
    paths = model.fit(X, y).error_path_
    return [path[0][1] for path in ([paths] if way == "joint" else paths)]


def error(rows, y):
    X, _ = load_iris(return_X_y=True)
    return LeastSquaresClassifier().fit(X[rows], y[rows]).error_


def test_joint_form_starts_from_all_classes_at_once():
    _, y = load_iris(return_X_y=True)
    assert starts("joint") == [error(y >= 0, y)]


def test_one_against_the_rest_starts_from_each_class():
    _, y = load_iris(return_X_y=True)
    assert starts("one-vs-rest") == [error(y >= 0, y == c) for c in range(3)]


def test_one_against_one_starts_from_each_pair():
    _, y = load_iris(return_X_y=True)
    assert starts("one-vs-one") == [error(y != c, y) for c in (2, 1, 0)]
