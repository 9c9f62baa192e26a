"""The fitted parameters maximise the joint log-likelihood; two classes have a linear form."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.categorical import CategoricalNaiveBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
from rosenblatt.errors import DataError
from tests.bayes.models import COUNTING, binary


def perturbed(p, rng):
    """Move a distribution, along the last axis, a little."""
    moved = p * np.exp(0.05 * rng.standard_normal(p.shape))
    return moved / moved.sum(axis=-1, keepdims=True)


def check_maximum(model, X, y, name, change):
    best = model.log_likelihood(X, y)
    assert np.isfinite(best)
    rng = np.random.default_rng(0)
    original = getattr(model, name)
    for _ in range(20):
        setattr(model, name, change(original, rng))
        assert model.log_likelihood(X, y) < best
    setattr(model, name, original)
    assert model.log_likelihood(X, y) == best


def nudge(p, rng):
    return np.clip(p + 0.02 * rng.standard_normal(p.shape), 1e-3, 1 - 1e-3)


def test_bernoulli_parameters_maximise_the_likelihood():
    X, y = binary()
    model = BernoulliNaiveBayes(alpha=0).fit(X, y)
    check_maximum(model, X, y, "feature_prob_", nudge)
    check_maximum(model, X, y, "class_prior_", perturbed)


def test_multinomial_parameters_maximise_the_likelihood():
    X, y = binary()
    X = X + np.random.default_rng(0).integers(0, 3, X.shape)
    model = MultinomialNaiveBayes(alpha=0).fit(X, y)
    check_maximum(model, X, y, "feature_prob_", perturbed)


def test_gaussian_parameters_maximise_the_likelihood():
    X, y = binary()
    X = X + np.random.default_rng(0).standard_normal(X.shape)
    model = GaussianNaiveBayes(var_smoothing=0).fit(X, y)
    check_maximum(model, X, y, "mean_", lambda m, rng: m + 0.05 * rng.standard_normal(m.shape))
    check_maximum(
        model, X, y, "var_", lambda v, rng: v * np.exp(0.1 * rng.standard_normal(v.shape))
    )


def test_smoothing_costs_likelihood():
    X, y = binary()
    for cls in (BernoulliNaiveBayes, CategoricalNaiveBayes, MultinomialNaiveBayes):
        best = cls(alpha=0).fit(X, y).log_likelihood(X, y)
        assert cls(alpha=1).fit(X, y).log_likelihood(X, y) < best


@pytest.mark.parametrize("cls", COUNTING)
def test_a_label_that_was_never_seen_has_no_likelihood(cls):
    X, y = binary()
    assert cls().fit(X, y).log_likelihood(X[:1], [9]) == -np.inf


def test_linear_form_gives_the_log_odds():
    X, y = binary(n=100, d=40, n_classes=2)
    model = BernoulliNaiveBayes().fit(X, y)
    u0, u = model.linear_form()
    log_p = model.predict_log_proba(X)
    assert np.abs(u0 + X @ u - (log_p[:, 1] - log_p[:, 0])).max() < 1e-10
    assert u0 + X @ u == pytest.approx(X @ model.coef_[0] + model.intercept_[0], abs=1e-12)


def test_linear_form_is_the_formula_of_the_lecture():
    X, y = binary(n_classes=2)
    model = BernoulliNaiveBayes().fit(X, y)
    u0, u = model.linear_form()
    q, h = model.feature_prob_
    p1 = model.class_prior_[1]
    assert u0 == pytest.approx(np.log(p1 / (1 - p1)) + np.log((1 - h) / (1 - q)).sum(), rel=1e-12)
    assert u == pytest.approx(np.log(h * (1 - q) / (q * (1 - h))), rel=1e-10, abs=1e-14)


def test_the_short_way_for_two_classes_equals_the_long_one():
    X, y = binary(n_classes=2)
    for model in (BernoulliNaiveBayes().fit(X, y), MultinomialNaiveBayes().fit(X, y)):
        joint = model._joint(sparse.csr_array(X))
        assert model._odds(X) == pytest.approx(joint[:, 1] - joint[:, 0], abs=1e-12)


def test_no_linear_form_is_a_clear_error():
    X, y = binary()
    with pytest.raises(DataError, match="two classes, got 3"):
        BernoulliNaiveBayes().fit(X, y).linear_form()
    with pytest.raises(DataError, match="not learned two classes"):
        BernoulliNaiveBayes().linear_form()
    model = BernoulliNaiveBayes(alpha=0).fit([[0], [0], [1]], [0, 1, 1])
    with pytest.raises(DataError, match="alpha above 0"):
        model.linear_form()
    assert not hasattr(model, "coef_")
    assert BernoulliNaiveBayes().fit(X, y).coef_.shape == (3, 5)
