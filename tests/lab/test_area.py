"""Areas are exact."""

import numpy as np
import pytest

from rosenblatt.lab.area import disagreement


@pytest.mark.parametrize(
    ("f", "g", "share"),
    [
        ([0, 1, 0], [0, 0, 1], 0.5),
        ([0, 1, 0], [0, 1, 0], 0.0),
        ([0, 1, 0], [0, -1, 0], 1.0),
        ([0, 1, 0], [-0.5, 1, 0], 0.25),
        ([0, 1, -1], [-1, 1, 1], 0.5),
        ([5, 1, 0], [5, 0, 1], 0.0),  # both beside the box
        ([5, 1, 0], [0, 0, 1], 0.5),
        ([1, 0, 0], [0, 1, 0], 0.5),  # no direction at all: everything is +1
        ([-1, 0, 0], [1, 0, 0], 1.0),
        ([0, 0, 0], [0, 1, 0], 0.5),
    ],
)
def test_known_areas(f, g, share):
    assert disagreement(np.array(f), np.array(g)) == pytest.approx(share, abs=1e-12)


def test_areas_are_those_of_many_points():
    rng = np.random.default_rng(0)
    f, g = rng.normal(size=(100, 3)), rng.normal(size=(100, 3))
    points = rng.uniform(-2, 3, (100_000, 2))
    differ = (points @ f[:, 1:].T + f[:, 0] > 0) != (points @ g[:, 1:].T + g[:, 0] > 0)
    # 5 standard errors of a share at 1/2
    assert np.abs(disagreement(f, g, -2, 3) - differ.mean(axis=0)).max() < 5 * 0.5 / np.sqrt(1e5)


def test_scale_of_the_weights_does_not_matter():
    rng = np.random.default_rng(1)
    f, g = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    np.testing.assert_allclose(disagreement(1e6 * f, 1e-6 * g), disagreement(f, g), atol=1e-12)


def test_order_does_not_matter():
    rng = np.random.default_rng(2)
    f, g = rng.normal(size=(50, 3)), rng.normal(size=(50, 3))
    np.testing.assert_allclose(disagreement(f, g), disagreement(g, f), atol=1e-12)
