"""The svmlight kernel reads what scikit-learn reads, and refuses all that is in doubt."""

import io
import re
from contextlib import nullcontext
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from rosenblatt import DataError
from rosenblatt.data.formats import svmlight
from rosenblatt.data.formats.svmlight import SvmlightFile
from rosenblatt.data.source import FileSample, source_of_bytes
from rosenblatt.data.table import Reading
from tests.reference.svmlight import parse_svmlight


class Rows(NamedTuple):
    X: sparse.csr_array
    y: np.ndarray


def ours(content, zero_based="auto"):
    def opened():
        return nullcontext(source_of_bytes(content, "file"))

    # no look at the first lines: the parser alone judges
    how = Reading(zero_based=zero_based)
    return Rows(*SvmlightFile(opened, "file", FileSample(b"", []), how).whole())


def one_kind_of_line_ends(content):
    """Return a file in which a carriage return alone ends a line, as old files have it."""
    return re.sub(rb"\r(?!\n)", b"\n", content)


def assert_equals_scikit_learn(content, zero_based="auto"):
    rows = ours(content, zero_based)
    same = io.BytesIO(one_kind_of_line_ends(content))
    X, y = load_svmlight_file(same, zero_based=zero_based)
    assert rows.X.shape == X.shape
    np.testing.assert_array_equal(rows.X.indices, X.indices)
    np.testing.assert_array_equal(rows.X.indptr, X.indptr)
    data = np.asarray(rows.X.data, dtype=np.float64)
    np.testing.assert_array_equal(data.view(np.int64), X.data.view(np.int64))
    np.testing.assert_array_equal(rows.y, y)


numbers = st.one_of(
    st.just("1"),
    st.integers(-100, 100).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-2, 2).map("{:.6g}".format),
    st.sampled_from(["1.0", "+1", "1e0", ".5", "5.", "1e-320", "123456789012345678901234567890"]),
)
blanks = st.sampled_from([" ", " ", " ", "  ", "\t"])
ends = st.sampled_from(["\n", "\n", "\n", " \n", "\r\n", " # a comment\n", "#x:y\r\n", "\n\n"])


@st.composite
def lines(draw, values=numbers):
    indices = sorted(draw(st.sets(st.integers(0, 300), max_size=6)))
    pairs = [f"{draw(blanks)}{index}:{draw(values)}" for index in indices]
    query = draw(st.sampled_from(["", "", "", " qid:7"]))
    return draw(numbers) + query + "".join(pairs) + draw(ends)


def files(values=numbers):
    return st.lists(lines(values), min_size=1, max_size=8).map(lambda rows: "".join(rows).encode())


@settings(max_examples=150, deadline=None)
@given(files(), st.sampled_from([1 << 20, 64, 7]))
def test_valid_files_equal_scikit_learns(content, block):
    before, svmlight.BLOCK = svmlight.BLOCK, block
    try:
        if any(pairs for _, pairs in parse_svmlight(content)):
            assert_equals_scikit_learn(content)
        else:
            with pytest.raises(DataError, match="no index:value pair"):
                ours(content)
    finally:
        svmlight.BLOCK = before


@settings(max_examples=50, deadline=None)
@given(files(st.sampled_from(["1", "1", "1", "1.0", "01"])))
def test_files_of_ones_are_presence_rows(content):
    if any(pairs for _, pairs in parse_svmlight(content)):
        assert ours(content).X.dtype == bool
        assert_equals_scikit_learn(content)


def check_mutant(content):
    """Ours is an error where the reference has one, else what scikit-learn reads."""
    try:
        expected = parse_svmlight(one_kind_of_line_ends(content))
    except ValueError:
        expected = None
    if expected and any(pairs for _, pairs in expected):
        assert_equals_scikit_learn(content)
    else:
        with pytest.raises(DataError):
            ours(content)


@st.composite
def mutants(draw):
    content = bytearray(draw(files()))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(content)))
        byte = draw(st.one_of(st.sampled_from(b" :\n\r#,.+-e019qx_\0\t"), st.integers(0, 255)))
        cut = draw(st.sampled_from([0, 1, 1, 3]))
        content[at : at + cut] = bytes([byte]) if draw(st.booleans()) else b""
    return bytes(content)


