"""Only what was learned can be forgotten: the row, with its label and its weight."""

import copy
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.categorical import CategoricalNaiveBayes
from rosenblatt.bayes.empirical import EmpiricalBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.bayes.multinomial import MultinomialNaiveBayes
from tests.bayes.models import COUNTING, binary, bits, same_after_error
from tests.examples import FEW, MANY, THREE_KINDS

SQUARE, CORNERS = [[1, 0], [0, 1], [1, 1], [0, 0]], [0, 0, 1, 1]
# the values of a row, its label, its weight
EXAMPLES = st.tuples(
    st.tuples(st.integers(0, 1), st.integers(0, 1)),
    st.integers(0, 2),
    st.sampled_from([1.0, 1.0, 2.0, 0.5, 0.0]),
)
SOME = st.lists(EXAMPLES, min_size=1, max_size=4).filter(lambda part: any(s for _, _, s in part))
# learn some; forget some, which may have been learned; forget some of what was learned before
PLACES = st.lists(st.integers(0, 99), min_size=1, max_size=4)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("learn"), SOME),
        st.tuples(st.just("forget"), SOME),
        st.tuples(st.just("forget again"), PLACES),
    ),
    max_size=12,
)


def refusal(model, *arguments, **options):
    return str(same_after_error(model, lambda: model.forget(*arguments, **options)))


def apply(method, part):
    X, y, weights = zip(*part, strict=True)
    return method(np.array(X, dtype=float), y, sample_weight=weights)


def check_against_a_multiset(cls, start, steps):
    model, learned, history = cls(), Counter(), []
    for what, part in [("learn", start), *steps]:
        if what == "forget again":
            part = [history[place % len(history)] for place in part]
        counted = Counter(example for example in part if example[2] > 0)
        if what == "learn":
            apply(model.partial_fit, part)
            learned += counted
            history += counted.elements()
        elif counted <= learned:
            apply(model.forget, part)
            learned -= counted
        else:
            error = same_after_error(model, lambda part=part: apply(model.forget, part))
            assert f"row {first_refused(part, learned)} " in str(error)
        if not learned:  # classes stay when nothing is left of any
            return
        assert bits(model) == bits(apply(cls().partial_fit, [*learned.elements()]))


@pytest.mark.parametrize("cls", COUNTING)
def test_learning_and_forgetting_is_a_multiset_of_examples(cls):
    FEW(given(st.just(cls), SOME, STEPS)(check_against_a_multiset))()


@pytest.mark.soak
@pytest.mark.parametrize("cls", COUNTING)
def test_learning_and_forgetting_is_a_multiset_of_examples_many_times(cls):
    MANY(given(st.just(cls), SOME, STEPS)(check_against_a_multiset))()


def first_refused(part, learned):
    left = learned.copy()
    for i, example in enumerate(part):
        if example[2] > 0:
            left[example] -= 1
            if left[example] < 0:
                return i
    raise AssertionError("nothing is refused")


@pytest.mark.parametrize("cls", COUNTING)
def test_a_row_that_the_counts_would_allow_is_refused(cls):
    # (1, 1) was learned, with the other label; each of its values came with this one
    model = cls().fit(SQUARE, CORNERS)
    assert "row 1 with the label 0 was never learned" in refusal(model, [[1, 0], [1, 1]], [0, 0])


NEVER = [
    (BernoulliNaiveBayes, [[1, 0], [1, 0], [0, 1]], [0, 0, 1], [[0, 0]]),
    (BernoulliNaiveBayes, [[1, 0], [1, 0], [0, 1]], [0, 0, 1], [[1, 1]]),
    (CategoricalNaiveBayes, [[1], [2], [3]], [0, 0, 1], [[3]]),
    (CategoricalNaiveBayes, [[1], [2], [3]], [0, 0, 1], [[0]]),
    (CategoricalNaiveBayes, [[1], [2], [3]], [0, 0, 1], [[4]]),
    (EmpiricalBayes, [[1, 0], [0, 1], [1, 1]], [0, 0, 1], [[1, 1]]),
    (MultinomialNaiveBayes, [[1, 0], [2, 0], [0, 1]], [0, 0, 1], [[4, 0]]),
    (MultinomialNaiveBayes, [[1, 2], [2, 1], [0, 1]], [0, 0, 1], [[1, 1]]),
    (GaussianNaiveBayes, [[1], [2], [3]], [0, 0, 1], [[9]]),
    (GaussianNaiveBayes, [[1], [2], [3]], [0, 0, 1], [[1.5]]),
    (GaussianNaiveBayes, [[1], [2], [3]], [0, 0, 1], [[0]]),
    (GaussianNaiveBayes, [[1], [2], [4], [3]], [0, 0, 0, 1], [[2.5]]),
]


