"""The pocket with init="best" never ends above the averaged perceptron, nor above least squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import (
    AveragedPerceptron,
    LeastSquaresClassifier,
    ParameterError,
    Perceptron,
    PocketPerceptron,
    load,
    read,
    save,
    trace,
)
from rosenblatt.blocks import as_blocks
from rosenblatt.linear import least_squares_solver
from rosenblatt.linear import pocket as module
from rosenblatt.workflows.algorithms import make_learner
from tests.data.files import shared
from tests.examples import WAYS

KINDS = {
    "dense": np.asarray,
    "csr": sparse.csr_array,
    "presence": lambda X: sparse.csr_array(X > 0).astype(bool),
}


def noisy(seed, n=120, d=5, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = (X @ rng.standard_normal((d, n_classes)) + rng.standard_normal((n, n_classes))).argmax(1)
    return X, y


def mistakes(model, X, y):
    return int((model.predict(X) != y).sum())


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([1, 50, 2000]), st.sampled_from([2, 3]))
def test_it_never_ends_above_either(seed, max_updates, n_classes):
    X, y = noisy(seed, n_classes=n_classes)
    ours = PocketPerceptron(init="best", max_updates=max_updates, random_state=seed).fit(X, y)
    averaged = AveragedPerceptron(random_state=seed).fit(X, y)
    squares = LeastSquaresClassifier().fit(X, y)
    least = min(mistakes(averaged, X, y), mistakes(squares, X, y))
    assert round(ours.error_path_[0][1] * len(y)) == least
    assert round(ours.error_ * len(y)) == mistakes(ours, X, y) <= least


# the pocket is compiled for each kind and shape, two seconds every time
@pytest.mark.parametrize(
    ("kind", "way"),
    [
        pytest.param(kind, way, marks=() if kind == "dense" or way == "joint" else pytest.mark.soak)
        for kind in KINDS
        for way in WAYS
    ],
)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_each_problem_starts_from_the_better_of_both(kind, way, fit_intercept):
    X, y = noisy(3, n_classes=3)
    X = KINDS[kind](X)
    s = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    how = {"multiclass": way, "fit_intercept": fit_intercept}

    def start(init):
        model = PocketPerceptron(init=init, max_updates=1, random_state=5, **how)
        model.fit(X, y, sample_weight=s)
        paths = [model.error_path_] if way == "joint" else model.error_path_
        return [path[0][1] for path in paths]

    averaged = AveragedPerceptron(random_state=5, **how).fit(X, y, sample_weight=s)
    mean = np.column_stack([averaged.intercept_, averaged.coef_])
    expected = np.minimum(start(mean), start("regression"))
    np.testing.assert_allclose(start("best"), expected, rtol=1e-12)


def test_german_ends_below_both():
    examples = read(shared("libsvm/german.numer_scale.xz"))
    X, y = examples.X, examples.y
    squares = mistakes(LeastSquaresClassifier().fit(X, y), X, y)
    for seed in range(3):
        averaged = mistakes(AveragedPerceptron(random_state=seed).fit(X, y), X, y)
        ours = PocketPerceptron(init="best", random_state=seed).fit(X, y)
        assert mistakes(ours, X, y) <= min(averaged, squares)


def test_wide_rows_are_not_solved(monkeypatch):
    monkeypatch.setattr(module, "MOST_TO_SOLVE", 4)
    X, y = noisy(0)
    ours = PocketPerceptron(init="best", max_updates=1, random_state=0).fit(X, y)
    averaged = AveragedPerceptron(random_state=0).fit(X, y)
    assert round(ours.error_path_[0][1] * len(y)) == mistakes(averaged, X, y)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_dependent_sparse_columns_are_solved_from_their_sums(fit_intercept, monkeypatch):
    monkeypatch.setattr(least_squares_solver, "MOST_TO_FILL", 100)
    rng = np.random.default_rng(0)
    X = (rng.random((60, 5)) < 0.4).astype(float)
    X, y = np.column_stack([X, X[:, 0] + X[:, 1]]), rng.integers(0, 2, 60)
    blocks = as_blocks(sparse.csr_array(X), y)
    found = least_squares_solver.regression_start(blocks, "joint", fit_intercept, exactly=False)
    A = np.column_stack([np.ones(60), X]) if fit_intercept else X
    expected = np.linalg.pinv(A) @ np.where(y == 1, 1.0, -1.0)
    np.testing.assert_allclose(found[0, not fit_intercept :], expected, atol=1e-10)


def test_it_is_kept_in_files_and_can_be_traced(tmp_path):
    X, y = noisy(0)
    model = PocketPerceptron(init="best", random_state=0, max_updates=200).fit(X, y)
    save(model, tmp_path / "model.rosenblatt")
    again = load(tmp_path / "model.rosenblatt")
    assert again.init == "best"
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    steps = trace(PocketPerceptron(init="best", random_state=0, max_updates=200), X, y)
    np.testing.assert_array_equal(steps.final, np.append(model.intercept_, model.coef_))


def test_fit_and_compare_take_it_and_the_estimator_does_not():
    assert make_learner("pocket").init == "best"
    assert PocketPerceptron().init is None


def test_it_is_a_word_of_the_pocket_alone():
    with pytest.raises(ParameterError, match="init must be one of 'regression', got 'best'"):
        Perceptron(init="best").fit([[0], [1]], [0, 1])
    with pytest.raises(ParameterError, match="init must be one of 'regression', 'best', got"):
        PocketPerceptron(init="bets").fit([[0], [1]], [0, 1])