@settings(max_examples=250, deadline=None)
@given(mutants())
def test_mutated_files_are_refused_or_equal_scikit_learns(content):
    check_mutant(content)


@pytest.mark.soak
@settings(max_examples=10_000, deadline=None)
@given(mutants())
def test_many_mutated_files_are_refused_or_equal_scikit_learns(content):
    check_mutant(content)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_an_error_or_rows(content):
    check_mutant(content)


@pytest.mark.parametrize("zero_based", ["auto", True, False])
def test_what_scikit_learn_writes_is_read_back(zero_based):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((200, 40)) < 0.3, rng.standard_normal((200, 40)), 0.0)
    file = io.BytesIO()
    dump_svmlight_file(X, rng.integers(0, 3, 200), file, zero_based=zero_based is not False)
    assert_equals_scikit_learn(file.getvalue(), zero_based)


@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        (b"1 1:1\n1 2:3 2:4\n", "line 2, column 7", "above the one before it"),
        (b"1 3:1 2:1", "line 1, column 7", "sort the pairs"),
        (b"\n# x\n1,2 3:1", "line 3, column 2", "several labels"),
        (b"1:1 2:1", "line 1, column 1", "expected a label before the first"),
        (b"spam 1:1", "line 1, column 1", "expected a label, .* got 'spam'"),
        (b"nan 1:1", "line 1, column 1", "expected a label"),
        (b"1 2:x", "line 1, column 5", "expected a finite number after the colon, got 'x'"),
        (b"1 2:", "line 1, column 5", "got the end of the line"),
        (b"1 2:inf", "line 1, column 5", "expected a finite number"),
        (b"1 1:2\n1 1:1 2:1e999 3:1\n1 1:1", "line 2, column 9", "too large for a float"),
        (b"1 2147483648:1", "line 1, column 3", "at most 2147483647"),
        (b"1 00000000001:1", "line 1, column 3", "at most 2147483647"),
        (b"1 2:1 end", "line 1, column 7", "a # comment or the end of the line, got 'end'"),
        (b"1 2 3:1", "line 1, column 4", "expected a colon"),
        (b"1 qid:x 1:1", "line 1, column 3", "qid:number"),
        (b"1 1:1 qid:1", "line 1, column 7", "an index:value pair"),
        (b"1 -1:1", "line 1, column 3", "an index:value pair"),
    ],
)
def test_a_mistake_is_named_with_its_place(content, where, what):
    with pytest.raises(DataError, match=f"file, {where}: .*{what}"):
        ours(content)


def test_index_zero_is_refused_where_indices_start_at_one():
    with pytest.raises(DataError, match="line 2, column 3: expected indices from 1 on"):
        ours(b"1 1:1\n1 0:1\n", zero_based=False)


def test_the_largest_index_is_read():
    rows = ours(b"1 2147483647:2")
    assert rows.X.shape == (1, 2147483647)
    assert rows.X.indices[0] == 2147483646


def test_more_hard_numbers_than_there_is_room_for_are_read():
    pairs = " ".join(f"{index}:0.{'1234567890' * 3}{index}" for index in range(1, 1000))
    assert_equals_scikit_learn(f"1 {pairs}\n2 {pairs}\n".encode())


def test_values_that_come_late_leave_the_ones_before_them():
    assert_equals_scikit_learn(b"1 1:1 2:1\n" * 5000 + b"0 1:1 3:0.5\n" + b"1 2:1\n" * 10)


def test_zeros_that_are_written_stay():
    assert ours(b"1 1:0 2:3").X.nnz == 2


def test_labels_are_whole_numbers_when_all_of_them_are():
    assert ours(b"1.0 1:1\n-1 1:1").y.dtype == np.int64
    assert ours(b"1.5 1:1\n-1 1:1").y.dtype == np.float64
    assert ours(b"1e300 1:1\n-1 1:1").y.dtype == np.float64
