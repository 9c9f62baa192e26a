"""Complement naive Bayes is the paper's and scikit-learn's; it learns and forgets as the others."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import ComplementNB

from rosenblatt import MultinomialNaiveBayes, ParameterError, load, save
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.workflows.explain import contributions
from tests.bayes.models import binary, bits
from tests.examples import THREE_KINDS, small_data
from tests.reference import naive_bayes as lecture

FEW = settings(deadline=None, derandomize=True, max_examples=25)


def new(**parameters):
    return MultinomialNaiveBayes(**{"complement": True, **parameters})


def counts(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, 50)])
    return rng.poisson(rng.uniform(0.2, 2, (n_classes, 6))[y]).astype(float), y


@FEW
@given(data=small_data(3, low=0, high=3), alpha=st.sampled_from([0.5, 1, 2]))
def test_probabilities_of_words_are_those_of_the_other_classes(data, alpha):
    model = new(alpha=alpha).fit(data.X, data.y)
    expected = lecture.complement(data.X, data.y, 3, alpha)
    assert model.feature_prob_ == pytest.approx(np.array(expected, dtype=float), rel=1e-14)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_scores_and_predictions_equal_those_of_scikit_learn(kind, n_classes):
    X, y = binary(n_classes=n_classes) if kind.startswith("presence") else counts(n_classes)
    s = np.random.default_rng(1).integers(1, 4, len(y))
    ours = new(alpha=0.3).fit(THREE_KINDS[kind](X), y, sample_weight=s)
    peer = ComplementNB(alpha=0.3).fit(X, y, sample_weight=s)
    np.testing.assert_allclose(-np.log(ours.feature_prob_), peer.feature_log_prob_, rtol=1e-13)
    new_rows = np.random.default_rng(2).integers(0, 2, (40, X.shape[1])).astype(float)
    asked = THREE_KINDS[kind](new_rows)
    np.testing.assert_array_equal(ours.predict(asked), peer.predict(new_rows))
    np.testing.assert_allclose(ours.predict_proba(asked), peer.predict_proba(new_rows), rtol=1e-9)


def test_two_classes_are_the_plain_model_without_priors():
    X, y = counts(2)
    ours = new().fit(X, y)
    plain = MultinomialNaiveBayes(priors=[0.5, 0.5]).fit(X, y)
    np.testing.assert_allclose(ours.predict_log_proba(X), plain.predict_log_proba(X), atol=1e-12)
    assert ours.linear_form()[0] == 0.0


@pytest.mark.parametrize("n_classes", [2, 4])
def test_parts_blocks_and_forgetting_give_the_bits_of_one_fit(n_classes):
    X, y = counts(n_classes)
    whole, parts = new().fit(X, y), new()
    for part in np.array_split(np.arange(len(y)), 7):
        parts.partial_fit(X[part], y[part])
    assert bits(parts) == bits(whole)
    with StoreWriter(block_bytes=500) as writer:
        writer.add(X, y)
        assert bits(new().fit(writer.finish())) == bits(whole)
    rest = new().fit(X[10:], y[10:])
    assert bits(whole.forget(X[:10], y[:10])) == bits(rest)


def test_a_class_that_was_named_and_never_met_is_not_chosen():
    X, y = counts(2)
    model = new().partial_fit(X, y, classes=[0, 1, 2])
    assert set(model.predict(X)) <= {0, 1}
    assert not model.predict_proba(X)[:, 2].any()


@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_file_keeps_it_and_goes_on(n_classes, tmp_path):
    X, y = counts(n_classes)
    model = new(alpha=0.5).fit(X[:40], y[:40])
    save(model, tmp_path / "model.rosenblatt")
    again = load(tmp_path / "model.rosenblatt")
    assert again.complement is True
    assert bits(again) == bits(model)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert bits(again.partial_fit(X[40:], y[40:])) == bits(new(alpha=0.5).fit(X, y))


@pytest.mark.parametrize("n_classes", [2, 4])
def test_what_words_add_up_to_is_the_score(n_classes):
    X, y = counts(n_classes)
    model = new().fit(X, y)
    found, logs = contributions(model, X), model.predict_log_proba(X)
    for i in range(len(y)):
        _, parts = found.of(i)
        scores = found.intercept + parts.sum(axis=1)
        if n_classes == 2:
            expected = logs[i, 1:] - logs[i, 0]
        else:  # but for what all classes have
            expected, scores = logs[i] - logs[i, 0], scores - scores[0]
        np.testing.assert_allclose(scores, expected, atol=1e-10)


def test_a_model_answers_as_it_was_learned():
    X, y = counts(3)
    model = new().fit(X, y)
    before = model.predict_proba(X)
    model.set_params(complement=False)
    np.testing.assert_array_equal(model.predict_proba(X), before)
    with pytest.raises(ParameterError, match="complement was True when the model was learned"):
        model.partial_fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alpha": 0}, "alpha must be above 0 for a complement model, got 0"),
        ({"priors": [0.5, 0.5]}, "has no priors: .*; leave out priors"),
        ({"complement": "yes"}, "complement must be True or False, got 'yes'"),
    ],
)
def test_what_it_cannot_mean_is_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        new(**parameters).fit([[1, 0], [0, 1]], [0, 1])


def test_there_is_no_likelihood():
    X, y = counts(2)
    with pytest.raises(ParameterError, match="there is no likelihood; use complement=False"):
        new().fit(X, y).log_likelihood(X, y)
