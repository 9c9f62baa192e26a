"""BagOfWords sits in pipelines: scikit-learn's, and ours that learns online."""

import lzma
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Perceptron as PeerPerceptron
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from rosenblatt import AveragedPerceptron, BagOfWords, OnlinePipeline, Perceptron
from rosenblatt.errors import ParameterError
from tests.data.files import shared
from tests.text.samples import random_texts


def labelled(n=300):
    texts = random_texts(n, alphabet="abcde ")
    return texts, np.where([text.count("a") > text.count("b") for text in texts], "more", "less")


@pytest.mark.filterwarnings("ignore:Can't test estimator")
@pytest.mark.parametrize("bits", [20, None])
def test_scikit_learn_checks_pass_as_far_as_they_are_for_texts(bits):
    passed = [check["status"] for check in check_estimator(BagOfWords(bits=bits), on_skip=None)]
    assert "passed" in passed


@pytest.mark.parametrize("bits", [20, 12])
def test_partial_fit_equals_each_step_by_hand(bits):
    texts, y = labelled()
    model = OnlinePipeline([("words", BagOfWords(bits=bits)), ("learner", Perceptron())])
    words, learner = BagOfWords(bits=bits), Perceptron()
    for start in range(0, 300, 100):
        block = slice(start, start + 100)
        model.partial_fit(texts[block], y[block], classes=["less", "more"])
        learner.partial_fit(words.transform(texts[block]), y[block], classes=["less", "more"])
    assert (model["learner"].coef_ == learner.coef_).all()
    assert (model.predict(texts) == learner.predict(words.transform(texts))).all()


def test_one_pass_in_blocks_equals_one_epoch():
    texts, y = labelled()
    whole = make_pipeline(BagOfWords(bits=12), AveragedPerceptron(epochs=1, shuffle=False))
    parts = OnlinePipeline(clone(whole).steps)
    whole.fit(texts, y)
    for start in range(0, 300, 60):
        parts.partial_fit(texts[start : start + 60], y[start : start + 60])
    np.testing.assert_allclose(parts[-1].coef_, whole[-1].coef_, rtol=1e-12)


def test_options_go_to_the_learner():
    texts, y = labelled()
    steps = [("words", BagOfWords(bits=8)), ("nothing", "passthrough"), ("learner", Perceptron())]
    model = OnlinePipeline(steps).partial_fit(texts, y, sample_weight=np.full(300, 2.0))
    plain = OnlinePipeline(clone(model).steps).partial_fit(texts, y)
    assert (model[-1].coef_ == 2 * plain[-1].coef_).all()


@pytest.mark.parametrize("first", [CountVectorizer(), BagOfWords()])
def test_step_that_cannot_learn_online_is_named(first):
    learner = Perceptron() if isinstance(first, CountVectorizer) else LogisticRegression()
    model = OnlinePipeline([("words", first), ("learner", learner)])
    with pytest.raises(ParameterError, match=r"needs partial_fit, but '(words|learner)'"):
        model.partial_fit(["a"], [0])


def test_clone_and_pickle_keep_everything():
    model = BagOfWords(bits=None, ngrams=(1, 2), counts=True).fit(["one two", "drei"])
    assert clone(model).get_params() == model.get_params()
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - its own bytes
    assert again.get_feature_names_out().tolist() == model.get_feature_names_out().tolist()
    assert (again.transform(["two drei"]) != model.transform(["two drei"])).nnz == 0


def test_spam_is_told_from_ham_as_well_as_with_the_words_of_scikit_learn():
    with lzma.open(shared("sms-spam/SMSSpamCollection.xz"), "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    y, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
    peer = make_pipeline(CountVectorizer(binary=True), PeerPerceptron())
    ours = make_pipeline(BagOfWords(bits=18), AveragedPerceptron(random_state=0))
    least = cross_val_score(peer, texts, y, cv=3).mean()
    assert cross_val_score(ours, texts, y, cv=3).mean() >= max(least, 0.98)
