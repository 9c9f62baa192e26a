"""What is estimated, and what follows from it, equals the lecture's fractions and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import naive_bayes as peers

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.categorical import CategoricalNaiveBayes
from rosenblatt.bayes.empirical import EmpiricalBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
from tests.bayes.models import COUNTING, binary
from tests.examples import NUMBERS, THREE_KINDS, small_data
from tests.reference import naive_bayes as lecture

FEW = settings(deadline=None, derandomize=True, max_examples=25)
CLOSE = {"rel": 1e-10, "abs": 1e-12}
ALPHAS = st.sampled_from([0, 0.5, 1, 2])


def floats(table):
    return np.array([[float(p) for p in row] for row in table])


def check_posterior(model, X, y, queries, joint_of):
    prior = lecture.priors(y, len(model.classes_))
    expected = [lecture.posterior(joint_of(x, prior), prior) for x in queries]
    answer = model.predict_proba(np.array(queries, dtype=float))
    assert answer == pytest.approx(floats(expected), **CLOSE)
    joints = [joint_of(x, prior) for x in X]
    expected = lecture.log_likelihood(joints, y)
    assert model.log_likelihood(X, y) == pytest.approx(expected, **CLOSE)


@pytest.mark.parametrize("kind", THREE_KINDS)
@FEW
@given(data=small_data(3, low=0, high=1), alpha=ALPHAS)
def test_bernoulli_equals_the_lecture(kind, data, alpha):
    model = BernoulliNaiveBayes(alpha=alpha).fit(THREE_KINDS[kind](data.X), data.y)
    p = lecture.bernoulli(data.X, data.y, 3, alpha)
    assert model.feature_prob_ == pytest.approx(floats(p), rel=1e-14)
    queries = [*data.X, [0] * len(data.X[0]), [1] * len(data.X[0])]
    check_posterior(
        model, data.X, data.y, queries, lambda x, prior: lecture.joint_bernoulli(x, prior, p)
    )


@FEW
@given(data=small_data(2, low=0, high=3), alpha=ALPHAS)
def test_multinomial_equals_the_lecture(data, alpha):
    model = MultinomialNaiveBayes(alpha=alpha).fit(data.X, data.y)
    p = lecture.multinomial(data.X, data.y, 2, alpha)
    assert model.feature_prob_ == pytest.approx(floats(p), rel=1e-14)
    queries = [*data.X, [2] * len(data.X[0])]
    check_posterior(
        model, data.X, data.y, queries, lambda x, prior: lecture.joint_multinomial(x, prior, p)
    )


@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
@FEW
@given(data=small_data(3, low=-1, high=2), alpha=ALPHAS)
def test_categorical_equals_the_lecture(kind, data, alpha):
    model = CategoricalNaiveBayes(alpha=alpha).fit(NUMBERS[kind](data.X), data.y)
    tables = lecture.categorical(data.X, data.y, 3, alpha)
    for j, (values, p) in enumerate(zip(model.categories_, model.category_prob_, strict=True)):
        expected = [[tables[j][c, v] for v in values] for c in range(3)]
        assert p == pytest.approx(floats(expected), rel=1e-14)
    d = len(data.X[0])
    queries = [*data.X, [0] * d, [7] * d, [2] * d]
    check_posterior(
        model,
        data.X,
        data.y,
        queries,
        lambda x, prior: lecture.joint_categorical(x, prior, tables),
    )


@FEW
@given(data=small_data(3, low=0, high=1, most_features=2))
def test_empirical_posterior_is_the_share_among_equal_rows(data):
    model = EmpiricalBayes().fit(data.X, data.y)
    queries = [*data.X, [5] * len(data.X[0])]
    check_posterior(
        model,
        data.X,
        data.y,
        queries,
        lambda x, _: lecture.joint_empirical(x, data.X, data.y, 3),
    )


@pytest.mark.parametrize("kind", ["dense float64", "dense float32", "csr float64 int32"])
@FEW
@given(data=small_data(2, low=-9, high=9))
def test_gaussian_mean_and_variance_are_rounded_once(kind, data):
    model = GaussianNaiveBayes(var_smoothing=0).fit(NUMBERS[kind](data.X), data.y)
    mean, variance = lecture.gaussian(data.X, data.y, 2)
    assert np.array_equal(model.mean_, floats(mean))
    assert np.array_equal(model.var_, floats(variance))


@settings(FEW, max_examples=50)
@given(st.lists(st.floats(-1e100, 1e100), min_size=4, max_size=8))
def test_gaussian_sums_of_any_floats_are_exact(values):
    X, y = [[v] for v in values], [0, 1] * (len(values) // 2) + [0] * (len(values) % 2)
    model = GaussianNaiveBayes(var_smoothing=0).fit(X, y)
    mean, variance = lecture.gaussian(X, y, 2)
    assert np.array_equal(model.mean_, floats(mean))
    tiny = np.finfo(float).tiny
    expected = floats(variance)
    assert np.array_equal(model.var_, np.where(expected < tiny, 0, expected))


def test_a_large_mean_costs_no_digits_of_the_variance():
    X = np.array([[1e9], [1e9 + 1], [1e9 + 2], [1e9 + 4]])
    model = GaussianNaiveBayes(var_smoothing=0).fit(X, [0, 0, 1, 1])
    assert model.var_.tolist() == [[0.25], [1.0]]


PEERS = [
    (BernoulliNaiveBayes(alpha=0.7), peers.BernoulliNB(alpha=0.7)),
    (MultinomialNaiveBayes(alpha=0.7), peers.MultinomialNB(alpha=0.7)),
    (CategoricalNaiveBayes(alpha=0.7), peers.CategoricalNB(alpha=0.7)),
    (GaussianNaiveBayes(), peers.GaussianNB()),
    (BernoulliNaiveBayes(priors=[0.2, 0.3, 0.5]), peers.BernoulliNB(class_prior=[0.2, 0.3, 0.5])),
    (GaussianNaiveBayes(priors=[0.2, 0.3, 0.5]), peers.GaussianNB(priors=[0.2, 0.3, 0.5])),
]


@pytest.mark.parametrize(("ours", "peer"), PEERS, ids=lambda model: str(model))
def test_equals_scikit_learn(ours, peer):
    X, y = binary(n=200)
    if isinstance(ours, GaussianNaiveBayes):
        X = X + np.random.default_rng(1).standard_normal(X.shape)
    ours.fit(X, y)
    peer.fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(peer.predict_proba(X), rel=1e-9)
    assert ours.predict_log_proba(X) == pytest.approx(peer.predict_log_proba(X), rel=1e-9)
    assert ours.predict(X).tolist() == peer.predict(X).tolist()


@pytest.mark.parametrize("cls", COUNTING)
def test_dense_csr_and_presence_rows_give_the_same(cls):
    X, y = binary()
    answers = [cls().fit(make(X), y) for make in THREE_KINDS.values()]
    for model in answers:
        for make in THREE_KINDS.values():
            assert model.predict_log_proba(make(X)) == pytest.approx(
                answers[0].predict_log_proba(X), **CLOSE
            )


@pytest.mark.parametrize("cls", COUNTING)
def test_weights_are_repetitions(cls):
    X, y = binary()
    s = np.arange(len(y)) % 3 + (np.arange(len(y)) < 3)
    weighted = cls().fit(X, y, sample_weight=s)
    repeated = cls().fit(np.repeat(X, s, axis=0), np.repeat(y, s))
    assert np.array_equal(weighted.predict_log_proba(X), repeated.predict_log_proba(X))
    assert np.array_equal(weighted.class_count_, repeated.class_count_)


def test_gaussian_sparse_rows_keep_certain_values_certain():
    X = np.array([[0.0, 2.0], [0.0, 4.0], [3.0, 5.0], [3.0, 1.0]])
    queries = np.array([[0.0, 3.0], [3.0, 3.0], [1.0, 3.0]])
    model = GaussianNaiveBayes(var_smoothing=0).fit(X, [0, 0, 1, 1])
    expected = [[1, 0], [0, 1], [0.5, 0.5]]
    for make in (NUMBERS["dense float64"], NUMBERS["csr float64 int32"]):
        assert model.predict_proba(make(queries)).tolist() == expected


@pytest.mark.parametrize("cls", COUNTING)
def test_decision_and_prediction_agree(cls):
    for n_classes in (2, 3):
        X, y = binary(n_classes=n_classes)
        model = cls().fit(X, y)
        chosen = model.predict_log_proba(X).argmax(axis=1)
        assert model.predict(X).tolist() == model.classes_[chosen].tolist()
        if cls is not MultinomialNaiveBayes and n_classes == 2:
            log_p = model.predict_log_proba(X)
            possible = np.isfinite(log_p).all(axis=1)
            odds = model.decision_function(X)[possible]
            assert odds == pytest.approx((log_p[:, 1] - log_p[:, 0])[possible], **CLOSE)
