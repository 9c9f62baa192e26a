"""Files read in parts by those who have them: the rows, labels and recipe of `read`."""

import gzip
import json

import fsspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from rosenblatt import AveragedPerceptron, DataError, DataFileError, read, spread
from rosenblatt.cluster.files import FilePart, cut_file


@pytest.fixture(scope="module")
def frame():
    rng, n = np.random.default_rng(0), 300
    words = [" ".join(rng.choice(["one", "two", "three", f"x{i}"], 3)) for i in range(n)]
    a, b = rng.integers(0, 4, n), rng.standard_normal(n).round(3)
    frame = pd.DataFrame({"a": a, "b": b, "kind": rng.choice(["u", "v", "w"], n), "said": words})
    return frame.assign(label=np.where(a + b > 1.5, "yes", "no"))


@pytest.fixture(scope="module")
def folder(frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    frame.to_csv(folder / "all.csv", index=False)
    for k in range(3):
        frame[100 * k : 100 * k + 100].to_csv(folder / f"some{k}.csv", index=False)
    (folder / "packed.csv.gz").write_bytes(gzip.compress((folder / "all.csv").read_bytes()))
    frame.to_parquet(folder / "all.parquet", index=False, row_group_size=40)
    frame.to_feather(folder / "all.arrow")
    lines = (json.dumps(record) for record in frame.to_dict("records"))
    (folder / "all.jsonl").write_text("\n".join(lines))
    texts = zip(frame["label"], frame["said"], strict=True)
    (folder / "all.txt").write_text("".join(f"{label}\t{text}\n" for label, text in texts))
    rows = enumerate(zip(frame["label"], frame["a"], strict=True))
    pairs = [f"{1 if label == 'yes' else -1} 1:{a} {3 + i % 5}:1\n" for i, (label, a) in rows]
    (folder / "all.svm").write_text("".join(pairs))
    return folder


def check_same(blocks, examples):
    assert blocks.recipe == examples.recipe
    assert blocks.n_rows == len(examples.y)
    one = AveragedPerceptron(epochs=2, shuffle=False).fit(examples.X, examples.y)
    two = AveragedPerceptron(epochs=2, shuffle=False).fit(blocks)
    np.testing.assert_equal(one.coef_, two.coef_)
    assert one.classes_.tolist() == two.classes_.tolist()
    assert one.classes_.dtype == two.classes_.dtype


@pytest.mark.parametrize(
    ("name", "part_bytes", "n_parts"),
    [
        ("all.csv", 2000, 5),
        ("some*.csv", 1 << 20, 3),
        ("packed.csv.gz", 100, 1),
        ("all.parquet", 3000, 4),
        ("all.arrow", 100, 1),
        ("all.jsonl", 5000, 5),
        ("all.txt", 1000, 6),
        ("all.svm", 500, 6),
    ],
)
def test_files_are_read_as_by_read(folder, name, part_bytes, n_parts):
    blocks = spread(str(folder / name), part_bytes=part_bytes)
    assert blocks.n_parts >= n_parts
    examples = read(str(folder / name))
    check_same(blocks, examples)
    assert blocks.notes == examples.notes


def test_workers_read_for_themselves(folder, processes):
    blocks = spread(folder / "all.csv", part_bytes=3000, client=processes)
    check_same(blocks, read(folder / "all.csv"))


def test_addresses_are_those_of_fsspec(folder):
    memory = fsspec.filesystem("memory")
    for name in ("all.csv", "all.parquet"):
        memory.pipe(f"/spread/{name}", (folder / name).read_bytes())
    check_same(spread("memory://spread/*.csv", part_bytes=4000), read(folder / "all.csv"))
    check_same(spread("memory://spread/all.parquet", part_bytes=3000), read(folder / "all.parquet"))
    check_same(spread(f"file://{folder}/all.csv", part_bytes=9000), read(folder / "all.csv"))
    with pytest.raises(DataFileError, match="no file fits memory://spread/none"):
        spread("memory://spread/none*.csv")
    with pytest.raises(DataFileError, match=r"nowhere://a\.csv"):
        spread("nowhere://a.csv")


def test_types_are_those_of_all_parts(tmp_path):
    """A number in the first file, a word in the last: strings in all; 01 in one is a code."""
    rows = [f"{k % 7},{k % 2}" for k in range(40)]
    (tmp_path / "a.csv").write_text("\n".join(["size,y", *rows]))
    (tmp_path / "b.csv").write_text("\n".join(["size,y", *rows, "2.5,1"]))
    (tmp_path / "c.csv").write_text("\n".join(["y,size", "1,big", "0,small", "1,big"]))
    (tmp_path / "d.csv").write_text("\n".join(["size,y", "3,01", "4,1"]))
    for names in ("ab", "acb", "bad"):
        paths = [tmp_path / f"{name}.csv" for name in names]
        missing = "mean" if "c" in names else "error"
        check_same(
            spread(paths, target="y", missing=missing), read(paths, target="y", missing=missing)
        )


def test_rows_that_are_dropped_and_indices_from_0_are_counted_in_all(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n,b\n3,a\n")
    (tmp_path / "b.csv").write_text("x,y\n,a\n5,b\n")
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    blocks, examples = (of(paths, target="y", missing="drop") for of in (spread, read))
    check_same(blocks, examples)
    assert [note for note in blocks.notes if "dropped" in note] == [
        note for note in examples.notes if "dropped" in note
    ]
    (tmp_path / "a.svm").write_text("1 1:1 3:1\n-1 2:1\n")
    (tmp_path / "b.svm").write_text("1 0:1 4:2.5\n-1 2:1\n")
    paths = [tmp_path / "a.svm", tmp_path / "b.svm"]
    check_same(spread(paths), read(paths))


def test_lines_are_of_the_part_in_which_they_begin(tmp_path):
    lines = ["x,y\n", *(f"{k},{'ab'[k % 2]}\n" for k in range(30))]
    (tmp_path / "a.csv").write_text("".join(lines))
    for size in (5, 7, 16, 50):
        blocks = spread(tmp_path / "a.csv", part_bytes=size, target="y")
        rows = np.concatenate(list(blocks.each(lambda block: block.rows)))
        assert rows[:, 0].tolist() == list(range(30))
    assert cut_file(str(tmp_path / "a.csv"), 100)[1] == FilePart(str(tmp_path / "a.csv"), 72, 144)


def test_a_row_of_several_lines_is_not_cut(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n" + '"one\ntwo",a\nthree,b\n' * 20)
    with pytest.raises(
        DataError, match=r"part \d+ of .*goes over several lines, so the file cannot"
    ):
        spread(tmp_path / "a.csv", part_bytes=50)
    assert spread(tmp_path / "a.csv").n_rows == 40
    (tmp_path / "b.csv").write_text("x,y\n" + '"one, two",a\nthree,b\n' * 20)
    check_same(spread(tmp_path / "b.csv", part_bytes=50), read(tmp_path / "b.csv"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("z,y\n1,a\n", r"part 2 of 2 \(.*b.csv\): .*b.csv has no column 'x', which part 1"),
        ("x,y\n1,a\n2\n", r"part 2 of 2 \(.*b.csv\): .*line 3: 1 field"),
        ("", r"part 2 of 2 \(.*b.csv\): .*is empty"),
        ("x,y\n", r"part 2 of 2 \(.*b.csv\): .*no rows below its header; mend the file, or leave"),
    ],
)
def test_a_file_that_does_not_fit_is_named(tmp_path, content, message):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "b.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        spread(str(tmp_path / "*.csv"), target="y")


def test_columns_of_lists_are_named(tmp_path):
    for name, values in (("a", [1.0, 2.0]), ("b", [[1.0], [2.0]])):
        parquet.write_table(pa.table({"x": values, "y": ["p", "q"]}), tmp_path / f"{name}.parquet")
    with pytest.raises(DataError, match=r"part 2 of 2 .*b.parquet, column 'x' holds list<"):
        spread(str(tmp_path / "*.parquet"), target="y")
    with pytest.raises(DataError, match=r"b.parquet, column 'x' holds list<"):
        read(str(tmp_path / "*.parquet"), target="y")


def test_a_file_that_is_gone_or_no_table_is_named(tmp_path, folder):
    with pytest.raises(DataFileError, match=r"none\.csv cannot be read"):
        spread(tmp_path / "none.csv")
    with pytest.raises(DataError, match="is a folder, which is mail"):
        spread(tmp_path)
    with pytest.raises(DataError, match="iris is not a file on disk"):
        spread("iris")
    with pytest.raises(DataError, match=r"is an svmlight file, but .* is a table"):
        spread([folder / "all.svm", folder / "all.csv"])


def test_a_packed_file_has_its_limit_where_it_is_read(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n")
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"x,y\n" + b"1,a\n2,b\n" * 999))
    with pytest.raises(DataError, match=r"part 2 of 2 .*holds more than the 1000 bytes"):
        spread([tmp_path / "a.csv", tmp_path / "b.csv.gz"], target="y", max_bytes=1000)
