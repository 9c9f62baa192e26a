"""The averaged perceptron: the plain mean of the weights after every example."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AveragedPerceptron
from tests.examples import (
    FEW,
    LECTURE_X,
    LECTURE_Y,
    MANY,
    THREE_KINDS,
    random_data,
    small_data,
    weights,
)
from tests.reference import joint
from tests.reference.averaged import averaged
from tests.reference.multiclass import one_vs_one, one_vs_rest
from tests.reference.perceptron import canonical, online
from tests.reference.voted import voted

CLOSE = {"rel": 1e-10, "abs": 1e-10}


def unshuffled(epochs, **parameters):
    return AveragedPerceptron(epochs=epochs, shuffle=False, **parameters)


def check_plain_average(data, kind, epochs, fit_intercept):
    X = canonical(data.X, fit_intercept)
    steps = online(X, data.signs, epochs * [range(len(X))])
    model = unshuffled(epochs, fit_intercept=fit_intercept)
    model.fit(THREE_KINDS[kind](data.X), data.y)
    assert weights(model) == pytest.approx(averaged(steps), **CLOSE)
    assert model.n_updates_ == sum(wrong for _, wrong, _ in steps)
    assert model.converged_ == (not any(wrong for _, wrong, _ in steps[-len(X) :]))


def two_classes(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    return small_data(low=low, high=high), st.just(kind), st.integers(1, 4), st.booleans()


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_lazy_equals_plain_average(kind):
    FEW(given(*two_classes(kind))(check_plain_average))()


@pytest.mark.soak
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_lazy_equals_plain_average_many_times(kind):
    MANY(given(*two_classes(kind))(check_plain_average))()


def test_the_lecture_data_by_hand():
    # weights after each example: (-1,-1) (-1,-1) (0,6) (0,6)
    assert weights(unshuffled(1).fit(LECTURE_X, LECTURE_Y)) == [-0.5, 2.5]


@FEW
@given(small_data(), st.integers(1, 3))
def test_it_is_the_voted_sum_with_the_counts_of_the_paper(data, epochs):
    X = canonical(data.X)
    steps = online(X, data.signs, epochs * [range(len(X))])
    hypotheses, survival, _ = voted(steps, [0] * len(X[0]), first_vote=1)
    total = np.array(survival) @ np.array(hypotheses)
    model = unshuffled(epochs).fit(data.X, data.y)
    assert epochs * len(X) * np.array(weights(model)) == pytest.approx(total, abs=1e-9)


@FEW
@given(small_data(n_classes=3), st.integers(1, 3))
def test_the_joint_form_equals_the_plain_average(data, epochs):
    X = canonical(data.X)
    steps = joint.online(X, data.y, 3, epochs * [range(len(X))])
    mean = [averaged([(i, wrong, W[c]) for i, wrong, W in steps]) for c in range(3)]
    model = unshuffled(epochs).fit(data.X, data.y)
    assert np.array(weights(model)) == pytest.approx(np.array(mean), **CLOSE)


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_problems_of_two_classes_equal_the_plain_average(way):
    data = random_data(3, 25, 2, n_classes=4)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one
    mean = split(
        canonical(data.X),
        data.y,
        4,
        lambda X, y: averaged(online(X, y, 3 * [range(len(X))])),
    )
    model = unshuffled(3, multiclass=way).fit(data.X, data.y)
    assert np.array(weights(model)) == pytest.approx(np.array(mean), **CLOSE)


def test_shuffled_passes_equal_the_reference_in_the_drawn_orders():
    data = random_data(9, 30, 3)
    state = np.random.RandomState(5)
    orders = [state.permutation(30).tolist() for _ in range(4)]
    expected = averaged(online(canonical(data.X), data.signs, orders))
    model = AveragedPerceptron(epochs=4, random_state=5).fit(data.X, data.y)
    assert weights(model) == pytest.approx(expected, **CLOSE)
    again = AveragedPerceptron(epochs=4, random_state=5).fit(data.X, data.y)
    assert weights(again) == weights(model)


def test_a_weight_scales_the_update_and_the_time():
    data, s = random_data(10, 15, 2), [1, 2, 0.5, 4, 1] * 3
    steps = online(canonical(data.X), data.signs, 2 * [range(15)], weights=s)
    model = unshuffled(2).fit(data.X, data.y, sample_weight=s)
    assert weights(model) == pytest.approx(averaged(steps, s), **CLOSE)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("way", ["joint", "one-vs-rest", "one-vs-one"])
def test_partial_fit_in_pieces_equals_one_epoch(way, n_classes):
    data = random_data(11, 30, 3, n_classes)
    whole = unshuffled(1, multiclass=way).fit(data.X, data.y)
    model = AveragedPerceptron(multiclass=way)
    for piece in (slice(0, 4), slice(4, 5), slice(5, 30)):
        model.partial_fit(data.X[piece], data.y[piece], classes=range(n_classes))
    assert np.array(weights(model)) == pytest.approx(np.array(weights(whole)), **CLOSE)
    assert model.n_updates_ == whole.n_updates_


def test_partial_fit_twice_equals_two_epochs():
    data = random_data(12, 20, 3)
    model = AveragedPerceptron().partial_fit(data.X, data.y).partial_fit(data.X, data.y)
    assert weights(model) == pytest.approx(weights(unshuffled(2).fit(data.X, data.y)), **CLOSE)
    assert model.n_epochs_ == 2


def test_partial_fit_goes_on_after_fit():
    data = random_data(13, 20, 3)
    model = unshuffled(2).fit(data.X, data.y).partial_fit(data.X, data.y)
    assert weights(model) == pytest.approx(weights(unshuffled(3).fit(data.X, data.y)), **CLOSE)


def test_a_third_class_finds_the_first_two_as_the_joint_rule_has_them():
    # the joint rule, told of three classes, makes -w and +w of the same mistakes
    data = random_data(14, 20, 3)
    # a class that has only been named must not win a tie: labels 0 and 1 are the lowest
    model = AveragedPerceptron().partial_fit(data.X, data.y)
    w = weights(model)
    model.partial_fit([[0, 0, 0]], [0], classes=[0, 1, 2], sample_weight=[1e-300])
    # a weight of almost nothing: no step and no time
    expected = [[-w_j for w_j in w], w, [0.0] * 4]
    assert np.array(weights(model)) == pytest.approx(np.array(expected), **CLOSE)


@pytest.mark.parametrize("way", ["joint", "one-vs-rest", "one-vs-one"])
def test_a_class_may_come_late(way):
    data = random_data(15, 40, 2, n_classes=3)
    model = AveragedPerceptron(multiclass=way)
    for label in range(3):
        rows = [i for i in range(40) if data.y[i] <= label]
        model.partial_fit([data.X[i] for i in rows], [data.y[i] for i in rows])
        assert model.classes_.tolist() == list(range(label + 1))
    assert model.coef_.shape == (3, 2)
    assert np.isfinite(model.decision_function(data.X)).all()
