"""Numbers that a float64 does not hold are refused by proofs, whatever they come in."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import DataError, disjoint_contradictions, fewest_mistakes, max_margin, prove
from rosenblatt.checks.exact_numbers import rounded_places

A, B = 2**53, 2**53 + 1  # as floats they are equal
ROWS = np.array([[A, 0], [B, 0]])
TABLES = {
    "int64": ROWS,
    "uint64": ROWS.astype(np.uint64),
    "negative": -ROWS,
    "objects": ROWS.astype(object),
    "in the order of Fortran": np.asfortranarray(ROWS),
    "lists": [[A, 0], [B, 0]],
    "lists with a float": [[A, 0.5], [B, 0.5]],
    "tuples": ((A, 0), (B, 0)),
    "a list of arrays": [ROWS[0], ROWS[1]],
    "beyond 64 bits": [[2**70, 0], [2**70 + 1, 0]],
    "decimals": [[Decimal(A), 0], [Decimal(B), 0]],
    "fractions": [[Fraction(A), 0], [Fraction(B), 0]],
    "csr": sparse.csr_array(ROWS),
    "csc": sparse.csc_matrix(ROWS),
    "dok": sparse.dok_array(ROWS),
    "entries that add up": sparse.coo_array(([A, A, 1], ([0, 1, 1], [0, 0, 0])), shape=(2, 2)),
    "memoryview": memoryview(ROWS),
}
NAMED = {
    "pandas": pd.DataFrame({"x": [0.5, 0.5], "id": [A, B]}),
    "pandas, may be missing": pd.DataFrame({"x": [0.5, 0.5], "id": pd.array([A, B], "Int64")}),
    "pandas, Arrow": pd.DataFrame({"id": pd.array([A, B], "int64[pyarrow]")}),
    "pandas, categories": pd.DataFrame({"id": pd.Categorical([A, B])}),
    "pandas, objects": pd.DataFrame({"id": pd.Series([A, B], dtype=object)}),
    "pandas, sparse": pd.DataFrame({"id": pd.arrays.SparseArray([A, B])}),
    "polars": pl.DataFrame({"x": [0.5, 0.5], "id": [A, B]}),
    "Arrow": pa.table({"x": [0.5, 0.5], "id": [A, B]}),
}
EXACT = {
    "powers of two": np.array([[2**62], [2**63 - 2**10]]),
    "even": [[A], [A + 2]],
    "the smallest": np.array([[-(2**63)], [0]]),
    "uint64": np.array([[2**63], [2**63 + 2**11]], dtype=np.uint64),
    "truth values": np.array([[False], [True]]),
    "bytes": np.array([[1], [2]], dtype=np.int8),
    "floats": [[1e300], [2e300]],
    "whole and others": pd.DataFrame({"a": [1, 2], "b": [0.5, 1e300]}),
    "objects": np.array([[A, 0.1], [A + 2, Decimal("0.1")]], dtype=object),
}


@pytest.mark.parametrize("case", TABLES)
def test_the_row_the_column_and_the_value_are_named(case):
    with pytest.raises(DataError, match=r"got -?\d+[13579] at row 1, column 0, .* rounded to"):
        prove(TABLES[case], [0, 1])


@pytest.mark.parametrize("case", NAMED)
def test_the_column_of_a_frame_is_named(case):
    with pytest.raises(DataError, match=f"got {B} at row 1, column 'id', .* rounded to {A}"):
        prove(NAMED[case], [0, 1])


@pytest.mark.parametrize("case", EXACT)
def test_numbers_that_a_float_holds_are_proved_about(case):
    assert prove(EXACT[case], [0, 1]).separable


@pytest.mark.parametrize("ask", [fewest_mistakes, disjoint_contradictions, max_margin])
def test_everything_that_proves_refuses_them(ask):
    with pytest.raises(DataError, match=f"got {B} at row 1, column 0"):
        ask(ROWS, [0, 1])


def test_a_proof_of_rounded_numbers_is_not_checked_on_the_others():
    proof = prove(ROWS.astype(np.float64), [0, 1])
    assert not proof.separable
    with pytest.raises(DataError, match=f"got {B} at row 1"):
        proof.check(ROWS, [0, 1])


@pytest.mark.skipif(np.finfo(np.longdouble).nmant <= 52, reason="a long double is a double here")
def test_a_long_double_that_is_no_double_is_refused():
    with pytest.raises(DataError, match=f"got {B}.0 at row 1, column 0"):
        prove(ROWS.astype(np.longdouble), [0, 1])


@given(st.lists(st.integers(-(2**63), 2**63 - 1)), st.lists(st.integers(0, 2**64 - 1)))
def test_the_places_are_those_that_python_finds(signed, unsigned):
    for numbers, kind in ((signed, np.int64), (unsigned, np.uint64), (signed + unsigned, object)):
        rounded = [k for k, v in enumerate(numbers) if int(float(v)) != v]
        assert rounded_places(np.array(numbers, dtype=kind)) == rounded
