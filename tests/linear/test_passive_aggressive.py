"""Passive-aggressive learning: the shortest step to a margin of 1, and what keeps it shorter."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import PassiveAggressiveClassifier

from rosenblatt import DataError, ParameterError, PassiveAggressive
from tests.examples import FEW, MANY, THREE_KINDS, WAYS, random_data, small_data, weights
from tests.reference import passive_aggressive as reference
from tests.reference.averaged import averaged
from tests.reference.multiclass import one_vs_one, one_vs_rest
from tests.reference.perceptron import canonical

CLOSE = {"rel": 1e-9, "abs": 1e-9}
VARIANTS = ("plain", "I", "II")


def in_order(epochs=1, **parameters):
    return PassiveAggressive(epochs=epochs, shuffle=False, **parameters)


def result(steps, average, s=None):
    return averaged(steps, s) if average else steps[-1][2]


def check_two_classes(data, kind, variant, C, epochs, average, fit_intercept):
    X = canonical(data.X, fit_intercept)
    steps = reference.passive_aggressive(X, data.signs, epochs * [range(len(X))], variant, C)
    model = in_order(epochs, C=C, variant=variant, average=average, fit_intercept=fit_intercept)
    model.fit(THREE_KINDS[kind](data.X), data.y)
    assert weights(model) == pytest.approx(result(steps, average), **CLOSE)


def two_classes(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    return (
        small_data(low=low, high=high),
        st.just(kind),
        st.sampled_from(VARIANTS),
        st.sampled_from([0.01, 0.3, 1.0, 50.0]),
        st.integers(1, 4),
        st.booleans(),
        st.booleans(),
    )


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_two_classes_equal_the_plain_loop(kind):
    FEW(given(*two_classes(kind))(check_two_classes))()


@pytest.mark.soak
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_two_classes_equal_the_plain_loop_many_times(kind):
    MANY(given(*two_classes(kind))(check_two_classes))()


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_the_joint_form_equals_the_plain_loop(kind, variant, average):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    for seed in range(5):
        data = random_data(seed, 25, 4, n_classes=3, low=low, high=high)
        steps = reference.joint(canonical(data.X), data.y, 3, 2 * [range(25)], variant, 0.2)
        expected = [result([(i, moved, W[c]) for i, moved, W in steps], average) for c in range(3)]
        model = in_order(2, C=0.2, variant=variant, average=average)
        model.fit(THREE_KINDS[kind](data.X), data.y)
        assert np.array(weights(model)) == pytest.approx(np.array(expected), **CLOSE)


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_problems_of_two_classes_equal_the_plain_loop(way):
    data = random_data(3, 25, 2, n_classes=4)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one

    def learn(X, y):
        return averaged(reference.passive_aggressive(X, y, 3 * [range(len(X))], "II", 0.5))

    expected = split(canonical(data.X), data.y, 4, learn)
    model = in_order(3, C=0.5, variant="II", multiclass=way).fit(data.X, data.y)
    assert np.array(weights(model)) == pytest.approx(np.array(expected), **CLOSE)


def test_two_rows_by_hand():
    # canonical (1, -2) as -1: loss 1, |x|^2 = 5, tau 1/5: w = (-1/5, 2/5)
    # canonical (1, 3) as +1: margin 1, no loss; then with C = 1/10: tau 1/10, w = (-0.1, 0.2),
    # margin of (1, 3) is 1/2, |x|^2 = 10, tau min(1/10, 1/20): w = (-1/20, 7/20)
    X, y = [[-2], [3]], [-1, 1]
    plain = in_order(variant="plain", average=False).fit(X, y)
    assert weights(plain) == pytest.approx([-0.2, 0.4])
    assert plain.n_updates_ == 1
    assert weights(in_order(C=0.1, average=False).fit(X, y)) == pytest.approx([-0.05, 0.35])


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(("loss", "variant"), [("hinge", "I"), ("squared_hinge", "II")])
def test_scikit_learn_finds_the_same_weights(loss, variant, average):
    # its norm leaves out the constant coordinate, so a column of ones stands for it
    rng = np.random.default_rng(4)
    X = np.column_stack([np.ones(80), rng.standard_normal((80, 4))])
    y = X @ rng.standard_normal(5) + 0.5 * rng.standard_normal(80) > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # it goes away some day
        peer = PassiveAggressiveClassifier(
            C=0.3, loss=loss, average=average, fit_intercept=False, shuffle=False, max_iter=3
        )
        peer.set_params(tol=None).fit(X, y)
    model = in_order(3, C=0.3, variant=variant, average=average, fit_intercept=False).fit(X, y)
    np.testing.assert_allclose(model.coef_, peer.coef_, rtol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_after_a_plain_step_the_margin_is_one(n_classes):
    data = random_data(5, 30, 4, n_classes)
    model = PassiveAggressive(variant="plain", average=False)
    model.partial_fit(data.X[:1], data.y[:1], classes=range(n_classes))

    def margins(x, label):
        """Over each other class."""
        scores = model.decision_function([x])[0]
        if n_classes == 2:
            return np.array([scores * (2 * label - 1)])
        return scores[label] - np.delete(scores, label)

    for x, label in zip(data.X, data.y, strict=True):
        before = margins(x, label)
        model.partial_fit([x], [label])
        # a third class may be the rival after it
        expected = max(1.0, before.min())
        assert margins(x, label)[before.argmin()] == pytest.approx(expected)


def test_a_large_c_is_the_plain_form_and_a_small_one_hardly_moves():
    data = random_data(6, 30, 3)
    plain = weights(in_order(variant="plain").fit(data.X, data.y))
    for variant in ("I", "II"):
        model = in_order(C=1e12, variant=variant).fit(data.X, data.y)
        assert weights(model) == pytest.approx(plain, rel=1e-6)
        model = in_order(C=1e-9, variant=variant).fit(data.X, data.y)
        assert np.abs(weights(model)).max() < 1e-6


@pytest.mark.parametrize("variant", ["plain", "I"])
def test_a_whole_weight_equals_the_row_as_often_in_succession(variant):
    # min(C, l/q), and then min(C, what is left of l/q), is min(2C, l/q)
    data, times = random_data(7, 12, 3), [1, 2, 3] * 4
    model = in_order(variant=variant, C=0.05, average=False)
    expected = weights(model.fit(np.repeat(data.X, times, axis=0), np.repeat(data.y, times)))
    assert weights(model.fit(data.X, data.y, sample_weight=times)) == pytest.approx(expected)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_weight_multiplies_c_and_the_time(variant, n_classes):
    data, s = random_data(8, 15, 2, n_classes), [1, 2, 0.5, 4, 0.1] * 3
    X, orders = canonical(data.X), 2 * [range(15)]
    model = in_order(2, C=0.1, variant=variant).fit(data.X, data.y, sample_weight=s)
    if n_classes == 2:
        steps = reference.passive_aggressive(X, data.signs, orders, variant, 0.1, s)
        expected = averaged(steps, s)
    else:
        steps = reference.joint(X, data.y, 3, orders, variant, 0.1, s)
        expected = [averaged([(i, m, W[c]) for i, m, W in steps], s) for c in range(3)]
    assert np.array(weights(model)) == pytest.approx(np.array(expected), **CLOSE)


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("way", WAYS)
def test_partial_fit_in_pieces_equals_passes(way, n_classes, average):
    data = random_data(11, 30, 3, n_classes)
    whole = in_order(2, multiclass=way, average=average).fit(data.X, data.y)
    model = PassiveAggressive(multiclass=way, average=average)
    for piece in (slice(0, 4), slice(4, 5), slice(5, 30), slice(0, 30)):
        model.partial_fit(data.X[piece], data.y[piece], classes=range(n_classes))
    assert weights(model) == weights(whole)
    assert model.n_updates_ == whole.n_updates_


@pytest.mark.parametrize("average", [False, True])
def test_a_third_class_finds_the_first_two_as_the_joint_rule_has_them(average):
    # the joint rule makes w/2 and -w/2 of the rows of two classes: the same margins
    data = random_data(14, 20, 3)
    model = in_order(variant="plain", average=average, fit_intercept=False)
    two = model.partial_fit(data.X, data.y).coef_[0].copy()
    model.partial_fit([[0, 0, 0]], [0], classes=[0, 1, 2], sample_weight=[1e-300])
    np.testing.assert_allclose(model.coef_, [-two / 2, two / 2, 0 * two], rtol=1e-12)
    scores = np.array(data.X) @ model.coef_.T
    np.testing.assert_allclose(scores[:, 1] - scores[:, 0], np.array(data.X) @ two, atol=1e-12)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("average", [False, True])
def test_a_class_may_come_late(way, average):
    data = random_data(15, 40, 2, n_classes=3)
    model = PassiveAggressive(multiclass=way, average=average)
    for label in range(3):
        rows = [i for i in range(40) if data.y[i] <= label]
        model.partial_fit([data.X[i] for i in rows], [data.y[i] for i in rows])
        assert model.classes_.tolist() == list(range(label + 1))
    assert model.coef_.shape == (3, 2)
    assert np.isfinite(model.decision_function(data.X)).all()


def test_a_mean_that_is_asked_for_later_is_of_what_comes_then():
    data, more = random_data(16, 20, 3), random_data(17, 10, 3)
    model = PassiveAggressive(average=False).partial_fit(data.X, data.y)
    model.set_params(average=True).partial_fit(more.X, more.y)
    orders = [range(20), range(20, 30)]
    X, y = canonical(data.X + more.X), data.signs + more.signs
    steps = reference.passive_aggressive(X, y, orders)
    assert weights(model) == pytest.approx(averaged(steps[20:]), **CLOSE)
    model.set_params(average=False).partial_fit(more.X, more.y)
    steps = reference.passive_aggressive(X, y, [*orders, orders[1]])
    assert weights(model) == pytest.approx(steps[-1][2], **CLOSE)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_row_of_zeros_is_harmless(variant):
    X, y = [[0, 0], [1, 2], [0, 0], [-1, 0]], [0, 1, 1, 0]
    model = in_order(3, variant=variant, fit_intercept=False).fit(X, y)
    assert np.isfinite(model.coef_).all()
    kept = in_order(3, variant=variant, average=False, fit_intercept=False)
    assert weights(kept.fit(X, y)) == weights(kept.fit(X[1::2], y[1::2]))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_too_long_for_a_float_are_refused_in_words(variant, n_classes):
    X = np.array(random_data(18, 12, 2, n_classes).X) * 1e200
    with pytest.raises(DataError, match="scale the columns"):
        PassiveAggressive(variant=variant).fit(X, [*range(n_classes)] * (12 // n_classes))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "C must be a number above 0, got 0"),
        ({"C": np.inf}, "C must be a number above 0"),
        ({"variant": "1"}, r"variant must be one of 'plain', 'I', 'II', got '1'"),
        ({"average": "yes"}, "average must be True or False"),
        ({"epochs": 0}, "epochs must be a whole number from 1 on"),
        ({"multiclass": "all"}, "multiclass must be one of"),
    ],
)
def test_parameters_are_refused_before_any_work(parameters, message):
    model = PassiveAggressive(**parameters)
    with pytest.raises(ParameterError, match=message):
        model.fit([[1], [2]], [0, 1])
    assert not hasattr(model, "coef_")