@pytest.mark.parametrize(("cls", "X", "y", "row"), NEVER)
def test_a_row_never_learned_is_refused(cls, X, y, row):
    assert "never learned" in refusal(cls().fit(X, y), row, [0])


@pytest.mark.parametrize("cls", COUNTING)
def test_a_row_is_forgotten_as_often_as_it_was_learned(cls):
    X, y = [[1, 0], [1, 0], [0, 1]], ["a", "a", "b"]
    model = cls().fit(X, y)
    assert "row 2 with the label a was learned 2 times" in refusal(model, [X[0]] * 3, ["a"] * 3)
    model.forget(X[:1], y[:1])
    assert "row 1 with the label a was learned once" in refusal(model, X[:2], y[:2])
    assert "row 0 with the label z was never learned" in refusal(model, X[:1], ["z"])


@pytest.mark.parametrize("cls", COUNTING)
def test_weights_must_be_those_that_were_learned(cls):
    X, y = [[1, 0], [1, 0], [0, 1], [0, 1]], [0, 0, 1, 1]
    model = cls().fit(X, y)
    for weight in (2, 0.5):
        error = refusal(model, X[:1], y[:1], sample_weight=[weight])
        assert f"row 0 with the label 0 and the weight {weight:.1f} was never learned" in error
    model.partial_fit(X[:1], y[:1], sample_weight=[2]).forget(X[:2], y[:2])
    assert "never learned" in refusal(model, X[:1], y[:1])
    model.forget(X[:1], y[:1], sample_weight=[2])
    assert model.classes_.tolist() == [1]


@pytest.mark.parametrize("cls", COUNTING)
def test_rows_of_weight_zero_are_neither_learned_nor_forgotten(cls):
    model = cls().fit([*SQUARE, [1, 1]], [*CORNERS, 0], sample_weight=[1, 1, 1, 1, 0])
    before = bits(model)
    # the rows of weight 0 are finer than any that was learned, and have a label of their own
    X = [[0, 1]] if cls is BernoulliNaiveBayes else [[0.125, 1]]
    model.partial_fit([[1, 0]], [0]).forget([*X, [1, 0]], [7, 0], sample_weight=[0, 1])
    assert bits(model) == before
    assert "row 0 with the label 0 was never learned" in refusal(model, [[1, 1]], [0])


@pytest.mark.parametrize("cls", COUNTING)
def test_a_row_is_known_again_in_any_form(cls):
    X, y = binary()
    for make in THREE_KINDS.values():
        model = cls().fit(X, y)
        model.forget(make(X[:40]), y[:40])
        assert bits(model) == bits(cls().fit(X[40:], y[40:]))


def test_a_row_that_counts_the_same_is_the_same_row():
    model = BernoulliNaiveBayes(binarize=0.5).fit([[0.7, 0], [0.9, 2], [0, 0.1]], [0, 0, 1])
    model.forget([[3, 0.5]], [0])
    assert model.class_count_.tolist() == [1, 1]
    model = GaussianNaiveBayes().fit([[0.0, 1], [2, 1], [3, 4]], [0, 0, 1]).forget([[-0.0, 1]], [0])
    assert model.mean_[0].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("learned", "forgotten"),
    [
        ([0, 1], [0.0, 1.0]),
        ([False, True], [0, 1]),
        (["a", "b"], np.array(["a", "b"], dtype=object)),
        (np.array([2**62, 5]), [2**62, 5]),
    ],
)
def test_a_label_is_known_again_in_any_type(learned, forgotten):
    model = BernoulliNaiveBayes().fit([[0], [1]], learned)
    model.partial_fit([[0], [1]], learned).forget([[0], [1]], forgotten)
    assert model.class_count_.tolist() == [1, 1]


@pytest.mark.parametrize("cls", COUNTING)
def test_a_copy_remembers_and_a_clone_does_not(cls):
    model = cls().fit(SQUARE, CORNERS)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301  # ours
        assert "never learned" in refusal(twin, [[1, 1]], [0])
        twin.forget([[1, 1]], [1])
    shallow = copy.copy(model).forget([[1, 1]], [1])
    assert "never learned" in refusal(shallow, [[1, 1]], [1])
    model.forget([[1, 1]], [1])
    with pytest.raises(NotFittedError):
        clone(model).forget([[1, 1]], [1])


@pytest.mark.parametrize("cls", COUNTING)
def test_a_new_fit_begins_a_new_record(cls):
    model = cls().fit(SQUARE, CORNERS).fit(SQUARE, CORNERS[::-1])
    assert "never learned" in refusal(model, [[1, 0]], [0])
    model.forget([[1, 0]], [1])
