"""A fitted model goes on as it was learned, whatever its parameters are set to afterwards."""

import copy

import numpy as np
import pytest

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    BernoulliNaiveBayes,
    DataError,
    LeastSquaresClassifier,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from rosenblatt.plot.projection import project
from tests.examples import WAYS, fit, random_data, weights

LEARNERS = [
    Perceptron(max_epochs=5),
    PocketPerceptron(max_updates=50, random_state=0),
    BatchPerceptron(max_epochs=5),
    VotedPerceptron(epochs=2, shuffle=False),
    AveragedPerceptron(epochs=2, random_state=0),
    PassiveAggressive(epochs=2, random_state=0),
    AROW(epochs=2, random_state=0),
]
OTHERS = [(old, new) for old in WAYS for new in WAYS if old != new]
DATA = random_data(1, 30, 3, n_classes=3)
MORE = random_data(2, 10, 3, n_classes=3)
X = np.array(DATA.X, dtype=float)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_another_way_to_learn_many_classes_leaves_the_predictions(learner, old, new):
    model = fit(learner.set_params(multiclass=old), X, DATA.y)
    scores, labels = model.decision_function(X), model.predict(X)
    model.set_params(multiclass=new)
    np.testing.assert_array_equal(model.decision_function(X), scores)
    np.testing.assert_array_equal(model.predict(X), labels)
    # and it holds from the next fit on
    fresh = fit(copy.deepcopy(learner).set_params(multiclass=new), X, DATA.y)
    assert weights(fit(model, X, DATA.y)) == weights(fresh)
    np.testing.assert_array_equal(model.decision_function(X), fresh.decision_function(X))


def test_votes_do_not_depend_on_a_threshold_asked_for_later():
    model = VotedPerceptron(epochs=3, shuffle=False).fit([[1], [2], [7], [8]], [-1, -1, 1, 1])
    before = model.decision_function([[1], [2], [7], [8]])
    model.set_params(fit_intercept=False)
    np.testing.assert_array_equal(model.decision_function([[1], [2], [7], [8]]), before)


def unchanged(model, learn, message):
    before = copy.deepcopy(vars(model))
    with pytest.raises(ParameterError, match=message):
        learn()
    assert repr(vars(model)) == repr(before)


@pytest.mark.parametrize("kind", [Perceptron, AveragedPerceptron, PassiveAggressive, AROW])
@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_learning_on_in_another_way_is_refused(kind, old, new):
    model = kind(multiclass=old).partial_fit(X, DATA.y).set_params(multiclass=new)
    message = f"multiclass was '{old}' when the model was learned and is '{new}' now.*set it back"
    unchanged(model, lambda: model.partial_fit(MORE.X, MORE.y), message)
    model.set_params(multiclass=old).partial_fit(MORE.X, MORE.y)


@pytest.mark.parametrize("kind", [Perceptron, AveragedPerceptron, PassiveAggressive, AROW])
def test_two_classes_are_learned_on_in_any_way(kind):
    two = random_data(3, 20, 3)
    model = kind().partial_fit(two.X, two.y).set_params(multiclass="one-vs-one")
    plain = kind(multiclass="one-vs-one").partial_fit(two.X, two.y)
    for learner in (model, plain):
        learner.partial_fit(MORE.X, MORE.y)
    assert weights(model) == weights(plain)
    np.testing.assert_array_equal(model.predict(X), plain.predict(X))


@pytest.mark.parametrize("kind", [Perceptron, AveragedPerceptron, PassiveAggressive, AROW])
def test_a_threshold_that_is_learned_no_more_stays_as_it_is(kind):
    model = kind().partial_fit(X, DATA.y).set_params(fit_intercept=False)

    def threshold():
        """Return the last ones: a mean of the same numbers may be rounded."""
        return model._memory.last[:, 0] if hasattr(model, "_memory") else model.intercept_

    before = threshold()
    model.partial_fit(MORE.X, MORE.y)
    np.testing.assert_array_equal(threshold(), before)
    assert not fit(model, X, DATA.y).intercept_.any()


@pytest.mark.parametrize(("old", "new"), OTHERS)
def test_a_warm_start_in_another_way_is_refused(old, new):
    model = fit(Perceptron(multiclass=old, warm_start=True, max_epochs=2), X, DATA.y)
    model.set_params(multiclass=new)
    unchanged(model, lambda: fit(model, X, DATA.y), f"multiclass was '{old}' .* is '{new}' now")
    with pytest.raises(DataError, match="warm_start needs the classes"):
        model.set_params(multiclass=old).fit(X, np.array(DATA.y) > 0)


def test_a_plane_shows_three_classes_as_they_were_learned():
    four = np.array(random_data(4, 30, 4, n_classes=3).X, dtype=float)
    model = fit(Perceptron(multiclass="one-vs-rest", max_epochs=3), four, DATA.y)
    project(four, None, model.set_params(multiclass="one-vs-one"))
    fit(model, four, DATA.y).set_params(multiclass="joint")
    with pytest.raises(ParameterError, match="not one-vs-one"):
        project(four, None, model)


def test_naive_bayes_cuts_where_it_cut_when_it_learned():
    model = BernoulliNaiveBayes(binarize=5.0).fit(np.abs(X) * 4, DATA.y)
    before = model.predict_proba(np.abs(X) * 4)
    model.set_params(binarize=0.0)
    np.testing.assert_array_equal(model.predict_proba(np.abs(X) * 4), before)
    message = "binarize was 5.0 when the model was learned and is 0.0 now"
    for learn in (model.partial_fit, model.forget):
        unchanged(model, lambda learn=learn: learn(np.abs(X) * 4, DATA.y), message)
    model.fit(np.abs(X) * 4, DATA.y)
    fresh = BernoulliNaiveBayes(binarize=0.0).fit(np.abs(X) * 4, DATA.y)
    np.testing.assert_array_equal(model.feature_prob_, fresh.feature_prob_)


def test_least_squares_may_give_up_its_threshold_as_its_sums_hold_both():
    model = LeastSquaresClassifier().partial_fit(X, DATA.y).set_params(fit_intercept=False)
    model.partial_fit(MORE.X, MORE.y)
    both = np.vstack([X, MORE.X]), DATA.y + MORE.y
    plain = LeastSquaresClassifier(fit_intercept=False).fit(*both)
    np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-9)
