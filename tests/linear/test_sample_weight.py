"""Sample weights: they scale the update, and 0 leaves the example out."""

from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import clone, config_context
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_blobs
from sklearn.ensemble import AdaBoostClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import has_fit_parameter

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    BernoulliNaiveBayes,
    CategoricalNaiveBayes,
    DataError,
    EmpiricalBayes,
    GaussianNaiveBayes,
    LeastSquares,
    LeastSquaresClassifier,
    MultinomialNaiveBayes,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from tests.examples import FEW, RULES, Data, fit, random_data, small_data, weights
from tests.reference.joint import joint
from tests.reference.perceptron import canonical, perceptron
from tests.reference.pocket import pocket

LEARNERS = [
    *[Perceptron(rule=rule, max_updates=40, random_state=0) for rule in RULES],
    *[PocketPerceptron(rule=rule, max_updates=40, random_state=0) for rule in RULES],
    BatchPerceptron(max_epochs=9),
    VotedPerceptron(epochs=3, shuffle=False),
    VotedPerceptron(epochs=3, shuffle=True, random_state=0),
    AveragedPerceptron(epochs=3, random_state=0),
    PassiveAggressive(epochs=3, random_state=0),
    PassiveAggressive(epochs=3, variant="plain", average=False, random_state=0),
    AROW(epochs=3, random_state=0),
]
EVERY = [
    *(Perceptron, PocketPerceptron, BatchPerceptron, VotedPerceptron, AveragedPerceptron),
    *(PassiveAggressive, AROW),
    *(LeastSquaresClassifier, BernoulliNaiveBayes, CategoricalNaiveBayes),
    *(MultinomialNaiveBayes, GaussianNaiveBayes, EmpiricalBayes),
]
# powers of two: sums of them are exact in any order
halves = st.sampled_from([0.5, 1.0, 2.0, 4.0])


# Above 64 rows dense data is looked at block by block
@pytest.mark.parametrize(("n", "n_classes"), [(24, 2), (24, 3), (90, 2)])
@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_a_weight_of_zero_equals_removing_the_row(model, n, n_classes):
    data = random_data(1, n, 3, n_classes)
    s = np.ones(n)
    s[5:9] = s[15] = 0
    fit(model, data.X, data.y, sample_weight=s)
    with_zeros, scores = weights(model), model.decision_function(data.X)
    kept = np.flatnonzero(s)
    fit(model, np.array(data.X)[kept], np.array(data.y)[kept])
    assert with_zeros == weights(model)
    assert np.array_equal(scores, model.decision_function(data.X))


@pytest.mark.parametrize("learner", EVERY, ids=lambda cls: cls.__name__)
def test_a_class_all_of_whose_weights_are_zero_is_refused_before_any_work(learner):
    X, y = [[0], [1], [5], [6]], ["a", "b", "c", "c"]
    model = learner()
    with pytest.raises(DataError, match="weights are all zero for class 'c'; give one of its rows"):
        model.fit(X, y, sample_weight=[1, 1, 0, 0])
    assert not hasattr(model, "classes_")
    assert len(fit(model, X, y, sample_weight=[1, 1, 0, 2]).classes_) == 3


def test_a_batch_may_have_no_weight_for_a_class():
    X, y = [[0], [1], [5]], ["a", "b", "c"]
    model = Perceptron().partial_fit(X, y, sample_weight=[1, 1, 0])
    assert model.classes_.tolist() == ["a", "b"]


@pytest.mark.parametrize("learner", [*EVERY, LeastSquares], ids=lambda cls: cls.__name__)
def test_scikit_learn_sees_that_fit_takes_weights(learner):
    assert has_fit_parameter(learner(), "sample_weight")
    assert "sample_weight" in learner().get_metadata_routing().fit.requests
    if hasattr(learner, "partial_fit"):
        assert "sample_weight" in learner().get_metadata_routing().partial_fit.requests


def test_weights_may_come_without_their_name():
    data, s = random_data(6, 20, 2), [1, 2] * 10
    for model in (AveragedPerceptron(random_state=0), GaussianNaiveBayes(), LeastSquares()):
        one = clone(model).fit(data.X, data.y, s)
        two = clone(model).fit(data.X, data.y, sample_weight=s)
        assert np.array_equal(one.predict(data.X), two.predict(data.X))


class Watched(AveragedPerceptron):
    """Remembers the weights that each fit was given."""

    given: ClassVar = []

    def fit(self, X, y=None, sample_weight=None, *, callback=None):
        self.given.append(sample_weight)
        return super().fit(X, y, sample_weight, callback=callback)


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(Watched, "given", [])
    return Watched(random_state=0)


