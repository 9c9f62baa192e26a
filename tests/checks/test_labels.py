"""Labels become classes of their own type; labels that are missing or no classes are refused."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rosenblatt import DataError, MultinomialNaiveBayes, Perceptron
from rosenblatt.checks.labels import check_labels

X = [[1], [2], [7], [8]]
WHOLE, TRUTH, WORDS = [3, 3, 5, 5], [False, False, True, True], ["no", "no", "yes", "yes"]
COLUMNS = {
    "pandas Int64": pd.Series(WHOLE, dtype="Int64"),
    "pandas UInt8": pd.Series(WHOLE, dtype="UInt8"),
    "pandas boolean": pd.Series(TRUTH, dtype="boolean"),
    "pandas array": pd.array(WHOLE),
    "pandas Arrow integers": pd.Series(WHOLE, dtype="int64[pyarrow]"),
    "pandas Arrow bools": pd.Series(TRUTH, dtype="bool[pyarrow]"),
    "pandas text": pd.Series(WORDS),
    "pandas categories": pd.Series(WORDS, dtype="category"),
    "pandas categories of integers": pd.Series(WHOLE, dtype="category"),
    "NumPy text of any length": np.array(WORDS, dtype=np.dtypes.StringDType()),
    "polars integers": pl.Series(WHOLE),
    "polars bools": pl.Series(TRUTH),
    "polars text": pl.Series(WORDS),
    "polars categories": pl.Series(WORDS, dtype=pl.Categorical),
    "polars enum": pl.Series(WORDS, dtype=pl.Enum(["yes", "no"])),
    "Arrow integers": pa.array(WHOLE),
    "Arrow bools": pa.array(TRUTH),
    "Arrow text": pa.array(WORDS),
    "Arrow chunks": pa.chunked_array([WHOLE[:1], WHOLE[1:]]),
    "Arrow dictionary": pa.array(WORDS).dictionary_encode(),
    "Arrow dictionary of integers": pa.array(WHOLE).dictionary_encode(),
    "Arrow chunks of dictionaries": pa.chunked_array([WORDS[:3], WORDS[3:]]).dictionary_encode(),
}


@pytest.mark.parametrize("case", COLUMNS)
def test_a_column_of_labels_gives_classes_of_its_own_type(case):
    y = COLUMNS[case]
    ways = ("tolist", "to_list", "to_pylist")
    plain = next(getattr(y, way)() for way in ways if way in dir(y))
    for learn in (Perceptron().fit, Perceptron().partial_fit, MultinomialNaiveBayes().fit):
        classes = learn(X, y).classes_.tolist()
        assert classes == sorted(set(plain))
        assert {type(label) for label in classes} == {type(label) for label in plain}
    model = Perceptron().fit(X, y)
    assert model.predict(X).tolist() == plain
    if case != "NumPy text of any length":  # which scikit-learn does not count yet
        assert model.score(X, y) == 1.0


def test_whole_numbers_that_no_float_holds_stay_apart():
    y = pd.Series([2**60, 2**60, 2**60 + 1, 2**60 + 1], dtype="Int64")
    assert Perceptron().fit(X, y).classes_.tolist() == [2**60, 2**60 + 1]


def test_the_column_of_a_frame_is_taken_with_its_type():
    with pytest.warns(match="column-vector y was passed"):
        labels = check_labels(pd.DataFrame({"y": WHOLE}, dtype="Int64"), 4)
    assert labels.dtype == np.int64


GONE = [3, 3, None, 5]
MISSING = {
    "pandas Int64": pd.Series(GONE, dtype="Int64"),
    "pandas boolean": pd.Series([False, False, None, True], dtype="boolean"),
    "pandas Arrow integers": pd.Series(GONE, dtype="int64[pyarrow]"),
    "polars integers": pl.Series(GONE),
    "Arrow integers": pa.array(GONE),
    "masked": np.ma.array(WHOLE, mask=[False, False, True, False]),
    "no time": np.array(["2020", "2020", "NaT", "2021"], dtype="datetime64[D]"),
    "infinity": [3.0, 3.0, np.inf, 5.0],
}


@pytest.mark.parametrize("case", MISSING)
def test_a_missing_label_is_refused_with_its_row(case):
    message = "y contains NaN.*every row needs a label, got 1 without one, the first at row 2; drop"
    with pytest.raises(DataError, match=message):
        Perceptron().fit(X, MISSING[case])


OTHERS = {
    "missing text": (
        pd.Series(["a", None, "b", "b"]),
        "of one type, got (float|NoneType), str; drop the rows",  # before pandas 3 it is None
    ),
    "missing text of NumPy": (
        np.array(["a", np.nan, "b", "b"], dtype=np.dtypes.StringDType(na_object=np.nan)),
        "of one type, got float, str; drop the rows",
    ),
    "nothing but None": ([None] * 4, "Unknown label type: .* got None; turn the labels into text"),
    "bytes": ([b"a", b"a", b"b", b"b"], "must be text or numbers, got bytes such as .*decode them"),
    "fractions": ([Fraction(k, 3) for k in (1, 1, 2, 2)], "Unknown label type.* got Fraction.1, 3"),
    "huge numbers": ([10**30, 10**30, 1, 1], "whole numbers of 64 bits.*turn the labels into text"),
    "amounts": ([0.1, 0.2, 0.3, 0.4], "Unknown label type.* use LeastSquares if they are amounts"),
    "complex": ([1j, 1j, 2, 2], "^Complex data not supported Pass one label for each row of X"),
    "set": ({1, 2, 3, 4}, "y should be a 1d array.* Pass one label for each row.* got set"),
    "generator": (iter(WHOLE), "y should be a 1d array.* Pass one label for each row"),
    "two columns": ([[0, 1]] * 4, r"shape \(4, 2\) instead. Pass one label for each row of X"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_what_are_no_labels_is_refused_in_words(case):
    y, message = OTHERS[case]
    with pytest.raises(DataError, match=message):
        Perceptron().fit(X, y)


def test_bayes_refuses_classes_that_are_no_labels_as_well():
    with pytest.raises(DataError, match="classes must be a list of labels"):
        MultinomialNaiveBayes().partial_fit(X, WHOLE, classes=[0, None])


DAYS = np.array(["2020-01-01", "2020-01-01", "2021-01-01", "2021-01-01"], dtype="datetime64[D]")


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (WHOLE, WORDS),
        (WORDS, DAYS),
        (DAYS, np.array(WORDS, dtype=object)),
        (WHOLE, np.array([2**63, 1, 1, 1], dtype=np.uint64)),
    ],
)
def test_labels_unlike_the_known_ones_are_refused(first, then):
    model = Perceptron().partial_fit(X, first)
    with pytest.raises(DataError, match=r"must be like the known classes.*use labels of one type"):
        model.partial_fit(X, then)


def test_whole_numbers_of_two_types_stay_whole_numbers():
    model = Perceptron().partial_fit(X, WHOLE)
    model.partial_fit(X, np.array([2**62 + 1, 3, 5, 5], dtype=np.uint64))
    assert model.classes_.tolist() == [3, 5, 2**62 + 1]
