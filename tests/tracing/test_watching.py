"""Watching any number of classes is the fit, step by step."""

import numpy as np
import pytest
from sklearn.base import clone

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    LeastSquaresClassifier,
    ParameterError,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from rosenblatt.tracing.steps import best_so_far, rows_to_keep
from rosenblatt.tracing.watching import survival_along, watch
from tests.reference.joint import joint

RULES = ["first", "cyclic", "random", "shuffled", "worst"]
WAYS = ["joint", "one-vs-rest", "one-vs-one"]
LEARNERS = [
    *[Perceptron(rule=rule, max_updates=70, random_state=3) for rule in RULES],
    *[PocketPerceptron(rule=rule, max_updates=70, random_state=3) for rule in ("random", "first")],
    Perceptron(init="regression", max_updates=40),
    BatchPerceptron(max_epochs=30),
    VotedPerceptron(epochs=3, shuffle=True, random_state=3),
    AveragedPerceptron(epochs=3, random_state=3),
    PassiveAggressive(epochs=3, random_state=3),
    PassiveAggressive(epochs=3, variant="plain", average=False, random_state=3),
    AROW(epochs=3, random_state=3),
]


def clouds(n=60, k=4, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, k, n)
    centres = 2 * rng.standard_normal((k, 2))
    return centres[labels] + rng.standard_normal((n, 2)), labels


def weights(model):
    return np.column_stack([model.intercept_, model.coef_])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_the_end_is_that_of_fit_bit_for_bit(learner, way, k):
    X, y = clouds(k=k)
    model = clone(learner).set_params(multiclass=way)
    steps = watch(model, X, y)
    assert not hasattr(model, "coef_")
    model.fit(X, y)
    assert steps.final.tobytes() == weights(model).tobytes()
    assert steps.converged == model.converged_
    if not isinstance(learner, PocketPerceptron):
        assert steps.weights[-1].tobytes() == steps.final.tobytes()
    if isinstance(learner, BatchPerceptron):
        return
    assert steps.steps[-1] == model.n_updates_
    if isinstance(learner, VotedPerceptron):
        survival = model.survival_ if isinstance(model.survival_, list) else [model.survival_]
        along = survival_along(model, steps)
        assert len(along) == 1 + sum(len(part) - 1 for part in survival)
        assert along[-1] == survival[-1][-1]


@pytest.mark.parametrize("rule", ["first", "cyclic", "worst"])
def test_the_joint_form_goes_the_way_of_the_textbook(rule):
    rng = np.random.default_rng(1)
    X, y = rng.integers(-3, 4, (30, 2)), rng.integers(0, 3, 30)
    canonical = [[1, *map(int, x)] for x in X]
    _, picked, path = joint(canonical, y.tolist(), 3, rule=rule, max_updates=40)
    steps = watch(Perceptron(rule=rule, max_updates=40), X, y)
    np.testing.assert_array_equal(steps.picked, picked)
    np.testing.assert_array_equal(steps.weights, path)
    np.testing.assert_array_equal(steps.gains, y[picked])


def test_two_classes_are_a_trace():
    X, y = clouds(k=2)
    learner = PocketPerceptron(max_updates=50, random_state=0)
    steps, record = watch(learner, X, y), rosenblatt.trace(learner, X, y)
    np.testing.assert_array_equal(steps.weights[:, 0], record.weights)
    np.testing.assert_array_equal(steps.picked, record.picked)
    np.testing.assert_array_equal(steps.errors, record.errors)
    np.testing.assert_array_equal(steps.pocket_errors, record.pocket_errors)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_the_last_error_is_that_of_predict(way):
    X, y = clouds()
    model = Perceptron(max_updates=30, multiclass=way)
    steps = watch(model, X, y)
    assert steps.errors[-1] == pytest.approx((model.fit(X, y).predict(X) != y).mean())


def test_thinned_rows_are_rows_of_the_whole():
    X, y = clouds(k=3)
    learner = PocketPerceptron(rule="cyclic", max_updates=500)
    whole, few = watch(learner, X, y), watch(learner, X, y, most_rows=40)
    assert len(few.steps) <= 40
    assert (few.steps[0], few.steps[-1]) == (0, 500)
    np.testing.assert_array_equal(few.weights, whole.weights[few.steps])
    np.testing.assert_array_equal(few.picked, whole.picked[few.steps[1:] - 1])
    np.testing.assert_array_equal(few.pocket_errors, whole.pocket_errors[few.steps])


def test_a_run_that_is_stopped_says_so():
    X, y = clouds()
    looks = iter([True, False])
    steps = watch(BatchPerceptron(multiclass="joint"), X, y, alive=lambda: next(looks, False))
    assert steps.converged is None
    assert len(steps.picked) == 2
    assert steps.weights[-1].tobytes() == steps.final.tobytes()


def test_what_is_not_learned_in_steps_is_refused():
    with pytest.raises(ParameterError, match="no trace of a LeastSquaresClassifier"):
        watch(LeastSquaresClassifier(), [[0], [1]], [0, 1])


def test_improvements_are_kept():
    errors = np.ones(1000)
    errors[[123, 456]] = 0.5, 0.25
    kept = rows_to_keep(errors, 1000, 50)
    assert {0, 123, 456, 999} <= set(kept.tolist())
    assert len(kept) <= 50
    best = best_so_far(errors)
    assert (best[122], best[123], best[999]) == (0, 123, 456)
