"""The batch perceptron against the lecture's loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import BatchPerceptron, DataError, ParameterError
from tests.examples import (
    FEW,
    LECTURE_X,
    LECTURE_Y,
    THREE_KINDS,
    WAYS,
    XOR_X,
    XOR_Y,
    Data,
    fit,
    random_data,
    small_data,
    weights,
)
from tests.reference.batch import batch
from tests.reference.multiclass import one_vs_one, one_vs_rest
from tests.reference.perceptron import canonical


def power_of_two(data):
    """Repeat the last row until N is a power of two: then dividing by N is exact."""
    n = 1 << (len(data.y) - 1).bit_length()
    more = n - len(data.y)
    return Data(data.X + more * data.X[-1:], data.y + more * data.y[-1:])


etas = st.sampled_from([1.0, 0.5, 2.0])


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_epochs_equal_those_of_the_lecture(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)

    @FEW
    @given(small_data(low=low, high=high), etas, st.integers(1, 12))
    def check(data, eta, epochs):
        data = power_of_two(data)
        w, n_epochs, converged = batch(canonical(data.X), data.signs, eta, max_epochs=epochs)
        model = BatchPerceptron(eta=eta, max_epochs=epochs)
        fit(model, THREE_KINDS[kind](data.X), data.y)
        assert (weights(model), model.n_epochs_, model.converged_) == (w, n_epochs, converged)

    check()


def test_real_numbers_agree_to_rounding():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4))
    y = rng.normal(size=50) + X[:, 0] > 0
    w, _, converged = batch(canonical(X.tolist()), (2 * y - 1).tolist(), 0.3, max_epochs=30)
    model = fit(BatchPerceptron(eta=0.3, max_epochs=30), X, y)
    assert weights(model) == pytest.approx(w, abs=1e-12)
    assert model.converged_ == converged


def test_the_first_step_is_the_mean_of_all_examples():
    # from zero every point is on the boundary: delta = (0, (-1 - 2 + 7 + 8) / 4) = (0, 3)
    model = fit(BatchPerceptron(max_epochs=1), LECTURE_X, LECTURE_Y)
    assert weights(model) == [0.0, 3.0]
    assert (model.n_epochs_, model.n_updates_) == (1, 4)
    # then 1 and 2 are wrong: delta = (-1/2, -3/4)
    model = fit(BatchPerceptron(max_epochs=2), LECTURE_X, LECTURE_Y)
    assert weights(model) == [-0.5, 2.25]


def test_the_order_of_the_rows_does_not_matter():
    data = random_data(1, 32, 3)
    backwards = fit(BatchPerceptron(max_epochs=20), data.X[::-1], data.y[::-1])
    assert weights(fit(BatchPerceptron(max_epochs=20), data.X, data.y)) == weights(backwards)


def test_it_stops_when_the_mean_correction_is_shorter_than_epsilon():
    # |delta| is 3 in the first epoch and sqrt(13)/4 = 0.90 in the second (see above)
    model = BatchPerceptron(epsilon=0.95).fit(LECTURE_X, LECTURE_Y)
    assert (model.n_epochs_, model.converged_) == (2, True)
    assert weights(model) == [-0.5, 2.25]
    model = BatchPerceptron().fit(LECTURE_X, LECTURE_Y)
    assert model.converged_
    assert model.predict(LECTURE_X).tolist() == LECTURE_Y


def test_data_that_is_not_separable_ends_with_advice():
    X, y = [[0], [1], [2], [3]], [0, 1, 0, 0]
    assert not batch(canonical(X), [2 * label - 1 for label in y], max_epochs=50)[2]
    model = BatchPerceptron(max_epochs=50)
    with pytest.warns(ConvergenceWarning, match=r"rosenblatt\.prove\(X, y\)"):
        model.fit(X, y)
    assert (model.n_epochs_, model.converged_) == (50, False)


def test_on_xor_the_corrections_cancel_and_the_lecture_stops_at_zero():
    assert batch(canonical(XOR_X), [-1, 1, 1, -1]) == ([0, 0, 0], 1, True)
    model = fit(BatchPerceptron(), XOR_X, XOR_Y)
    assert (weights(model), model.n_epochs_) == ([0.0, 0.0, 0.0], 1)


@pytest.mark.parametrize(
    "wrong", [{"eta": 0}, {"eta": -1.0}, {"eta": np.inf}, {"eta": 10**400}, {"epsilon": 0}]
)
def test_eta_and_epsilon_must_be_positive(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        BatchPerceptron(**wrong).fit(LECTURE_X, LECTURE_Y)


def test_steps_that_are_too_large_are_refused_without_another_word():
    with pytest.raises(DataError, match="beyond what a float64 holds"):
        BatchPerceptron(eta=1e308, max_epochs=50).fit(LECTURE_X, LECTURE_Y)


def test_a_weight_is_the_same_as_repeating_the_example():
    data = random_data(2, 9, 3)
    s = [1, 2, 3, 1, 1, 2, 1, 1, 4]  # 16 in all: dividing is exact
    again = [i for i, count in enumerate(s) for _ in range(count)]
    weighted = fit(BatchPerceptron(max_epochs=15), data.X, data.y, sample_weight=s)
    repeated = Data([data.X[i] for i in again], [data.y[i] for i in again])
    assert weights(weighted) == weights(fit(BatchPerceptron(max_epochs=15), *repeated))
    assert weights(weighted) == batch(canonical(data.X), data.signs, 1.0, 1e-6, 15, s)[0]


@pytest.mark.parametrize("way", WAYS[1:])
def test_many_classes_equal_the_lecture_problem_by_problem(way):
    data = random_data(3, 24, 2, n_classes=3)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one
    answers = split(canonical(data.X), data.y, 3, lambda X, y: batch(X, y, max_epochs=25))
    model = fit(BatchPerceptron(max_epochs=25, multiclass=way), data.X, data.y)
    assert np.array(weights(model)) == pytest.approx(np.array([w for w, _, _ in answers]))
    assert model.n_epochs_ == max(n_epochs for _, n_epochs, _ in answers)


def test_the_joint_form_takes_the_mean_of_all_corrections():
    # from zero class 0 is chosen for all, so x = 1 and x = 4 are wrong; N = 4 rows
    model = BatchPerceptron(multiclass="joint", max_epochs=1)
    fit(model, [[1], [2], [4], [8]], [1, 0, 2, 0])
    assert weights(model) == [[-0.5, -1.25], [0.25, 0.25], [0.25, 1.0]]
