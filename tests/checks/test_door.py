"""Bad input gets an error that says what was expected, what came and what to do."""

import copy

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from rosenblatt import AveragedPerceptron, DataError, ParameterError, Perceptron, RosenblattError

X = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
Y = [0, 0, 1]


def csr(**changes):
    """Make a valid CSR matrix, then change its arrays behind SciPy's back."""
    matrix = sparse.csr_array(X)
    for name, value in changes.items():
        setattr(matrix, name, value)
    return matrix


BAD_DATA = {
    "nan": ([[0, 1], [np.nan, 3], [4, 5]], Y, "got NaN at row 1, column 0 .1 such value in all"),
    "infinity": ([[0, 1], [2, np.inf], [4, 5]], Y, "got infinity .* at row 1, column 1"),
    "sparse nan": (sparse.csr_array([[0, 1], [2, np.nan], [4, 5]]), Y, "NaN at row 1, column 1"),
    "named nan": (pd.DataFrame({"age": [1, np.nan, 3]}), Y, "NaN at row 1, column 'age'"),
    "one class": (X, [1, 1, 1], "y has 1 class, 1, .*at least two; check the label column"),
    "lengths": (X, [0, 1], "got 3 rows in X and 2 labels in y"),
    "no rows": (np.zeros((0, 2)), [], "0 sample"),
    "no columns": (np.zeros((3, 0)), Y, "0 feature"),
    "text": ([["a", "b"], ["c", "d"], ["e", "f"]], Y, "X must hold numbers, got text"),
    "numbers as text": ([["1", "2"], ["3", "4"], ["5", "6"]], Y, "X must hold numbers, got text"),
    "text in a frame": (pd.DataFrame({"a": ["x", "y", "z"]}), Y, "must hold numbers, got text"),
    "ragged": ([[1, 2], [3], [4, 5]], Y, "same number of columns in every row.*fill up or drop"),
    "nothing": (None, Y, "X must be a table of numbers.*got NoneType; pass an array"),
    "dict": ({"a": [1, 2, 3]}, Y, "X must be a table of numbers.*got dict; pass an array"),
    "generator": ((row for row in X), Y, "X must be a table of numbers.*got generator"),
    "too large": ([[10**400], [1], [2]], Y, "numbers that a float64 can hold"),
    "one dimension": ([1, 2, 3], Y, "Reshape your data"),
    "complex": (X.astype(complex), Y, "Complex data not supported"),
    "no labels": (X, None, "requires y to be passed"),
    "nan label": (X, [0.0, np.nan, 1.0], "y contains NaN"),
    "regression target": (X, [0.1, 0.7, 1.3], "Unknown label type"),
    "mixed labels": (X, np.array([0, "a", 1], dtype=object), "of one type, got int, str; drop"),
    "label missing": (
        X,
        np.array(["a", "b", None], dtype=object),
        "of one type, got NoneType, str",
    ),
    "label not there": (X, pd.Series(["a", "b", None], dtype="string"), "of one type, got NAType"),
    "index too large": (csr(indices=np.array([1, 0, 9, 0, 1])), Y, "not a valid CSR matrix"),
    "index negative": (csr(indices=np.array([1, 0, -1, 0, 1])), Y, "not a valid CSR matrix"),
    "falling row starts": (csr(indptr=np.array([0, 3, 1, 5])), Y, "not a valid CSR matrix"),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data_is_refused_in_words(case):
    rows, labels, message = BAD_DATA[case]
    with pytest.raises(DataError, match=message) as caught:
        Perceptron().fit(rows, labels)
    assert isinstance(caught.value, RosenblattError)
    assert isinstance(caught.value, ValueError)


BAD_WEIGHTS = {
    "length": ([1, 2], "must have shape .3,."),
    "negative": ([1, -1, 1], "got -1.0 at row 1"),
    "nan": ([1, 1, np.nan], "got nan at row 2"),
    "all zero": ([0, 0, 0], "every sample_weight is zero"),
    "one class left": (
        [1, 1, 0],
        "weights are all zero for class 1; give one of its rows a sample_weight",
    ),
    "text": (["a", "b", "c"], "sample_weight must hold numbers"),
    "numbers as text": (["1", "2", "3"], "must hold numbers: got some that are masked, text"),
    "masked": (np.ma.array([1, 2, 3], mask=[0, 1, 0]), "got some that are masked.*numbers first"),
    "times": (
        np.array(["2020"] * 3, dtype="datetime64[D]"),
        "got some that are masked, text or times",
    ),
    "too large": ([10**400, 1, 1], "sample_weight must hold numbers: int too large"),
}


@pytest.mark.parametrize("case", BAD_WEIGHTS)
def test_bad_weights_are_refused_in_words(case):
    weights, message = BAD_WEIGHTS[case]
    with pytest.raises(DataError, match=message):
        Perceptron().fit(X, Y, sample_weight=weights)


BAD_PARAMETERS = [
    ({"rule": "next"}, "rule must be one of 'first', .* got 'next'"),
    ({"tie": 0}, "tie must be one of"),
    ({"multiclass": "all"}, "multiclass must be one of"),
    ({"max_epochs": 0}, "max_epochs must be a whole number from 1 on, got 0"),
    ({"max_epochs": 2.5}, "max_epochs must be a whole number"),
    ({"max_updates": True}, "max_updates must be a whole number"),
    ({"max_epochs": None}, "there is no budget: on data that is not separable"),
    ({"init": [1, 2]}, "init must hold finite weights, 3 of them with w0 first, got 2$"),
    ({"init": [[1, 2]] * 2}, "3 of them with w0 first, got 2 rows of 2$"),
    ({"init": "zeros"}, "init must be one of 'regression', got 'zeros'"),
    ({"init": [1, "a", 2]}, "init must be an array of numbers"),
    ({"init": [10**400, 1, 2]}, "init must be an array of numbers"),
    ({"init": [1, 2, np.inf]}, "init must hold finite weights, .* got some that are not$"),
    ({"init": [1, 2, 3], "fit_intercept": False}, "threshold w0 that is not 0"),
    ({"rule": np.array([1, 2])}, "rule must be one of"),
    ({"fit_intercept": 2}, "fit_intercept must be True or False, got 2"),
    ({"warm_start": "no"}, "warm_start must be True or False, got 'no'"),
    ({"random_state": -1}, "random_state must be None, a whole number from 0 to .* got -1"),
    ({"random_state": "a"}, "random_state must be None.* got 'a'"),
]


@pytest.mark.parametrize(("parameters", "message"), BAD_PARAMETERS)
def test_bad_parameters_are_refused_in_words(parameters, message):
    with pytest.raises(ParameterError, match=message):
        Perceptron(**parameters).fit(X, Y)


def test_unknown_fit_option_is_a_type_error():
    with pytest.raises(TypeError, match="unexpected keyword argument 'weights'"):
        Perceptron().fit(X, Y, weights=[1, 1, 1])


def test_other_number_of_features_in_prediction():
    with pytest.raises(DataError, match="X has 3 features, but Perceptron is expecting 2"):
        Perceptron().fit(X, Y).predict([[1, 2, 3]])


@pytest.mark.parametrize("case", ["nan", "infinity", "sparse nan"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_numbers_that_are_not_finite_are_refused_in_prediction(case, n_classes, weight):
    model = Perceptron().fit(X, [0, 1, n_classes - 1])
    model.coef_ = np.full_like(model.coef_, weight)
    rows, _, message = BAD_DATA[case]
    for method in (model.predict, model.decision_function):
        with pytest.raises(DataError, match=message):
            method(rows)


def test_scores_that_overflow_are_no_fault_of_the_rows():
    model = Perceptron().fit(X, Y)
    model.coef_ = np.array([[1e200, 0.0]])
    assert model.predict([[1e200, 0], [-1e200, 0]]).tolist() == [1, 0]


def test_weights_that_overflow_are_refused():
    rows = [[1e308, 1e308], [1e308, -1e308], [-1e308, 1e308]]
    with pytest.raises(DataError, match="beyond what a float64 holds; scale the columns"):
        Perceptron(max_epochs=50).fit(rows, [0, 1, 0])


# one class alone may come in a stream; named columns warn before anything else
NOT_HERE = {"one class", "named nan", "text in a frame"}


@pytest.mark.parametrize("case", [case for case in BAD_DATA if case not in NOT_HERE])
@pytest.mark.parametrize("learner", [Perceptron, AveragedPerceptron])
def test_failed_partial_fit_leaves_no_trace(case, learner):
    rows, labels, _ = BAD_DATA[case]
    fresh, fitted = learner(), learner().partial_fit(X, Y)
    before = copy.deepcopy(vars(fitted))
    for model in (fresh, fitted):
        with pytest.raises(DataError):
            model.partial_fit(rows, labels)
    assert vars(fresh) == vars(learner())
    assert repr(vars(fitted)) == repr(before)


def test_failed_fit_leaves_the_last_model():
    model = Perceptron().fit(X, Y)
    before = copy.deepcopy(vars(model))
    with pytest.raises(DataError):
        model.fit(np.zeros((3, 5)), [1, 1, 1])
    assert repr(vars(model)) == repr(before)


@pytest.mark.parametrize("form", ["dok", "lil", "coo", "csc", "bsr", "dia"])
def test_sparse_rows_of_every_form_are_taken(form):
    rows = sparse.csr_array(X).asformat(form)
    np.testing.assert_array_equal(Perceptron().fit(rows, Y).coef_, Perceptron().fit(X, Y).coef_)


def test_input_is_not_changed():
    rows, labels = X.copy(), np.array(Y)
    rows.flags.writeable = False
    Perceptron().fit(rows, labels)
    np.testing.assert_array_equal(rows, X)


def test_presence_rows_with_repeats_and_explicit_zeros_mean_what_scipy_means():
    broken = sparse.csr_array(
        (np.array([True, True, False, True]), np.array([0, 0, 1, 1]), np.array([0, 2, 3, 4])),
        shape=(3, 2),
    )
    model = Perceptron().fit(broken, [1, 0, 0])
    plain = Perceptron().fit(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]), [1, 0, 0])
    np.testing.assert_array_equal(model.coef_, plain.coef_)


def test_a_matrix_that_wrongly_remembers_its_order_is_read_as_it_is():
    # row 0 has the columns 1, 0 and 1 again: together 1 and 5
    matrix = csr(
        data=np.array([2.0, 1.0, 3.0, 7.0, 8.0]),
        indices=np.array([1, 0, 1, 0, 1]),
        indptr=np.array([0, 3, 4, 5]),
    )
    matrix.has_canonical_format = matrix.has_sorted_indices = True
    model = Perceptron().fit(matrix, Y)
    plain = Perceptron().fit([[1.0, 5.0], [7.0, 0.0], [0.0, 8.0]], Y)
    np.testing.assert_array_equal(model.coef_, plain.coef_)
    np.testing.assert_array_equal(model.decision_function(matrix), plain.decision_function(matrix))
    assert matrix.indices.tolist() == [1, 0, 1, 0, 1]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", "float64"])
def test_labels_of_every_type_of_number_become_classes_as_numpy_sorts_them(dtype):
    rng = np.random.default_rng(0)
    top = 1 if dtype == "bool" else 100 if dtype == "float64" else np.iinfo(dtype).max
    for labels in ([0, top], [top, 0, 0], [0, 1, top], [top, top - 1]):
        y = rng.permutation(np.array(labels * 5, dtype=dtype))
        X = np.eye(len(y))
        model = Perceptron().fit(X, y)
        assert model.classes_.dtype == y.dtype
        assert np.array_equal(model.classes_, np.unique(y))
        assert np.array_equal(model.predict(X), y)


@pytest.mark.parametrize("size", [1e200, 1e300, np.finfo(np.float64).max])
def test_numbers_whose_squares_overflow_are_finite_all_the_same(size):
    X = np.array([[size], [-size]])
    assert Perceptron(fit_intercept=False).fit(X, [1, 0]).predict(X).tolist() == [1, 0]


@pytest.mark.parametrize("labels", [[5, 5, 7], [False, False, True], [0.0, 0.0, 1.0]])
def test_numbers_as_objects_are_labels_too(labels):
    for learn in (Perceptron().fit, Perceptron().partial_fit):
        model = learn(X, np.array(labels, dtype=object))
        assert model.classes_.dtype == np.array(labels).dtype
        assert model.classes_.tolist() == sorted(set(labels))


BAD_CLASSES = [[0, None], [0.0, np.nan], [[0, 1], [2, 3]], 3]


@pytest.mark.parametrize("classes", BAD_CLASSES)
def test_classes_that_are_no_list_of_labels_are_refused(classes):
    with pytest.raises(DataError, match="classes must be a list of labels"):
        Perceptron().partial_fit(X, Y, classes=classes)
