"""Probabilities of 0: never NaN, never chosen over a possible class; else the prior decides."""

import numpy as np
import pytest

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.categorical import CategoricalNaiveBayes
from rosenblatt.bayes.empirical import EmpiricalBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
from tests.examples import NUMBERS, THREE_KINDS

X, Y = [[1, 0, 0], [1, 0, 1], [0, 1, 0]], ["a", "a", "b"]
EXACT = [
    BernoulliNaiveBayes(alpha=0),
    CategoricalNaiveBayes(alpha=0),
    MultinomialNaiveBayes(alpha=0),
    GaussianNaiveBayes(var_smoothing=0),
    EmpiricalBayes(),
]


@pytest.mark.parametrize("model", EXACT, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_an_impossible_class_is_never_chosen_over_a_possible_one(model, kind):
    make = THREE_KINDS[kind]
    model.fit(make(X), Y)
    assert model.predict(make(X)).tolist() == Y
    assert model.predict_proba(make(X[2:])).tolist() == [[0.0, 1.0]]
    assert model.predict_log_proba(make(X[2:])).tolist() == [[-np.inf, 0.0]]


@pytest.mark.parametrize("model", EXACT, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_if_all_are_impossible_the_prior_decides(model, kind):
    make = THREE_KINDS[kind]
    model.fit(make(X), Y)
    rows = make([[1, 1, 0], [1, 1, 1]])
    assert model.predict(rows).tolist() == ["a", "a"]
    assert model.predict_proba(rows) == pytest.approx(np.tile([2 / 3, 1 / 3], (2, 1)))


def test_a_prior_of_zero_is_never_chosen():
    model = BernoulliNaiveBayes(priors=[0.0, 1.0]).fit([[0], [1]], [0, 1])
    assert model.predict([[0], [1]]).tolist() == [1, 1]
    assert model.predict_proba([[0]]).tolist() == [[0.0, 1.0]]


def test_a_new_category_says_nothing():
    model = CategoricalNaiveBayes().fit([[1, 5], [2, 5], [2, 6]], [0, 1, 1])
    assert model.predict_proba([[9, 9]])[0] == pytest.approx([1 / 3, 2 / 3])
    alone = CategoricalNaiveBayes().fit([[1], [2], [2]], [0, 1, 1])
    assert model.predict_proba([[2, 9]]) == pytest.approx(alone.predict_proba([[2]]))
    # 0 was never seen either, though sparse rows do not store it
    assert model.predict_proba([[2, 0]]) == pytest.approx(alone.predict_proba([[2]]))


def test_a_new_row_of_the_empirical_table_gets_the_prior():
    for alpha in (0, 1):
        model = EmpiricalBayes(alpha=alpha).fit([[1, 1], [2, 2], [2, 1]], [0, 1, 1])
        assert model.predict_proba([[1, 2]])[0] == pytest.approx([1 / 3, 2 / 3])
        assert model.n_cells_ == 3


def test_a_constant_column_is_certain():
    model = GaussianNaiveBayes().fit([[1.0], [1.0], [1.0]], [0, 1, 1])
    assert model.var_.tolist() == [[0.0], [0.0]]
    assert model.predict_proba([[1.0], [2.0]]) == pytest.approx(np.tile([1 / 3, 2 / 3], (2, 1)))


def test_rows_far_away_are_not_nan():
    model = GaussianNaiveBayes().fit([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1])
    assert not np.isnan(model.predict_proba([[1e200], [-1e200], [1e9]])).any()


@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
def test_a_certain_value_may_be_large(kind):
    X = NUMBERS[kind]([[1e200, 0.0], [1e200, 1.0], [1e200, 2.5], [1e200, 3.0]])
    model = GaussianNaiveBayes(var_smoothing=0).fit(X, [0, 0, 1, 1])
    assert model.predict(X).tolist() == [0, 0, 1, 1]


def test_words_without_a_count_do_not_matter():
    model = MultinomialNaiveBayes(alpha=0).fit([[0, 0], [1, 2]], ["empty", "full"])
    assert model.feature_prob_.tolist() == [[0.5, 0.5], [1 / 3, 2 / 3]]
