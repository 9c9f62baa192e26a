"""Files that are odd or broken are read as they are meant, or refused in a few words."""

import bz2
import gzip
import io
import json
import lzma
import os
import threading

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from rosenblatt import AveragedPerceptron
from rosenblatt.data.read import read
from rosenblatt.errors import DataError
from rosenblatt.kernels.json_depth import place_too_deep
from rosenblatt.workflows.fit_file import fit_file

LONGEST_MESSAGE = 400


def in_memory(path, **how):
    examples = read(path, **how)
    return examples.X.shape[0], sorted(set(examples.y.tolist()))


def in_blocks(path, **how):
    fit = fit_file(AveragedPerceptron(epochs=1), path, **how)
    return fit.n_rows, fit.model.classes_.tolist()


both_roads = pytest.mark.parametrize("road", [in_memory, in_blocks])


def refused(road, path, **how):
    """Return the message, which is a short one."""
    with pytest.raises(DataError) as caught:
        road(path, **how)
    assert len(str(caught.value)) < LONGEST_MESSAGE
    return str(caught.value)


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


# Rows of any length


@both_roads
@pytest.mark.parametrize("quote", [b"", b'"'])
def test_a_row_may_be_longer_than_a_block_of_arrow(file, road, quote):
    text = quote + b"many words " * 300_000 + quote
    path = file("long.csv", b"label,text\na," + text + b"\nb,hello you\na,see\n")
    assert road(path, target="label") == (3, ["a", "b"])


def test_a_header_may_be_longer_than_a_block_of_arrow():
    from rosenblatt.data.formats.csv import parse_table
    from rosenblatt.data.formats.dialect import Dialect

    names = [f"{j:03d}" + "x" * 5000 for j in range(300)]
    content = "\n".join([",".join(names), ",".join("1" for _ in names)]).encode()
    columns = parse_table(content, "wide.csv", Dialect(",", True, "."), {})
    assert columns.column_names == names


def test_a_bad_line_below_a_long_one_is_still_named(file):
    path = file("long.csv", b"label,text\na," + b"x" * 3_000_000 + b"\nb,c,d\n")
    assert "line 3: 3 fields where the first row has 2" in refused(in_memory, path)


# JSON in JSON


@both_roads
@pytest.mark.parametrize("depth", [65, 5_000, 100_000])
@pytest.mark.parametrize("ends", [b"", b"\n"])
def test_deep_json_is_refused(file, road, depth, ends):
    deep = b'{"label": "x", "a": ' + b"[" * depth + b"]" * depth + b"}\n"
    opened = b'{"label": "x", "a": ' + b'{"a":\n' * depth
    for content in (b'{"label": "y", "a": 1}\n' + deep, opened):
        message = refused(road, file("deep.jsonl", content.replace(b"\n", ends or b"\n")))
        assert "deep" in message or "not JSON" in message
    assert "line 2" in refused(road, file("deep.jsonl", b'{"label": "y", "a": 1}\n' + deep))


@both_roads
def test_a_column_of_nested_values_is_refused_in_few_words(file, road):
    row = b'{"label": %d, "a": ' + b'{"some name": ' * 60 + b"1" + b"}" * 61 + b"\n"
    assert "column 'a' holds" in refused(road, file("a.jsonl", row % 0 + row % 1))


def test_a_value_of_another_type_is_shown_in_few_words(file):
    path = file("a.jsonl", b'{"label": 1, "a": 1}\n{"label": 2, "a": ["%s"]}\n' % (b"x" * 9999))
    assert "line 2, column 'a': expected a number, got ['xxxx" in refused(in_memory, path)


@both_roads
def test_brackets_in_strings_are_no_depth(file, road):
    rows = [{"label": k % 2, "a": '[{"' * 99 + "\\"} for k in range(4)]
    path = file("a.jsonl", "\n".join(map(json.dumps, rows)).encode())
    assert road(path) == (4, [0, 1])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": [1]}', -1),
        ('{"a": [[1]]}', 7),
        ('{"[[[": "]]\\"[[["}', -1),
        ("[[]\n[[", 5),
        ('"\n[[[', 4),
        ('["\\\\", [[', 8),
    ],
)
def test_depth_is_that_of_the_open_brackets(text, place):
    assert place_too_deep(np.frombuffer(text.encode(), dtype=np.uint8), 2) == place


# Text that is no text


def with_bytes(write, old, new):
    content = io.BytesIO()
    write(content)
    changed = content.getvalue().replace(old, new)
    assert changed != content.getvalue()
    return changed


def as_parquet(table):
    return lambda file: parquet.write_table(
        table, file, use_dictionary=False, compression="none", write_statistics=False
    )


def as_arrow(table):
    def write(file):
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)

    return write


