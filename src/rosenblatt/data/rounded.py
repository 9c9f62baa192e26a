"""Whole numbers that float64 does not hold: from 2^53 on two of them may become the same float."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.checks.exact_numbers import FIRST, rounded_places
from rosenblatt.data.cells import NUMERIC, matches
from rosenblatt.data.columns import is_string
from rosenblatt.data.table import Table

_WHOLE = r"^\s*[+-]?\d{16,}\s*$"


def note_on_rounded(table: Table, kinds: Mapping[str, str]) -> str:
    """Return a sentence about the first whole number that is not held; "" if all are."""
    for name, values in zip(table.names, table.columns.columns, strict=True):
        if kinds.get(name) in NUMERIC:
            found = _first(table, name, values)
            if found is not None:
                row, whole = found
                return f"column {name!r}: {said_of_rounded(whole, table.place(row))}"
    return ""


def said_of_rounded(whole: int, place: str) -> str:
    """Say that a number is not what is written."""
    return (
        f"{whole} ({place}) is a whole number that float64 does not hold, it is read as "
        f"{float(whole):.0f}"
    )


def is_rounded(whole: int) -> bool:
    """Tell whether float64 does not hold a whole number.

    Examples
    --------
    >>> is_rounded(2**53), is_rounded(2**53 + 1)
    (False, True)
    """
    try:
        return int(float(whole)) != whole
    except OverflowError:
        return False  # it is infinite, which is refused


def first_rounded(values: Any) -> tuple[int, int] | None:
    """Return (row, number) of the first that is not held in a column of strings.

    Examples
    --------
    >>> import pyarrow as pa
    >>> first_rounded(pa.chunked_array([["9007199254740992", "9007199254740993"]]))
    (1, 9007199254740993)
    """
    rows = np.flatnonzero(matches(values, _WHOLE)).tolist()
    wholes = ((row, int(values[row].as_py())) for row in rows)
    return next((found for found in wholes if is_rounded(found[1])), None)


def _first(table: Table, name: str, values: Any) -> tuple[int, int] | None:
    import pyarrow as pa

    kind = values.type
    if is_string(kind):
        return first_rounded(values)
    if pa.types.is_integer(kind) and kind.bit_width == 64:
        places = rounded_places(values.fill_null(0).to_numpy()) if _is_large(values) else []
        return (places[0], values[places[0]].as_py()) if places else None
    if pa.types.is_decimal(kind) and _is_large(values.cast(pa.float64(), safe=False)):
        cells = enumerate(values.to_pylist())
        wholes = ((row, int(cell)) for row, cell in cells if cell is not None and cell % 1 == 0)
        return next((found for found in wholes if is_rounded(found[1])), None)
    if pa.types.is_float64(kind) and table.written and _is_large(values):
        # with a fraction in its column a whole number is a float by now
        return first_rounded(table.written(name))
    return None


def _is_large(values: Any) -> bool:
    """Tell whether a number is beyond those that float64 holds without gaps."""
    import pyarrow.compute as compute

    ends = compute.min_max(values).as_py()
    # a float of this size may be the rounded form of the next number: not <=
    return ends["min"] is not None and not -FIRST < ends["min"] <= ends["max"] < FIRST
