"""Which column holds the labels, and the labels in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from rosenblatt._counting import counted
from rosenblatt._validation import Array
from rosenblatt.data.columns import as_strings, kind_of
from rosenblatt.data.svmlight import whole_if_possible
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError

# looked for in this order, in any case of letters
USUAL_NAMES = (
    "label",
    "target",
    "class",
    "y",
    "spam",
    "is_spam",
    "labels",
    "outcome",
    "diagnosis",
    "species",
    "category",
)


def choose_target(
    table: Table, target: str | int | None, kinds: Mapping[str, str] | None = None
) -> tuple[str, str | None]:
    """Return the name of the label column and, when it is guessed, a sentence about that.

    The guess: a usual name; else the last column; but the first if the last is text. `kinds` of
    the columns are given when the table is a part of the file.
    """
    names, source = table.names, table.name
    if len(names) < 2:
        raise DataError(f"{source} has a single column, {names[0]!r}; labels need features too")
    if isinstance(target, int):
        if not -len(names) <= target < len(names):
            raise DataError(
                f"must be a number from {-len(names)} to {len(names) - 1}, for {source} has "
                f"{counted(len(names), 'column')}, got {target}",
                about="target",
            )
        return names[target], None
    if target is not None:
        if target not in names:
            raise DataError(f"{source} has no column {target!r}{nearest(target, names)}")
        return target, None
    by_name = {name.lower(): name for name in reversed(names)}
    found = next((by_name[usual] for usual in USUAL_NAMES if usual in by_name), None)
    if found is not None:
        return found, f"target column guessed: {found!r} (by its name)"
    kinds = table.kinds if kinds is None else kinds
    ends = [
        kinds.get(name) or kind_of(table.columns[name], name, source)
        for name in (names[0], names[-1])
    ]
    if ends[1] == "text" and ends[0] != "text":
        return names[0], f"target column guessed: {names[0]!r} (first column; the last is text)"
    return names[-1], f"target column guessed: {names[-1]!r} (last column)"


def nearest(name: str, names: Sequence[str]) -> str:
    """Return a hint that ends a message about a column that is not there."""
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    if not near:
        lower = {other.lower(): other for other in names}
        near = [lower[m] for m in get_close_matches(name.lower(), lower, n=1, cutoff=0.5)]
    if near:
        return f"; did you mean {near[0]!r}?"
    shown = ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")
    return f"; its columns are {shown}"


def labels_of(column: Any) -> Array:
    """Return an Arrow column without nulls as labels: whole numbers, floats, bools or strings.

    Examples
    --------
    >>> import pyarrow as pa
    >>> labels_of(pa.chunked_array([[6.0, 1.0]])), labels_of(pa.chunked_array([["b", "a"]]))
    (array([6, 1]), array(['b', 'a'], dtype='<U1'))
    """
    import pyarrow as pa

    kind = column.type
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return whole_if_possible(column.cast(pa.float64(), safe=False).to_numpy())
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        labels: Array = column.to_numpy()
        return labels
    # each different label becomes a Python string once
    codes = as_strings(column).combine_chunks().dictionary_encode()
    if isinstance(codes, pa.ChunkedArray):
        codes = codes.combine_chunks()
    different = np.asarray(codes.dictionary.to_pylist(), dtype=str)
    chosen: Array = different[codes.indices.to_numpy()]
    return chosen
