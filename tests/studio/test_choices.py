"""The presets are what their sentences say."""

import numpy as np
import pytest

from rosenblatt import ParameterError, prove
from rosenblatt.data.builtin import load_builtin
from rosenblatt.studio.scenes.choices import PRESETS, draw_preset

SEPARABLE = ["separable", "thin-margin", "exercise-1.4"]


@pytest.mark.parametrize("name", PRESETS)
def test_a_set_is_the_same_for_the_same_seed(name):
    first, again = draw_preset(name, seed=5, n=40), draw_preset(name, seed=5, n=40)
    np.testing.assert_array_equal(first.points, again.points)
    np.testing.assert_array_equal(first.labels, again.labels)
    assert first.points.shape == (40, 2)
    assert first.labels.max() < len(first.classes)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", SEPARABLE)
def test_a_line_fits_where_the_sentence_says_so(name, seed):
    made = draw_preset(name, seed=seed)
    y = np.where(made.labels == 1, 1, -1)
    assert (y * (made.target[0] + made.points @ made.target[1:]) > 0).all()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["outlier", "xor", "circles"])
def test_no_line_fits_where_the_sentence_says_so(name, seed):
    made = draw_preset(name, seed=seed)
    assert not prove(made.points, made.labels).separable


@pytest.mark.parametrize("seed", range(3))
def test_an_outlier_is_one_point(seed):
    made = draw_preset("outlier", seed=seed)
    said = made.target[0] + made.points @ made.target[1:] > 0
    assert (said != made.labels).sum() == 1
    assert len(np.unique(made.labels)) == 2


def test_noise_changes_its_share_of_labels():
    plain, noisy = (draw_preset("three-classes", n=60, noise=noise) for noise in (0, 0.25))
    assert (plain.labels != noisy.labels).sum() == 15
    np.testing.assert_array_equal(plain.points, noisy.points)


def test_exercise_1_4_is_that_of_the_command_line():
    made, known = draw_preset("exercise-1.4", seed=7), load_builtin("exercise-1.4", 7)
    np.testing.assert_array_equal(made.points, known.X)
    np.testing.assert_array_equal(made.labels, known.y == 1)


def test_drawn_points_are_exact_in_binary():
    points = draw_preset("circles", n=200).points * 128
    np.testing.assert_array_equal(points, points.round())


def test_what_is_measured_can_be_thinned():
    assert draw_preset("iris", n=30).points.shape == (30, 2)
    assert draw_preset("iris", n=500).points.shape == (150, 2)


@pytest.mark.parametrize(
    "how", [{"name": "spiral"}, {"n": 1}, {"noise": 0.7}, {"noise": float("nan")}], ids=str
)
def test_what_cannot_be_drawn_is_refused(how):
    with pytest.raises(ParameterError):
        draw_preset(**({"name": "xor"} | how))
