"""Least squares gives the weights of the lecture, of exact arithmetic and of the pseudoinverse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import hilbert

from rosenblatt import DataError, LeastSquares, LeastSquaresClassifier, ParameterError
from tests.reference import least_squares as reference

LECTURE, LABELS = [[1], [2], [7], [8]], [-1, -1, 1, 1]


def weights(model):
    return np.column_stack([model.intercept_, model.coef_])


def canonical(X):
    return np.column_stack([np.ones(len(X)), X])


def sample(n=60, d=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.standard_normal(n)


def test_lecture_gives_its_fractions():
    model = LeastSquares().fit(LECTURE, LABELS)
    np.testing.assert_allclose(weights(model)[0], [-216 / 148, 48 / 148], rtol=1e-14)
    np.testing.assert_allclose(
        model.predict(LECTURE), [-1.1351, -0.8108, 0.8108, 1.1351], atol=5e-5
    )
    assert model.rank_ == 2


@settings(deadline=None, derandomize=True, max_examples=30)
@given(st.data())
def test_weights_equal_exact_arithmetic(data):
    n, d = data.draw(st.integers(6, 12)), data.draw(st.integers(1, 3))
    numbers = st.integers(-9, 9)
    X = data.draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n))
    y = data.draw(st.lists(numbers, min_size=n, max_size=n))
    if np.linalg.matrix_rank(canonical(np.array(X, dtype=float))) == d + 1:
        exact = [float(w) for w in reference.least_squares(X, y)]
        np.testing.assert_allclose(weights(LeastSquares().fit(X, y))[0], exact, atol=1e-10)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("solver", ["auto", "iterative"])
def test_collinear_columns_give_the_weights_of_smallest_norm(kind, solver):
    X, y = sample()
    X = np.column_stack([X, X[:, 0] + X[:, 1], X[:, 2]])
    model = LeastSquares(solver=solver).fit(kind(X), y)
    np.testing.assert_allclose(weights(model)[0], np.linalg.pinv(canonical(X)) @ y, atol=1e-8)
    if solver == "auto":
        assert model.rank_ == 6


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_fewer_rows_than_columns_interpolate_with_smallest_norm(kind):
    X, y = sample(n=6, d=20)
    model = LeastSquares().fit(kind(X), y)
    np.testing.assert_allclose(weights(model)[0], np.linalg.pinv(canonical(X)) @ y, atol=1e-8)
    assert model.squared_error_ == pytest.approx(0.0, abs=1e-20)


def test_hilbert_matrix_is_solved_by_its_factorisation():
    # condition 1e10 and more: the normal equations would keep no digit
    X = hilbert(12)[:, :7]
    truth = np.arange(1.0, 9.0)
    model = LeastSquares().fit(X, canonical(X) @ truth)
    assert model.singular_ is not None
    np.testing.assert_allclose(weights(model)[0], truth, rtol=1e-4)


def test_columns_far_from_zero_keep_their_digits():
    X, y = sample(n=500)
    near, far = LeastSquares().fit(X, y), LeastSquares().fit(X + 1e6, y)
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-7)
    assert far.squared_error_ == pytest.approx(near.squared_error_, rel=1e-9)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_many_targets_are_solved_one_by_one(kind):
    X, y = sample()
    Y = np.column_stack([y, X[:, 0] - y, y**2])
    model = LeastSquares().fit(kind(X), Y)
    assert model.coef_.shape == (3, 5)
    for t in range(3):
        alone = LeastSquares().fit(X, Y[:, t])
        np.testing.assert_allclose(model.coef_[t], alone.coef_[0], atol=1e-12)
        np.testing.assert_allclose(model.predict(X)[:, t], alone.predict(X), atol=1e-12)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_partial_fit_in_pieces_equals_one_fit(fit_intercept):
    X, y = sample()
    whole, pieces = (LeastSquares(fit_intercept=fit_intercept) for _ in range(2))
    whole.fit(X, y)
    for start in range(0, 60, 7):
        pieces.partial_fit(X[start : start + 7], y[start : start + 7])
    np.testing.assert_allclose(weights(pieces), weights(whole), atol=1e-12)
    assert pieces.squared_error_ == pytest.approx(whole.squared_error_, rel=1e-10)


def test_sums_that_lost_their_digits_say_so():
    X = hilbert(12)[:, :7]
    with pytest.warns(UserWarning, match="lost too many digits"):
        LeastSquares().partial_fit(X, np.ones(12))


def test_no_weights_have_a_smaller_squared_error():
    X, y = sample()
    model = LeastSquares().fit(X, y)
    rng = np.random.default_rng(1)
    for _ in range(50):
        other = weights(model)[0] + 1e-3 * rng.standard_normal(6)
        assert np.mean((canonical(X) @ other - y) ** 2) > model.squared_error_


def test_classifier_reports_both_errors():
    model = LeastSquaresClassifier().fit(LECTURE, ["a", "a", "b", "b"])
    assert model.error_ == 0.0
    # residuals of the lecture's w: 0.1351 and 0.1892, each twice
    assert model.squared_error_ == pytest.approx((0.135135**2 + 0.189189**2) / 2, rel=1e-4)


def test_classifier_learns_a_new_class_from_its_sums():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((90, 4)), np.repeat([0, 1, 2], 30)
    stream = LeastSquaresClassifier().partial_fit(X[:60], y[:60]).partial_fit(X[60:], y[60:])
    whole = LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(stream.coef_, whole.coef_, atol=1e-12)
    np.testing.assert_allclose(stream.intercept_, whole.intercept_, atol=1e-12)
    assert stream.squared_error_ == pytest.approx(whole.squared_error_, rel=1e-10)


def test_too_many_features_name_the_alternative():
    with pytest.raises(DataError, match="at most 20000 features, got 20001; use solver='iter"):
        LeastSquares().fit(sparse.csr_array((3, 20001)), [1, 2, 3])


def test_bad_targets_and_solvers_are_refused():
    with pytest.raises(DataError, match="NaN"):
        LeastSquares().fit(LECTURE, [1, 2, np.nan, 4])
    times = np.array(["2020"] * 4, dtype="datetime64[D]")
    with pytest.raises(DataError, match=r"number for each row of X: got datetime64.*into numbers"):
        LeastSquares().fit([[1], [2], [3], [4]], times)
    with pytest.raises(DataError, match="4 rows in X and 3 in y"):
        LeastSquares().fit(LECTURE, [1, 2, 3])
    with pytest.raises(ParameterError, match="solver must be one of"):
        LeastSquares(solver="qr").fit(LECTURE, LABELS)
