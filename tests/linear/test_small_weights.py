"""Weights of one byte for presence rows: whatever happens, the same bits as with floats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Perceptron
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.kernels.small_weights import SmallWeights
from rosenblatt.linear import small_weights
from rosenblatt.linear.small_weights import narrow, widen
from tests.examples import FEW, PRESENCE, RULES, fit, random_data, small_data, weights
from tests.reference.perceptron import canonical, perceptron

TIES = ("mistake", "+1", "-1")
ROWS = PRESENCE["presence int32"]


@pytest.fixture(autouse=True)
def small_weights_for_small_problems(monkeypatch):
    monkeypatch.setattr(small_weights, "FEWEST_WEIGHTS", 1)


@pytest.fixture
def with_floats(monkeypatch):
    """Return a fit without small weights."""

    def plain_fit(model, X, y, **options):
        with monkeypatch.context() as patch:
            patch.setattr(small_weights, "FEWEST_WEIGHTS", 1 << 60)
            return fit(model, X, y, **options)

    return plain_fit


def examples(columns, s=()):
    """Return presence rows that hold the columns, one in each row, with labels +1."""
    X = Presence(np.array(columns, dtype=np.int32), np.arange(len(columns) + 1, dtype=np.int32))
    return LabelledRows(X, np.ones(len(columns), dtype=np.int32), np.array(s, dtype=float), 1.0)


def hypothesis(w):
    return Hypothesis(np.array(w, dtype=np.float64), np.zeros(1), np.zeros(1))


def outcome(model):
    parts = (model.coef_, model.intercept_)
    counts = (model.n_updates_, model.n_epochs_, model.converged_)
    return *(part.tobytes() for part in parts), *counts


@FEW
@given(small_data(low=0, high=1), st.sampled_from(TIES), st.booleans(), st.integers(1, 40))
def test_cyclic_equals_the_textbook_loop(data, tie, fit_intercept, max_updates):
    X = canonical(data.X, fit_intercept)
    w, picks, _ = perceptron(X, data.signs, "cyclic", tie, max_updates=max_updates)
    model = Perceptron(
        tie=tie, fit_intercept=fit_intercept, max_epochs=None, max_updates=max_updates
    )
    fit(model, ROWS(data.X), data.y)
    assert (weights(model), model.n_updates_) == (w, len(picks))


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_gives_the_bits_that_it_gives_with_floats(rule, with_floats):
    for seed in range(5):
        data = random_data(seed, 60, 8, low=0, high=1)
        X = ROWS(data.X)
        model = Perceptron(rule=rule, max_epochs=5, random_state=seed, tie=TIES[seed % 3])
        assert outcome(fit(model, X, data.y)) == outcome(with_floats(model, X, data.y))


starts = st.one_of(
    st.integers(-130, 130).map(float),
    st.sampled_from([-0.0, 0.5, 1e-320, 1e16, -1e300, 2.0**53]),
)


@FEW
@given(st.lists(starts, min_size=6, max_size=6), st.integers(0, 99), st.sampled_from(TIES))
def test_any_start_vector_gives_the_bits_that_it_gives_with_floats(start, seed, tie):
    data = random_data(seed, 30, 5, low=0, high=1)
    model = Perceptron(init=start, tie=tie, max_epochs=60)
    X = ROWS(data.X)
    ours = outcome(fit(model, X, data.y))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_weights, "FEWEST_WEIGHTS", 1 << 60)
        assert ours == outcome(fit(model, X, data.y))


@pytest.mark.parametrize("options", [{}, {"max_updates": 7}, {"fit_intercept": False}])
def test_a_warm_start_goes_on_from_small_weights(options, with_floats):
    data = random_data(3, 40, 6, low=0, high=1)
    X, results = ROWS(data.X), []
    for learn in (fit, with_floats):
        model = Perceptron(max_epochs=3, warm_start=True, **options)
        learn(model, X, data.y)
        results.append(outcome(learn(model, X, data.y)))
    assert results[0] == results[1]


def test_sample_weights_are_learned_with_floats(with_floats):
    data = random_data(4, 40, 6, low=0, high=1)
    s = np.random.default_rng(0).choice([0.0, 0.25, 1.0, 3.0], 40)
    s[:2] = 1.0
    X, model = ROWS(data.X), Perceptron(max_epochs=4)
    ours = outcome(fit(model, X, data.y, sample_weight=s))
    assert ours == outcome(with_floats(model, X, data.y, sample_weight=s))


@pytest.mark.parametrize("threshold", [-252, -253, -254, -255, -300, -1000])
def test_a_weight_that_outgrows_a_byte_becomes_a_float(threshold):
    # Example {0} of class +1: k updates make w1 = k and w0 = threshold + k, right once their sum
    # is above 0. The other example has no feature and stays right while w0 is below 0.
    k = -threshold // 2 + 1
    model = Perceptron(init=[threshold, 0]).fit(ROWS([[1], [0]]), [1, 0])
    assert weights(model) == [threshold + k, k]
    assert (model.n_updates_, model.converged_) == (k, True)


def test_weights_that_fit_into_bytes_are_copied_and_come_back():
    D, h = examples([0, 1, 2]), hypothesis([-127.0, 0.0, 126.0])
    small = narrow(D, h)
    assert isinstance(small, SmallWeights)
    assert small.w.dtype == np.int8
    assert small.largest.tolist() == [127]
    small.w[1] = -5
    assert widen(small, h) is h
    assert h.w.tolist() == [-127.0, -5.0, 126.0]


@pytest.mark.parametrize("weight", [0.5, -0.0, 128.0, 256.0, -129.0, 1e300, np.inf, np.nan])
def test_weights_that_do_not_fit_stay_floats(weight):
    h = hypothesis([0.0, weight])
    assert narrow(examples([0, 1]), h) is h


def test_other_problems_stay_with_floats(monkeypatch):
    D, h = examples([0, 1]), hypothesis([0.0, 0.0])
    with_values = D._replace(X=CSR(np.ones(2), *D.X))
    many = Hypothesis(np.zeros((2, 3)), np.zeros(3), np.zeros(3))
    assert narrow(with_values, h) is h
    assert narrow(D, many) is many
    assert narrow(examples([0, 1], s=[1.0, 2.0]), h) is h
    monkeypatch.setattr(small_weights, "FEWEST_WEIGHTS", 3)
    assert narrow(D, h) is h
