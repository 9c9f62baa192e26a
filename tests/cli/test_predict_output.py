"""`predict -o`: the same answers in a file, all of them or none."""

import csv
import json

import pyarrow.parquet as parquet
import pytest

from tests.cli.running import run


@pytest.fixture(scope="module", params=["breast-cancer", "iris"])
def model(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "m.rosenblatt"
    assert run("fit", request.param, "-o", path, "-q").code == 0
    return path, request.param


def told(model, name):
    lines = run("predict", model, name, "--json").out.splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(("ending", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_a_table_of_lines_has_what_json_has(model, tmp_path, ending, delimiter):
    path, name = model
    answer = run("predict", path, name, "-o", tmp_path / f"x.{ending}")
    expected = told(path, name)
    assert answer.out == f"{len(expected)} predictions saved in {tmp_path / f'x.{ending}'}\n"
    with open(tmp_path / f"x.{ending}", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=delimiter))
    assert [row["label"] for row in rows] == [fact["label"] for fact in expected]
    for column in ["probability"] + ["score"] * ("score" in expected[0]):
        assert [float(row[column]) for row in rows] == [fact[column] for fact in expected]
    assert ("score" in rows[0]) == (name == "breast-cancer")


def test_parquet_has_the_same_columns(model, tmp_path):
    path, name = model
    assert run("predict", path, name, "-o", tmp_path / "x.parquet").code == 0
    rows = parquet.read_table(tmp_path / "x.parquet").to_pylist()
    for row, fact in zip(rows, told(path, name), strict=True):
        assert row == {column: fact[column] for column in row}
        assert {"label", "probability"} <= set(row)


def test_json_lines_are_those_that_are_printed(model, tmp_path):
    path, name = model
    assert run("predict", path, name, "-o", tmp_path / "x.jsonl").code == 0
    assert (tmp_path / "x.jsonl").read_text() == run("predict", path, name, "--json").out


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_after_an_error_the_old_file_is_there_and_nothing_else(tmp_path, ending):
    # larger than a block, with a bad cell at its end
    rows = "".join(f"{i % 7},{i % 5},{'ab'[i % 2]}\n" for i in range(400))
    (tmp_path / "t.csv").write_text(f"x,z,kind\n{rows}")
    run("fit", tmp_path / "t.csv", "-o", tmp_path / "m.rosenblatt", "-q")
    note = "-" * 1000  # is not used
    (tmp_path / "new.csv").write_text("x,z,note\n" + f"1,2,{note}\n" * 3000 + f"oops,2,{note}\n")
    out = tmp_path / f"x.{ending}"
    out.write_text("old")
    answer = run("predict", tmp_path / "m.rosenblatt", tmp_path / "new.csv", "-o", out)
    assert answer.code == 2
    assert "line 3002, column 'x': expected a number" in answer.err
    assert out.read_text() == "old"
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"t.csv", "new.csv", "m.rosenblatt", out.name}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "x.xls"], "x.xls must end with .csv, .tsv, .jsonl or .parquet"),
        (["-o", "x"], "must end with"),
        (["-o", "no/folder/x.csv"], "there is no folder"),
        (["-o", "x.csv", "--json"], "name a file .jsonl"),
    ],
)
def test_what_cannot_be_saved_is_known_before_the_work(options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run("predict", "m.rosenblatt", "iris", *options)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_the_data_is_not_written_over(tmp_path):
    (tmp_path / "t.csv").write_text("x,kind\n" + "1,a\n2,b\n" * 5)
    run("fit", tmp_path / "t.csv", "-o", tmp_path / "m.rosenblatt")
    answer = run("predict", tmp_path / "m.rosenblatt", tmp_path / "*.csv", "-o", tmp_path / "t.csv")
    assert "is the same file as the data" in answer.err
