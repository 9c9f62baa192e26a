"""Frames of pandas and polars and Arrow tables are read as files are."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from rosenblatt import DataError, ParameterError, read

ROWS = 12
COLUMNS = {
    "size": [1.5, None, 3.0] * 4,
    "kind": ["a", "b", None] * 4,
    "day": ["2024-01-01", "2024-01-03", "2024-02-01"] * 4,
    "sold": [True, False, True] * 4,
    "label": ["yes", "no"] * 6,
}


class Streaming:
    """What another library would have: a stream of Arrow's, and nothing else of ours."""

    def __init__(self, table):
        self.table, self.schema = table, table.schema

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def frames():
    pandas, polars = pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)
    return {
        "pandas": pandas,
        "pandas, its index cut": pandas.set_index(pd.Index(range(5, 17), name="old")),
        "pandas, categories": pandas.astype({"kind": "category", "label": "category"}),
        "polars": polars,
        "polars, categories": polars.with_columns(pl.col("kind").cast(pl.Categorical)),
        "Arrow": pa.table(COLUMNS),
        "a stream": Streaming(pa.table(COLUMNS)),
        "dates": pandas.assign(day=pd.to_datetime(pandas["day"])),
    }


@pytest.fixture(scope="module")
def from_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("frames") / "table.csv"
    pd.DataFrame(COLUMNS).to_csv(path, index=False)
    return read(path, missing="mean")


@pytest.mark.parametrize("name", frames())
def test_a_frame_is_read_as_its_file_is(name, from_file):
    found = read(frames()[name], missing="mean")
    np.testing.assert_array_equal(found.X, from_file.X)
    np.testing.assert_array_equal(found.y, from_file.y)
    assert list(found.feature_names) == list(from_file.feature_names)
    assert found.source == "the frame"


def test_numbers_that_pandas_has_as_categories_are_numbers():
    frame = pd.DataFrame({"n": pd.Categorical([3, 5, 3, 5]), "label": list("abab")})
    np.testing.assert_array_equal(read(frame).X.ravel(), [3, 5, 3, 5])


def test_objects_of_several_kinds_are_read_as_they_are_written():
    frame = pd.DataFrame({"n": [1, "2", 3.5, 4], "label": list("abab")})
    np.testing.assert_array_equal(read(frame).X.ravel(), [1, 2, 3.5, 4])


def test_columns_of_pandas_need_no_strings_for_names():
    frame = pd.DataFrame([[1, 0], [2, 1], [3, 0]])
    examples = read(frame, target="1")
    assert list(examples.feature_names) == ["0"]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"a": [1, 2], "b": [0, 1]})[:0], "has no rows"),
        (pd.DataFrame(), "has no columns"),
        (pd.DataFrame([[1, 0], [2, 1]], columns=["a", "a"]), "two columns named 'a'"),
        (pd.Series([1, 2]), "expected a file, the name of a built-in set, or a frame, got Series"),
        ([[1, 2]], "got list"),
        (pl.DataFrame({"a": [[1], [2]], "label": [0, 1]}), "column 'a' holds large_list"),
    ],
)
def test_what_is_no_table_is_refused_in_words(frame, words):
    with pytest.raises(DataError, match=words):
        read(frame)


@pytest.mark.parametrize("option", [{"format": "csv"}, {"delimiter": ";"}, {"header": True}])
def test_a_frame_takes_no_options_of_files(option):
    with pytest.raises(ParameterError, match=f"leave out {next(iter(option))}"):
        read(pd.DataFrame(COLUMNS), **option)


def test_all_columns_that_are_missing_are_named(from_file):
    with pytest.raises(DataError, match="no column 'size', as in training, nor 'day', 'sold';"):
        read(pd.DataFrame({"kind": ["a"]}), recipe=from_file.recipe)
