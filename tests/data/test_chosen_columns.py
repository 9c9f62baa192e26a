"""Columns that users choose to learn from, or leave out."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from rosenblatt import DataError, ParameterError, read
from rosenblatt.data.example_stream import stream_examples
from rosenblatt.data.store import open_blocks
from tests.cli.running import run

NAMES = ["id", "size", "weight", "kind"]


@pytest.fixture
def path(tmp_path):
    """Write twelve rows; the cell `weight` of the third is empty."""
    rows = [
        f"{100 + i},{i % 5},{'' if i == 2 else i * i % 7},{'a' if i % 2 else 'b'}"
        for i in range(12)
    ]
    (tmp_path / "t.csv").write_text("\n".join([",".join(NAMES), *rows]) + "\n")
    return tmp_path / "t.csv"


@pytest.mark.parametrize(
    "chosen",
    [{"only": ["size"]}, {"drop": ["id", "weight"]}, {"only": ["size", "id"], "drop": ["id"]}],
    ids=str,
)
def test_what_is_left_out_is_neither_a_feature_nor_looked_at(path, chosen):
    # the empty cell is in a column that nobody learns from
    examples = read(path, **chosen)
    assert list(examples.feature_names) == ["size"]
    assert examples.X[:, 0].tolist() == [i % 5 for i in range(12)]
    assert [column.name for column in examples.recipe.columns] == ["size"]
    assert not any("not used" in note for note in examples.notes)


def test_labels_are_guessed_among_all_columns_that_are_not_dropped(path):
    assert read(path, only=["size"]).recipe.target == "kind"
    assert read(path, drop=["kind", "weight"]).recipe.target == "size"
    assert read(path, only=["size", "kind"]).recipe.target == "kind"
    assert list(read(path, only=["size", "kind"]).feature_names) == ["size"]


def test_rows_on_disk_and_of_a_stream_have_the_same_columns(path):
    whole = read(path, only=["size"])
    with open_blocks(path, memory="100M", only=["size"]) as file:
        assert file.recipe == whole.recipe
        (rows,) = file.blocks.each(lambda block: block.rows.copy())
        assert np.array_equal(rows, whole.X)
    with stream_examples(path, drop=["id", "weight"]) as blocks:
        (block,) = blocks
        assert np.array_equal(block.X, whole.X)


def test_a_column_that_cannot_be_learned_from_can_be_dropped(tmp_path):
    table = pa.table({"tags": [["x"], ["y"]] * 4, "size": range(8), "kind": ["a", "b"] * 4})
    parquet.write_table(table, tmp_path / "t.parquet")
    with pytest.raises(DataError, match="'tags' holds list"):
        read(tmp_path / "t.parquet")
    assert list(read(tmp_path / "t.parquet", drop=["tags"]).feature_names) == ["size"]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"drop": ["sise"]}, "t.csv has no column 'sise'; did you mean 'size'"),
        ({"only": ["sise"]}, "t.csv has no column 'sise'; did you mean 'size'"),
        ({"only": ["size"], "drop": ["size"]}, "no column left to learn from"),
        ({"only": ["kind"]}, "no column left to learn from"),
        ({"drop": ["kind"], "target": "kind"}, "'kind' holds the labels; take it out of drop"),
        ({"drop": "size"}, "drop must be a list of columns, got 'size'"),
    ],
    ids=str,
)
def test_columns_that_cannot_be_chosen_are_refused_in_words(path, chosen, said):
    with pytest.raises((DataError, ParameterError), match=said):
        read(path, **chosen)


def test_a_recipe_knows_its_columns(path):
    recipe = read(path, only=["size"]).recipe
    with pytest.raises(ParameterError, match="known from training; leave out drop"):
        read(path, recipe=recipe, drop=["size"])


def test_files_without_columns_say_so(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:1\n-1 1:2\n")
    with pytest.raises(DataError, match="without columns to choose from; leave out only"):
        read(tmp_path / "t.svm", only=["1"])


def test_predict_asks_for_no_more_than_the_model_needs(path, tmp_path):
    model, new = tmp_path / "m.rosenblatt", tmp_path / "new.csv"
    assert run("fit", path, "--columns", "size", "-o", model).code == 0
    new.write_text("size\n1\n2\n")
    assert run("predict", model, new).out.count("\n") == 2
    other = tmp_path / "n.rosenblatt"
    assert run("fit", path, "--drop", "id", "--drop", "weight", "-o", other).code == 0
    assert run("predict", other, new) == run("predict", model, new)


@pytest.mark.parametrize("command", ["compare", "prove", "stream", "trace"])
def test_every_command_that_learns_takes_the_options(command, path):
    wrong = run(command, path, "--drop", "sise,id")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean 'size'?" in wrong.err
    assert "missing" in run(command, path).err
    assert run(command, path, "--columns", "size", "-q").code in (0, 1)


def test_a_proof_about_some_columns_is_verified_with_them(path, tmp_path):
    proof = tmp_path / "p.json"
    run("prove", path, "--columns", "size", "-o", proof)
    assert run("verify", proof, path, "--columns", "size").code == 0
    assert run("verify", proof, path, "--columns", "id").code == 1
