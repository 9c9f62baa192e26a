"""Progressive validation in blocks gives the answers of predicting and learning row by row."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import (
    AROW,
    AveragedPerceptron,
    DataError,
    LabelError,
    PassiveAggressive,
    Perceptron,
)
from rosenblatt.linear.progressive import predict_then_learn

LEARNERS = [Perceptron, AveragedPerceptron, PassiveAggressive, AROW]
LATER = [PassiveAggressive, Perceptron]
KINDS = {
    "dense": np.asarray,
    "float32": lambda X: X.astype(np.float32),
    "csr": sparse.csr_array,
    "presence": lambda X: sparse.csr_array(X != 0),
}


def sample(n_classes, n=120, d=8):
    random = np.random.default_rng(n_classes)
    X = random.standard_normal((n, d)) * (random.random((n, d)) < 0.5)
    y = (X @ random.standard_normal((d, n_classes))).argmax(axis=1)
    return X, np.array(["b", "a", "d", "c"])[y]


def by_definition(model, X, y):
    """Predict each row, then learn from it, with the public methods alone."""
    wrong = []
    for i, label in enumerate(y):
        row = X[i : i + 1]
        wrong.append(not hasattr(model, "classes_") or model.predict(row)[0] != label)
        model.partial_fit(row, [label])
    return np.array(wrong)


def assert_the_same(one, two):
    for name in ("classes_", "coef_", "intercept_", "n_updates_", "n_epochs_", "converged_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)


# a kernel is compiled for each, a second every time: rows of half the size and without values are
# looked at with two learners, and with all of them by `make soak`
COMPILED = [
    pytest.param(
        learner,
        kind,
        marks=pytest.mark.soak if kind in ("float32", "presence") and learner in LATER else (),
    )
    for learner in LEARNERS
    for kind in KINDS
]


@pytest.mark.parametrize(("learner", "kind"), COMPILED)
@pytest.mark.parametrize(
    ("n_classes", "way"), [(2, "joint"), (4, "joint"), (4, "one-vs-rest")], ids=str
)
def test_blocks_of_any_size_give_the_answers_of_single_rows(learner, kind, n_classes, way):
    X, y = sample(n_classes)
    X = KINDS[kind](X)
    one, two = learner(multiclass=way), learner(multiclass=way)
    expected = by_definition(one, X, y)
    found = [predict_then_learn(two, X[s:e], y[s:e]) for s, e in ((0, 7), (7, 80), (80, 120))]
    assert 5 < expected.sum() < 100
    np.testing.assert_array_equal(np.concatenate(found), expected)
    assert_the_same(one, two)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_class_that_comes_late_is_one_wrong_answer_more(learner):
    X, y = sample(4)
    order = np.argsort(y, kind="stable")
    one, two = learner(), learner()
    expected = by_definition(one, X[order], y[order])
    np.testing.assert_array_equal(predict_then_learn(two, X[order], y[order]), expected)
    assert_the_same(one, two)


@pytest.mark.parametrize("learner", LEARNERS)
def test_sparse_rows_may_have_more_columns_than_those_before(learner):
    X, y = sample(2)
    X[:100, 5:] = 0.0
    X = sparse.csr_array(X)
    one, two = learner(), learner()
    expected = by_definition(one, X, y)
    wrong = [
        predict_then_learn(two, X[:100, :5], y[:100]),
        predict_then_learn(two, X[100:], y[100:]),
    ]
    np.testing.assert_array_equal(np.concatenate(wrong), expected)
    assert_the_same(one, two)
    expected = by_definition(one, X[:9], y[:9])
    np.testing.assert_array_equal(predict_then_learn(two, X[:9, :5], y[:9]), expected)


# the square of such a row, which the others need, is no number
@pytest.mark.parametrize("learner", [Perceptron, AveragedPerceptron])
def test_numbers_near_the_end_of_floats_are_looked_at_closely(learner):
    X, y = sample(2, n=60)
    X[30] *= 1e200
    one, two = learner(), learner()
    np.testing.assert_array_equal(predict_then_learn(two, X, y), by_definition(one, X, y))
    assert_the_same(one, two)


def test_rows_and_labels_that_are_none_are_refused_before_any_is_learned():
    X, y = sample(2)
    model = AveragedPerceptron()
    predict_then_learn(model, X[:50], y[:50])
    bad = X[50:60].copy()
    bad[7, 2] = np.nan
    with pytest.raises(DataError, match="NaN at row 7"):
        predict_then_learn(model, bad, y[50:60])
    with pytest.raises(LabelError, match="same length"):
        predict_then_learn(model, X[50:60], y[50:55])
    with pytest.raises(LabelError, match="like the known classes"):
        predict_then_learn(model, X[50:60], np.arange(10) % 2)
    with pytest.raises(DataError, match="features"):
        predict_then_learn(model, X[50:60, :3], y[50:60])
    assert_the_same(model, _row_by_row(X[:50], y[:50]))


def _row_by_row(X, y):
    model = AveragedPerceptron()
    by_definition(model, X, y)
    return model


@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_of_classes_count(learner):
    X, y = sample(2)
    one, two = learner(class_weight={"a": 3.0}), learner(class_weight={"a": 3.0})
    np.testing.assert_array_equal(predict_then_learn(two, X, y), by_definition(one, X, y))
    assert_the_same(one, two)
