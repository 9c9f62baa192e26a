"""Learning in parts is learning at once; forgetting is never having learned, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
from rosenblatt.errors import DataError
from tests.bayes.models import COUNTING, DISCRETE, binary, bits, same_after_error
from tests.examples import THREE_KINDS

FEW = settings(deadline=None, derandomize=True, max_examples=25)


@pytest.mark.parametrize("cls", COUNTING)
def test_partial_fit_in_parts_equals_one_fit(cls):
    X, y = binary()
    model = cls()
    for part in np.array_split(np.arange(len(y)), 7):
        model.partial_fit(X[part], y[part])
    assert bits(model) == bits(cls().fit(X, y))


@pytest.mark.parametrize("cls", COUNTING)
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_forgetting_takes_back_learning(cls, kind):
    X, y = binary()
    make = THREE_KINDS[kind]
    model = cls().fit(make(X[:30]), y[:30])
    before = bits(model)
    model.partial_fit(make(X[30:]), y[30:])
    assert bits(model) != before
    model.forget(make(X[30:]), y[30:])
    assert bits(model) == before


@pytest.mark.parametrize("cls", COUNTING)
def test_forgetting_equals_never_having_learned(cls):
    X, y = binary()
    model = cls().fit(X, y)
    model.forget(X[::2], y[::2])
    assert bits(model) == bits(cls().fit(X[1::2], y[1::2]))


@FEW
@given(
    st.lists(st.floats(-1e50, 1e50), min_size=4, max_size=8),
    st.lists(st.floats(1e-3, 1e3), min_size=8, max_size=8),
)
def test_gaussian_forgets_any_values_and_weights(values, weights):
    X = np.array(values)[:, np.newaxis]
    y, s = np.arange(len(X)) % 2, np.array(weights[: len(X)])
    model = GaussianNaiveBayes().fit([[1.1], [2.7], [3.3]], [0, 1, 1], sample_weight=[0.1, 0.7, 3])
    before = bits(model)
    model.partial_fit(X, y, sample_weight=s)
    model.forget(X, y, sample_weight=s)
    assert bits(model) == before


@pytest.mark.parametrize("cls", DISCRETE)
def test_halves_and_quarters_are_forgotten_exactly(cls):
    X, y = binary()
    s = (1 + np.arange(len(y)) % 7) / 4
    model = cls().fit(X[:30], y[:30])
    before = bits(model)
    model.partial_fit(X, y, sample_weight=s)
    model.forget(X, y, sample_weight=s)
    assert bits(model) == before


@pytest.mark.parametrize("cls", DISCRETE)
def test_rounded_counts_refuse_to_forget(cls):
    X, y = binary()
    model = cls().fit(X, y, sample_weight=np.full(len(y), 0.1))
    error = same_after_error(model, lambda: model.forget(X, y, sample_weight=np.full(len(y), 0.1)))
    assert "rounded" in str(error)


def test_halves_learned_as_weights_and_as_values_are_forgotten_together():
    model = MultinomialNaiveBayes().fit([[1, 3], [2, 0]], [0, 1])
    before = bits(model)
    model.partial_fit([[1, 0]], [0], sample_weight=[0.5])
    model.partial_fit([[0.5, 1]], [1])
    model.forget([[1, 0], [0.5, 1]], [0, 1], sample_weight=[0.5, 1])
    assert bits(model) == before


def test_multinomial_fractions_are_forgotten_where_they_are_exact():
    X, y = np.array([[0.5, 1.25], [2, 0], [0.75, 3]]), [0, 1, 1]
    model = MultinomialNaiveBayes().fit(X, y)
    before = bits(model)
    model.partial_fit(X, y).forget(X, y)
    assert bits(model) == before


@pytest.mark.parametrize("cls", COUNTING)
def test_a_new_class_grows_and_goes(cls):
    X, y = binary(n_classes=2)
    model = cls().fit(X, y)
    before = bits(model)
    model.partial_fit(X[:4], [7, 7, -1, 7])
    assert model.classes_.tolist() == [-1, 0, 1, 7]
    model.forget(X[:4], [7, 7, -1, 7])
    assert bits(model) == before


@pytest.mark.parametrize("cls", COUNTING)
def test_named_classes_are_there_from_the_start(cls):
    X, y = binary(n_classes=2)
    model = cls().partial_fit(X, y, classes=[0, 1, 2])
    assert model.class_prior_[2] == 0
    assert model.predict_proba(X)[:, 2].tolist() == [0.0] * len(y)
    model.partial_fit(X[:3], [2, 2, 2]).forget(X[:3], [2, 2, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    with pytest.raises(DataError, match="must hold the known"):
        model.partial_fit(X, y, classes=[0, 1])


@pytest.mark.parametrize("cls", COUNTING)
def test_everything_can_be_forgotten_and_learned_again(cls):
    X, y = binary()
    model = cls().fit(X, y)
    before = bits(model)
    model.forget(X, y)
    assert model.class_prior_ == pytest.approx(np.full(3, 1 / 3))
    assert not np.isnan(model.predict_proba(X)).any()
    assert bits(model.partial_fit(X, y)) == before


@pytest.mark.parametrize("cls", COUNTING)
def test_one_class_alone_is_predicted(cls):
    X, y = binary()
    model = cls().partial_fit(X, np.full(len(y), "only"))
    assert set(model.predict(X)) == {"only"}
    assert model.predict_proba(X).tolist() == [[1.0]] * len(y)


def test_given_priors_keep_their_classes():
    model = BernoulliNaiveBayes(priors=[0.25, 0.75]).fit([[0], [1]], ["a", "b"])
    model.forget([[1]], ["b"])
    assert model.classes_.tolist() == ["a", "b"]
    assert model.class_prior_.tolist() == [0.25, 0.75]
