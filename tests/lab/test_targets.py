"""Targets label, sample and judge."""

import numpy as np
import pytest

from rosenblatt import DataError, ParameterError, Perceptron, VotedPerceptron
from rosenblatt.lab import CircleTarget, LineTarget, NoisyTarget, WideTarget, error_in
from rosenblatt.lab.hypotheses import expand


def test_samples_stay_in_the_box_and_carry_the_labels_of_the_target():
    f = LineTarget([1, 2, 4], low=-10, high=10)
    X, y = f.sample(500, random_state=0)
    assert X.shape == (500, 2)
    assert np.abs(X).max() <= 10 < 10 * np.abs(X).max()
    np.testing.assert_array_equal(y, np.where(1 + X @ [2, 4] > 0, 1, -1))


def test_line_goes_through_two_points_of_the_box():
    w = LineTarget.through_random_points(0).weights
    ends = np.random.RandomState(0).uniform(-1, 1, (2, 2))
    np.testing.assert_allclose(w[0] + ends @ w[1:], 0, atol=1e-15)


def test_noise_flips_its_share_of_each_sample():
    f = NoisyTarget(CircleTarget(), 0.1)
    X, y = f.draw((30, 200), np.random.RandomState(0))
    np.testing.assert_array_equal((y != f(X)).sum(axis=1), 20)


def test_error_out_of_a_noisy_line_counts_the_noise():
    f = NoisyTarget(LineTarget([0, 1, 0]), 0.1)
    assert f.error_out([0, 1, 0]) == pytest.approx(0.1)
    assert f.error_out([0, 0, 1]) == pytest.approx(0.5)
    assert f.disagreement([0, 1, 0]) == 0


def test_circle_is_a_line_in_quadratic_features():
    f = CircleTarget()
    assert f.error_out([-0.6, 0, 0, 0, 1, 1], "quadratic", random_state=0) == 0
    assert expand(np.array([[2.0, 3.0]]), "quadratic").tolist() == [[2, 3, 6, 4, 9]]


def test_a_classifier_is_judged_like_its_weights():
    f = LineTarget([0.1, 1, -1])
    X, y = f.sample(50, random_state=0)
    model = Perceptron().fit(X, y)
    w = np.concatenate([model.intercept_, model.coef_[0]])
    assert f.error_out(model) == f.error_out(w)
    assert error_in(model, X, y) == error_in(w, X, y) == 0


def test_fresh_points_agree_with_the_area():
    f, g = LineTarget([0.1, 1, -1]), [0, 1, 0]
    fresh = super(LineTarget, f).disagreement(g, n_fresh=100_000, random_state=0)
    assert abs(fresh - f.disagreement(g)) < 5 * 0.5 / np.sqrt(100_000)


@pytest.mark.parametrize("weights", [[1], [1, 2, np.nan], 3.0, [[[1, 2, 3]]]])
def test_weights_of_a_line_are_finite_numbers(weights):
    with pytest.raises(DataError, match="two or more finite numbers"):
        LineTarget(weights)


@pytest.mark.parametrize("d", [1, 3, 7])
def test_hyperplane_goes_through_as_many_points_as_it_has_features(d):
    f = LineTarget.through_random_points(0, 4, dimension=d)
    through = np.random.RandomState(0).uniform(-1, 1, (4, d, d))
    w = f.weights
    on_it = np.einsum("rkd,rd->rk", through, w[:, 1:]) + w[:, :1]
    np.testing.assert_allclose(on_it, 0, atol=1e-12)
    assert f.dimension == d
    assert f.draw((4, 5), np.random.RandomState(0)).X.shape == (4, 5, d)


def test_distances_are_those_of_the_nearest_point_of_the_boundary():
    assert LineTarget([-5, 3, 4]).distance(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist() == [1, 4]
    circle = CircleTarget(0.25)
    np.testing.assert_allclose(circle.distance(np.array([[0.0, 0.0], [3.0, 4.0]])), [0.5, 4.5])


@pytest.mark.parametrize("target", [LineTarget([0.1, 1, -1]), CircleTarget()])
def test_a_margin_is_kept_clear_for_learning_and_for_measuring(target):
    wide = WideTarget(target, 0.15)
    X, y = wide.draw((20, 50), np.random.RandomState(0))
    assert X.shape == (20, 50, 2)
    assert np.abs(X).max() <= 1
    assert target.distance(X).min() >= 0.15
    np.testing.assert_array_equal(y, target(X))
    # the nearest rule inside of the margin is never caught
    assert WideTarget(LineTarget([0, 1, 0]), 0.15).disagreement([0.1, 1, 0], random_state=0) == 0


def test_noise_and_margin_go_together():
    f = NoisyTarget(WideTarget(LineTarget([0, 1, 0]), 0.2), 0.1)
    X, y = f.draw((3, 40), np.random.RandomState(0))
    assert np.abs(X[..., 0]).min() >= 0.2
    np.testing.assert_array_equal((y != f(X)).sum(axis=1), 4)
    assert f.error_out([0.1, 1, 0], random_state=0) == pytest.approx(0.1)


def test_votes_are_judged_by_what_they_say_and_not_by_the_last_of_them():
    f = NoisyTarget(LineTarget([0.1, 1, -1]), 0.2)
    X, y = f.sample(60, random_state=0)
    model = VotedPerceptron(epochs=5, random_state=0).fit(X, y)
    fresh = np.random.RandomState(1).uniform(-1, 1, (10_000, 2))
    expected = (model.predict(fresh) != f(fresh)).mean()
    assert f.disagreement(model, random_state=1) == expected


def test_parameters_are_checked():
    f = LineTarget([0, 1, 0])
    with pytest.raises(ParameterError, match="low must be below high"):
        LineTarget([0, 1, 0], low=1, high=-1)
    with pytest.raises(ParameterError, match="share from 0"):
        NoisyTarget(f, 0.7)
    for kind in (NoisyTarget, WideTarget):
        with pytest.raises(ParameterError, match="must be a Target"):
            kind("circle")
    with pytest.raises(ParameterError, match="margin"):
        WideTarget(f, 0)
    with pytest.raises(DataError, match="smaller margin"):
        WideTarget(f, 5).sample(3, random_state=0)
    with pytest.raises(ParameterError, match="n must be"):
        f.sample(0)
    with pytest.raises(ParameterError, match="radius2"):
        CircleTarget(-1)
    with pytest.raises(ParameterError, match="features"):
        f.error_out([0, 1, 0], "cubic")
    with pytest.raises(DataError, match="take 3 weights"):
        error_in([1, 2], np.zeros((4, 2)), np.ones(4))
    with pytest.raises(DataError, match="as many examples"):
        error_in([1, 2, 3], np.zeros((4, 2)), np.ones(3))
