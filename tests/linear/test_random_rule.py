"""The rule `random`: uniformly among all that are misclassified, and always a mistake."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rosenblatt import Perceptron
from tests.examples import (
    FEW,
    KINDS,
    MANY,
    Data,
    fit,
    picks_of,
    random_data,
    small_data,
    steps_of,
    weights,
)
from tests.reference.perceptron import canonical, dot, is_mistake, perceptron

SEEDS = range(400)


def random_rule(seed, **parameters):
    return Perceptron(rule="random", random_state=seed, **parameters)


def check_picks(data, seed, tie, kind="dense float64"):
    """Step through a run; every pick must be a mistake, and the end what was promised."""
    X, y = canonical(data.X), data.signs
    rows = KINDS[kind](data.X)
    path = steps_of(lambda t: random_rule(seed, tie=tie, max_updates=t), rows, data.y, most=30)
    picks = picks_of(path, X, y)
    # the reference refuses a pick that is no mistake
    w, _, _ = perceptron(X, y, "random", tie, picks=picks)
    assert w == path[-1]
    model = fit(random_rule(seed, tie=tie, max_updates=30), rows, data.y)
    left = [i for i in range(len(X)) if is_mistake(w, X[i], y[i], tie)]
    assert model.converged_ == (not left)
    assert model.n_updates_ == 30 or not left


ties = st.sampled_from(["mistake", "+1", "-1"])


@FEW
@given(small_data(), st.integers(0, 99), ties)
def test_every_pick_is_a_mistake(data, seed, tie):
    check_picks(data, seed, tie)


# Few rows, many rows, dense and sparse rows: mistakes are looked for in different ways
@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32", "presence int32"])
def test_every_pick_is_a_mistake_on_all_kinds_of_rows(kind, n):
    data = random_data(8, n, 6, low=0, high=1)
    check_picks(data, 0, "mistake", kind)
    check_picks(data, 1, "+1", kind)


@pytest.mark.soak
@MANY
@given(small_data(), st.integers(0, 99), ties)
def test_every_pick_is_a_mistake_many_times(data, seed, tie):
    check_picks(data, seed, tie)


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
def test_a_long_run_on_real_numbers_ends_when_nothing_is_wrong(scale):
    # some thousand updates: examples leave the suspects and come back many times
    rng = np.random.default_rng(2)
    X = scale * rng.normal(size=(300, 10))
    w = rng.normal(size=10)
    X += np.outer(0.02 * scale * np.sign(X @ w), w / np.linalg.norm(w))
    y = X @ w > 0
    for seed in range(3):
        model = random_rule(seed, fit_intercept=False, max_epochs=10_000).fit(X, y)
        assert model.converged_
        assert model.n_updates_ > 300
        assert (model.predict(X) == y).all()


def picks_by_seed(data, start, before, t=1, rows=None):
    """Count the picks of update t over many seeds; `before` are the weights before it."""
    X, y = canonical(data.X), data.signs
    counts = Counter()
    for seed in SEEDS:
        model = random_rule(seed, init=start, max_updates=t)
        fit(model, np.array(data.X) if rows is None else rows, data.y)
        counts[picks_of([before, weights(model)], X, y)[0]] += 1
    return counts


def assert_uniform(counts, choices):
    assert set(counts) == set(choices)
    # with fixed seeds this holds or it does not; below one in a thousand is no accident
    assert stats.chisquare([counts[i] for i in choices]).pvalue > 1e-3


def test_the_first_pick_is_uniform_among_all_when_all_are_on_the_boundary():
    data = Data([[1], [2], [3], [4], [5], [6], [7], [8]], [0, 0, 0, 1, 1, 0, 1, 1])
    assert_uniform(picks_by_seed(data, [0.0, 0.0], [0.0, 0.0]), range(8))


@pytest.mark.parametrize("n", [20, 80])
@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
def test_the_first_pick_is_uniform_among_the_mistakes(kind, n):
    data = Data([[x] for x in range(-n // 2, n // 2 + 1) if x], [(x % 7) // 4 for x in range(n)])
    start = [0.0, 1.0]
    X, y = canonical(data.X), data.signs
    mistakes = [i for i in range(n) if is_mistake(start, X[i], y[i])]
    assert n / 4 < len(mistakes) < 3 * n / 4
    assert_uniform(picks_by_seed(data, start, start, rows=KINDS[kind](data.X)), mistakes)


@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
def test_a_later_pick_is_uniform_among_the_mistakes_of_its_moment(kind):
    # x = 10 is wrong at first, alone; its update makes others wrong that were right before
    data = Data([[10], [-1], [-2], [-3], [-4], [-5], [-6], [12], [13]], [0] * 7 + [1, 1])
    start, X, y = [0.0, 1.0], canonical(data.X), data.signs
    second, picks, _ = perceptron(X, y, "first", start=start, max_updates=1)
    assert picks == [0]
    mistakes = [i for i in range(9) if is_mistake(second, X[i], y[i])]
    assert mistakes == [1, 2, 3, 4, 5, 6, 7, 8]
    counts = picks_by_seed(data, start, second, t=2, rows=KINDS[kind](data.X))
    assert_uniform(counts, mistakes)


def test_the_same_seed_gives_the_same_bits_and_another_seed_another_run():
    data = random_data(4, 60, 4)
    runs = [fit(random_rule(seed, max_updates=200), data.X, data.y) for seed in (7, 7, 8)]
    assert weights(runs[0]) == weights(runs[1])
    assert weights(runs[0]) != weights(runs[2])
    state = np.random.RandomState(7)
    assert weights(fit(random_rule(state, max_updates=200), data.X, data.y)) == weights(runs[0])


@pytest.mark.parametrize("rule", ["first", "cyclic", "random", "shuffled", "worst"])
@pytest.mark.parametrize("seed", range(5))
def test_mistakes_stay_under_the_novikoff_bound(rule, seed):
    rng = np.random.default_rng(seed)
    target = rng.integers(-3, 4, 4).astype(float)
    target[0] += 0.5  # so that no row of whole numbers is on the boundary
    X = rng.integers(-5, 6, (50, 3))
    scores = np.array([dot(target, x) for x in canonical(X.tolist())])
    y = scores > 0
    if y.all() or not y.any():
        pytest.fail("the target must have points on both sides")
    # z . w >= 1 for every example with this w, so (R |w|)^2 is at least (R B)^2
    w = target / np.abs(scores).min()
    R = np.sqrt(1 + (X**2).sum(axis=1).max())
    model = Perceptron(rule=rule, random_state=seed, max_epochs=None, max_updates=10**7).fit(X, y)
    assert model.converged_
    assert 0 < model.n_updates_ <= (R * np.linalg.norm(w)) ** 2


def test_weights_of_any_size_do_not_end_the_run_too_early():
    # one factor for all weights changes the lengths of all steps and no decision
    data = random_data(0, 10, 2)
    for exponent in (0, 50, 62, 70):
        model = random_rule(0, max_updates=500)
        fit(model, data.X, data.y, sample_weight=np.full(10, 2.0**exponent))
        assert not model.converged_ or (model.predict(data.X) == data.y).all()