def test_boosting_weighs_the_rows_that_were_wrong(watched):
    X, y = make_blobs(60, centers=2, cluster_std=2, random_state=0)
    ensemble = AdaBoostClassifier(watched, n_estimators=5, random_state=0).fit(X, y)
    assert len(ensemble.estimators_) > 1
    assert len({tuple(s) for s in Watched.given}) > 1  # the weights moved


def test_calibration_passes_the_weights_on(watched):
    data = random_data(8, 60, 2)
    s = np.linspace(0.5, 2, 60)
    CalibratedClassifierCV(watched, cv=3).fit(data.X, data.y, sample_weight=s)
    assert [len(given) for given in Watched.given] == [40, 40, 40]
    assert all(np.isin(given, s).all() for given in Watched.given)


def test_routing_passes_the_weights_where_they_are_asked_for(watched):
    data, s = random_data(9, 30, 2), np.arange(1.0, 31.0)
    with config_context(enable_metadata_routing=True):
        for asked in (True, False):
            learner = watched.set_fit_request(sample_weight=asked)
            model = make_pipeline(StandardScaler(), learner)
            scaler = StandardScaler().set_fit_request(sample_weight=True)
            model.set_params(standardscaler=scaler).fit(data.X, data.y, sample_weight=s)
    assert np.array_equal(Watched.given[0], s)
    assert Watched.given[1] is None


@pytest.mark.parametrize("rule", ["first", "cyclic", "worst"])
def test_a_weight_scales_the_update(rule):
    @FEW
    @given(small_data(), st.data(), st.integers(1, 30))
    def check(data, more, most):
        n = len(data.y)
        s = more.draw(st.lists(halves, min_size=n, max_size=n))
        w, picks, _ = perceptron(canonical(data.X), data.signs, rule, max_updates=most, weights=s)
        model = Perceptron(rule=rule, max_updates=most, max_epochs=None)
        fit(model, data.X, data.y, sample_weight=s)
        assert (weights(model), model.n_updates_) == (w, len(picks))

    check()


def test_a_weight_scales_the_joint_update():
    data, s = random_data(2, 20, 3, n_classes=3), [0.5, 1, 2, 4, 1] * 4
    W, picks, _ = joint(canonical(data.X), data.y, 3, max_updates=50, weights=s)
    model = fit(Perceptron(max_updates=50), data.X, data.y, sample_weight=s)
    assert (weights(model), model.n_updates_) == (W, len(picks))


@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize("rule", ["first", "cyclic", "worst"])
def test_the_weighted_pocket_equals_the_naive_procedure(rule, n):
    data, s = random_data(3, n, 3), [0.5, 1, 2, 4, 1] * (n // 5)
    X, y = canonical(data.X), data.signs
    _, picks, _ = perceptron(X, y, rule, max_updates=100, weights=s)
    best, path = pocket(X, y, picks, weights=s)
    model = PocketPerceptron(rule=rule, max_updates=100).fit(data.X, data.y, sample_weight=s)
    assert weights(model) == best
    assert model.error_path_ == [(t, float(error)) for t, error in path]


@FEW
@given(small_data(), st.data())
def test_in_the_pocket_a_weight_of_two_counts_as_the_example_twice(data, more):
    n, d = len(data.y), len(data.X[0])
    s = more.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    twice = [i for i in range(n) for _ in range(s[i])]
    repeated = Data([data.X[i] for i in twice], [data.y[i] for i in twice])
    if len(set(repeated.y)) < 2:
        return
    start = more.draw(st.lists(st.integers(-3, 3), min_size=d + 1, max_size=d + 1))
    model = PocketPerceptron(rule="first", init=start, max_updates=1)
    weighted = model.fit(data.X, data.y, sample_weight=s).error_path_[0]
    assert weighted == model.fit(*repeated).error_path_[0]


@pytest.mark.parametrize("model", LEARNERS, ids=str)
def test_weights_of_one_are_no_weights(model):
    data = random_data(4, 20, 2)
    without = weights(fit(model, data.X, data.y))
    for ones in (np.ones(20), [1] * 20, 1.0):
        assert weights(fit(model, data.X, data.y, sample_weight=ones)) == without


@pytest.mark.parametrize("wrong", [[1, -1, 1], [1, np.nan, 1], [1, np.inf, 1], [1, 1], [0, 0, 0]])
@pytest.mark.parametrize("learner", [Perceptron, BatchPerceptron])
def test_weights_must_be_finite_and_not_negative_one_for_each_row(learner, wrong):
    with pytest.raises(DataError, match="sample_weight"):
        learner().fit([[0], [1], [2]], [0, 0, 1], sample_weight=wrong)
