"""The voted perceptron: hypotheses, survival counts, mistakes and votes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import ParameterError, VotedPerceptron
from rosenblatt.linear import voted as linear_voted
from tests.examples import (
    FEW,
    LECTURE_X,
    LECTURE_Y,
    MANY,
    THREE_KINDS,
    random_data,
    small_data,
    weights,
)
from tests.reference import joint
from tests.reference.multiclass import (
    one_vs_one,
    one_vs_rest,
    predict_one_vs_one,
    predict_one_vs_rest,
)
from tests.reference.perceptron import canonical, online
from tests.reference.voted import vote, voted


def zeros(X):
    return [0] * len(X[0])


def check_two_classes(data, kind, epochs, first_vote, fit_intercept):
    """Compare everything with the reference: integers, so to the last bit."""
    X, rows = canonical(data.X, fit_intercept), THREE_KINDS[kind](data.X)
    steps = online(X, data.signs, epochs * [range(len(X))])
    hypotheses, survival, mistakes = voted(steps, zeros(X), first_vote)
    model = VotedPerceptron(
        epochs=epochs, shuffle=False, first_vote=first_vote, fit_intercept=fit_intercept
    )
    model.fit(rows, data.y)
    assert model.survival_.tolist() == survival
    assert model.mistakes_.tolist() == mistakes
    assert (model.n_hypotheses_, model.n_updates_) == (len(hypotheses), len(mistakes))
    assert weights(model) == hypotheses[-1]
    assert model.converged_ == (not any(wrong for _, wrong, _ in steps[-len(X) :]))
    votes = [vote(hypotheses, survival, x) for x in X]
    assert model.decision_function(rows).tolist() == votes
    assert model.predict(rows).tolist() == [int(v > 0) for v in votes]


def two_classes(kind):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)
    return (
        small_data(low=low, high=high),
        st.just(kind),
        st.integers(1, 4),
        st.sampled_from([0, 1]),
        st.booleans(),
    )


@pytest.mark.parametrize("kind", THREE_KINDS)
def test_survival_mistakes_and_votes_equal_the_reference(kind):
    FEW(given(*two_classes(kind))(check_two_classes))()


@pytest.mark.soak
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_survival_mistakes_and_votes_equal_the_reference_many_times(kind):
    MANY(given(*two_classes(kind))(check_two_classes))()


def test_the_lecture_data_by_hand():
    # w: 0, then wrong on 1 -> (-1,-1); right on 2; wrong on 7 -> (0,6); right on 8
    model = VotedPerceptron(epochs=1, shuffle=False).fit(LECTURE_X, LECTURE_Y)
    assert model.mistakes_.tolist() == [0, 2]
    assert model.survival_.tolist() == [0, 1, 1]
    # x = 1: -1 and +1 cancel, and a vote of 0 is not above 0
    assert model.decision_function([[1]]).tolist() == [0]
    assert model.predict([[1]]).tolist() == [-1]
    paper = VotedPerceptron(epochs=1, shuffle=False, first_vote=1).fit(LECTURE_X, LECTURE_Y)
    assert paper.survival_.tolist() == [0, 2, 2]


def test_a_point_on_the_boundary_of_a_hypothesis_gets_no_vote_from_it():
    # one hypothesis (-1, 1) after the zero vector, which survives nothing
    model = VotedPerceptron(epochs=1, shuffle=False, first_vote=1).fit([[-1], [-1]], [0, 1])
    hypotheses, survival, _ = voted(online([[1, -1], [1, -1]], [-1, 1], [[0, 1]]), [0, 0], 1)
    assert hypotheses == [[0, 0], [-1, 1], [0, 0]]
    assert survival == [0, 1, 1]
    assert model.decision_function([[1], [2], [0]]).tolist() == [0, 1, -1]


@pytest.mark.parametrize("first_vote", [0, 1])
@pytest.mark.parametrize("kind", THREE_KINDS)
def test_the_joint_form_equals_the_reference(kind, first_vote):
    low, high = (0, 1) if kind == "presence int32" else (-3, 3)

    @FEW
    @given(small_data(n_classes=3, low=low, high=high), st.integers(1, 3))
    def check(data, epochs):
        X, rows = canonical(data.X), THREE_KINDS[kind](data.X)
        steps = joint.online(X, data.y, 3, epochs * [range(len(X))])
        start = [zeros(X) for _ in range(3)]
        hypotheses, survival, mistakes = voted(steps, start, first_vote)
        model = VotedPerceptron(epochs=epochs, shuffle=False, first_vote=first_vote).fit(
            rows, data.y
        )
        assert model.survival_.tolist() == survival
        assert model.mistakes_.tolist() == mistakes
        assert weights(model) == hypotheses[-1]
        votes = [joint.votes(hypotheses, survival, x) for x in X]
        assert model.decision_function(rows).tolist() == votes
        assert model.predict(rows).tolist() == [v.index(max(v)) for v in votes]

    check()


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_problems_of_two_classes_compare_their_votes(way):
    data = random_data(4, 20, 2, n_classes=4)
    X = canonical(data.X)
    split = one_vs_rest if way == "one-vs-rest" else one_vs_one

    def learn(X, y):
        return voted(online(X, y, 3 * [range(len(X))]), zeros(X))

    answers = split(X, data.y, 4, learn)
    model = VotedPerceptron(epochs=3, shuffle=False, multiclass=way).fit(data.X, data.y)
    assert [c.tolist() for c in model.survival_] == [survival for _, survival, _ in answers]
    assert weights(model) == [hypotheses[-1] for hypotheses, _, _ in answers]
    assert model.n_hypotheses_ == sum(len(survival) for _, survival, _ in answers)
    for x, row, label in zip(X, data.X, model.predict(data.X), strict=True):
        scores = [vote(hypotheses, survival, x) for hypotheses, survival, _ in answers]
        if way == "one-vs-rest":
            assert model.decision_function([row]).tolist() == [scores]
            assert label == predict_one_vs_rest(scores)
        else:
            assert label == predict_one_vs_one(scores, 4)


def test_the_mistakes_of_a_pair_are_numbered_as_in_all_the_data():
    data = random_data(4, 20, 2, n_classes=3)
    model = VotedPerceptron(epochs=2, shuffle=False, multiclass="one-vs-one").fit(data.X, data.y)
    pairs = [(0, 1), (0, 2), (1, 2)]
    for mistakes, pair in zip(model.mistakes_, pairs, strict=True):
        assert {data.y[i] for i in mistakes} == set(pair)


def test_shuffled_passes_equal_the_reference_in_the_drawn_orders():
    data = random_data(7, 30, 3)
    X, state = canonical(data.X), np.random.RandomState(5)
    orders = [state.permutation(30).tolist() for _ in range(4)]
    _, survival, mistakes = voted(online(X, data.signs, orders), zeros(X))
    model = VotedPerceptron(epochs=4, shuffle=True, random_state=5).fit(data.X, data.y)
    assert model.mistakes_.tolist() == mistakes
    assert model.survival_.tolist() == survival


def test_weights_scale_updates_and_votes():
    data, s = random_data(8, 15, 2), [1, 2, 0.5, 4, 1] * 3
    X = canonical(data.X)
    steps = online(X, data.signs, 3 * [range(15)], weights=s)
    hypotheses, survival, mistakes = voted(steps, zeros(X), weights=s)
    model = VotedPerceptron(epochs=3, shuffle=False).fit(data.X, data.y, sample_weight=s)
    assert model.survival_.tolist() == survival
    assert model.mistakes_.tolist() == mistakes
    votes = [vote(hypotheses, survival, x) for x in X]
    assert model.decision_function(data.X).tolist() == votes


@pytest.mark.parametrize("first_vote", [2, -1, "0", None, [0], np.array([0, 1])], ids=str)
def test_the_first_vote_is_zero_or_one(first_vote):
    with pytest.raises(ParameterError, match="first_vote"):
        VotedPerceptron(first_vote=first_vote).fit(LECTURE_X, LECTURE_Y)


def test_real_numbers_vote_as_in_the_reference():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(60, 5)), rng.integers(0, 2, 60)
    rows = canonical(X.tolist())
    steps = online(rows, (2 * y - 1).tolist(), 3 * [range(60)])
    hypotheses, survival, _ = voted(steps, zeros(rows))
    model = VotedPerceptron(epochs=3, shuffle=False).fit(X, y)
    # votes are whole numbers; rounding could only flip one for a point within 1e-13 of a boundary
    assert model.decision_function(X).tolist() == [vote(hypotheses, survival, x) for x in rows]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_votes_are_the_same_in_slices(n_classes, monkeypatch):
    data = random_data(5, 40, 3)
    y = np.arange(40) % n_classes
    model = VotedPerceptron(epochs=4, shuffle=False).fit(data.X, y)
    votes = model.decision_function(data.X)
    monkeypatch.setattr(linear_voted, "N_PRODUCTS", 7 * model.n_updates_)
    assert np.array_equal(model.decision_function(data.X), votes)


@pytest.mark.parametrize("kind", THREE_KINDS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_every_hypothesis_can_be_asked_for(kind, fit_intercept):
    X = [[0, 1], [1, 0], [1, 1], [0, 0]]
    signs = [-1, 1, -1, 1]
    steps = online(canonical(X, fit_intercept), signs, 4 * [range(4)])
    expected, _, _ = voted(steps, zeros(canonical(X, fit_intercept)), 0)
    model = VotedPerceptron(epochs=4, shuffle=False, fit_intercept=fit_intercept)
    model.fit(THREE_KINDS[kind](np.array(X)), signs)
    found = [model.hypotheses(k) for k in range(model.n_hypotheses_)]
    assert [w.tolist() for w in found] == expected


@pytest.mark.parametrize("way", ["joint", "one-vs-rest", "one-vs-one"])
def test_the_last_hypotheses_are_the_weights_of_the_model(way):
    data = random_data(seed=0, n=30, d=2, n_classes=3)
    model = VotedPerceptron(epochs=3, multiclass=way, random_state=0).fit(data.X, data.y)
    weights = np.column_stack([model.intercept_, model.coef_])
    if way == "joint":
        np.testing.assert_array_equal(model.hypotheses(model.n_hypotheses_ - 1), weights)
    else:
        lasts = np.cumsum([len(c) for c in model.survival_]) - 1
        np.testing.assert_array_equal([model.hypotheses(k) for k in lasts], weights)
    with pytest.raises(ParameterError, match="k must be a whole number from 0 to"):
        model.hypotheses(model.n_hypotheses_)
