"""What bad input gets: a clear error, and a model that is as before."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.categorical import CategoricalNaiveBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
from rosenblatt.checks import check_block
from rosenblatt.errors import DataError, ParameterError
from tests.bayes.models import COUNTING, binary, same_after_error

TABLE = [
    ([[0.0, np.nan]], [0], "NaN"),
    ([[0.0, np.inf]], [0], "infinity"),
    ([[0.0, 1.0]], [0, 1], "same length"),
    ([[0.0, 1.0, 1.0]], [0], "features"),
    ([["a", "b"]], [0], "text"),
    ([[0.0, 1.0]], ["x"], "like the known classes"),
]


@pytest.mark.parametrize("cls", COUNTING)
@pytest.mark.parametrize(("X", "y", "words"), TABLE)
def test_a_failed_call_changes_nothing(cls, X, y, words):
    model = cls().fit([[0, 1], [1, 0], [1, 1]], [0, 1, 1])
    for call in (model.partial_fit, model.forget):
        assert words in str(same_after_error(model, lambda call=call: call(X, y)))


@pytest.mark.parametrize("cls", COUNTING)
def test_a_failed_fit_keeps_the_old_model(cls):
    model = cls().fit([[0, 1], [1, 0], [1, 1]], [0, 1, 1])
    error = same_after_error(model, lambda: model.fit([[0, 1], [1, 0]], [1, 1]))
    assert "1 class" in str(error)


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
def test_values_that_are_not_binary_name_binarize_and_the_column(rows):
    X = rows([[0.0, 1.0], [1.0, 3.0], [1.0, 0.0]])
    with pytest.raises(DataError, match=r"got 3\.0 at row 1, column 1; binarize="):
        BernoulliNaiveBayes(binarize=None).fit(X, [0, 1, 1])
    model = BernoulliNaiveBayes(binarize=None).fit([[0, 1], [1, 0]], [0, 1])
    for call in (model.predict, model.predict_proba):
        with pytest.raises(DataError, match="binarize"):
            call(X)


def test_a_named_column_is_named():
    X = pd.DataFrame({"rain": [0, 1], "wind": [1, 2]})
    with pytest.raises(DataError, match="column 'wind'"):
        BernoulliNaiveBayes(binarize=None).fit(X, [0, 1])
    with pytest.raises(DataError, match="column 'wind'"):
        MultinomialNaiveBayes().fit(X - [0, 2], [0, 1])


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
def test_negative_counts_name_the_column(rows):
    with pytest.raises(DataError, match=r"got -2\.0 at row 1, column 0"):
        MultinomialNaiveBayes().fit(rows([[0.0, 1.0], [-2.0, 3.0]]), [0, 1])


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
def test_binarize_takes_values_above_it_for_ones(rows):
    X, y = np.array([[0.0, 0.4], [2.0, 0.6], [0.5, 3.0]]), [0, 1, 1]
    model = BernoulliNaiveBayes(binarize=0.5).fit(rows(X), y)
    plain = BernoulliNaiveBayes().fit(X > 0.5, y)
    assert np.array_equal(model.feature_prob_, plain.feature_prob_)
    assert np.array_equal(model.predict_proba(rows(X)), plain.predict_proba(X > 0.5))


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
def test_by_default_counts_say_what_there_is_as_in_scikit_learn(rows):
    X, y = np.array([[0.0, 3.0], [2.0, 1.0], [0.5, 0.0], [0.0, 1.0]]), [0, 1, 1, 0]
    ours, theirs = BernoulliNaiveBayes().fit(rows(X), y), BernoulliNB().fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(rows(X)), theirs.predict_proba(X), rtol=1e-12)
    assert np.array_equal(ours.feature_count_, theirs.feature_count_)


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
def test_rows_of_ones_are_forgotten_as_what_they_were_learned_as(rows):
    X, y = np.array([[1.0, 1.0], [0.0, 1.0], [5.0, 0.0], [0.0, 2.0]]), np.array([0, 1, 1, 0])
    model = BernoulliNaiveBayes().fit(rows(X), y).forget(rows(X[:2]), y[:2])
    less = BernoulliNaiveBayes().fit(rows(X[2:]), y[2:])
    assert np.array_equal(model.feature_count_, less.feature_count_)


@pytest.mark.parametrize("rows", [np.array, sparse.csr_array])
def test_binary_rows_are_not_copied(rows):
    data = check_block(None, rows([[0.0, 1.0], [1.0, 1.0]]), [0, 1])
    assert BernoulliNaiveBayes()._prepared(data).rows is data.rows


def test_binarize_on_presence_rows():
    X, y = sparse.csr_array(np.array([[True, False], [True, True]])), [0, 1]
    same = BernoulliNaiveBayes(binarize=0.0).fit(X, y)
    assert same.feature_count_.tolist() == [[1, 0], [1, 1]]
    none = BernoulliNaiveBayes(binarize=1.0).fit(X, y)
    assert none.feature_count_.tolist() == [[0, 0], [0, 0]]
    with pytest.raises(DataError, match="zeros of sparse rows"):
        BernoulliNaiveBayes(binarize=-1.0).fit(X, y)


BAD_PARAMETERS = [
    (BernoulliNaiveBayes, {"alpha": -1}),
    (BernoulliNaiveBayes, {"alpha": "1"}),
    (BernoulliNaiveBayes, {"binarize": "no"}),
    (BernoulliNaiveBayes, {"priors": [0.5]}),
    (CategoricalNaiveBayes, {"priors": [0.5, 0.6]}),
    (MultinomialNaiveBayes, {"priors": [-0.5, 1.5]}),
    (MultinomialNaiveBayes, {"alpha": np.nan}),
    (GaussianNaiveBayes, {"var_smoothing": -1e-9}),
    (GaussianNaiveBayes, {"priors": ["a", "b"]}),
]


@pytest.mark.parametrize(("cls", "parameters"), BAD_PARAMETERS)
def test_bad_parameters_are_refused_at_the_door(cls, parameters):
    X, y = binary(n_classes=2)
    name = next(iter(parameters))
    with pytest.raises(ParameterError, match=f"{name} must"):
        cls(**parameters).fit(X, y)


def test_priors_for_too_few_classes_leave_the_model_alone():
    model = BernoulliNaiveBayes(priors=[0.5, 0.5]).fit([[0], [1]], [0, 1])
    error = same_after_error(model, lambda: model.partial_fit([[1]], [2]))
    assert "one for each of the classes [0, 1, 2]" in str(error)


def test_sums_beyond_a_float_are_refused():
    with pytest.raises(DataError, match="scale the columns"):
        GaussianNaiveBayes().fit([[1e200], [-1e200], [0]], [0, 0, 1])
    with pytest.raises(DataError, match="beyond what a float64 holds"):
        MultinomialNaiveBayes().fit([[1.5e308], [1.5e308], [0]], [0, 0, 1])
