"""The convex hull against scipy's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from rosenblatt.studio.scenes.verdicts import hull


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 60))
def test_corners_are_those_of_another_hand(seed, n):
    X = np.random.default_rng(seed).standard_normal((n, 2))
    ours, theirs = hull(X).tolist(), ConvexHull(X).vertices.tolist()
    start = theirs.index(ours[0])
    assert ours == theirs[start:] + theirs[:start]


@pytest.mark.parametrize(
    ("points", "corners"),
    [
        (np.empty((0, 2)), []),
        ([[1.0, 2.0]], [0]),
        ([[1.0, 2.0], [1.0, 2.0]], [0]),
        ([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]], [0, 2]),
        ([[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 3]),
    ],
    ids=["none", "one", "twins", "a line", "on an edge"],
)
def test_few_or_flat_points(points, corners):
    found = hull(np.array(points).reshape(-1, 2))
    assert sorted(found.tolist()) == corners
