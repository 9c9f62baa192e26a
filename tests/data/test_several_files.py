"""Several files, or a pattern, are read as one: the rows of all of them, in order."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest
from scipy import sparse

from rosenblatt import DataError, read
from rosenblatt.data.example_blocks import open_examples
from rosenblatt.data.example_stream import stream_examples
from rosenblatt.data.store import open_blocks
from rosenblatt.rows import matrix as matrix_of
from tests.cli.running import run

N = 40
ROWS = [
    {"size": i % 7, "weight": i * i % 11 / 4, "city": "Bern" if i % 3 else "Basel"}
    | {"kind": "yes" if (i * i % 11 / 4 > 1) ^ (i % 5 == 0) else "no"}
    for i in range(N)
]
CUTS = (0, 12, 13, N)  # three files, one of a single row


def as_csv(rows):
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def as_json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_svmlight(rows):
    line = "{label} 1:{size} 3:{weight}\n".format
    return "".join(line(label=1 if r["kind"] == "yes" else -1, **r) for r in rows).encode()


def as_texts(rows):
    line = "{kind}\tsize {size} of {city}\n".format
    return "".join(line(**row) for row in rows).encode()


def as_parquet(rows):
    out = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue().to_pybytes()


def as_arrow(rows):
    out = pa.BufferOutputStream()
    feather.write_feather(pa.Table.from_pylist(rows), out, compression="uncompressed")
    return out.getvalue().to_pybytes()


WRITERS = {
    "csv": as_csv,
    "jsonl": as_json_lines,
    "svm": as_svmlight,
    "txt": as_texts,
    "parquet": as_parquet,
    "arrow": as_arrow,
}


@pytest.fixture(params=WRITERS)
def files(request, tmp_path):
    """Write all rows to one file, and to three whose names are in order."""
    write, ending = WRITERS[request.param], request.param
    whole = tmp_path / f"whole.{ending}"
    whole.write_bytes(write(ROWS))
    parts = [tmp_path / f"part-{k}.{ending}" for k in range(3)]
    for part, start, stop in zip(parts, CUTS, CUTS[1:], strict=False):
        part.write_bytes(write(ROWS[start:stop]))
    return whole, parts


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


def assert_alike(found, expected):
    assert np.array_equal(dense(found.X), dense(expected.X))
    assert found.y.tolist() == expected.y.tolist()
    assert found.recipe == expected.recipe
    assert type(found.X) is type(expected.X)


def test_several_files_are_one(files):
    whole, parts = files
    expected = read(whole)
    assert len(expected.y) == N
    for named in (parts, [str(path) for path in parts], whole.parent / "part-*", [*parts]):
        assert_alike(read(named), expected)
    assert read(parts).source == f"{parts[0]} and 2 more files"


def test_rows_on_disk_are_the_same(files):
    whole, parts = files
    with open_blocks(whole, memory="100M") as one, open_blocks(parts, memory="100M") as several:
        assert several.recipe == one.recipe
        assert several.blocks.classes.tolist() == one.blocks.classes.tolist()
        for part in (lambda block: block.labels.copy(), lambda block: matrix(block).toarray()):
            found, expected = (list(file.blocks.each(part)) for file in (several, one))
            assert np.array_equal(np.concatenate(found), np.concatenate(expected))


def matrix(block):
    return sparse.csr_array(matrix_of(block.rows, block.n_features))


@pytest.mark.parametrize("block_bytes", [150, 1 << 20])
def test_examples_for_a_model_are_the_same(files, block_bytes):
    whole, parts = files
    expected = read(whole)
    with open_examples(parts, expected.recipe, block_bytes=block_bytes) as blocks:
        found = [(dense(block.X), block.y.tolist()) for block in blocks]
    assert len(found) >= 3
    assert np.array_equal(np.vstack([X for X, _ in found]), dense(expected.X))
    assert [label for _, y in found for label in y] == expected.y.tolist()


def test_a_stream_goes_through_all_of_them(files):
    whole, parts = files
    with stream_examples(parts) as blocks:
        labels = [label for block in blocks for label in block.y.tolist()]
    assert labels == read(whole).y.tolist()


def write(folder, **contents):
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content)
    return [folder / f"{name}.csv" for name in contents]


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("1,a\n2,b\n", "0.5,a\n3,b\n", "1,a\n2,b\n0.5,a\n3,b\n"),  # whole numbers, then others
        ("01,a\n02,b\n", "x,a\n01,b\n", "01,a\n02,b\nx,a\n01,b\n"),  # as they are written
        ("true,a\nfalse,b\n", "1,a\nno,b\n", "true,a\nfalse,b\n1,a\nno,b\n"),
        ("2024-01-02,a\n", "2024-01-03 12:00:00,b\n", "2024-01-02,a\n2024-01-03 12:00:00,b\n"),
        (",a\n,b\n", "1,a\n2,b\n", ",a\n,b\n1,a\n2,b\n"),  # nothing at all in the first
        ("1,01\n2,2\n", "3,01\n1,2\n", "1,01\n2,2\n3,01\n1,2\n"),  # labels that are codes
    ],
)
def test_a_column_is_what_it_would_be_in_one_file(tmp_path, first, second, whole):
    paths = write(tmp_path, a=f"x,kind\n{first}", b=f"x,kind\n{second}")
    (one,) = write(tmp_path, whole=f"x,kind\n{whole}")
    how = {"missing": "mean", "header": True, "target": "kind", "bits": 8}
    expected = read(one, **how)
    assert_alike(read(paths, **how), expected)
    with open_blocks(paths, memory="100M", **how) as file:
        assert file.recipe == expected.recipe


def test_columns_may_stand_in_another_order(tmp_path):
    one, two = write(tmp_path, a="x,z,kind\n1,5,a\n2,6,b\n", b="kind,z,x\na,7,3\nb,8,4\n")
    found = read([one, two])
    assert found.X.tolist() == [[1, 5], [2, 6], [3, 7], [4, 8]]
    assert found.y.tolist() == ["a", "b", "a", "b"]


def stored(paths):
    with open_blocks(paths, memory="100M") as file:
        return file.recipe


@pytest.mark.parametrize("reader", [read, stored])
@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("x,kind\n1,a\n", r"b\.csv has no column 'z', which .*a\.csv has"),
        ("x,z,extra,kind\n1,2,3,a\n", r"b\.csv has a column 'extra', which .*a\.csv has not"),
        ("x,z,kind\n1,2,a\n3,4,b\n1,2\n", r"b\.csv, line 4: 2 fields"),
        ("", r"b\.csv is empty"),
    ],
)
def test_the_file_that_differs_is_named(tmp_path, other, said, reader):
    paths = write(tmp_path, a="x,z,kind\n1,5,a\n2,6,b\n", b=other)
    with pytest.raises(DataError, match=said):
        reader(paths)


def test_a_bad_cell_is_found_in_its_file(tmp_path):
    rows = "".join(f"{i},{'ab'[i % 2]}\n" for i in range(10))
    paths = write(tmp_path, a=f"x,kind\n{rows}", b=f"x,kind\n1,a\noops,b\n{rows}")
    with pytest.raises(DataError, match=r"line 3 of .*b\.csv, column 'x': expected a number"):
        read(paths)
    (tmp_path / "c.svm").write_text("1 1:1\n-1 1:2\n")
    (tmp_path / "d.svm").write_text("1 1:1\n-1 1:two\n")
    with pytest.raises(DataError, match=r"d\.svm, line 2, column 6"):
        read([tmp_path / "c.svm", tmp_path / "d.svm"])


def test_files_of_two_kinds_are_refused(tmp_path):
    (table,) = write(tmp_path, a="x,kind\n1,a\n2,b\n")
    (tmp_path / "b.svm").write_text("1 1:1\n-1 1:2\n")
    for paths in ([table, tmp_path / "b.svm"], [tmp_path / "b.svm", table]):
        with pytest.raises(DataError, match=r"b\.svm is an svmlight file, but .*a\.csv is a table"):
            read(paths)


def test_a_name_with_wildcards_in_it_is_a_file_if_it_is_there(tmp_path):
    odd = tmp_path / "a[1].csv"
    odd.write_text("x,kind\n1,a\n2,b\n")
    assert len(read(odd).y) == 2
    with pytest.raises(DataError, match=r"is a pattern, and no file fits it here"):
        read(tmp_path / "b[1]*.csv")
    with pytest.raises(DataError, match="no file is named"):
        read([])


def test_packed_files_and_standard_input_take_part(tmp_path):
    (plain,) = write(tmp_path, a="x,kind\n1,a\n2,b\n")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"x,kind\n3,a\n4,b\n"))
    (tmp_path / "c.parquet.gz").write_bytes(
        gzip.compress(as_parquet([{"x": 5, "kind": "a"}, {"x": 6, "kind": "b"}]))
    )
    paths = [plain, tmp_path / "b.csv.gz", tmp_path / "c.parquet.gz"]
    assert read(paths).X.ravel().tolist() == [1, 2, 3, 4, 5, 6]
    with open_blocks(paths, memory="100M") as file:
        assert file.blocks.n_rows == 6
    model = tmp_path / "m.rosenblatt"
    answer = run("fit", "-", *paths[:2], "-o", model, stdin=b"x,kind\n7,a\n8,b\n")
    assert answer.out.startswith("standard input and 2 more files: 6 examples")
    assert run("predict", model, plain, "-", stdin=b"x\n7\n8\n").code == 2  # no labels there
    told = run("predict", model, plain, "-", stdin=b"kind,x\na,7\nb,8\n")
    assert told.out.count("\n") == 4


def test_the_model_of_several_files_is_that_of_one(files, tmp_path, monkeypatch):
    whole, parts = files
    for name, given in (("one", [whole]), ("three", parts), ("disk", [*parts, "--memory", "250M"])):
        assert run("fit", *given, "-o", tmp_path / f"{name}.rosenblatt", "-q").code == 0
    answers = [
        run("predict", tmp_path / f"{name}.rosenblatt", *given, "--json", "-q").out
        for name in ("one", "three", "disk")
        for given in ([whole], parts)
    ]
    assert len(answers[0].splitlines()) == N
    assert len(set(answers)) == 1
    scores = [run("score", tmp_path / "one.rosenblatt", *g, "-q").out for g in ([whole], parts)]
    assert scores[0] == scores[1]


def test_the_output_is_none_of_the_files_of_a_pattern(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, a="x,kind\n1,a\n2,b\n", b="x,kind\n1,a\n2,b\n")
    answer = run("fit", "*.csv", "-o", "b.csv")
    assert answer.code == 2
    assert "-o b.csv is the same file as the data" in answer.err
