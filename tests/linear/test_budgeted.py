"""Starts and budgets of the learners with a selection rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import DataError, ParameterError, Perceptron, PocketPerceptron
from tests.examples import FEW, LECTURE_X, LECTURE_Y, XOR_X, XOR_Y, fit, small_data, weights
from tests.reference.perceptron import canonical, perceptron

LOOKING = ("first", "cyclic", "worst")  # rules that draw nothing


@pytest.mark.parametrize("rule", LOOKING)
def test_learning_goes_on_from_a_start_vector(rule):
    @FEW
    @given(small_data(), st.data(), st.integers(1, 40))
    def check(data, more, most):
        d = len(data.X[0])
        start = more.draw(st.lists(st.integers(-5, 5), min_size=d + 1, max_size=d + 1))
        w, picks, _ = perceptron(canonical(data.X), data.signs, rule, start=start, max_updates=most)
        model = Perceptron(rule=rule, init=start, max_updates=most, max_epochs=None)
        fit(model, data.X, data.y)
        assert (weights(model), model.n_updates_) == (w, len(picks))

    check()


def test_a_start_vector_is_not_written_to():
    start = np.array([1.0, -1.0])
    fit(Perceptron(init=start, max_updates=3), LECTURE_X, LECTURE_Y)
    assert start.tolist() == [1.0, -1.0]


@pytest.mark.parametrize("start", [[1.0], [1.0, 2.0, 3.0], [np.nan, 0.0], ["a", "b"], 3.0])
def test_a_start_vector_must_fit_the_rows(start):
    with pytest.raises(ParameterError, match="init"):
        Perceptron(init=start).fit(LECTURE_X, LECTURE_Y)


def test_a_threshold_in_the_start_contradicts_fit_intercept_false():
    with pytest.raises(ParameterError, match="w0"):
        Perceptron(init=[1.0, 0.0], fit_intercept=False).fit(LECTURE_X, LECTURE_Y)


def test_warm_start_goes_on_from_the_last_fit():
    _, _, path = perceptron(canonical(LECTURE_X), LECTURE_Y, "first")
    model = Perceptron(rule="first", max_updates=1, warm_start=True)
    for w in path[1:]:
        assert weights(fit(model, LECTURE_X, LECTURE_Y)) == w
    assert model.converged_
    model.set_params(warm_start=False)
    assert weights(fit(model, LECTURE_X, LECTURE_Y)) == path[1]


def test_warm_start_begins_with_what_is_in_the_pocket():
    model = PocketPerceptron(max_updates=20, warm_start=True, random_state=0).fit(XOR_X, XOR_Y)
    error = model.error_
    model.set_params(random_state=1).fit(XOR_X, XOR_Y)
    assert model.error_path_[0] == (0, error)


def test_warm_start_refuses_other_classes_or_features():
    model = Perceptron(warm_start=True).fit(LECTURE_X, LECTURE_Y)
    with pytest.raises(DataError, match="warm_start"):
        model.fit(LECTURE_X, ["no", "no", "yes", "yes"])
    with pytest.raises(DataError, match="warm_start"):
        model.fit([[0, 1], [1, 0]], [-1, 1])


@pytest.mark.parametrize("rule", LOOKING)
def test_the_epoch_budget_is_that_of_the_textbook_loop(rule):
    @FEW
    @given(small_data(), st.integers(1, 4))
    def check(data, epochs):
        w, picks, _ = perceptron(canonical(data.X), data.signs, rule, max_epochs=epochs)
        model = fit(Perceptron(rule=rule, max_epochs=epochs), data.X, data.y)
        assert (weights(model), model.n_updates_) == (w, len(picks))
        assert 1 <= model.n_epochs_ <= epochs

    check()


def test_the_first_budget_to_run_out_ends_the_run():
    few = fit(Perceptron(max_updates=3, max_epochs=1000), XOR_X, XOR_Y)
    assert (few.n_updates_, few.converged_) == (3, False)
    short = fit(Perceptron(max_updates=1000, max_epochs=1), XOR_X, XOR_Y)
    w, picks, _ = perceptron(canonical(XOR_X), [-1, 1, 1, -1], "cyclic", max_epochs=1)
    assert (weights(short), short.n_updates_, short.n_epochs_) == (w, len(picks), 1)


def test_a_perceptron_without_any_budget_is_refused():
    for learner in (Perceptron, PocketPerceptron):
        with pytest.raises(ParameterError, match="set max_epochs or max_updates"):
            learner(max_epochs=None, max_updates=None).fit(LECTURE_X, LECTURE_Y)


@pytest.mark.parametrize("budget", [0, -1, 1.5, "10", True])
def test_a_budget_must_be_a_whole_number_above_zero(budget):
    with pytest.raises(ParameterError, match="max_updates"):
        Perceptron(max_updates=budget).fit(LECTURE_X, LECTURE_Y)


@pytest.mark.parametrize("wrong", [{"rule": "next"}, {"tie": "0"}, {"multiclass": "all"}])
def test_a_parameter_must_be_one_of_its_choices(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Perceptron(**wrong).fit(LECTURE_X, LECTURE_Y)
