"""The optimal classifier for given distributions."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import bernoulli, multivariate_normal, norm, uniform
from sklearn.base import clone

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.optimal import BayesClassifier
from rosenblatt.errors import DataError, ParameterError
from tests.bayes.models import binary


def test_the_posterior_is_bayes_rule():
    model = BayesClassifier([0.3, 0.7], [norm(0, 1), norm(2, 3)])
    x = np.linspace(-5, 5, 11)
    joint = np.column_stack([0.3 * norm(0, 1).pdf(x), 0.7 * norm(2, 3).pdf(x)])
    expected = joint / joint.sum(axis=1, keepdims=True)
    assert model.predict_proba(x[:, np.newaxis]) == pytest.approx(expected, rel=1e-12)


def test_distributions_functions_and_lists_of_them_agree():
    one = [multivariate_normal([0, 0], np.eye(2)), multivariate_normal([1, 2], np.eye(2))]
    two = [[norm(0, 1), norm(0, 1)], [norm(1, 1), norm(2, 1)]]
    three = [one[0].pdf, one[1].pdf]
    X = np.random.default_rng(0).standard_normal((20, 2))
    answers = [BayesClassifier([0.5, 0.5], d).predict_log_proba(X) for d in (one, two, three)]
    assert answers[1] == pytest.approx(answers[0], rel=1e-9, abs=1e-12)
    assert answers[2] == pytest.approx(answers[0], rel=1e-9, abs=1e-12)


def test_naive_bayes_is_the_optimal_rule_for_its_own_distributions():
    X, y = binary()
    naive = BernoulliNaiveBayes().fit(X, y)
    optimal = BayesClassifier(
        naive.class_prior_, [[bernoulli(p) for p in row] for row in naive.feature_prob_]
    )
    assert optimal.predict_proba(X) == pytest.approx(naive.predict_proba(X), rel=1e-9)


def test_a_row_that_is_impossible_everywhere_gets_the_prior():
    model = BayesClassifier([0.25, 0.75], [uniform(0, 1), uniform(1, 1)], classes=["a", "b"])
    assert model.predict([[0.5], [1.5], [9]]).tolist() == ["a", "b", "b"]
    assert model.predict_proba([[9]])[0] == pytest.approx([0.25, 0.75])


def test_it_is_cloned_and_scored_like_any_estimator():
    model = clone(BayesClassifier([0.5, 0.5], [norm(0, 1), norm(4, 1)]))
    assert model.fit([[0], [4]], [0, 1]).score([[0], [4]], [0, 1]) == 1.0


BAD = [
    ([0.5], [norm(), norm()], None, "priors must hold 2"),
    ([0.5, 0.4], [norm(), norm()], None, "sum to 1"),
    ([1.0], "norm", None, "densities must be a list"),
    ([0.5, 0.5], [norm(), 3], None, "frozen scipy.stats"),
    ([0.5, 0.5], [norm(), norm()], ["a"], "classes must hold 2"),
]


@pytest.mark.parametrize(("priors", "densities", "classes", "words"), BAD)
def test_bad_parameters_are_refused(priors, densities, classes, words):
    model = BayesClassifier(priors, densities, classes=classes)
    for call in (model.fit, lambda: model.predict([[0.0]])):
        with pytest.raises(ParameterError, match=words):
            call()


def test_densities_and_columns_must_fit():
    two = [multivariate_normal([0, 0]), multivariate_normal([1, 1])]
    with pytest.raises(DataError, match="3 columns"):
        BayesClassifier([0.5, 0.5], two).predict([[1, 2, 3]])
    with pytest.raises(DataError, match="pass a list"):
        BayesClassifier([0.5, 0.5], [norm(), norm()]).predict([[1, 2, 3]])
    with pytest.raises(DataError, match="must have 1 column, "):
        BayesClassifier([0.5, 0.5], [[norm()], [norm()]]).predict([[1, 2]])
    with pytest.raises(DataError, match="dense rows"):
        BayesClassifier([0.5, 0.5], [norm(), norm()]).predict(sparse.csr_array([[1.0]]))
    with pytest.raises(DataError, match="from 0 on"):
        BayesClassifier([0.5, 0.5], [norm(), lambda X: -X[:, 0]]).predict([[1.0]])
