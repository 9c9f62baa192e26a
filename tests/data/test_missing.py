"""Missing values: an error with the place, fewer rows, or the mean."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from rosenblatt import DataError, ParameterError, read

TABLE = "a,kind,y\n1,u,0\n,v,1\n\n3,?,0\n8,u,1\n9,v,1\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(TABLE)
    return path


def test_a_missing_value_is_named_by_line_and_column(path):
    with pytest.raises(DataError, match=r"line 3, column 'a': a value is missing \(2 missing in"):
        read(path)


def test_a_missing_category_is_named_by_its_line_in_the_file(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text(TABLE.replace("\n,v", "\n2,v"))
    with pytest.raises(DataError, match="line 5, column 'kind'"):
        read(path)


def test_rows_without_lines_are_counted_from_0(tmp_path):
    path = tmp_path / "data.parquet"
    pa.parquet.write_table(pa.table({"a": [1.0, float("nan"), None], "y": [0, 1, 1]}), path)
    with pytest.raises(DataError, match=r"row 1 \(the first is 0\), column 'a'.*2 missing in all"):
        read(path)


def test_rows_can_be_dropped(path):
    examples = read(path, missing="drop")
    np.testing.assert_array_equal(examples.X, [[1, 1, 0], [8, 1, 0], [9, 0, 1]])
    assert examples.y.tolist() == [0, 1, 1]
    assert "2 of 5 rows dropped: they have missing values" in examples.notes


def test_the_mean_can_be_put_in(path):
    examples = read(path, missing="mean")
    mean = (1 + 3 + 8 + 9) / 4
    np.testing.assert_array_equal(
        examples.X, [[1, 1, 0], [mean, 0, 1], [3, 0, 0], [8, 1, 0], [9, 0, 1]]
    )


def test_the_mean_is_that_of_the_training_data(path, tmp_path):
    train = read(path, missing="mean")
    other = tmp_path / "other.csv"
    other.write_text("a,kind\n100,u\n,v\n")
    np.testing.assert_array_equal(read(other, recipe=train.recipe).X, [[100, 1, 0], [5.25, 0, 1]])
    assert len(read(other, recipe=train.recipe, missing="drop").X) == 1
    with pytest.raises(DataError, match="line 3, column 'a'"):
        read(other, recipe=train.recipe, missing="error")


@pytest.mark.parametrize("missing", ["error", "mean"])
def test_a_missing_label_is_not_made_up(tmp_path, missing):
    path = tmp_path / "data.csv"
    path.write_text("a,y\n1,0\n2,\n")
    with pytest.raises(DataError, match=r"line 3, column 'y': the label is missing.*='drop'$"):
        read(path, missing=missing)
    assert read(path, missing="drop", header=True).y.tolist() == [0]


def test_a_column_without_any_value_is_an_error(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,y\n1,,0\n2,,1\n")
    with pytest.raises(DataError, match="column 'b' has no value at all"):
        read(path, missing="mean")
    with pytest.raises(DataError, match=r"every row has a missing value, most .* column 'b'"):
        read(path, missing="drop")


def test_an_unknown_policy_is_refused(path):
    with pytest.raises(ParameterError, match="missing must be one of 'error', 'drop', 'mean'"):
        read(path, missing="ignore")
