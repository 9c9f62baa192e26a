"""Every learner of the lab learns from drawn points what its own `fit` learns from them."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    BatchPerceptron,
    GaussianNaiveBayes,
    PassiveAggressive,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
)
from rosenblatt.choices import Rule
from rosenblatt.lab import CircleTarget, LineTarget, runs
from rosenblatt.lab.learners import LEARNERS, run_learner

RULES = Rule.__args__
N = 15


def data(n_runs=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n_runs, N, 2))
    y = np.where(X @ [1.0, 2.0] > 0.1, 1, -1)
    return X, y


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("averaged", AveragedPerceptron()),
        ("batch", BatchPerceptron()),
        ("passive-aggressive", PassiveAggressive()),
        ("arow", AROW()),
        ("pocket", PocketPerceptron(max_updates=10_000, max_epochs=None)),
    ],
)
def test_weights_are_those_of_fit(name, model):
    X, y = data()
    done = run_learner(name, None, None, may_end=True).learn(X, y, None, np.random.RandomState(1))
    draws = np.random.RandomState(1)
    for r in range(len(X)):
        model.set_params(random_state=draws).fit(X[r], y[r])
        np.testing.assert_array_equal(done.weights[r], [*model.intercept_, *model.coef_[0]])
        assert done.updates[r] == model.n_updates_


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_of_pla_ends_without_mistakes(rule):
    table = runs(N, 20, rule=rule, random_state=0)
    assert table.converged.all()
    assert table.learner == ("perceptron" if rule == "random" else f"perceptron, {rule}")


def test_first_is_the_lecture_s_rule():
    X, y = data()
    done = run_learner("perceptron", "first", None, may_end=True).learn(
        X, y, None, np.random.RandomState(0)
    )
    for r in range(len(X)):
        model = Perceptron(rule="first", max_epochs=None, max_updates=10**6).fit(X[r], y[r])
        assert done.updates[r] == model.n_updates_


@pytest.mark.parametrize(
    ("name", "model"), [("voted", VotedPerceptron()), ("gaussian", GaussianNaiveBayes())]
)
def test_what_is_no_line_is_asked_about_each_point(name, model):
    X, y = data()
    fresh = np.random.default_rng(1).uniform(-1, 1, (4, 50, 2))
    how = run_learner(name, None, None, may_end=True)
    assert not how.is_linear
    done = how.learn(X, y, fresh, np.random.RandomState(1))
    assert done.weights is None
    if name == "voted":
        model.set_params(random_state=np.random.RandomState(1))
    for r in range(len(X)):
        model.fit(X[r], y[r])
        np.testing.assert_array_equal(done.said[r], model.predict(X[r]))
        np.testing.assert_array_equal(done.said_of_fresh[r], model.predict(fresh[r]))


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_learner_copes_with_noise_and_with_one_class(learner):
    # most samples of three points have one class only
    table = runs(3, 20, learner, target=LineTarget([0.7, 1, 0]), noise=0.2, random_state=0)
    assert len(table) == 20
    for measure in ("disagreement", "error_in", "error_out"):
        values = getattr(table, measure)
        assert ((values >= 0) & (values <= 1)).all()
    assert table.to_arrow().num_rows == 20
    again = runs(3, 20, learner, target=LineTarget([0.7, 1, 0]), noise=0.2, random_state=0)
    assert str(again) == str(table)


def test_any_classifier_learns():
    linear = runs(30, 10, LogisticRegression(), random_state=0)
    tree = runs(30, 10, DecisionTreeClassifier(max_depth=1), random_state=0)
    assert linear.learner == "LogisticRegression"
    assert linear.error_out.mean() < tree.error_out.mean()
    assert tree.weights is None
    # a sample of one class is answered by this class
    one = runs(5, 4, DecisionTreeClassifier(), target=LineTarget([1, 0.1, 0]), random_state=0)
    assert one.error_out.max() == 0


def test_circles_are_learned_in_quadratic_features():
    kinds = {
        kind: runs(100, 10, "pocket", target=CircleTarget(), features=kind, random_state=0)
        for kind in ("linear", "quadratic")
    }
    assert kinds["quadratic"].error_in.max() == 0
    assert kinds["linear"].error_in.min() > 0.2


def test_more_dimensions_need_more_points():
    errors = [runs(30, 50, dimension=d, random_state=0).error_out.mean() for d in (1, 2, 8)]
    assert errors == sorted(errors)


def test_budget_of_the_pocket_and_of_pla_that_cannot_end():
    assert runs(30, 3, noise=0.2, random_state=0).updates.tolist() == [10_000] * 3
    assert runs(30, 3, "pocket", noise=0.2, max_updates=50, random_state=0).updates.max() == 50
