"""One row at a time teaches what `partial_fit` with each row teaches, to the bit."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

import rosenblatt
from rosenblatt import (
    AROW,
    AveragedPerceptron,
    DataError,
    LabelError,
    PassiveAggressive,
    Perceptron,
)

LEARNERS = [Perceptron, AveragedPerceptron, PassiveAggressive, AROW]
WAYS = ["joint", "one-vs-rest", "one-vs-one"]
TASKS = [(2, "joint"), *((4, way) for way in WAYS)]  # of two classes there is one way
ATTRIBUTES = ("classes_", "coef_", "intercept_", "n_updates_", "n_epochs_", "converged_")


def sample(n_classes, n=120, d=7, seed=0):
    random = np.random.default_rng([seed, n_classes])
    X = random.standard_normal((n, d)) * random.choice([0.1, 1.0, 3.0], d)
    y = (X @ random.standard_normal((d, n_classes))).argmax(axis=1)
    noisy = random.random(n) < 0.1
    y[noisy] = random.integers(n_classes, size=noisy.sum())
    return X, np.array(["late", "early", "never", "always"])[y]


def row_by_row(model, X, y):
    for i in range(len(y)):
        model.partial_fit(X[i : i + 1], y[i : i + 1])
    return model


def assert_the_same(one, two):
    for name in ATTRIBUTES:
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)


def named_rows(X, seed=0):
    """Return rows as dicts of some names, in any order, and the matrix of the same numbers."""
    random = np.random.default_rng(seed)
    there = random.random(X.shape) < 0.6
    there[:, 0] = True
    rows = []
    for x, has in zip(X, there, strict=True):
        columns = random.permutation(np.flatnonzero(has))
        rows.append({f"f{j}": float(x[j]) for j in columns})
    names = list(dict.fromkeys(name for row in rows for name in row))
    entries, columns, starts = [], [], [0]
    for row in rows:
        pairs = sorted((names.index(name), value) for name, value in row.items())
        columns += [j for j, _ in pairs]
        entries += [value for _, value in pairs]
        starts.append(len(columns))
    return rows, sparse.csr_array((entries, columns, starts), shape=(len(rows), len(names))), names


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("n_classes", "way"), TASKS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rows_of_numbers_teach_what_partial_fit_teaches(learner, way, n_classes, fit_intercept):
    X, y = sample(n_classes)
    how = {"multiclass": way, "fit_intercept": fit_intercept}
    one, two, three = (learner(**how) for _ in range(3))
    row_by_row(one, X, y)
    for x, label in zip(X, y, strict=True):
        two.learn_one(x, label)
        three.learn_one(x.tolist(), str(label))
    assert one.n_updates_ > 10
    assert_the_same(one, two)
    assert_the_same(one, three)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("n_classes", "way"), TASKS)
def test_rows_with_names_teach_what_a_matrix_of_them_teaches(learner, way, n_classes):
    X, y = sample(n_classes, d=30)
    rows, matrix, names = named_rows(X)
    one, two = learner(multiclass=way), learner(multiclass=way)
    row_by_row(one, matrix, y)
    for x, label in zip(rows, y, strict=True):
        two.learn_one(x, label)
    assert two.feature_names_in_.tolist() == names
    assert two.n_features_in_ == 30
    assert_the_same(one, two)


@pytest.mark.parametrize("learner", LEARNERS)
def test_every_answer_is_that_of_predict(learner):
    for n_classes in (2, 4):
        X, y = sample(n_classes)
        rows, matrix, _ = named_rows(X)
        for kind, table in ((X, X), (rows, matrix)):
            one, two = learner(), learner()
            for i, label in enumerate(y):
                if i:
                    expected = one.predict(table[i : i + 1])[0]
                    assert two.predict_one(kind[i]) == expected
                one.partial_fit(table[i : i + 1], [label])
                two.learn_one(kind[i], label)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("way", WAYS)
def test_one_row_answers_follow_many_classes_in_every_way(learner, way):
    X, y = sample(4)
    model = learner(multiclass=way, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of data that no rule separates
        model.fit(X, y)
    expected = model.predict(X)
    assert [model.predict_one(x) for x in X] == expected.tolist()
    assert [model.predict_one(x.tolist()) for x in X[:20]] == expected[:20].tolist()


@pytest.mark.parametrize("learner", LEARNERS)
def test_nothing_is_predicted_before_the_first_row(learner):
    model = learner()
    assert model.predict_one({"a": 1.0}) is None
    assert model.learn_one({"a": 1.0}, "yes").predict_one({"b": 2}) == "yes"


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_was_learned_by_fit_goes_on_row_by_row(learner):
    X, y = sample(2)
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one, two = (learner(random_state=0).fit(frame[:100], y[:100]) for _ in range(2))
    expected = one.predict(frame[100:])
    rows = frame[100:].to_dict("records")
    assert [two.predict_one(x) for x in rows] == expected.tolist()
    for x, label in zip(rows, y[100:], strict=True):
        two.learn_one(x, label)
    dense = copy.copy(one)
    del dense.feature_names_in_
    row_by_row(dense, sparse.csr_array(X[100:]), y[100:])
    assert_the_same(dense, two)
    two.learn_one({"h": 1.0}, y[0])
    assert two.feature_names_in_.tolist() == list("abcdefgh")


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_model_is_a_whole_one_at_any_time(learner, tmp_path):
    X, y = sample(4)
    rows, matrix, names = named_rows(X)
    one, two = learner(), learner()
    for i, (x, label) in enumerate(zip(rows, y, strict=True)):
        row_by_row(one, matrix[i : i + 1], [label])
        two.learn_one(x, label)
        if i == 40:
            two = pickle.loads(pickle.dumps(two))  # noqa: S301 - our own
        elif i == 60:
            two = copy.deepcopy(two)
        elif i == 80:
            rosenblatt.save(two, tmp_path / "model.rosenblatt")
        elif i == 90:
            assert two.coef_.shape[1] == len(two.feature_names_in_)
        elif i == 100:
            assert set(vars(clone(two))) == set(vars(learner()))
        elif i == 110:
            early = copy.copy(two)
            kept = early.coef_.copy()
    assert_the_same(one, two)
    np.testing.assert_array_equal(early.coef_, kept)
    frame = pd.DataFrame(matrix.toarray(), columns=names)
    np.testing.assert_array_equal(two.predict(frame), one.predict(matrix))
    late = rosenblatt.load(tmp_path / "model.rosenblatt")
    for x, label in zip(rows[81:], y[81:], strict=True):
        late.learn_one(x, label)
    assert_the_same(one, late)


@pytest.mark.parametrize("learner", LEARNERS)
def test_rows_and_blocks_of_rows_may_take_turns(learner):
    X, y = sample(4)
    one, two = learner(), learner()
    for start in range(0, len(y), 20):
        row_by_row(one, X[start : start + 10], y[start : start + 10])
        for x, label in zip(X[start : start + 10], y[start : start + 10], strict=True):
            two.learn_one(x, label)
        for model in (one, two):
            model.partial_fit(X[start + 10 : start + 20], y[start + 10 : start + 20])
    assert_the_same(one, two)


def test_a_changed_parameter_counts_from_the_next_row_on():
    X, y = sample(2)
    one, two = Perceptron(), Perceptron()
    row_by_row(one, X[:50], y[:50])
    row_by_row(one.set_params(fit_intercept=False), X[50:], y[50:])
    for i, (x, label) in enumerate(zip(X, y, strict=True)):
        if i == 50:
            two.fit_intercept = False
        two.learn_one(x, label)
    assert_the_same(one, two)


HOSTILE = [
    ([1.0, np.nan], DataError, "NaN"),
    (np.array([np.inf, 1.0]), DataError, "infinity"),
    (["1", "2"], DataError, "text"),
    ([1.0, "2"], DataError, "text"),
    ([1.0, None], DataError, "NaN"),
    ([1.0], DataError, "features"),
    ([[1.0, 2.0]], DataError, "one row"),
    ("ab", DataError, "one row"),
    (7, DataError, "one row"),
    ({"a": 1.0, "b": 2.0}, DataError, "without names"),
]
HOSTILE_NAMED = [
    ({"a": np.nan}, DataError, "nan for 'a'"),
    ({"a": 1.0, "new": np.inf}, DataError, "inf for 'new'"),
    ({"new": "3"}, DataError, "'3' for 'new'"),
    ({"a": None}, DataError, "None for 'a'"),
    ({"a": 10**400}, DataError, "for 'a'"),
    ({3: 1.0}, DataError, "must be text, got 3"),
]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("x", "kind", "words"), HOSTILE + HOSTILE_NAMED)
def test_what_is_no_row_is_refused_and_nothing_changes(learner, x, kind, words):
    named = any(x is row for row, _, _ in HOSTILE_NAMED)
    model, other = learner(), learner()
    for label, row in (("no", [1.0, 2.0]), ("yes", [3.0, -1.0]), ("no", [2.0, 2.5])):
        row = dict(zip("ab", row, strict=True)) if named else row
        model.learn_one(row, label)
        other.learn_one(row, label)
    with pytest.raises(kind, match=words):
        model.learn_one(x, "yes")
    if not (named and 3 in x):  # a name that is no text is just one that was never learned
        with pytest.raises(kind, match=words):
            model.predict_one(x)
    assert_the_same(model, other)
    assert model.n_features_in_ == 2


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("y", [None, np.nan, 3, b"yes"])
def test_a_label_that_is_none_is_refused_and_nothing_changes(learner, y):
    model, other = learner(), learner()
    for label, row in (("no", {"a": 1}), ("yes", {"a": 2})):
        model.learn_one(row, label)
        other.learn_one(row, label)
    with pytest.raises(LabelError):
        model.learn_one({"a": 1, "new": 2}, y)
    assert_the_same(model, other)
    assert model.feature_names_in_.tolist() == ["a"]


# a margin of such a row cannot be reached: the others refuse its square before
@pytest.mark.parametrize("learner", [Perceptron, AveragedPerceptron])
def test_weights_beyond_a_float_are_refused_and_nothing_changes(learner):
    model = learner().learn_one([-1.0, 0.0], "no").learn_one([1e308, 1e308], "yes")
    before = model.coef_.copy()
    # the first product is infinite, so this is a mistake; its correction is 1e308 + 1e308
    with pytest.raises(DataError, match="grew beyond"):
        model.learn_one([1.5e308, -1e308], "no")
    np.testing.assert_array_equal(model.coef_, before)
    assert model.n_epochs_ == 2


def test_labels_of_numbers_stay_numbers():
    model = AveragedPerceptron()
    for i in range(50):
        model.learn_one([float(i % 3), 1.0], i % 3)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.classes_.dtype.kind == "i"
    assert model.predict_one(np.array([2.0, 1.0])) == 2


@pytest.mark.parametrize("learner", LEARNERS)
def test_weights_of_classes_count_for_single_rows(learner):
    X, y = sample(2)
    rows, matrix, _ = named_rows(X)
    one, two, three = (learner(class_weight={"late": 2.5}) for _ in range(3))
    row_by_row(one, X, y)
    other = row_by_row(learner(class_weight={"late": 2.5}), matrix, y)
    for x, row, label in zip(X, rows, y, strict=True):
        two.learn_one(x, label)
        three.learn_one(row, label)
    assert_the_same(one, two)
    assert_the_same(other, three)
