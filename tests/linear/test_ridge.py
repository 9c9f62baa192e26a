"""The ridge gives the weights of its formula, and its alpha the least error on rows left out."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge, RidgeCV

from rosenblatt import DataError, LeastSquares, LeastSquaresClassifier, ParameterError
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.linear import ridge
from tests.reference import least_squares as reference

KINDS = {
    "dense": np.asarray,
    "float32": lambda X: X.astype(np.float32),
    "csr": sparse.csr_array,
    "presence": lambda X: sparse.csr_array(X).astype(bool),
}
SHAPES = [(40, 5), (12, 30), (15, 15)]  # tall, wide, square


def sample(n, d, seed=0):
    """Rows of 0 and 1, so that every kind of rows can have them, and numbers near a rule."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, d)) < 0.4).astype(float)
    y = X @ rng.standard_normal(d) + 3.0 + rng.standard_normal(n)
    return X, y, rng.integers(1, 4, n).astype(float)


def weights(model):
    return np.column_stack([model.intercept_, model.coef_])


@pytest.mark.parametrize("alpha", [1e-6, 0.7, 50])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("solver", ["auto", "iterative"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_those_of_the_formula(kind, shape, solver, fit_intercept, alpha):
    X, y, s = sample(*shape)
    model = LeastSquares(alpha=alpha, solver=solver, fit_intercept=fit_intercept)
    model.fit(KINDS[kind](X), y, sample_weight=s)
    expected = reference.ridge(X, y, alpha, s, fit_intercept=fit_intercept)
    np.testing.assert_allclose(weights(model)[0], expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("alpha", [1e-10, 1e-3, 2.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_weights_equal_those_of_scikit_learn(shape, alpha):
    X, y, s = sample(*shape)
    Y = np.column_stack([y, X[:, 0] - y])
    ours = LeastSquares(alpha=alpha).fit(X, Y, sample_weight=s)
    peer = Ridge(alpha=alpha, solver="svd").fit(X, Y, sample_weight=s)
    np.testing.assert_allclose(ours.coef_, peer.coef_, atol=1e-9)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X), atol=1e-9)


@pytest.mark.parametrize("alpha", [1e-13, 1e-9])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_a_penalty_that_is_lost_in_sums_is_near_the_pseudoinverse(kind, alpha):
    X, y, _ = sample(40, 5)
    X = np.column_stack([X, X[:, 0] + X[:, 1]])  # the sums alone are singular
    model = LeastSquares(alpha=alpha).fit(kind(X), y)
    centred = X - X.mean(axis=0)
    expected = np.linalg.pinv(centred) @ (y - y.mean())
    np.testing.assert_allclose(model.coef_[0], expected, atol=1e-7)


@pytest.mark.parametrize("learner", [LeastSquares, LeastSquaresClassifier])
def test_zero_is_the_pseudoinverse_to_the_bit(learner):
    X, y, s = sample(40, 5)
    y = y > 3 if learner is LeastSquaresClassifier else y
    plain, zero = (m.fit(X, y, sample_weight=s) for m in (learner(), learner(alpha=0)))
    assert weights(plain).tobytes() == weights(zero).tobytes()
    assert plain.rank_ == zero.rank_ == 6


def test_a_larger_penalty_gives_shorter_weights_and_a_free_intercept():
    X, y, _ = sample(40, 5)
    lengths = [np.linalg.norm(LeastSquares(alpha=a).fit(X, y).coef_) for a in (0, 1, 10, 1e3)]
    assert lengths == sorted(lengths, reverse=True)
    far = LeastSquares(alpha=1e12).fit(X, y)
    assert far.intercept_[0] == pytest.approx(y.mean())
    np.testing.assert_allclose(far.coef_, 0.0, atol=1e-9)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_error_of_rows_left_out_is_that_of_learning_without_them(kind, shape, fit_intercept):
    X, y, s = sample(*shape)
    model = LeastSquares(alpha="loo", fit_intercept=fit_intercept)
    model.fit(KINDS[kind](X), y, sample_weight=s)
    how = {"fit_intercept": fit_intercept}
    assert model.loo_error_ == pytest.approx(
        reference.left_out_error(X, y, model.alpha_, s, **how), rel=1e-6
    )
    # no other is better: those beside it, and far ones
    for times in (1e-4, 0.1, 0.5, 2.0, 10.0, 1e4):
        other = reference.left_out_error(X, y, times * model.alpha_, s, **how)
        assert other > model.loo_error_ * (1 - 1e-3)
    expected = reference.ridge(X, y, model.alpha_, s, **how)
    np.testing.assert_allclose(weights(model)[0], expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_alpha_is_the_one_that_scikit_learn_chooses(shape):
    X, y, _ = sample(*shape)
    Y = np.column_stack([y, X[:, 0] - y])
    ours = LeastSquares(alpha="loo").fit(X, Y)
    values = np.linalg.eigvalsh((X - X.mean(axis=0)).T @ (X - X.mean(axis=0)))
    peer = RidgeCV(alphas=ridge._alphas(values[-1])).fit(X, Y)
    assert ours.alpha_ == pytest.approx(peer.alpha_, rel=1e-9)
    assert ours.loo_error_ == pytest.approx(-peer.best_score_, rel=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_classifier_chooses_by_the_squared_error_of_its_signs(n_classes):
    X, y, _ = sample(50, 20)
    y = np.digitize(y, np.quantile(y, np.arange(1, n_classes) / n_classes))
    model = LeastSquaresClassifier(alpha="loo").fit(X, y)
    columns = range(1, 2) if n_classes == 2 else range(n_classes)
    ones = np.ones(len(y))
    errors = [
        reference.left_out_error(X, np.where(y == c, 1.0, -1.0), model.alpha_, ones)
        for c in columns
    ]
    assert model.loo_error_ == pytest.approx(np.mean(errors), rel=1e-8)
    expected = [
        reference.ridge(X, np.where(y == c, 1.0, -1.0), model.alpha_, ones) for c in columns
    ]
    np.testing.assert_allclose(weights(model), expected, atol=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_choice_does_not_depend_on_the_unit_of_rows(shape):
    X, y, _ = sample(*shape)
    one, thousand = (LeastSquares(alpha="loo").fit(t * X, y) for t in (1.0, 1024.0))
    assert thousand.alpha_ == pytest.approx(1024.0**2 * one.alpha_)
    np.testing.assert_allclose(one.predict(X), thousand.predict(1024.0 * X), rtol=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_weight_of_zero_leaves_a_row_out(shape):
    X, y, s = sample(*shape)
    s[::3] = 0.0
    with_zeros = LeastSquares(alpha="loo").fit(X, y, sample_weight=s)
    without = LeastSquares(alpha="loo").fit(X[s > 0], y[s > 0], sample_weight=s[s > 0])
    assert with_zeros.alpha_ == pytest.approx(without.alpha_, rel=1e-6)
    np.testing.assert_allclose(weights(with_zeros), weights(without), atol=1e-7)


def test_equal_rows_give_the_mean():
    for alpha in ("loo", 1.0):
        model = LeastSquares(alpha=alpha).fit(np.ones((6, 2)), [1, 2, 3, 4, 5, 6])
        np.testing.assert_allclose(weights(model)[0], [3.5, 0, 0], atol=1e-12)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_partial_fit_in_pieces_equals_one_fit(fit_intercept):
    X, y, s = sample(40, 5)
    whole, pieces = (LeastSquares(alpha=2.5, fit_intercept=fit_intercept) for _ in range(2))
    whole.fit(X, y, sample_weight=s)
    for start in range(0, 40, 7):
        here = slice(start, start + 7)
        pieces.partial_fit(X[here], y[here], sample_weight=s[here])
    np.testing.assert_allclose(weights(pieces), weights(whole), atol=1e-12)
    assert pieces.squared_error_ == pytest.approx(whole.squared_error_, rel=1e-10)
    classes = np.where(y > 3, "high", "low")
    whole, pieces = (
        LeastSquaresClassifier(alpha=2.5, fit_intercept=fit_intercept) for _ in range(2)
    )
    whole.fit(X, classes)
    pieces.partial_fit(X[:20], classes[:20]).partial_fit(X[20:], classes[20:])
    np.testing.assert_allclose(weights(pieces), weights(whole), atol=1e-12)


def stored(X, y):
    """Return a context with the rows in blocks of some rows on disk."""
    writer = StoreWriter(block_bytes=2000)
    writer.add(X, y)
    return writer


@pytest.mark.parametrize("alpha", [0.5, "loo"])
@pytest.mark.parametrize("kind", ["dense", "csr"])
def test_rows_on_disk_give_the_same_weights(kind, alpha):
    X, y, _ = sample(300, 6)
    y = np.where(y > 3, "high", "low")
    whole = LeastSquaresClassifier(alpha=alpha).fit(KINDS[kind](X), y)
    with stored(KINDS[kind](X), y) as writer:
        blocks = writer.finish()
        assert sum(1 for _ in blocks.one_pass()) > 1
        model = LeastSquaresClassifier(alpha=alpha).fit(blocks)
    np.testing.assert_allclose(weights(model), weights(whole), atol=1e-12)
    if alpha == "loo":
        assert model.alpha_ == pytest.approx(whole.alpha_)


def test_wide_rows_on_disk_are_refused_with_what_to_do():
    X, y, _ = sample(40, 60)
    with stored(X, y > 3) as writer:
        blocks = writer.finish()
        with pytest.raises(DataError, match="not in memory; use solver='iterative'"):
            LeastSquaresClassifier(alpha=1.0).fit(blocks)
        with pytest.raises(DataError, match="not in memory; give alpha a number"):
            LeastSquaresClassifier(alpha="loo").fit(blocks)
        model = LeastSquaresClassifier(alpha=1.0, solver="iterative").fit(blocks)
    whole = LeastSquaresClassifier(alpha=1.0).fit(X, y > 3)
    np.testing.assert_allclose(weights(model), weights(whole), atol=1e-8)


def test_very_wide_sparse_rows_are_solved_by_their_products():
    rng = np.random.default_rng(0)
    X = sparse.random_array((60, 1 << 20), density=1e-5, rng=rng, format="csr")
    y = rng.standard_normal(60)
    used = np.unique(X.indices)
    narrow = X.toarray()[:, used]
    for alpha in (0.3, "loo"):
        model = LeastSquares(alpha=alpha).fit(X, y)
        small = LeastSquares(alpha=alpha).fit(narrow, y)
        np.testing.assert_allclose(model.coef_[:, used], small.coef_, atol=1e-9)
        assert np.count_nonzero(model.coef_) <= len(used)


def test_too_many_rows_and_columns_are_refused_before_any_work(monkeypatch):
    monkeypatch.setattr(ridge, "MOST_FEATURES", 10)
    monkeypatch.setattr(ridge, "MOST_LEFT_OUT", 10)
    X, y, _ = sample(40, 11)
    with pytest.raises(DataError, match="at most 10 features or as many rows, got 11 and 40; use"):
        LeastSquares(alpha=1.0).fit(X, y)
    with pytest.raises(DataError, match="got 11 and 40; give alpha a number"):
        LeastSquares(alpha="loo").fit(X, y)


def test_a_fit_without_loo_forgets_what_was_chosen_before():
    X, y, _ = sample(40, 5)
    model = LeastSquares(alpha="loo").fit(X, y)
    assert model.set_params(alpha=1.0).fit(X, y) is model
    assert not hasattr(model, "alpha_")
    assert not hasattr(model, "loo_error_")
    model.set_params(alpha="loo").fit(X, y)
    assert not hasattr(model.set_params(alpha=1.0).partial_fit(X, y), "alpha_")


@pytest.mark.parametrize("learner", [LeastSquares, LeastSquaresClassifier])
@pytest.mark.parametrize(
    ("alpha", "message"),
    [
        (-1, "alpha must be a number from 0 on or 'loo', got -1"),
        (np.nan, "alpha must be a number from 0 on"),
        (None, "alpha must be a number from 0 on"),
        ("looo", "alpha must be one of 'loo', got 'looo'; did you mean 'loo'"),
    ],
)
def test_other_penalties_are_refused(learner, alpha, message):
    for call in ("fit", "partial_fit"):
        with pytest.raises(ParameterError, match=message):
            getattr(learner(alpha=alpha), call)([[0], [1]], [0, 1])


@pytest.mark.parametrize("learner", [LeastSquares, LeastSquaresClassifier])
def test_loo_is_refused_where_rows_cannot_be_left_out(learner):
    with pytest.raises(ParameterError, match="partial_fit keeps only sums"):
        learner(alpha="loo").partial_fit([[0], [1]], [0, 1])
    with pytest.raises(ParameterError, match="needs a factorisation"):
        learner(alpha="loo", solver="iterative").fit([[0], [1]], [0, 1])
