"""Verdicts are those of a linear program, and margins those of another solver."""

import numpy as np
import pytest

import rosenblatt.lab.separation as separation
from rosenblatt.lab.separation import margins_of_runs, separable_runs
from tests.reference.cover import canonical, is_separable, largest_margin


def draw(n_runs, n_points, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (n_runs, n_points, d)), rng.choice([-1, 1], (n_runs, n_points))


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize(("n_points", "d"), [(1, 2), (5, 1), (6, 2), (9, 2), (12, 5), (30, 14)])
def test_verdicts_are_those_of_a_linear_program(n_points, d, fit_intercept):
    X, y = draw(40, n_points, d)
    expected = [is_separable(canonical(*one, fit_intercept)) for one in zip(X, y, strict=True)]
    found = separable_runs(X, y, fit_intercept=fit_intercept)
    np.testing.assert_array_equal(found, expected)


def test_points_in_general_position_need_no_other_proof(monkeypatch):
    monkeypatch.setattr(separation, "prove", None)  # who asks for it fails
    for n_points, d in ((6, 2), (22, 10)):
        separable_runs(*draw(500, n_points, d, seed=1))


def test_what_floats_cannot_tell_is_proved():
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    line = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    twins = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]])
    near = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 2e-17], [2.0, 0.0]])
    X = np.array([corners, corners, line, line, twins, near, near * [1.0, 0.0]])
    y = np.array(
        [
            [-1, 1, 1, -1],
            [-1, 1, 1, 1],
            [-1, 1, 1, -1],
            [-1, -1, 1, 1],
            [-1, 1, 1, 1],
            [-1, -1, 1, -1],
            [-1, -1, 1, -1],
        ]
    )
    expected = [False, True, False, True, False, True, False]
    assert separable_runs(X, y).tolist() == expected


def test_points_of_one_class_without_a_threshold():
    X = np.array([[[1.0, 0.0], [-1.0, 0.0]], [[1.0, 0.0], [1.0, 1.0]]])
    y = np.ones((2, 2), dtype=int)
    assert separable_runs(X, y, fit_intercept=False).tolist() == [False, True]
    assert separable_runs(X, y).tolist() == [True, True]


@pytest.mark.parametrize(("n_points", "d"), [(4, 1), (20, 2), (15, 6)])
def test_margins_are_those_of_another_solver(n_points, d):
    X, _ = draw(25, n_points, d)
    y = np.where(X @ np.linspace(1, 2, d) > 0.1, 1, -1)
    found = margins_of_runs(X, y)
    for r in range(25):
        Z = canonical(X[r], y[r])
        assert found.margin[r] == pytest.approx(largest_margin(Z), rel=1e-5)
        assert found.radius[r] == pytest.approx(np.sqrt((Z**2).sum(axis=1).max()))


def test_a_margin_that_is_lost_to_rounding_is_asked_of_the_solver():
    # a street of 1e-5 among points at 1: the squares that the search sees have half of the digits
    X = np.array([[[0.0, 1.0], [1.0, -1.0], [0.0, 1.00001], [1.0, -0.99999]]])
    y = np.array([[-1, -1, 1, 1]])
    expected = largest_margin(canonical(X[0], y[0]))
    assert margins_of_runs(X, y).margin[0] == pytest.approx(expected, rel=1e-5)
