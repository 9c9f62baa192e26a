"""Many runs in one loop are many runs."""

import numpy as np
import pytest

from rosenblatt import DataError
from rosenblatt.lab.runs import perceptron_runs


def planes(n_runs, n_points, seed=0):
    """Draw points in [-1, 1]^2 with a target line through two random points for each run."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n_runs, n_points, 2))
    ends = rng.uniform(-1, 1, (n_runs, 2, 2))
    along = ends[:, 1] - ends[:, 0]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    return X, np.where(np.einsum("rnd,rd->rn", X - ends[:, :1], normal) > 0, 1, -1)


@pytest.mark.parametrize("n_points", [3, 64, 100])
def test_every_run_ends_separating_its_points(n_points):
    X, y = planes(200, n_points)
    runs = perceptron_runs(X, y, random_state=0)
    scores = np.einsum("rnd,rd->rn", X, runs.weights[:, 1:]) + runs.weights[:, :1]
    assert (y * scores > 0).all()


def test_mean_number_of_updates_is_the_published_one():
    # Learning From Data, N = 10: about 9.4 updates in the mean; leeway of 4 standard errors and
    # half a unit of the last digit
    X, y = planes(20_000, 10)
    n_updates = perceptron_runs(X, y, random_state=0).n_updates
    error = n_updates.std() / np.sqrt(len(n_updates))
    assert abs(n_updates.mean() - 9.4) < 4 * error + 0.05


def test_budget_holds_for_each_run():
    X = np.array([[[0, 0], [0, 1], [1, 0], [1, 1]]] * 3)
    y = np.array([[-1, 1, 1, -1]] * 3)
    np.testing.assert_array_equal(perceptron_runs(X, y, max_updates=57).n_updates, [57, 57, 57])


def test_same_seed_gives_the_same_bits():
    X, y = planes(50, 30)
    one, two = (perceptron_runs(X, y, random_state=7) for _ in range(2))
    assert one.weights.tobytes() == two.weights.tobytes()
    assert one.n_updates.tobytes() == two.n_updates.tobytes()


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((4, 2)), np.ones(4)),
        (np.zeros((1, 4, 2)), np.ones((1, 3))),
        (np.zeros((0, 4, 2)), np.ones((0, 4))),
        (np.full((1, 4, 2), np.nan), np.ones((1, 4))),
        (np.zeros((1, 4, 2)), np.zeros((1, 4))),
    ],
)
def test_shapes_and_labels_are_checked(X, y):
    with pytest.raises(DataError):
        perceptron_runs(X, y)
