"""Experiments give what others have published, within sampling error."""

import numpy as np
import pytest

from rosenblatt import DataError, ParameterError, Perceptron
from rosenblatt.lab import CircleTarget, LineTarget, NoisyTarget, exercise_1_4, runs
from rosenblatt.lab.runs import least_squares_of_runs, perceptron_runs

NOISY_CIRCLE = NoisyTarget(CircleTarget(), 0.1)


@pytest.mark.parametrize(
    ("n_points", "learner", "options", "measure", "published", "digit"),
    [
        (10, "perceptron", {}, "updates", 9.4, 0.1),
        (10, "perceptron", {}, "disagreement", 0.109, 0.001),
        (100, "perceptron", {}, "updates", 114, 1),
        (100, "perceptron", {}, "disagreement", 0.0134, 0.0001),
        (100, "regression", {}, "error_in", 0.040, 0.001),
        (100, "regression", {}, "error_out", 0.050, 0.001),
        (10, "regression-perceptron", {}, "updates", 4.5, 0.1),
        (1000, "regression", {"target": NOISY_CIRCLE}, "error_in", 0.506, 0.001),
        (
            1000,
            "regression",
            {"target": NOISY_CIRCLE, "features": "quadratic"},
            "error_out",
            0.127,
            0.001,
        ),
    ],
)
def test_published_values_are_met(n_points, learner, options, measure, published, digit):
    # both means carry the error of 1,000 runs, and the published one is rounded to a digit
    table = runs(n_points, 1000, learner, random_state=1, **options)
    found = table.summary()[measure]
    assert abs(found.mean - published) < 4 * np.sqrt(2) * found.standard_error + digit / 2


def test_most_starts_from_regression_need_no_update():
    assert runs(10, 1000, "regression-perceptron", random_state=0).summary()["updates"].median == 0


def test_perceptron_ends_without_errors():
    for learner in ("perceptron", "regression-perceptron"):
        table = runs(50, 200, learner, random_state=0)
        assert table.converged.all()
        assert (table.disagreement == table.error_out).all()


def test_regression_is_numpys_least_squares():
    rng = np.random.default_rng(0)
    X, y = rng.uniform(-1, 1, (40, 12, 2)), rng.choice([-1, 1], (40, 12))
    X[3, :, 1] = X[3, :, 0]  # collinear: the shortest weights
    X[4, :, 1] = X[4, :, 0] + 1e-7 * X[4, :, 1]  # too much for the normal equations
    for w, points, labels in zip(least_squares_of_runs(X, y), X, y, strict=True):
        Z = np.hstack([np.ones((12, 1)), points])
        np.testing.assert_allclose(w, np.linalg.lstsq(Z, labels)[0], rtol=1e-6, atol=1e-9)


def test_fewer_points_than_weights_have_a_shortest_answer():
    table = runs(2, 50, "regression", random_state=0)
    assert np.isfinite(table.weights).all()
    assert (table.error_in == 0).mean() > 0.9


def test_same_seed_gives_the_same_table():
    one, two = (runs(20, 30, "regression-perceptron", random_state=5) for _ in range(2))
    assert one.weights.tobytes() == two.weights.tobytes()
    assert str(one) == str(two)
    assert "regression-perceptron" in str(one)


def test_many_runs_go_in_batches(monkeypatch):
    monkeypatch.setattr("rosenblatt.lab.experiments.BATCH", 20_000)
    table = runs(10, 57, random_state=0)
    assert len(table) == 57
    assert table.weights.shape == (57, 3)
    assert table.converged.all()


def test_one_target_for_all_runs():
    table = runs(2000, 20, target=LineTarget([0, 1, 0]), random_state=0)
    assert table.disagreement.max() < 0.02


def test_noise_stops_at_the_budget():
    table = runs(100, 5, target=NOISY_CIRCLE, max_updates=300, random_state=0)
    np.testing.assert_array_equal(table.updates, 300)
    assert not table.converged.any()


def test_a_start_that_separates_needs_no_update():
    X = np.array([[[-1.0], [1.0]]] * 2)
    y = np.array([[-1, 1]] * 2)
    start = np.array([[0.0, 1.0], [0.0, -1.0]])
    done = perceptron_runs(X, y, start=start, random_state=0)
    assert done.n_updates[0] == 0
    assert done.n_updates[1] > 0
    assert start.tolist() == [[0, 1], [0, -1]]  # not written to
    assert done.weights[0].tolist() == [0, 1]


@pytest.mark.parametrize("start", [np.zeros((2, 3)), np.zeros(2), np.full((2, 2), np.inf)])
def test_start_is_checked(start):
    with pytest.raises(DataError, match="start must hold"):
        perceptron_runs(np.ones((2, 4, 1)), np.ones((2, 4)), start=start)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_points": 0},
        {"n_runs": -1},
        {"learner": "oracle"},
        {"target": "circle"},
        {"features": "cubic"},
        {"n_fresh": 0},
        {"max_updates": 0},
        {"rule": "best"},
        {"dimension": 0},
        {"dimension": 3, "target": CircleTarget()},
        {"noise": 0.6},
        {"margin": -1},
        {"rule": "first", "learner": "averaged"},
        {"max_updates": 9, "learner": "regression"},
        {"rule": "first", "learner": Perceptron()},
    ],
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        runs(**({"n_points": 10} | wrong))


@pytest.mark.parametrize("seed", range(5))
def test_exercise_separates_its_points(seed):
    e = exercise_1_4(seed)
    assert e.X.shape == (20, 2)
    assert np.abs(e.X).max() <= 10
    assert e.target.tolist() == [1, 2, 4]
    assert (e.y * (e.learned[0] + e.X @ e.learned[1:]) > 0).all()
    assert 0 <= e.disagreement < 0.3


def test_picture_of_the_exercise_has_its_legend():
    e = exercise_1_4(0)
    (ax,) = e.plot().axes
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["+1", "-1", "f", "g"]
    for line, w in zip(ax.lines, (e.target, e.learned), strict=True):
        np.testing.assert_allclose(w[0] + line.get_xydata() @ w[1:], 0, atol=1e-9)