@both_roads
@pytest.mark.parametrize("written", [as_parquet, as_arrow])
@pytest.mark.parametrize("broken", [b"column", b"values"])
def test_strings_that_are_not_utf_8_are_refused(file, road, written, broken):
    table = pa.table({"my column": ["my values", "b", "my values"], "label": [0, 1, 1]})
    content = with_bytes(written(table), broken, broken[:-1] + b"\xff")
    name = "a.parquet" if written is as_parquet else "a.arrow"
    assert "not a" in refused(road, file(name, content))


# Pipes


@both_roads
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["parquet", "arrow", "csv", "svm", "jsonl", "text"])
def test_a_named_pipe_is_read(tmp_path, road, form, packed):
    table = pa.table({"a": [1.0, 2.0, 3.0, 4.0], "label": [0, 0, 1, 1]})
    content = io.BytesIO()
    if form in ("parquet", "arrow"):
        (as_parquet if form == "parquet" else as_arrow)(table)(content)
    texts = {
        "csv": b"a,label\n1,0\n2,0\n3,1\n4,1\n",
        "svm": b"0 1:1\n0 1:2\n1 1:3\n1 1:4\n",
        "jsonl": b'{"a": 1, "label": 0}\n' * 2 + b'{"a": 2, "label": 1}\n' * 2,
        "text": b"0\ta word\n0\ta b\n1\tc d\n1\tc e\n",
    }
    content.write(texts.get(form, b""))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sent = gzip.compress(content.getvalue()) if packed else content.getvalue()
    writer = threading.Thread(target=pipe.write_bytes, args=(sent,), daemon=True)
    writer.start()
    assert road(pipe) == (4, [0, 1])
    writer.join(10)
    assert not writer.is_alive()


# Lines that end with a carriage return alone

OLD_LINES = {
    "text": b"ham\thello you\rspam\tbuy it\rham\tsee you\r",
    "svmlight": b"1 1:1\r-1 2:1\r1 1:2 2:3\r",
    "csv": b"size,label\r1,a\r2,b\r3,a\r",
    "jsonl": b'{"size": 1, "label": "a"}\r{"size": 2, "label": "b"}\r{"size": 3, "label": "a"}\r',
}


@both_roads
@pytest.mark.parametrize("form", OLD_LINES)
@pytest.mark.parametrize("packed", [False, True])
def test_a_lone_carriage_return_ends_a_line(file, road, form, packed):
    old, new = OLD_LINES[form], OLD_LINES[form].replace(b"\r", b"\n")
    expected = road(file("new", new), format=form)
    assert expected[0] == 3
    content = gzip.compress(old) if packed else old
    assert road(file("old", content), format=form) == expected
    assert road(file("old", old.rstrip())) == expected  # guessed, and no end of the last line


@both_roads
@pytest.mark.parametrize("form", ["text", "svmlight"])
def test_line_ends_may_be_mixed(file, road, form):
    lines = OLD_LINES[form].split(b"\r")[:3]
    for ends in ([b"\r", b"\n", b"\r\n"], [b"\r\n", b"\r", b"\n"], [b"\n", b"\r\n", b"\r"]):
        content = b"".join(line + end for line, end in zip(lines, ends, strict=True))
        assert road(file("mixed", content), format=form)[0] == 3


def test_a_return_at_the_end_of_a_block_waits_for_the_next_byte(file):
    from rosenblatt.data.source import open_source

    path = file("a", b"ab\rc\r\nd\r")
    for size in range(1, 10):
        with open_source(path) as source:
            source.content.end_lines_at_returns()
            block, content = bytearray(size), b""
            while n := source.content.readinto(block):
                content += block[:n]
            assert content == b"ab\nc\r\nd\n"


def test_a_return_inside_of_a_quoted_field_stays(file):
    path = file("a.csv", b'label,text\na,"one\rtwo"\nb,"three"\na,x y\n')
    assert read(path).texts.to_pylist()[0] == "one\rtwo"


# Bytes behind the end of a packed file


def zstd(content):
    return pa.compress(content, codec="zstd", asbytes=True)


@both_roads
@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstd])
@pytest.mark.parametrize("behind", [b"x", b"hello, world", b"\xff" * 1000])
def test_bytes_behind_a_packed_file_are_refused(file, road, compress, behind):
    packed = compress(b"a,label\n1,0\n2,1\n")
    assert road(file("a.csv.packed", packed))[0] == 2
    assert "cannot be unpacked" in refused(road, file("a.csv.packed", packed + behind))
    assert "cannot be unpacked" in refused(road, file("a.csv.packed", packed[:-3]))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_packed_streams_one_after_the_other_are_one_file(file, compress):
    packed = compress(b"a,label\n1,0\n") + compress(b"2,1\n")
    assert in_memory(file("a.csv.packed", packed))[0] == 2


def test_zeros_fill_up_a_file_of_xz(file):
    packed = lzma.compress(b"a,label\n1,0\n2,1\n")
    assert in_memory(file("a.csv.xz", packed + bytes(8)))[0] == 2
