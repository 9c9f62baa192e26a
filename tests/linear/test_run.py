"""A run of the perceptron: orders drawn anew, slices, the same bits from the same seed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from rosenblatt.linear import rules
from tests.examples import FEW, RULES, WAYS, fit, random_data, small_data, steps_of, weights
from tests.reference.perceptron import canonical, perceptron


def orders_of(seed, n, epochs):
    """Return the orders that a random state draws, one for each epoch."""
    state = np.random.RandomState(seed)
    return [state.permutation(n).tolist() for _ in range(epochs)]


@FEW
@given(small_data(), st.integers(0, 99), st.sampled_from(["mistake", "+1", "-1"]))
def test_shuffled_equals_the_textbook_loop_in_the_drawn_orders(data, seed, tie):
    w, picks, _ = perceptron(
        canonical(data.X), data.signs, "shuffled", tie, orders=orders_of(seed, len(data.y), 5)
    )
    model = Perceptron(rule="shuffled", tie=tie, max_epochs=5, random_state=seed)
    fit(model, data.X, data.y)
    assert (weights(model), model.n_updates_) == (w, len(picks))


def test_shuffled_draws_a_new_order_for_each_epoch():
    data = random_data(11, 40, 2)
    orders = orders_of(0, 40, 2)
    X, y = canonical(data.X), data.signs
    w, _, _ = perceptron(X, y, "shuffled", orders=orders)
    stuck, _, _ = perceptron(X, y, "shuffled", orders=[orders[0], orders[0]])
    assert w != stuck
    model = Perceptron(rule="shuffled", max_epochs=2, random_state=0)
    assert weights(fit(model, data.X, data.y)) == w


def learners(max_updates=150):
    """Every learner, with every rule and every way to many classes."""
    for way in WAYS:
        for rule in RULES:
            budget = {"rule": rule, "multiclass": way, "max_updates": max_updates}
            yield Perceptron(**budget, random_state=3)
            yield PocketPerceptron(**budget, random_state=3)
        yield AveragedPerceptron(epochs=3, multiclass=way, random_state=3)
        yield VotedPerceptron(epochs=3, shuffle=True, multiclass=way, random_state=3)
        yield BatchPerceptron(max_epochs=20, multiclass=way)
        yield PassiveAggressive(epochs=3, multiclass=way, random_state=3)
        yield AROW(epochs=3, multiclass=way, random_state=3)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", [*learners()], ids=str)
def test_slices_and_seeds_leave_the_bits_alone(model, n_classes, monkeypatch):
    data = random_data(21, 90, 3, n_classes)
    expected = weights(fit(model, data.X, data.y))
    scores = model.decision_function(data.X)
    # a slice of a few rows instead of a few million: the kernel comes back and goes on
    monkeypatch.setattr("rosenblatt.rows.SLICE", 128)
    told = []
    fit(model, data.X, data.y, callback=told.append)
    assert len(told) > 10
    assert weights(model) == expected
    assert np.array_equal(model.decision_function(data.X), scores)


@pytest.mark.parametrize("rule", ["random", "shuffled"])
def test_a_run_with_a_smaller_budget_is_the_beginning_of_a_longer_one(rule):
    data = random_data(6, 30, 3)
    path = steps_of(
        lambda t: Perceptron(rule=rule, random_state=1, max_updates=t), data.X, data.y, most=25
    )
    rows = {tuple(y * x for x in row) for row, y in zip(canonical(data.X), data.signs, strict=True)}
    moves = [tuple(np.subtract(b, a)) for a, b in pairwise(path)]
    assert len(moves) == 25
    assert set(moves) <= rows


# margins and lengths overflow in the first, squares are lost in the second; neither is separable
BEYOND = {
    "huge": ([[1e200], [3e200], [-1e200]], [1, 0, 1], None),
    "tiny": ([[1.0], [1e-200], [-1.0], [-2.0]], [0, 1, 1, 1], [0, 1]),
}


@pytest.mark.parametrize("case", BEYOND)
@pytest.mark.parametrize("rule", RULES)
def test_no_example_is_passed_over_where_its_length_cannot_be_told(case, rule):
    X, y, start = BEYOND[case]
    model = Perceptron(
        rule=rule, init=start, fit_intercept=case == "huge", max_updates=50, random_state=0
    )
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    assert (model.n_updates_, model.converged_) == (50, False)


@given(st.integers(1, 9), st.integers(1, 200), st.integers(1, 400))
def test_columns_hold_the_rows_in_the_order_wanted(d, n, numbers):
    X = np.arange(float(n * d)).reshape(n, d)
    order = np.random.RandomState(n).permutation(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules, "NUMBERS_TO_TURN", 64 * numbers)
        blocks = rules.columns(X, order, np.float32).blocks
    turned = blocks.transpose(0, 2, 1).reshape(-1, d)
    assert blocks.dtype == np.float32
    assert np.array_equal(turned[:n], X[order])
    assert not turned[n:].any()
