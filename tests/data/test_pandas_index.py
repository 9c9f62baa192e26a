"""The index of a pandas frame is neither a label nor a feature; labels are classes."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from rosenblatt import AveragedPerceptron, DataError, fit_file, read
from tests.cli.running import run


def frame():
    rng = np.random.default_rng(0)
    size = rng.normal(size=60)
    kept = pd.DataFrame({"size": size, "churn": np.where(size > 0, "yes", "no")})
    return kept[np.arange(60) % 7 != 3]  # as after dropna


FRAMES = {
    "without a name": frame,
    "with a name": lambda: frame().rename_axis("customer"),
    "of a column": lambda: frame().assign(customer=np.arange(51) * 7 % 51).set_index("customer"),
    "two levels": lambda: frame().set_index([np.arange(51), np.arange(51) % 5]),
    "a range": lambda: frame().reset_index(drop=True),
}


@pytest.mark.parametrize("form", ["parquet", "feather"])
@pytest.mark.parametrize("kind", list(FRAMES))
def test_an_index_is_no_column(tmp_path, kind, form):
    if form == "feather" and kind != "a range":
        path = tmp_path / "frame.arrow"
        table = pa.Table.from_pandas(FRAMES[kind]())
        with pa.ipc.new_file(str(path), table.schema) as file:
            file.write_table(table)
    else:
        path = tmp_path / f"frame.{form}"
        getattr(FRAMES[kind](), f"to_{form}")(path)
    found = read(path)
    assert (list(found.feature_names), found.recipe.target) == (["size"], "churn")
    assert any("index of a pandas frame" in note for note in found.notes) == (kind != "a range")
    fitted = fit_file(AveragedPerceptron(), path)
    assert (fitted.recipe, fitted.notes) == (found.recipe, found.notes)
    assert list(read(path, target="churn").feature_names) == ["size"]


@pytest.mark.parametrize("name", ["__index_level_0__", "__null_dask_index__"])
@pytest.mark.parametrize("metadata", [None, {b"pandas": b"{"}, {b"pandas": b"[1]"}])
def test_an_index_is_known_by_its_name_where_the_metadata_is_lost(tmp_path, name, metadata):
    path = tmp_path / "frame.parquet"
    columns = {"size": [1.0, 2.0, 7.0, 8.0], "kind": ["a", "a", "b", "b"], name: [3, 1, 2, 9]}
    parquet.write_table(pa.table(columns).replace_schema_metadata(metadata), path)
    assert read(path).recipe.target == "kind"


def test_a_file_of_nothing_but_an_index_is_refused(tmp_path):
    path = tmp_path / "frame.parquet"
    pandas = json.dumps({"index_columns": ["a"]}).encode()
    table = pa.table({"a": [1, 2]}).replace_schema_metadata({b"pandas": pandas})
    parquet.write_table(table, path)
    with pytest.raises(DataError, match="no columns but the index"):
        read(path)


def ids(path):
    path.write_text("size,id\n" + "".join(f"{i % 7},{100 + i}\n" for i in range(40)))
    return path


def test_labels_most_of_which_come_once_are_refused(tmp_path):
    path = ids(tmp_path / "ids.csv")
    said = "column 'id' has 40 different values in 40 rows; these are names of rows or amounts"
    for work in (read, lambda path: fit_file(AveragedPerceptron(), path)):
        with pytest.raises(DataError, match=said):
            work(path)
    for command in ("fit", "prove", "compare", ("fit", "--memory", "100M")):
        name, *more = (command,) if isinstance(command, str) else command
        for target in ((), ("-t", "id")):
            answer = run(name, path, *more, *target)
            assert answer.code == 2
            assert said in answer.err
            assert "choose the column of the labels with --target" in answer.err


def test_amounts_that_are_asked_for_are_read(tmp_path):
    path = ids(tmp_path / "ids.csv")
    assert len(read(path, target="id").y) == 40  # for LeastSquares
    path.write_text("size,price\n" + "".join(f"{i % 7},{i + 0.5}\n" for i in range(40)))
    assert len(read(path).y) == 40


@pytest.mark.parametrize("labels", ["ab", "aab", "abc", "abcd", "aabbc"])
def test_few_rows_to_play_with_are_learned_from(tmp_path, labels):
    path = tmp_path / "few.csv"
    path.write_text("a,label\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels)))
    assert list(read(path).y) == list(labels)
