"""`partial_fit` is the online algorithm; classes may come late; a failure changes nothing."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AROW, AveragedPerceptron, DataError, PassiveAggressive, Perceptron
from tests.examples import FEW, THREE_KINDS, WAYS, fit, random_data, small_data, weights
from tests.reference import joint
from tests.reference.multiclass import one_vs_one, one_vs_rest
from tests.reference.perceptron import canonical, online

TIES = st.sampled_from(["mistake", "+1", "-1"])


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_one_pass_equals_the_online_algorithm(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)

    @FEW
    @given(small_data(low=low, high=high), TIES, st.integers(0, 10))
    def check(data, tie, cut):
        steps = online(canonical(data.X), data.signs, [range(len(data.y))], tie)
        model, rows = Perceptron(tie=tie), THREE_KINDS[kind](data.X)
        for piece in (slice(0, cut), slice(cut, None)):
            if data.y[piece]:
                model.partial_fit(rows[piece], data.y[piece], classes=[0, 1])
        assert weights(model) == steps[-1][2]
        assert model.n_updates_ == sum(wrong for _, wrong, _ in steps)

    check()


@FEW
@given(small_data())
def test_partial_fit_twice_equals_two_epochs(data):
    steps = online(canonical(data.X), data.signs, 2 * [range(len(data.y))])
    model = Perceptron().partial_fit(data.X, data.y).partial_fit(data.X, data.y)
    assert weights(model) == steps[-1][2]
    assert weights(fit(Perceptron(max_epochs=2), data.X, data.y)) == weights(model)
    assert model.n_epochs_ == 2
    assert model.converged_ == (not any(wrong for _, wrong, _ in steps[len(data.y) :]))


@pytest.mark.parametrize("way", WAYS)
def test_one_pass_over_three_classes_equals_the_reference(way):
    data = random_data(1, 30, 3, n_classes=3)
    X, order = canonical(data.X), [range(30)]
    if way == "joint":
        W = joint.online(X, data.y, 3, order)[-1][2]
    else:
        split = one_vs_rest if way == "one-vs-rest" else one_vs_one
        W = split(X, data.y, 3, lambda X, y: online(X, y, [range(len(X))])[-1][2])
    model = Perceptron(multiclass=way)
    for piece in (slice(0, 3), slice(3, 10), slice(10, 30)):
        model.partial_fit(data.X[piece], data.y[piece], classes=[0, 1, 2])
    assert weights(model) == W


def test_partial_fit_goes_on_after_fit():
    data = random_data(2, 20, 3)
    model = fit(Perceptron(max_epochs=2), data.X, data.y).partial_fit(data.X, data.y)
    steps = online(canonical(data.X), data.signs, 3 * [range(20)])
    assert weights(model) == steps[-1][2]
    assert model.n_updates_ == sum(wrong for _, wrong, _ in steps)


def test_one_class_alone_is_all_there_is_to_predict():
    model = Perceptron().partial_fit([[1], [2]], ["ham", "ham"])
    assert model.classes_.tolist() == ["ham"]
    assert model.predict([[5], [-5]]).tolist() == ["ham", "ham"]
    assert (weights(model), model.n_updates_) == ([0, 0], 0)
    model.partial_fit([[3]], ["spam"])
    assert model.classes_.tolist() == ["ham", "spam"]
    assert weights(model) == [1, 3]  # from zero, the point is on the boundary: one update


def test_named_classes_are_there_before_they_are_seen():
    model = Perceptron().partial_fit([[1]], ["b"], classes=["c", "a", "b"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    # "a" wins the tie at zero
    assert weights(model) == [[-1, -1], [1, 1], [0, 0]]


def test_known_classes_cannot_be_left_out():
    model = Perceptron().partial_fit([[1], [-1]], [0, 1])
    with pytest.raises(DataError, match="classes"):
        model.partial_fit([[1]], [1], classes=[1, 2])


@pytest.mark.parametrize(
    ("first", "new", "place"), [([0, 1], 2, 2), ([0, 2], 1, 1), ([1, 2], 0, 0)]
)
def test_two_classes_become_joint_vectors_when_a_third_comes(first, new, place):
    # x = -1 is on the boundary at zero: w = (-1, 1), and then both are right
    model = Perceptron().partial_fit([[-1], [2]], first).partial_fit([[-1], [2]], first)
    w = weights(model)
    assert w == [-1, 1]
    # x = 5 is right, with -w, +w and 0 as the vectors: the new class only takes its place
    model.partial_fit([[5]], [first[1]], classes=[*first, new])
    expected = [[-w_j for w_j in w], w]
    expected.insert(place, [0, 0])
    assert weights(model) == expected
    assert model.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("way", WAYS)
def test_a_new_class_leaves_the_vectors_of_the_others_alone(way):
    data = random_data(3, 30, 2, n_classes=3)
    model = Perceptron(multiclass=way).partial_fit(data.X, data.y)
    before = np.array(weights(model))
    # a row of zeros without a threshold moves nothing
    model.set_params(fit_intercept=False).partial_fit([[0, 0]], [0], classes=[-1, 0, 1, 2])
    if way == "one-vs-one":
        # pairs of the new class come first: (-1, 0) (-1, 1) (-1, 2) (0, 1) (0, 2) (1, 2)
        expected = np.vstack([np.zeros((3, 3)), before])
    else:
        expected = np.vstack([np.zeros((1, 3)), before])
    assert np.array_equal(weights(model), expected)


def test_a_start_vector_is_where_the_online_algorithm_starts():
    model = Perceptron(init=[0.0, 1.0]).partial_fit([[1], [-1]], [0, 1])
    steps = online(canonical([[1], [-1]]), [-1, 1], [[0, 1]], start=[0, 1])
    assert weights(model) == steps[-1][2]


def test_a_start_vector_is_kept_while_there_is_one_class():
    model = Perceptron(init=[0.0, 1.0]).partial_fit([[1]], [0])
    # w . x = 7 is right for the second class, so the start is still there
    assert weights(model.partial_fit([[7]], [1])) == [0, 1]


@pytest.mark.parametrize("start", [{"init": [0.0, 1.0]}, {"warm_start": True}])
def test_classes_may_come_late_with_any_start(start):
    model = Perceptron(**start).partial_fit([[-2], [3]], [0, 1])
    model.partial_fit([[9]], [2])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.coef_.shape == (3, 1)


GOOD = [[1.0, 2.0], [-1.0, 0.5]], [0, 1]
FAILURES = {
    "NaN": lambda model: model.partial_fit([[np.nan, 1]], [0]),
    "another number of columns": lambda model: model.partial_fit([[1, 2, 3]], [0]),
    "lengths that differ": lambda model: model.partial_fit([[1, 2]], [0, 1]),
    "labels of another type": lambda model: model.partial_fit([[1, 2]], ["spam"]),
    "a negative weight": lambda model: model.partial_fit(*GOOD, sample_weight=[1, -1]),
    "known classes left out": lambda model: model.partial_fit([[1, 2]], [1], classes=[1, 2]),
    "overflow": lambda model: model.partial_fit(
        [[1e308, 0], [1e308, 0]], [0, 1], sample_weight=[10, 10]
    ),
}


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("learner", [Perceptron, AveragedPerceptron, PassiveAggressive, AROW])
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_leaves_the_model_as_it_was(failure, learner, n_classes):
    data = random_data(4, 12, 2, n_classes)
    model = learner().partial_fit(data.X, data.y)
    before = deepcopy(vars(model))
    with pytest.raises(DataError):
        FAILURES[failure](model)
    np.testing.assert_equal(vars(model), before)
