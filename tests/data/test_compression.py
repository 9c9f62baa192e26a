"""Packed files are unpacked whatever their name, and not without bounds."""

import bz2
import gzip
import io
import lzma
import sys

import pyarrow as pa
import pytest

from rosenblatt import DataError, read
from rosenblatt.data import compression
from rosenblatt.data.compression import ByteStream, without_ending

ROWS = b"".join(b"%d,%d,%d\n" % (i, i * i % 7, i % 2) for i in range(2000))
PACKED = {
    "gz": gzip.compress(ROWS),
    "xz": lzma.compress(ROWS),
    "bz2": bz2.compress(ROWS),
    "zst": pa.compress(ROWS, codec="zstd", asbytes=True),
}


@pytest.mark.parametrize("ending", PACKED)
def test_a_packed_file_is_read_as_the_plain_one(tmp_path, ending):
    path = tmp_path / f"data.csv.{ending}"
    path.write_bytes(PACKED[ending])
    assert read(path).X.shape == (2000, 2)


@pytest.mark.parametrize("ending", PACKED)
def test_a_packed_file_needs_no_ending(tmp_path, ending):
    path = tmp_path / "data"
    path.write_bytes(PACKED[ending])
    assert read(path).X.shape == (2000, 2)


@pytest.mark.parametrize("ending", PACKED)
def test_a_cut_file_is_an_error(tmp_path, ending):
    path = tmp_path / f"data.csv.{ending}"
    path.write_bytes(PACKED[ending][: len(PACKED[ending]) // 2])
    with pytest.raises(DataError, match="cut off or damaged"):
        read(path)


def test_packed_pieces_one_after_the_other_are_one_file(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(ROWS) + gzip.compress(ROWS))
    assert len(read(path).y) == 4000


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_a_file_that_grows_too_much_is_refused(tmp_path, monkeypatch, pack):
    monkeypatch.setattr(compression, "FREE_BYTES", 100_000)
    path = tmp_path / "bomb.svm"
    path.write_bytes(pack(b"1 1:1\n" * 100_000))
    with pytest.raises(DataError, match="more than 100 times its size; if it is meant"):
        read(path)
    assert len(read(path, max_bytes=1 << 30).y) == 100_000


def test_the_largest_size_is_stated(tmp_path, monkeypatch):
    monkeypatch.setattr(compression, "MAX_BYTES", 1000)
    path = tmp_path / "data.csv.gz"
    path.write_bytes(PACKED["gz"])
    with pytest.raises(DataError, match="unpacks to more than"):
        read(path)


def test_max_bytes_bounds_plain_files_too(tmp_path):
    path = tmp_path / "data.csv"
    path.write_bytes(ROWS)
    assert len(read(path, max_bytes=len(ROWS)).y) == 2000
    with pytest.raises(DataError, match="more than the 100 bytes that max_bytes allows"):
        read(path, max_bytes=100)


class Dripping(io.RawIOBase):
    """A pipe that hands over a few bytes at a time."""

    def __init__(self, content):
        self.content = content

    def readable(self):
        return True

    def readinto(self, buffer):
        n = min(3, len(buffer))
        piece, self.content = self.content[:n], self.content[n:]
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("content", [ROWS, *PACKED.values()])
def test_pipes_may_be_slow(content):
    stream = ByteStream(Dripping(content), "pipe")
    assert stream.peek(10) == ROWS[:10]
    assert stream.peek(20) == ROWS[:20]
    assert stream.read_all() == ROWS


def test_standard_input_is_a_file_like_others(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PACKED["xz"])))
    examples = read("-")
    assert examples.X.shape == (2000, 2)
    assert examples.source == "standard input"


def test_endings_of_packed_files_are_taken_off():
    assert without_ending("a.csv.GZ") == "a.csv"
    assert without_ending("a.csv") == "a.csv"
