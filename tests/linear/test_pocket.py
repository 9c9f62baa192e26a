"""The pocket: what the naive procedure keeps, for the same sequence of updates."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Perceptron, PocketPerceptron
from rosenblatt.linear.run import Run
from tests.examples import (
    FEW,
    KINDS,
    LECTURE_X,
    LECTURE_Y,
    MANY,
    PRESENCE,
    RULES,
    THREE_KINDS,
    XOR_X,
    XOR_Y,
    picks_of,
    random_data,
    small_data,
    steps_of,
    weights,
)
from tests.reference.perceptron import canonical, is_mistake, perceptron
from tests.reference.pocket import pocket

TIES = st.sampled_from(["mistake", "+1", "-1"])


def picks_for(data, rows, rule, tie, seed, most):
    """Return the picks of PLA: from the reference, or from a Perceptron that draws the same."""
    X, y = canonical(data.X), data.signs
    if rule in ("random", "shuffled"):
        path = steps_of(
            lambda t: Perceptron(
                rule=rule, tie=tie, random_state=seed, max_updates=t, max_epochs=None
            ),
            rows,
            data.y,
            most,
        )
        return picks_of(path, X, y)
    return perceptron(X, y, rule, tie, max_updates=most)[1]


def check_naive_procedure(data, kind, rule, tie, seed, most):
    """Compare the pocket, its error and its path with counting everything each time."""
    X, y, rows = canonical(data.X), data.signs, KINDS[kind](data.X)
    picks = picks_for(data, rows, rule, tie, seed, most)
    best, path = pocket(X, y, picks, tie)
    model = PocketPerceptron(rule=rule, tie=tie, max_updates=most, random_state=seed)
    model.fit(rows, data.y)
    assert weights(model) == best
    assert model.error_path_ == [(t, float(error)) for t, error in path]
    assert model.error_ == float(path[-1][1])
    assert model.converged_ == (path[-1][1] == 0)
    # nothing wrong in the pocket ends the run; else it goes on to its budget
    assert model.n_updates_ == (path[-1][0] if model.converged_ else len(picks))


@pytest.mark.parametrize("rule", RULES)
def test_the_pocket_equals_the_naive_procedure(rule):
    dense, seeds, most = st.just("dense float64"), st.integers(0, 99), st.integers(1, 25)
    loop = given(small_data(), dense, st.just(rule), TIES, seeds, most)
    FEW(loop(check_naive_procedure))()


# Long enough for the examples to be sorted anew by how hard they are, and above a block of rows
@pytest.mark.parametrize(("n", "most"), [(20, 300), (64, 90), (100, 200), (150, 90)])
@pytest.mark.parametrize("rule", ["first", "random", "worst"])
def test_a_long_run_equals_the_naive_procedure(rule, n, most):
    check_naive_procedure(random_data(n, n, 3), "dense float64", rule, "mistake", 1, most)
    check_naive_procedure(random_data(n + 1, n, 5), "dense float64", rule, "+1", 1, most // 2)


@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
@pytest.mark.parametrize("rule", ["first", "random"])
def test_a_count_can_be_broken_off_after_each_block(rule, kind, monkeypatch):
    monkeypatch.setattr("rosenblatt.rows.SLICE", 128)
    n_slices = count_calls(monkeypatch, Run, "go")
    check_naive_procedure(random_data(7, 150, 3), kind, rule, "mistake", 1, 90)
    assert len(n_slices) > 90  # a count of 150 rows, three blocks, does not end in one slice


def count_calls(monkeypatch, owner, name):
    calls, method = [], getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *given: calls.append(name) or method(*given))
    return calls


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_all_kinds_of_rows_equal_the_naive_procedure(kind):
    data = random_data(5, 90, 6, low=0, high=1)
    check_naive_procedure(data, kind, "random", "mistake", 2, 150)


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", RULES)
def test_the_pocket_equals_the_naive_procedure_many_times(rule, kind):
    data = small_data(low=0, high=1) if kind in PRESENCE else small_data(most_rows=30)
    seeds, most = st.integers(0, 99), st.integers(1, 25)
    loop = given(data, st.just(kind), st.just(rule), TIES, seeds, most)
    MANY(loop(check_naive_procedure))()


def test_the_pocket_does_the_updates_of_the_lecture():
    model = PocketPerceptron(rule="first").fit(LECTURE_X, LECTURE_Y)
    assert (weights(model), model.n_updates_, model.error_) == ([-7, 3], 11, 0.0)
    # E_in of (0,0), (-1,-1), ... by hand: 4, then 2 of 4 wrong, ...; the last one makes none
    assert model.error_path_[0] == (0, 1.0)
    assert model.error_path_[1] == (1, 0.5)
    assert model.error_path_[-1] == (11, 0.0)


def test_the_error_never_grows_and_is_that_of_the_pocket():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 2, 200)
    model = PocketPerceptron(max_updates=3000, random_state=0).fit(X, y)
    times, errors = zip(*model.error_path_, strict=True)
    assert list(times) == sorted(set(times))
    assert list(errors) == sorted(set(errors), reverse=True)
    assert 0 < model.error_ < errors[0]
    # no real number lies on the boundary, so predicting counts as learning does
    assert model.error_ == np.mean(model.predict(X) != y)
    assert model.score(X, y) == pytest.approx(1 - model.error_, abs=1e-15)


@pytest.mark.parametrize("seed", range(3))
def test_three_points_of_xor_can_be_had_and_not_all_four(seed):
    model = PocketPerceptron(max_updates=2000, random_state=seed).fit(XOR_X, XOR_Y)
    w = weights(model)
    wrong = [is_mistake(w, x, 2 * y - 1) for x, y in zip(canonical(XOR_X), XOR_Y, strict=True)]
    assert sum(wrong) == 1
    assert (model.error_, model.converged_) == (0.25, False)


def test_the_start_is_the_first_in_the_pocket():
    start = [0.5, -1.0, -1.0]  # (0, 0) against the rest: all right
    model = PocketPerceptron(init=start).fit(XOR_X, [1, 0, 0, 0])
    assert (weights(model), model.n_updates_) == (start, 0)
    assert model.error_path_ == [(0, 0.0)]


def test_an_equal_error_does_not_replace_the_pocket():
    # x = 0 with both labels: any w errs on one of the two, (0, 0) on both
    model = PocketPerceptron(rule="first", max_updates=50).fit([[0], [0]], [0, 1])
    assert model.error_path_ == [(0, 1.0), (1, 0.5)]
    assert weights(model) == [-1.0, 0.0]


@pytest.mark.parametrize("seed", range(8))
def test_rounding_of_sample_weights_is_no_improvement(seed):
    # tenths are no binary fractions: their sum depends on the order in which they are added
    data = random_data(seed, 12, 2)
    rng = np.random.default_rng(seed)
    tenths = rng.choice([1, 2, 3, 7], 12)
    model = PocketPerceptron(max_updates=300, random_state=0)
    model.fit(data.X, data.y, sample_weight=tenths / 10)
    errors = [error * tenths.sum() for _, error in model.error_path_]
    for before, after in pairwise(errors):
        # in tenths, an improvement is at least one
        assert before - after > 0.5


# the value of all rows but the last, which is its negative, and the weights (w0, w1)
BEYOND_FLOAT32 = {
    "weight too large": (1e-38, [-20.0, 1e39]),
    "weight too small": (1e6, [-5e-40, 7e-46]),
}


@pytest.mark.parametrize("case", BEYOND_FLOAT32)
def test_errors_are_counted_right_where_float32_ends(case):
    value, (w0, w1) = BEYOND_FLOAT32[case]
    X = np.full((70, 1), value)
    X[-1] = -value
    y = np.ones(70, dtype=int)
    y[-1] = 0
    model = PocketPerceptron(init=[w0, w1], max_updates=1).fit(X, y)
    n_right = sum(
        s * (Fraction(w1) * Fraction(x) + Fraction(w0)) > 0
        for s, x in zip(2 * y - 1, X[:, 0].tolist(), strict=True)
    )
    assert model.error_path_[0] == (0, (70 - n_right) / 70)
