"""Numbers that a float64 does not hold: whole ones beyond 2^53, and long doubles.

Learners round them, as everybody does. A proof is about the very numbers given: rows that differ
may become equal when they are rounded, and would be said to contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.errors import DataError

Array = np.ndarray[Any, Any]
FIRST = 1 << 53  # the first whole number after which some are left out


def check_exact(X: Any) -> None:
    """Refuse a table, found good by `check_rows`, with numbers that a float64 does not hold.

    Examples
    --------
    >>> check_exact([[2**53 + 2], [0.1]])
    >>> check_exact([[2**53 + 1], [0.1]])
    Traceback (most recent call last):
        ...
    rosenblatt.errors.DataError: X must hold numbers that a float64 holds exactly, for a proof is \
about the very numbers given; got 9007199254740993 at row 0, column 0, which would be rounded to \
9007199254740992. Subtract a constant from the column, or leave it out
    """
    for row, column, value in _rounded(X):
        raise DataError(
            "X must hold numbers that a float64 holds exactly, for a proof is about the very "
            f"numbers given; got {value!s} at row {row}, column {column!r}, which would be rounded "
            f"to {_text(float(value))}. Subtract a constant from the column, or leave it out"
        )


def _text(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _rounded(X: Any) -> Iterator[tuple[int, Any, Any]]:
    """Return row, column and value of the numbers that would be rounded."""
    if sparse.issparse(X):
        if _may_be_rounded(X.dtype):
            whole = X.tocoo(copy=True)
            whole.sum_duplicates()  # entries of one place are added up when they are read
            for k in rounded_places(whole.data):
                yield int(whole.row[k]), int(whole.col[k]), whole.data[k]
    elif isinstance(X, (list, tuple)):
        yield from _in_rows(X)
    elif (columns := _columns(X)) is not None:
        for name, values in columns:
            for k in rounded_places(values):
                yield k, name, values[k]
    else:
        table = np.asarray(X)
        for k in rounded_places(table):
            yield *divmod(k, table.shape[1]), table.flat[k]


def _in_rows(X: Any) -> Iterator[tuple[int, int, Any]]:
    """Look at a list of rows, in which whole numbers may stand beside others."""
    table = np.asarray(X)
    if table.dtype.kind != "O" and not (np.abs(table.astype(np.float64)) >= FIRST).any():
        return  # most often: the rows need not be looked at one by one
    for i, row in enumerate(X):
        for j, value in enumerate(row):
            if _is_rounded(value):
                yield i, j, value


def _columns(X: Any) -> Iterator[tuple[Any, Array]] | None:
    """Return the columns of a data frame by name, or None for what is none."""
    if hasattr(X, "iloc") and hasattr(X, "columns"):  # pandas
        return ((name, _of_pandas(X.iloc[:, k])) for k, name in enumerate(X.columns))
    schema: Any = getattr(X, "schema", None)
    if isinstance(schema, Mapping):  # polars
        return ((name, X[name].to_numpy()) for name in schema)
    if hasattr(schema, "types"):  # Arrow
        return ((name, X.column(k).to_numpy()) for k, name in enumerate(schema.names))
    return None


def _of_pandas(column: Any) -> Array:
    kind = getattr(column.dtype, "kind", "O")
    # whole numbers that may be missing would come as objects or as floats
    values = column.to_numpy(dtype=f"{kind}8") if kind in "iu" else column.to_numpy()
    return np.asarray(values)


def _may_be_rounded(dtype: np.dtype[Any]) -> bool:
    return dtype.kind in "iu" or dtype.kind == "O" or (dtype.kind == "f" and dtype.itemsize > 8)


def rounded_places(values: Array) -> list[int]:
    """Return the places, of the array laid flat, of numbers that a float64 does not hold.

    Examples
    --------
    >>> rounded_places(np.array([2**53, 2**53 + 1, -(2**63), 2**62 + 1]))
    [1, 3]
    """
    values = values.ravel()
    if not _may_be_rounded(values.dtype):
        return []
    if values.dtype.kind == "O":
        return [k for k, value in enumerate(values.tolist()) if _is_rounded(value)]
    if values.dtype.kind == "f":
        return np.flatnonzero(values.astype(np.float64) != values).tolist()
    large = np.flatnonzero((values > FIRST) | (values < -FIRST))
    # the difference in Python's numbers: a comparison in NumPy would round both
    return [k for k, v in zip(large.tolist(), values[large].tolist(), strict=True) if float(v) != v]


def _is_rounded(value: Any) -> bool:
    """Tell whether a whole number is rounded; Python compares it with a float exactly."""
    if isinstance(value, Integral):
        return float(value) != int(value)
    if isinstance(value, (Decimal, Fraction)):
        return value == int(value) and float(value) != value
    return isinstance(value, np.longdouble) and np.float64(value) != value
