"""Examples for a model that is there: block by block what `read` gives of the whole file."""

import io
import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from scipy import sparse

from rosenblatt import DataError, read
from rosenblatt.data.example_blocks import open_examples

N_ROWS = 120


def rows(n=N_ROWS, colours=("red", "green")):
    rng = np.random.default_rng(len(colours))
    for i in range(n):
        yield {
            "size": float(i) if i < 50 else round(float(rng.normal()), 3),
            "colour": str(rng.choice(colours)),
            "text": f"so word{i} word{i % 13}",
            "label": int(rng.integers(0, 2)) if i < 100 else 3 * (i % 2),
        }


def write(path, table):
    if path.suffix == ".parquet":
        parquet.write_table(pa.Table.from_pylist(table), path, row_group_size=50)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, table)))
    elif path.suffix == ".csv":
        lines = [",".join(map(str, row.values())) for row in table]
        path.write_text("\n".join(["size,colour,text,label", *lines]))
    elif path.suffix == ".svm":
        lines = [f"{row['label']} 1:{row['size']} {3 + i % 9}:1" for i, row in enumerate(table)]
        path.write_text("\n".join(lines))
    else:
        path.write_text("\n\n".join(f"{row['label']}\t{row['text']}" for row in table))
    return path


@pytest.fixture(params=["csv", "jsonl", "parquet", "svm", "txt"])
def files(request, tmp_path):
    """A file to learn from, and one with colours and columns that are not in it."""
    learned = write(tmp_path / f"learned.{request.param}", list(rows(60, ("red", "blue"))))
    return read(learned, bits=8).recipe, write(tmp_path / f"new.{request.param}", list(rows()))


def joined(blocks):
    dense = [b.X.toarray() if sparse.issparse(b.X) else b.X for b in map(kept, blocks)]
    return np.vstack(dense)


def kept(block):
    """Return a block that outlives the next one."""
    return block._replace(X=block.X.copy())


@pytest.mark.parametrize("missing", [None, "drop", "mean"])
def test_blocks_are_the_whole(files, missing):
    recipe, path = files
    whole = read(path, recipe=recipe, missing=missing)
    with open_examples(path, recipe, missing=missing, block_bytes=300) as blocks:
        found = [kept(block) for block in blocks]
        notes = blocks.notes
    assert len(found) > 3
    np.testing.assert_array_equal(joined(found), joined([whole]))
    labels = np.concatenate([block.y for block in found])
    np.testing.assert_array_equal(labels, whole.y)
    presence = "every value is 1: read as presence rows (a matrix of bool)"
    assert [note for note in notes if note != presence] == list(whole.notes)
    texts = [text for block in found if block.texts is not None for text in block.texts.to_pylist()]
    assert texts == ([] if whole.texts is None else whole.texts.to_pylist())


def test_standard_input_will_do(files, monkeypatch):
    recipe, path = files
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    with open_examples("-", recipe, block_bytes=300) as blocks:
        assert sum(block.X.shape[0] for block in blocks) == N_ROWS


def test_a_small_file_is_read_once_and_whole(files):
    recipe, path = files
    with open_examples(path, recipe) as blocks:
        (only,) = blocks
    assert only.X.shape[0] == N_ROWS


def test_numbers_in_notes_are_of_all_blocks(tmp_path):
    recipe = read(write(tmp_path / "a.csv", list(rows(60))), bits=8).recipe
    table = list(rows())
    table[70]["size"], table[110]["size"] = "oops", "ouch"
    table[5]["colour"], table[90]["colour"] = "teal", "mauve"
    path = write(tmp_path / "b.csv", table)
    whole = read(path, recipe=recipe, missing="drop").notes
    with open_examples(path, recipe, missing="drop", block_bytes=300) as blocks:
        assert sum(block.X.shape[0] for block in blocks) == N_ROWS - 2
        assert set(blocks.notes) == set(whole)
    assert "2 of 120 rows dropped: they have missing values" in whole


def test_a_bad_cell_is_named_by_its_line_in_the_file(tmp_path):
    recipe = read(write(tmp_path / "a.csv", list(rows(60))), bits=8).recipe
    table = list(rows())
    table[110]["size"] = "oops"
    path = write(tmp_path / "b.csv", table)
    with (
        open_examples(path, recipe, block_bytes=300) as blocks,
        pytest.raises(DataError, match=r"line 112, column 'size': expected a number, .* 'oops'"),
    ):
        list(blocks)


def test_rows_and_tables_do_not_mix(tmp_path):
    one, two = (write(tmp_path / name, list(rows())) for name in ("a.csv", "b.svm"))
    with open_examples(two, read(one).recipe) as blocks, pytest.raises(DataError, match="svmlight"):
        list(blocks)
