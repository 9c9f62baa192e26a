"""The binary cache: what is written comes back, damage is noticed, nothing is left behind."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import DataError
from rosenblatt.data.cache import Cache
from rosenblatt.data.cache_file import HEADER, ROWS
from rosenblatt.data.cache_writer import CacheWriter

X = np.array([[1.0, 0.0, 2.5], [0.0, 0.0, 0.0], [0.1, 0.2, 0.3], [0.0, 4.0, 0.0]])
Y = ["b", "a", "b", "c"]
KINDS = {"dense": X, "csr": sparse.csr_array(X), "presence": sparse.csr_array(X != 0)}


def as_dense(data):
    """Return the rows of a block in the order in which they are visited."""
    if isinstance(data.rows, np.ndarray):
        return data.rows[data.members]
    values = getattr(data.rows, "data", np.ones(len(data.rows.indices)))
    shape = (data.n_rows, data.n_features)
    found = sparse.csr_array((values, data.rows.indices, data.rows.indptr), shape=shape)
    return found.toarray()[data.members]


def everything(cache, order=None):
    rows, labels = [], []
    for data in cache.one_pass(order):
        rows.append(as_dense(data))
        labels += cache.classes[data.labels[data.members]].tolist()
    return np.concatenate(rows), labels


@pytest.fixture
def kept(tmp_path):
    """Return the folder of a cache of three blocks."""
    with CacheWriter(tmp_path / "cache", block_bytes=60) as writer:
        writer.add(KINDS["csr"], Y)
        writer.finish()
    return tmp_path / "cache"


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_comes_back(kind):
    wanted = X != 0 if kind == "presence" else X
    with CacheWriter(block_bytes=60) as writer:
        writer.add(KINDS[kind], Y)
        cache = writer.finish()
        assert (cache.n_rows, cache.n_features) == (4, 3)
        for order in ([0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0]):
            rows, labels = everything(cache, iter([np.array(order[:3]), np.array(order[3:])]))
            np.testing.assert_array_equal(rows, wanted[order])
            assert labels == [Y[i] for i in order]
        rows, labels = everything(cache)
        np.testing.assert_array_equal(rows, wanted)
        assert labels == Y


def test_a_kept_cache_can_be_opened_again(kept):
    with Cache.open(kept) as cache:
        rows, labels = everything(cache)
    np.testing.assert_array_equal(rows, X)
    assert labels == Y
    assert cache.classes.tolist() == ["a", "b", "c"]


def test_any_changed_byte_of_the_rows_is_noticed(kept):
    content = (kept / ROWS).read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 4
        (kept / ROWS).write_bytes(changed)
        for order in (None, iter([np.arange(4)])):
            with Cache.open(kept) as cache, pytest.raises(DataError, match=r"damaged: block \d"):
                everything(cache, order)


def test_a_cut_file_is_noticed(kept):
    content = (kept / ROWS).read_bytes()
    (kept / ROWS).write_bytes(content[:-8])
    with pytest.raises(DataError, match="are there"):
        Cache.open(kept)


def test_any_changed_byte_of_the_header_is_noticed(kept):
    content = (kept / HEADER).read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 1
        (kept / HEADER).write_bytes(changed)
        if json.loads(content) != _loaded(changed):
            with pytest.raises(DataError, match="cache"):
                Cache.open(kept)


def _loaded(content):
    try:
        return json.loads(content)
    except ValueError:
        return None


def test_an_unfinished_cache_is_not_one(kept):
    (kept / HEADER).unlink()
    with pytest.raises(DataError, match="never finished"):
        Cache.open(kept)


def test_a_folder_that_is_there_is_left_alone(kept):
    with pytest.raises(DataError, match="is there already"):
        CacheWriter(kept)
    assert (kept / HEADER).exists()


def test_a_writer_that_fails_takes_its_folder_along(tmp_path):
    with pytest.raises(DataError, match="infinity"):
        _write_infinity(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (KINDS["csr"], "sparse, or dense"),
        (X[:, :2], "as many columns"),
        (X.astype(np.float32), "of one type"),
    ],
)
def test_blocks_that_do_not_fit_together_are_refused(more, word):
    with CacheWriter() as writer:
        writer.add(X, Y)
        with pytest.raises(DataError, match=word):
            writer.add(more, Y)


def test_labels_of_two_types_are_refused():
    with CacheWriter() as writer:
        writer.add(X, Y)
        with pytest.raises(DataError, match="of one type"):
            writer.add(X, [1, 2, 3, 4])


def test_one_class_alone_is_refused():
    with CacheWriter() as writer:
        writer.add(X, ["a"] * 4)
        with pytest.raises(DataError, match="at least two"):
            writer.finish()


def _write_infinity(folder):
    with CacheWriter(folder) as writer:
        writer.add(X, Y)
        writer.add(np.full((1, 3), np.inf), ["a"])


WAITS = """
import sys, time
from rosenblatt.data.cache_writer import CacheWriter
with CacheWriter() as writer:
    writer.add([[1.0]] * 1000, [0, 1] * 500)
    print("written", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(os.name != "posix", reason="a file without a name is of POSIX systems")
@pytest.mark.parametrize(
    "kill", [pytest.param(signal.SIGINT, marks=pytest.mark.soak), signal.SIGKILL]
)
def test_an_interrupted_run_leaves_nothing_behind(tmp_path, kill):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", WAITS],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    with process:
        assert process.stdout.readline() == b"written\n"
        process.send_signal(kill)
    assert process.returncode != 0
    assert [path.name for path in tmp_path.rglob("*") if "rosenblatt" in path.name] == []
