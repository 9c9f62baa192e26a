"""More than two classes: joint, one against the rest, one against one."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from rosenblatt import BatchPerceptron, Perceptron, PocketPerceptron, prove
from tests.examples import (
    FEW,
    MANY,
    RULES,
    THREE_KINDS,
    WAYS,
    fit,
    random_data,
    small_data,
    steps_of,
    weights,
)
from tests.reference.joint import chosen, corrected, is_mistake, joint
from tests.reference.multiclass import (
    one_vs_one,
    one_vs_rest,
    predict_one_vs_one,
    predict_one_vs_rest,
)
from tests.reference.perceptron import canonical, dot, perceptron
from tests.reference.pocket import keep_best, pocket

LOOKING = ("first", "cyclic", "worst")  # rules that draw nothing


def check_joint(data, kind, rule, most):
    X, rows = canonical(data.X), THREE_KINDS[kind](data.X)
    W, picks, _ = joint(X, data.y, 3, rule, max_updates=most)
    model = Perceptron(rule=rule, max_updates=most, max_epochs=None)
    fit(model, rows, data.y)
    assert (weights(model), model.n_updates_) == (W, len(picks))
    wrong = [is_mistake(W, x, y) for x, y in zip(X, data.y, strict=True)]
    assert model.converged_ == (not any(wrong))
    assert model.predict(rows).tolist() == [chosen(W, x) for x in X]
    assert model.decision_function(rows).tolist() == [[dot(w, x) for w in W] for x in X]


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_the_joint_rule_equals_the_reference_on_all_kinds_of_rows(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    data = small_data(n_classes=3, low=low, high=high)
    loop = given(data, st.just(kind), st.just("cyclic"), st.integers(1, 40))
    FEW(loop(check_joint))()


def joint_loop(rule):
    dense = st.just("dense float64")
    return given(small_data(n_classes=3), dense, st.just(rule), st.integers(1, 40))


@pytest.mark.parametrize("rule", ["first", "worst"])
def test_the_joint_rule_equals_the_reference_for_every_selection(rule):
    FEW(joint_loop(rule)(check_joint))()


@pytest.mark.soak
@pytest.mark.parametrize("rule", LOOKING)
def test_the_joint_rule_equals_the_reference_many_times(rule):
    MANY(joint_loop(rule)(check_joint))()


def joint_picks(data, rule, most, kind):
    """Step through a run; tell the picks from the weights, each of which must be a mistake."""
    X, rows = canonical(data.X), THREE_KINDS[kind](data.X)
    path = steps_of(
        lambda t: Perceptron(rule=rule, random_state=0, max_updates=t), rows, data.y, most
    )
    picks = []
    for W, after in pairwise(path):
        mistakes = [i for i in range(len(X)) if is_mistake(W, X[i], data.y[i])]
        same = [i for i in mistakes if corrected(W, 1, X[i], data.y[i]) == after]
        assert same, "the weights did not move by a mistake"
        picks.append(same[0])
    return picks


@pytest.mark.parametrize(
    "kind",
    ["dense float64", "csr float64 int32", pytest.param("presence int32", marks=pytest.mark.soak)],
)
def test_random_picks_of_the_joint_rule_are_mistakes(kind):
    picks = joint_picks(random_data(1, 20, 4, 3, low=0, high=1), "random", 40, kind)
    assert len(picks) == 40
    assert len(set(picks)) > 5


def test_a_tie_goes_to_the_lowest_class_and_is_a_mistake_when_another_is_right():
    # from zero all classes are equal: class 0 is chosen, so only the label 0 is right
    X, y = [[1], [2], [4]], [0, 1, 2]
    model = fit(Perceptron(max_updates=1), X, y)
    assert weights(model) == [[-1, -2], [1, 2], [0, 0]]


def test_two_classes_have_one_vector_whatever_the_way():
    data = random_data(2, 15, 3)
    models = [fit(Perceptron(multiclass=way, max_epochs=5), data.X, data.y) for way in WAYS]
    assert [model.coef_.shape for model in models] == 3 * [(1, 3)]
    assert weights(models[0]) == weights(models[1]) == weights(models[2])


@pytest.mark.parametrize("rule", LOOKING)
@pytest.mark.parametrize("way", WAYS[1:])
def test_problems_of_two_classes_equal_the_reference(way, rule):
    data = random_data(3, 30, 2, n_classes=4)
    X = canonical(data.X)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one
    W = split(X, data.y, 4, lambda X, y: perceptron(X, y, rule, max_updates=35)[0])
    model = fit(Perceptron(rule=rule, multiclass=way, max_updates=35), data.X, data.y)
    assert weights(model) == W
    scores = [[dot(w, x) for w in W] for x in X]
    if way == "one-vs-rest":
        assert model.decision_function(data.X).tolist() == scores
        expected = [predict_one_vs_rest(row) for row in scores]
    else:
        expected = [predict_one_vs_one(row, 4) for row in scores]
    assert model.predict(data.X).tolist() == expected


@pytest.mark.parametrize("way", WAYS[1:])
def test_pockets_of_two_classes_equal_the_naive_procedure(way):
    data = random_data(4, 30, 2, n_classes=3)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one

    def learn(X, y):
        return pocket(X, y, perceptron(X, y, "cyclic", max_updates=60)[1])

    answers = split(canonical(data.X), data.y, 3, learn)
    model = PocketPerceptron(rule="cyclic", multiclass=way, max_updates=60)
    model.fit(data.X, data.y)
    assert weights(model) == [best for best, _ in answers]
    assert model.error_path_ == [[(t, float(e)) for t, e in path] for _, path in answers]
    assert model.error_ == pytest.approx(np.mean([float(path[-1][1]) for _, path in answers]))


@pytest.mark.parametrize("rule", RULES)
def test_the_joint_pocket_equals_the_naive_procedure(rule):
    data = random_data(5, 40, 3, n_classes=3)
    X = canonical(data.X)
    if rule in LOOKING:
        picks = joint(X, data.y, 3, rule, max_updates=80)[1]
    else:
        picks = joint_picks(data, rule, 80, "dense float64")
    _, _, path = joint(X, data.y, 3, "random", picks=picks)

    def error(W):
        return Fraction(sum(is_mistake(W, x, y) for x, y in zip(X, data.y, strict=True)), 40)

    best, errors = keep_best(path, error)
    model = PocketPerceptron(rule=rule, max_updates=80, random_state=0).fit(data.X, data.y)
    assert weights(model) == best
    assert model.error_path_ == [(t, float(e)) for t, e in errors]
    assert model.error_ == float(errors[-1][1])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rule", RULES)
def test_separable_classes_are_separated(rule, way):
    rng = np.random.default_rng(6)
    centres = np.array([[0, 9], [8, -5], [-8, -5]])
    y = rng.integers(0, 3, 60)
    X = centres[y] + rng.integers(-2, 3, (60, 2))
    labels = np.array(["cat", "dog", "owl"])[y]
    model = Perceptron(rule=rule, multiclass=way, random_state=0).fit(X, labels)
    assert model.converged_
    assert model.classes_.tolist() == ["cat", "dog", "owl"]
    assert (model.predict(X) == labels).all()


@pytest.mark.parametrize("scale", [2.0**20, 2.0**-20, 2.0**40])
@pytest.mark.parametrize("way", WAYS)
def test_the_unit_of_measurement_does_not_change_the_predictions(way, scale):
    # without a threshold all weights scale with X, and all decisions stay as they are
    data = random_data(7, 60, 2, n_classes=6, low=-30, high=30)
    X = np.array(data.X, dtype=np.float64)
    model = Perceptron(multiclass=way, fit_intercept=False, max_epochs=20)
    expected = fit(model, X, data.y).predict(X)
    coef = model.coef_
    fit(model, X * scale, data.y)
    assert np.array_equal(model.coef_, coef * scale)
    assert model.predict(X * scale).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("learner", "form", "asked"),
    [
        (Perceptron(), "by a joint linear rule", {"multiclass": "joint"}),
        (
            Perceptron(multiclass="one-vs-one"),
            "each class from each other",
            {"multiclass": "one-vs-one"},
        ),
        (BatchPerceptron(), "each class from the rest", {"multiclass": "one-vs-rest"}),
        (
            Perceptron(fit_intercept=False),
            "by a joint linear rule",
            {"fit_intercept": False, "multiclass": "joint"},
        ),
    ],
)
def test_a_fit_that_does_not_converge_names_the_question_of_its_own_form(learner, form, asked):
    X, y = np.array([[0.0], [0.0], [1.0], [0.0]]), [0, 1, 2, 2]
    with pytest.warns(ConvergenceWarning, match=f"separable,? {form}") as caught:
        learner.set_params(max_epochs=5).fit(X, y)
    options = [
        f'{name}="{v}"' if isinstance(v, str) else f"{name}={v}" for name, v in asked.items()
    ]
    call = ", ".join(["X", "y", *options])
    assert f"rosenblatt.prove({call}) tells" in str(caught[0].message)
    assert not prove(X, y, **asked).separable
