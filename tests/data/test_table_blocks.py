"""Tables in blocks: any format, the same recipe and the same model as with all rows in memory."""

import io
import json
import sys
from itertools import combinations

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as parquet
import pytest
from pyarrow import feather

from rosenblatt import AveragedPerceptron, DataError, fit_file, read
from rosenblatt.data import store

N_ROWS = 120


def rows_of_all_kinds():
    rng = np.random.default_rng(0)
    for i in range(N_ROWS):
        yield {
            "size": None if i % 50 == 7 else float(i) if i < 50 else round(float(rng.normal()), 3),
            "colour": str(rng.choice(["red", " green", "blue"])) if i % 9 else None,
            "day": f"2020-01-{1 + i % 28:02d}",
            "code": "007" if i < 60 else f"x{i % 5}",
            "even": bool(i % 2),
            "text": f'so, word{i} word{i % 13} "x"',
            "label": "ab"[int(rng.integers(0, 2))],
        }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder, rows = tmp_path_factory.mktemp("tables"), list(rows_of_all_kinds())
    table = pa.Table.from_pylist(rows)
    lines = [json.dumps({k: v for k, v in row.items() if v is not None}) for row in rows]
    (folder / "table.jsonl").write_text("\n".join(lines))
    arrow_csv.write_csv(table, folder / "table.csv")
    parquet.write_table(table, folder / "table.parquet", row_group_size=70)
    single = table.set_column(0, "size", table["size"].cast(pa.float32())).drop_columns(["even"])
    single = single.set_column(1, "colour", single["colour"].dictionary_encode())
    feather.write_feather(single, str(folder / "table.arrow"), chunksize=64)
    with pa.ipc.new_stream(str(folder / "stream"), table.schema) as stream:
        stream.write_table(table, 50)
    for path in list(folder.iterdir()):
        for packing, ending in (("gzip", "gz"), ("zstd", "zst")):
            with pa.CompressedOutputStream(f"{path}.{ending}", packing) as packed:
                packed.write(path.read_bytes())
    return folder


def assert_same(path, stdin=None, **how):
    found = read(path, bits=8, **how)
    model = AveragedPerceptron(epochs=2, random_state=0)
    if stdin is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    fitted = fit_file(model, path if stdin is None else "-", bits=8, **how)
    assert fitted.recipe == found.recipe
    assert fitted.n_rows == len(found.y)
    assert fitted.notes == found.notes
    one = AveragedPerceptron(epochs=2, random_state=0).fit(found.X, found.y)
    np.testing.assert_array_equal(one.coef_, fitted.model.coef_)


@pytest.mark.parametrize("missing", ["drop", "mean"])
@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet", "arrow", "stream"])
@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_every_format_is_learned_as_in_memory(folder, monkeypatch, name, packing, missing):
    monkeypatch.setattr(store, "BLOCK_BYTES", 2000)
    stem = name if name == "stream" else f"table.{name}"
    assert_same(folder / (stem + packing), missing=missing)


@pytest.mark.parametrize("name", ["table.csv.gz", "table.jsonl", "table.parquet", "stream"])
def test_standard_input_is_learned_as_a_file(folder, monkeypatch, name):
    monkeypatch.setattr(store, "BLOCK_BYTES", 2000)
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    assert_same(folder / name, (folder / name).read_bytes(), missing="mean")


def test_missing_values_are_an_error_with_their_row(folder, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 2000)
    for name, place in (("csv", "line 9"), ("jsonl", "line 8"), ("parquet", "row 7")):
        with pytest.raises(DataError, match=f"{place}.*column 'size': a value is missing"):
            fit_file(AveragedPerceptron(), folder / f"table.{name}")


VALUES = (
    *("1", "0", "true", "2020-01-01", "10:20:30", "2020-01-01 10:20:30", "1.5", "abc", ""),
    "2020-01-01 10:20:30.5",
)


@pytest.mark.parametrize(("one", "other"), list(combinations(VALUES, 2)))
def test_what_a_column_is_does_not_depend_on_where_blocks_end(tmp_path, monkeypatch, one, other):
    monkeypatch.setattr(store, "BLOCK_BYTES", 150)
    path = tmp_path / "table.csv"
    lines = [f"{i},{one if i < 30 else other},{'ab'[i % 2]}" for i in range(60)]
    path.write_text("n,v,label\n" + "\n".join(lines) + "\n")
    in_memory, in_blocks = (
        _recipe_or_word(learn, path)
        for learn in (read, lambda path, **how: fit_file(AveragedPerceptron(), path, **how))
    )
    assert in_memory == in_blocks


def _recipe_or_word(learn, path):
    try:
        return learn(path, missing="mean").recipe
    except DataError as error:
        return str(error)


def test_lines_of_json_with_numbers_and_words_are_categories_and_say_so(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 200)
    path = tmp_path / "table.jsonl"
    lines = ['{"a": 1, "label": "x"}'] * 20 + ['{"a": "one", "label": "y"}'] * 20
    path.write_text("\n".join(lines))
    assert_same(path)
    assert read(path).notes[1] == (
        "column 'a' is read as categories: 20 of its 40 cells are numbers, 'one' (line 21) is not"
    )


def test_lines_of_json_with_other_types_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 200)
    path = tmp_path / "table.jsonl"
    lines = ['{"a": 1, "label": "x"}'] * 20 + ['{"a": [1], "label": "y"}'] * 20
    path.write_text("\n".join(lines))
    for learn in (read, lambda path: fit_file(AveragedPerceptron(), path)):
        with pytest.raises(DataError, match="column 'a'"):
            learn(path)


def test_texts_with_few_different_ones_are_words_either_way(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("a\tyes please\nb\tno thanks\n" * 20)
    assert_same(path)
    assert read(path).recipe.has_texts_alone


@pytest.mark.parametrize("name", ["table.parquet", "table.arrow"])
def test_damaged_files_of_columns_are_refused(folder, tmp_path, name):
    path = tmp_path / name
    path.write_bytes((folder / name).read_bytes()[:-200])
    with pytest.raises(DataError, match="or damaged"):
        fit_file(AveragedPerceptron(), path, missing="mean")


def test_a_name_may_hold_a_line_break(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 200)
    path = tmp_path / "table.csv"
    path.write_text('"a\nlong name",label\n' + "1.5,x\n2,y\n" * 40)
    assert_same(path)
    assert read(path).feature_names == ["a\nlong name"]


def test_a_bad_line_below_blank_ones_is_named_by_its_number_in_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 200)
    path = tmp_path / "table.csv"
    path.write_text("\n\n\na,label\n" + "1,x\n" * 80 + "1,y,2\n")
    for learn in (read, lambda path: fit_file(AveragedPerceptron(), path)):
        with pytest.raises(DataError, match="line 85: 3 fields where the first row has 2"):
            learn(path)


def test_a_last_column_without_name_and_values_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 200)
    path = tmp_path / "table.csv"
    path.write_text("a,label,\n" + "1.5,x,\n2,y,\n" * 40)
    assert_same(path)
    recipe = read(path).recipe
    assert read(path, recipe=recipe).notes == read(path).notes[:1]


def test_mail_in_folders_is_learned_as_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 200)
    for label in ("spam", "ham"):
        (tmp_path / label).mkdir()
        for k in range(30):
            mail = f"Subject: {label} {k}\n\nword{k % 7} and {label}\n"
            (tmp_path / label / f"{k}.eml").write_text(mail)
    assert_same(tmp_path)
