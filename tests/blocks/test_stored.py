"""Rows on disk: what is written comes back, in any order, and nothing is left behind."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import DataError
from rosenblatt.blocks import numbers_of
from rosenblatt.blocks.stored import StoreWriter

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


def everything(blocks, draws=None):
    """Return rows and labels as they are visited, and the numbers that the rows say they have."""
    rows, labels, numbers = [], [], []
    for block in blocks.one_pass(draws):
        rows.append(as_dense(block))
        labels += blocks.classes[block.labels[block.members]].tolist()
        numbers += numbers_of(block, block.members).tolist()
    return np.concatenate(rows), labels, numbers


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block_bytes", [1, 60, 10_000])
def test_what_is_written_comes_back(kind, block_bytes):
    wanted = X != 0 if kind == "presence" else X
    with StoreWriter(block_bytes=block_bytes) as writer:
        writer.add(KINDS[kind], Y)
        stored = writer.finish()
        assert (stored.n_rows, stored.n_features) == (4, 3)
        rows, labels, numbers = everything(stored)
        np.testing.assert_array_equal(rows, wanted)
        assert labels == Y
        assert numbers == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawn_order_is_that_of_rows_in_memory(kind):
    X, y = np.arange(60.0).reshape(20, 3) % 7, ["a", "b"] * 10
    form = {"dense": X, "csr": sparse.csr_array(X), "presence": sparse.csr_array(X != 0)}[kind]
    order = np.random.RandomState(3).permutation(20)
    with StoreWriter(block_bytes=60) as writer:
        writer.add(form, y)
        rows, labels, numbers = everything(writer.finish(), np.random.RandomState(3))
    np.testing.assert_array_equal(rows, (X != 0 if kind == "presence" else X)[order])
    assert labels == [y[i] for i in order]
    assert numbers == order.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_some_rows_are_taken_by_number(kind):
    wanted = X != 0 if kind == "presence" else X
    with StoreWriter(block_bytes=60) as writer:
        writer.add(KINDS[kind], Y)
        some = writer.finish().take(np.array([1, 2, 3]))
        rows, labels, numbers = everything(some.take(np.array([0, 2])))
    np.testing.assert_array_equal(rows, wanted[[1, 3]])
    assert labels == ["a", "c"]
    assert numbers == [0, 1]  # among those that were taken


def test_the_rows_of_some_classes_can_be_visited_alone():
    with StoreWriter(block_bytes=60) as writer:
        writer.add(X, Y)
        _, labels, numbers = everything(writer.finish().of_classes(np.array([0, 2])))
    assert (labels, numbers) == (["a", "c"], [1, 3])


def test_presence_rows_before_rows_with_values_are_rows_of_ones():
    with StoreWriter(block_bytes=60) as writer:
        writer.add(KINDS["presence"], Y)
        writer.add(KINDS["csr"], Y)
        writer.add(KINDS["presence"], Y)
        rows, _, _ = everything(writer.finish())
    np.testing.assert_array_equal(rows, np.concatenate([X != 0, X, X != 0]))


def test_indices_can_be_moved_when_all_are_known():
    with StoreWriter() as writer:
        writer.add(KINDS["csr"], Y)
        rows, _, _ = everything(writer.finish(5, shift=2))
    np.testing.assert_array_equal(rows, np.hstack([np.zeros((4, 2)), X]))


def test_a_full_disk_names_the_way_out():
    with StoreWriter() as writer:
        writer._values = open("/dev/full", "wb")  # noqa: SIM115 - closed by the next line's error
        with writer._values, pytest.raises(DataError, match=r"No space left.*set TMPDIR"):
            writer.add(np.ones((200_000, 3)), [0, 1] * 100_000)


@pytest.mark.parametrize(
    ("more", "word"),
    [
        (KINDS["csr"], "sparse, or dense"),
        (X[:, :2], "as many columns"),
        (X.astype(np.float32), "of one type"),
    ],
)
def test_blocks_that_do_not_fit_together_are_refused(more, word):
    with StoreWriter() as writer:
        writer.add(X, Y)
        with pytest.raises(DataError, match=word):
            writer.add(more, Y)


def test_labels_of_two_types_are_refused():
    with StoreWriter() as writer:
        writer.add(X, Y)
        with pytest.raises(DataError, match="of one type"):
            writer.add(X, [1, 2, 3, 4])


def test_one_class_alone_is_refused():
    with StoreWriter() as writer:
        writer.add(X, ["a"] * 4)
        with pytest.raises(DataError, match="at least two"):
            writer.finish()


WAITS = """
import sys, time
from rosenblatt.blocks import numbers_of
from rosenblatt.blocks.stored import StoreWriter
with StoreWriter() as writer:
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
