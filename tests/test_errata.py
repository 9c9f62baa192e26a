"""Where the lecture notes are wrong: one test for each correct statement in docs/errata.md."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import rosenblatt
from rosenblatt import (
    BernoulliNaiveBayes,
    LeastSquares,
    Perceptron,
    ThresholdUnit,
    VotedPerceptron,
)

X, Y = np.array([[1.0], [2.0], [7.0], [8.0]]), np.array([-1, -1, 1, 1])
A = np.column_stack([np.ones(4), X])


def test_one_update_need_not_correct_the_picked_example():
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    # after the second update example 1 is picked four times in a row
    np.testing.assert_array_equal(record.picked[2:6], [0, 0, 0, 0])
    after = Y[0] * (record.weights[3] @ A[0])
    assert after < 0


def test_target_is_the_product_of_a_row_and_the_weights():
    w = np.array([1.0, 2.0, 4.0])
    x = np.array([[1.0, 3.0, -1.0]])
    with pytest.raises(ValueError, match=r"mismatch|not aligned"):
        w[np.newaxis] @ x
    assert np.sign(x @ w) == 1


def test_trace_of_the_second_lecture_has_eleven_updates_and_its_weights_are_not_rounded():
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    assert len(record.picked) == 11
    np.testing.assert_array_equal(record.weights[9], [-5, 6])
    assert A[0] @ record.weights[8] == 3
    model = LeastSquares().fit(X, Y)
    assert model.intercept_[0] == pytest.approx(-216 / 148)
    assert model.coef_[0, 0] == pytest.approx(48 / 148)
    assert abs(model.intercept_[0] + 1.5) > 0.04


def test_in_sample_error_is_a_mean_not_a_sum():
    rng = np.random.default_rng(0)
    rows, labels = rng.standard_normal((40, 2)), np.repeat([-1, 1], 20)
    record = rosenblatt.trace(
        rosenblatt.PocketPerceptron(max_updates=9, random_state=0), rows, labels
    )
    assert record.errors.max() <= 1.0
    np.testing.assert_allclose(record.errors * 40, (record.errors * 40).round())


def test_radius_in_the_bound_is_a_length_not_its_square():
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    B = np.hypot(9 / 5, 2 / 5)
    R = np.sqrt(1 + 8**2)
    assert record.bound == pytest.approx((R * B) ** 2)
    assert record.bound != pytest.approx((R**2 * B) ** 2)


def test_perceptron_stops_at_a_separating_rule_not_at_the_largest_margin():
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    assert record.errors[-1] == 0.0
    assert record.cosine[-1] < 0.9999
    assert len(record.picked) < record.bound


def test_linear_form_of_naive_bayes_has_no_input_in_its_weights():
    rng = np.random.default_rng(0)
    rows, labels = rng.integers(0, 2, (50, 3)), rng.integers(0, 2, 50)
    model = BernoulliNaiveBayes(alpha=0).fit(rows, labels)
    h, q = rows[labels == 1].mean(axis=0), rows[labels == 0].mean(axis=0)
    _, u = model.linear_form()
    np.testing.assert_allclose(u, np.log(h * (1 - q) / (q * (1 - h))), atol=1e-12)
    assert not np.allclose(u, np.log(h * (1 - h) / (q * (1 - q))))


def test_bound_grows_with_the_radius_and_falls_with_the_margin():
    bound = rosenblatt.trace(Perceptron(), X, Y).bound
    wide = rosenblatt.trace(Perceptron(), np.array([[-8.0], [-7.0], [7.0], [8.0]]), Y).bound
    assert wide < bound
    # D^2 |w*|^2 / gamma^2, not its reverse: a larger radius at the same margin costs updates
    far = np.array([[1.0], [2.0], [7.0], [80.0]])
    assert rosenblatt.trace(Perceptron(), far, Y).bound > bound


def test_single_pass_from_zero_must_update_on_the_boundary():
    model = Perceptron().partial_fit(X, Y)
    assert model.n_updates_ > 0
    # with a strict test nothing would move: every product with w = 0 is 0
    assert not (Y * (A @ np.zeros(2)) < 0).any()


def test_new_hypothesis_starts_at_zero_in_the_notes_and_at_one_in_the_paper():
    notes, paper = (
        VotedPerceptron(epochs=3, shuffle=False, first_vote=v).fit(X, Y) for v in (0, 1)
    )
    np.testing.assert_array_equal(paper.survival_[1:], notes.survival_[1:] + 1)
    assert paper.survival_[0] == notes.survival_[0]


def test_margin_of_a_mistake_may_be_zero():
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    picked = record.picked
    before = Y[picked] * np.einsum("td,td->t", record.weights[:-1], A[picked])
    # the products of the notes: 0 at the start, and where w . x is 0 later on
    np.testing.assert_array_equal(before, [0, -8, -6, -4, -2, 0, 0, -5, -3, -1, -4])


def test_program_of_the_notes_makes_at_most_999_updates():
    # perceptron.m in Python, on points that no line separates
    rows, labels = np.array([[1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]), np.array([-1, 1, 1, -1])
    w, found, n_passes, n_updates = np.zeros(3), True, 0, 0
    while found:
        found = False
        n_passes += 1
        if n_passes == 1000:
            break
        wrong = np.flatnonzero(np.sign(rows @ w) != labels)
        if len(wrong):
            found = True
            w = w + labels[wrong[0]] * rows[wrong[0]]
            n_updates += 1
    assert n_updates == 999
    with pytest.warns(ConvergenceWarning):
        model = Perceptron(rule="first", max_updates=999).fit(rows[:, 1:], labels)
    np.testing.assert_array_equal([*model.intercept_, *model.coef_[0]], w)


def test_threshold_becomes_a_weight_of_the_other_sign():
    t = 4.5
    unit = ThresholdUnit(weights=[-t, 1.0], tie="+1")
    np.testing.assert_array_equal(unit.predict(X), np.where(X[:, 0] - t >= 0, 1, -1))
    assert (ThresholdUnit(weights=[t, 1.0]).predict(X) == 1).all()


def test_each_coordinate_has_a_share_of_its_own():
    rows, labels = np.array([[1, 0], [1, 1], [1, 0], [0, 1]]), np.array([1, 1, 1, 0])
    model = BernoulliNaiveBayes(alpha=0).fit(rows, labels)
    np.testing.assert_allclose(model.feature_prob_, [[0, 1], [1, 1 / 3]])


def test_after_t_updates_there_are_t_plus_one_vectors():
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    assert not record.weights[0].any()
    assert len(record.weights) == len(record.picked) + 1 == 12


def test_update_on_the_boundary_is_a_whole_step():
    w = np.zeros(2)
    half = w + (Y[0] - np.sign(w @ A[0])) / 2 * A[0]
    record = rosenblatt.trace(Perceptron(rule="first"), X, Y)
    np.testing.assert_array_equal(record.weights[1], 2 * half)
