"""AROW: weights with variances, which say how far they still move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import AROW, DataError, ParameterError
from tests.examples import FEW, MANY, THREE_KINDS, WAYS, random_data, small_data, weights
from tests.reference import arow as reference
from tests.reference.multiclass import one_vs_one, one_vs_rest
from tests.reference.perceptron import canonical

CLOSE = {"rel": 1e-9, "abs": 1e-9}


def in_order(epochs=1, **parameters):
    return AROW(epochs=epochs, shuffle=False, **parameters)


def variances(model):
    """Return (s0, s1, ... sd), or a row of them for each weight vector."""
    rows = np.column_stack([model.intercept_variance_, model.variance_])
    return rows[0] if len(rows) == 1 else rows


def check_two_classes(data, kind, r, epochs, fit_intercept):
    X = canonical(data.X, fit_intercept)
    _, _, w, s = reference.arow(X, data.signs, epochs * [range(len(X))], r)[-1]
    model = in_order(epochs, r=r, fit_intercept=fit_intercept)
    model.fit(THREE_KINDS[kind](data.X), data.y)
    assert weights(model) == pytest.approx(w, **CLOSE)
    assert variances(model)[1:] == pytest.approx(s[1:], **CLOSE)
    assert variances(model)[0] == pytest.approx(s[0] * fit_intercept, **CLOSE)


def two_classes(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    data = small_data(low=low, high=high)
    radii = st.sampled_from([0.01, 0.5, 1.0, 20.0])
    return data, st.just(kind), radii, st.integers(1, 4), st.booleans()


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_two_classes_equal_the_plain_loop(kind):
    FEW(given(*two_classes(kind))(check_two_classes))()


@pytest.mark.soak
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_two_classes_equal_the_plain_loop_many_times(kind):
    MANY(given(*two_classes(kind))(check_two_classes))()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_the_joint_form_equals_the_plain_loop(kind, weighted):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    s = [1, 2, 0.5, 4, 0.1] * 5 if weighted else None
    for seed in range(5):
        data = random_data(seed, 25, 4, n_classes=3, low=low, high=high)
        _, _, W, S = reference.joint(canonical(data.X), data.y, 3, 2 * [range(25)], 0.7, s)[-1]
        model = in_order(2, r=0.7).fit(THREE_KINDS[kind](data.X), data.y, sample_weight=s)
        assert np.array(weights(model)) == pytest.approx(np.array(W), **CLOSE)
        assert variances(model) == pytest.approx(np.array(S), **CLOSE)


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
@pytest.mark.parametrize("of", [2, 3], ids=["weights", "variances"])
def test_problems_of_two_classes_equal_the_plain_loop(way, of):
    data = random_data(3, 25, 2, n_classes=4)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one

    def learn(X, y):
        return reference.arow(X, y, 3 * [range(len(X))])[-1][of]

    expected = split(canonical(data.X), data.y, 4, learn)
    model = in_order(3, multiclass=way).fit(data.X, data.y)
    found = weights(model) if of == 2 else variances(model)
    assert np.array(found) == pytest.approx(np.array(expected), **CLOSE)


def test_two_rows_by_hand():
    # x = 1 as +1: v = 1, beta = 1/2, a = 1/2, w = 1/2, s = 1 - 1/2
    # x = -1 as -1: margin 1/2, v = 1/2, beta = 2/3, a = 1/3, w = 1/2 + 1/6, s = 1/2 - 1/6
    model = in_order(fit_intercept=False).fit([[1, 0], [-1, 0]], [1, 0])
    assert model.coef_[0] == pytest.approx([2 / 3, 0])
    assert model.variance_[0] == pytest.approx([1 / 3, 1])
    # the margin 4/3 over the root of 4/3; with a column that was never seen v is 4/3 + 9
    expected = [(4 / 3) / np.sqrt(4 / 3), (4 / 3) / np.sqrt(4 / 3 + 9)]
    assert model.confidence([[2, 0], [-2, 3]]) == pytest.approx(expected)


def test_one_coordinate_is_regression_on_the_labels_with_a_normal_prior():
    # as long as no margin reaches 1: precision 1 + n x^2 / r, mean by Bayes' rule
    x, r, n = 0.3, 2.0, 7
    model = in_order(r=r, fit_intercept=False).fit([[x], [-x]] * n, [1, 0] * n)
    precision = 1 + 2 * n * x * x / r
    assert model.variance_[0] == pytest.approx([1 / precision])
    assert model.coef_[0] == pytest.approx([2 * n * x / r / precision])


def test_a_whole_weight_equals_the_row_as_often_in_one_coordinate():
    x, times = [[0.5], [-0.4], [0.3], [0.2]], [1, 2, 3, 1]
    one, two = in_order(fit_intercept=False), in_order(fit_intercept=False)
    one.fit(x, [1, 0, 1, 0], sample_weight=times)
    two.fit(np.repeat(x, times, axis=0), np.repeat([1, 0, 1, 0], times))
    assert weights(one) == pytest.approx(weights(two))
    assert one.variance_ == pytest.approx(two.variance_)


def test_a_weight_divides_r():
    data, s = random_data(8, 15, 2), [1, 2, 0.5, 4, 0.1] * 3
    model = in_order(2, r=0.3).fit(data.X, data.y, sample_weight=s)
    steps = reference.arow(canonical(data.X), data.signs, 2 * [range(15)], 0.3, s)
    assert weights(model) == pytest.approx(steps[-1][2], **CLOSE)
    assert variances(model) == pytest.approx(steps[-1][3], **CLOSE)


@pytest.mark.parametrize("kind", THREE_KINDS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_variances_only_shrink_and_stay_above_zero(kind, n_classes):
    data = random_data(9, 40, 5, n_classes, low=0, high=1)
    model, before = AROW(r=1e-20), 1.0
    for _ in range(5):
        model.partial_fit(THREE_KINDS[kind](data.X), data.y)
        assert (variances(model) > 0).all()
        assert (variances(model) <= before).all()
        before = variances(model)
    assert before.max() < 1


def test_a_long_row_leaves_the_variance_that_it_should():
    # 1 - x^2/(x^2 + r) is 1e-20, and rounds to 0
    model = in_order(fit_intercept=False).fit([[1e10], [-1e10]], [1, 0])
    assert model.variance_[0, 0] == pytest.approx(1e-20, rel=1e-9)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_partial_fit_in_pieces_equals_passes(way, n_classes):
    data = random_data(11, 30, 3, n_classes)
    whole = in_order(2, multiclass=way).fit(data.X, data.y)
    model = AROW(multiclass=way)
    for piece in (slice(0, 4), slice(4, 5), slice(5, 30), slice(0, 30)):
        model.partial_fit(data.X[piece], data.y[piece], classes=range(n_classes))
    assert weights(model) == weights(whole)
    assert variances(model).tolist() == variances(whole).tolist()
    assert model.n_updates_ == whole.n_updates_


def test_a_new_class_begins_with_variance_one_and_the_others_keep_theirs():
    data = random_data(14, 20, 3)
    model = AROW().partial_fit(data.X, data.y)
    w, s = np.array(weights(model)), variances(model)
    # a weight of almost nothing moves nothing
    model.partial_fit([[0, 0, 0]], [0], classes=[0, 1, 2], sample_weight=[1e-300])
    np.testing.assert_allclose(weights(model), [-w / 2, w / 2, 0 * w], rtol=1e-12)
    np.testing.assert_allclose(variances(model), [s, s, np.ones(4)], rtol=1e-12)


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_a_new_class_has_vectors_that_know_nothing(way):
    data = random_data(14, 20, 3)
    model = AROW(multiclass=way).partial_fit(data.X, data.y)
    w, s, one, none = np.array(weights(model)), variances(model), np.ones(4), np.zeros(4)
    model.partial_fit([[0, 0, 0]], [0], classes=[0, 1, 2], sample_weight=[1e-300])
    # one against one: the pairs are 01, 02, 12
    expected = [-w, w, none] if way == "one-vs-rest" else [w, none, none]
    np.testing.assert_allclose(weights(model), expected, rtol=1e-12, atol=1e-290)
    expected = [s, s, one] if way == "one-vs-rest" else [s, one, one]
    np.testing.assert_allclose(variances(model), expected, rtol=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_a_class_may_come_late(way):
    data = random_data(15, 40, 2, n_classes=3)
    model = AROW(multiclass=way)
    for label in range(3):
        rows = [i for i in range(40) if data.y[i] <= label]
        model.partial_fit([data.X[i] for i in rows], [data.y[i] for i in rows])
        assert model.classes_.tolist() == list(range(label + 1))
    assert model.coef_.shape == model.variance_.shape == (3, 2)
    assert np.isfinite(model.confidence(data.X)).all()


def test_a_threshold_may_be_learned_later():
    data = random_data(16, 20, 2)
    model = AROW(fit_intercept=False).partial_fit(data.X, data.y)
    assert model.intercept_variance_.tolist() == [0.0]
    model.set_params(fit_intercept=True).partial_fit(data.X, data.y)
    assert 0 < model.intercept_variance_[0] < 1
    assert model.intercept_[0] != 0


@pytest.mark.parametrize("kind", THREE_KINDS)
@pytest.mark.parametrize("fit_intercept", [False, True])
def test_confidence_is_the_margin_over_the_root_of_its_variance(kind, fit_intercept):
    data = random_data(17, 30, 4, low=0, high=1)
    rows = THREE_KINDS[kind](data.X)
    model = AROW(fit_intercept=fit_intercept, random_state=0).fit(rows, data.y)
    Z = np.array(canonical(data.X, fit_intercept))
    v = Z**2 @ variances(model)
    expected = np.abs(Z @ weights(model)) / np.sqrt(np.where(v > 0, v, 1))
    np.testing.assert_allclose(model.confidence(rows), expected, rtol=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_confidence_of_many_classes_is_that_of_the_chosen_one(way):
    data = random_data(18, 40, 3, n_classes=3)
    model = AROW(multiclass=way, random_state=0).fit(data.X, data.y)
    Z = np.array(canonical(data.X))
    scores, spreads = Z @ np.array(weights(model)).T, Z**2 @ variances(model).T
    pairs = {(0, 1): 0, (0, 2): 1, (1, 2): 2}
    for i, chosen in enumerate(model.predict(data.X)):
        found = []
        for other in {0, 1, 2} - {int(chosen)}:
            if way == "one-vs-one":
                p = pairs[min(chosen, other), max(chosen, other)]
                margin = scores[i, p] * (1 if chosen > other else -1)
                found.append(margin / np.sqrt(spreads[i, p]))
            else:
                margin = scores[i, chosen] - scores[i, other]
                v = spreads[i, chosen] + spreads[i, other]
                found.append((margin, margin / np.sqrt(v)))
        expected = min(found) if way == "one-vs-one" else min(found)[1]
        assert model.confidence(data.X[i : i + 1])[0] == pytest.approx(expected)


def test_a_row_of_zeros_is_harmless():
    X, y = [[0, 0], [1, 2], [0, 0], [-1, 0]], [0, 1, 1, 0]
    model = in_order(3, fit_intercept=False)
    with_zeros = weights(model.fit(X, y))
    assert model.confidence([[0, 0]]).tolist() == [0.0]
    assert with_zeros == weights(model.fit(X[1::2], y[1::2]))


@pytest.mark.parametrize("n_classes", [2, 3])
def test_rows_too_long_for_a_float_are_refused_in_words(n_classes):
    X = np.array(random_data(18, 12, 2, n_classes).X) * 1e200
    with pytest.raises(DataError, match="scale the columns"):
        AROW().fit(X, [*range(n_classes)] * (12 // n_classes))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"r": 0}, "r must be a number above 0, got 0"),
        ({"r": "1"}, "r must be a number above 0"),
        ({"shuffle": 2}, "shuffle must be True or False"),
        ({"multiclass": "all"}, "multiclass must be one of"),
    ],
)
def test_parameters_are_refused_before_any_work(parameters, message):
    model = AROW(**parameters)
    with pytest.raises(ParameterError, match=message):
        model.fit([[1], [2]], [0, 1])
    assert not hasattr(model, "coef_")
