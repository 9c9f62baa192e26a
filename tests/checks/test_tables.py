"""A table of X that does not hold numbers is refused: which column, and what to do with it."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from rosenblatt import DataError, Perceptron, RosenblattError

NUMBERS = [1.0, 2.0, 7.0, 8.0]
X = np.array(NUMBERS)[:, np.newaxis]
Y = [0, 0, 1, 1]
WEIGHTS = Perceptron().fit(X, Y).coef_
DAYS = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-07", "2020-01-08"])
PAST = DAYS - DAYS[0]
DATES = [day.date() for day in DAYS]
WORDS = ["b", "b", "c", "c"]


def frame(column):
    return pd.DataFrame({"a": NUMBERS, "when": column})


TIMES = {
    "pandas datetime": frame(DAYS),
    "pandas datetime alone": pd.DataFrame({"when": DAYS}),
    "pandas datetime with a zone": frame(DAYS.tz_localize("UTC")),
    "pandas timedelta": frame(PAST),
    "pandas period": frame(DAYS.to_period("D")),
    "pandas Arrow timestamp": frame(pd.Series(DAYS).astype("timestamp[us][pyarrow]")),
    "pandas categories of datetimes": frame(pd.Categorical(DAYS)),
    "polars datetime": pl.DataFrame({"a": NUMBERS, "when": DAYS.to_numpy()}),
    "polars date": pl.DataFrame({"a": NUMBERS, "when": DATES}),
    "polars duration": pl.DataFrame({"a": NUMBERS, "when": PAST.to_numpy()}),
    "polars time": pl.DataFrame({"a": NUMBERS, "when": [datetime.time(hour) for hour in range(4)]}),
    "Arrow timestamp": pa.table({"a": NUMBERS, "when": DAYS.to_numpy()}),
    "Arrow date": pa.table({"a": NUMBERS, "when": pa.array(DATES)}),
    "Arrow duration": pa.table({"a": NUMBERS, "when": PAST.to_numpy()}),
}


@pytest.mark.parametrize("case", TIMES)
def test_a_column_of_times_is_refused_by_its_name(case):
    with pytest.raises(DataError, match=r"got .* in column 'when'; turn times into numbers first"):
        Perceptron().fit(TIMES[case], Y)


TEXTS = {
    "pandas text": frame(WORDS),
    "pandas numbers as text": frame(["1", "2", "3", "4"]),
    "pandas categories": frame(pd.Categorical(WORDS)),
    "pandas objects": frame(pd.Series([1, 2, "3", 4], dtype=object)),
    "pandas Arrow text": frame(pd.Series(WORDS, dtype="string[pyarrow]")),
    "polars text": pl.DataFrame({"a": NUMBERS, "when": WORDS}),
    "polars numbers as categories": pl.DataFrame(
        {"a": NUMBERS, "when": pl.Series(["1", "2", "3", "4"], dtype=pl.Categorical)}
    ),
    "Arrow text": pa.table({"a": NUMBERS, "when": WORDS}),
    "Arrow dictionary": pa.table({"a": NUMBERS, "when": pa.array(WORDS).dictionary_encode()}),
}


@pytest.mark.parametrize("case", TEXTS)
def test_a_column_of_text_is_refused_by_its_name(case):
    with pytest.raises(DataError, match=r"got text in column 'when'; .*BagOfWords"):
        Perceptron().fit(TEXTS[case], Y)


TRUTH = [False, False, True, True]
SAME = {
    "pandas bool": (pd.DataFrame({"a": TRUTH}), np.array(TRUTH)[:, np.newaxis]),
    "pandas boolean": (pd.DataFrame({"a": pd.array(TRUTH)}), np.array(TRUTH)[:, np.newaxis]),
    "pandas object bool": (
        pd.DataFrame({"a": pd.Series(TRUTH, dtype=object)}),
        np.array(TRUTH)[:, np.newaxis],
    ),
    "polars bool": (pl.DataFrame({"a": TRUTH}), np.array(TRUTH)[:, np.newaxis]),
    "Arrow bool": (pa.table({"a": TRUTH}), np.array(TRUTH)[:, np.newaxis]),
    "pandas numbers as categories": (pd.DataFrame({"a": pd.Categorical(NUMBERS)}), X),
    "pandas Int64": (pd.DataFrame({"a": pd.array([1, 2, 7, 8])}), X),
    "pandas sparse": (pd.DataFrame.sparse.from_spmatrix(sparse.csr_array(X)), X),
    "object numbers": (X.astype(object), X),
    "decimals": ([[Decimal(int(x))] for x in NUMBERS], X),
    "fractions": ([[Fraction(int(x))] for x in NUMBERS], X),
    "big-endian": (X.astype(">f8"), X),
    "half precision": (X.astype(np.float16), X),
    "long double": (X.astype(np.longdouble), X),
    "nothing masked": (np.ma.array(X), X),
    "memory view": (memoryview(X), X),
}


@pytest.mark.parametrize("case", SAME)
def test_numbers_are_taken_whatever_holds_them(case):
    given, plain = SAME[case]
    model = Perceptron().fit(given, Y)
    np.testing.assert_array_equal(model.coef_, Perceptron().fit(plain, Y).coef_)
    assert model.predict(given).tolist() == Y


OTHERS = {
    "-inf": ([[1], [-np.inf], [7], [8]], "got -infinity .-inf. at row 1, column 0"),
    "sparse -inf": (
        sparse.csr_array([[1], [-np.inf], [7], [8]]),
        "got -infinity .-inf. at row 1, column 0",
    ),
    "nullable": (pd.DataFrame({"a": pd.array([1, None, 7, 8])}), "got NaN at row 1, column 'a'"),
    "no rows": (np.zeros((0, 2)), r"0 sample\(s\) .*at least one row; look whether a filter"),
    "no columns": (np.zeros((4, 0)), r"0 feature\(s\) .*X must have at least one column"),
    "frame of nothing": (pd.DataFrame(), "X must have at least one column of numbers"),
    "one dimension": (NUMBERS, "Expected 2D array, got 1D(?s:.*)Reshape your data"),
    "three dimensions": (np.zeros((4, 2, 2)), r"with dim 3, .*: X.reshape\(len\(X\), -1\)"),
    "sparse, three dimensions": (sparse.coo_array(np.ones((4, 2, 2))), "have two dimensions"),
    "complex": (X * 1j, "^Complex data not supported. X must hold real numbers: pass X.real"),
    "times": (DAYS.to_numpy()[:, np.newaxis], r"got datetime64\[[un]s\]; turn times into numbers"),
    "text of any length": (
        np.array(WORDS, dtype=np.dtypes.StringDType())[:, np.newaxis],
        "X must hold numbers, got text",
    ),
    "dates as objects": (frame(DATES).astype(object), "got date at row 0, column 'when'; leave it"),
    "dictionaries": ([[1], [{}], [7], [8]], "got dict at row 1, column 0; leave it out, or make"),
    "lists in a frame": (pl.DataFrame({"a": [[1], [2], [3], [4]]}), "must hold a number in each"),
    "masked": (np.ma.array(X, mask=X == 2), "some that are masked .1 in all.; drop those rows"),
    "records": (np.zeros(4, dtype=[("a", float)]), "got records with the fields .'a',.; pass"),
    "lazy frame": (pl.LazyFrame({"a": NUMBERS}), "X must be a table of numbers.*got LazyFrame"),
    "function": (len, "X must be a table of numbers.*got builtin_function_or_method"),
    "string": ("abc", "X must be a table of numbers.*got str; pass an array"),
    "view of a dict": ({1: 2}.values(), "X must be a table of numbers.*got dict_values"),
    "too large": (np.array([[1], [2], [7], [np.longdouble("1e400")]]), "got infinity .* at row 3"),
    "two kinds of names": (
        pd.DataFrame({"a": NUMBERS, 1: NUMBERS}),
        "string names, .* has .'int', 'str'.(?s:.*)convert them all to strings",
    ),
    "a name twice": (
        pd.DataFrame(np.c_[X, X], columns=["a", "a"]),
        "unique column names(?s:.*)'a' 2 times. Give each column of X a name of its own",
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_other_tables_are_refused_in_words(case):
    rows, message = OTHERS[case]
    if case == "too large" and np.isinf(np.longdouble("1e400")):
        pytest.skip("here a long double is no larger than a float64")
    with pytest.raises(DataError, match=message) as caught:
        Perceptron().fit(rows, Y)
    assert isinstance(caught.value, RosenblattError)
    assert isinstance(caught.value, ValueError)


def test_other_columns_than_those_of_the_fit_are_refused_with_what_to_do():
    named = pd.DataFrame({"a": NUMBERS, "b": NUMBERS})
    model = Perceptron().fit(named, Y)
    wider = "X has 3 features, but Perceptron is expecting 2 features as input. Pass the columns"
    other = (
        "The feature names should match(?s:.*)- c\n(?s:.*)Pass the columns of fit, in their order"
    )
    turned = "must be in the same order as they were in fit.\n?(?s:.*)Pass the columns of fit"
    for method in (model.predict, model.decision_function, lambda X: model.partial_fit(X, Y)):
        with pytest.raises(DataError, match=other):
            method(named.rename(columns={"b": "c"}))
        with pytest.raises(DataError, match=turned):
            method(named[["b", "a"]])
    model = Perceptron().fit(named.to_numpy(), Y)
    for method in (model.predict, lambda X: model.partial_fit(X, Y)):
        with pytest.raises(DataError, match=wider):
            method(np.zeros((4, 3)))
