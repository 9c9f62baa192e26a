"""Which column holds the labels, and the labels in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from rosenblatt.blocks.label_codes import whole_if_possible
from rosenblatt.counting import counted
from rosenblatt.data.cells import read_cells
from rosenblatt.data.columns import as_strings
from rosenblatt.data.rounded import first_rounded
from rosenblatt.data.table import Notes, Table
from rosenblatt.errors import DataError
from rosenblatt.types import Array

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

FEW_CLASSES = 4  # may be learned from single examples
MOST_CLASSES = 10_000  # each has weights of its own, and each row is scored for all of them
LEADING_ZERO = re.compile(r"[+-]?0\d")


def choose_target(
    names: Sequence[str], target: str | int | None, kind: Callable[[str], str], source: str
) -> tuple[str, str | None]:
    """Return the name of the label column and, when it is guessed, a sentence about that.

    The guess: a usual name; else the last column; but the first if the last is text. `kind` tells
    what a column is.
    """
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
    ends = [kind(name) for name in (names[0], names[-1])]
    if ends[1] == "text" and ends[0] != "text":
        return names[0], f"target column guessed: {names[0]!r} (first column; the last is text)"
    return names[-1], f"target column guessed: {names[-1]!r} (last column)"


def check_classes_of(y: Array, column: str | None, source: str) -> None:
    """Refuse labels most of which come once: they are amounts, or names of rows, not classes.

    Examples
    --------
    >>> check_classes_of(np.array([1, 1, 2, 2]), "kind", "toys.csv")
    """
    check_number_of_classes(len(np.unique(y)), len(y), column, source)


def check_number_of_classes(n_classes: int, n_rows: int, column: str | None, source: str) -> None:
    """Refuse more classes than half of the rows, but for sets to play with, and too many."""
    if n_classes <= min(max(FEW_CLASSES, n_rows // 2), MOST_CLASSES):
        return
    where = f"column {column!r}" if column else "the label"
    cure = "choose the column of the labels with {target}; " if column else ""
    raise DataError(
        f"{source}: {where} has {n_classes} different values in {n_rows} rows; these are names of "
        "rows or amounts, not classes",
        do=f"{cure}amounts are for LeastSquares",
        in_shell=f"{cure}--regression of `fit` learns amounts",
        on_page="choose another column for the labels",
    )


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


def labels_in(table: Table, target: str, *, as_written: bool = False) -> tuple[Array, bool]:
    """Return the labels of a table, and whether they are taken as they are written."""
    strings = written_labels(table, target)
    if strings is None or as_written:
        column = table.columns[target]
        return labels_of(as_strings(column) if as_written else column), as_written
    different = strings.unique().to_pylist()
    labels, stays = labels_of(table.columns[target]), stay_as_written(different)
    table.notes.extend(note_on_spelling(different, labels, stays))
    return (labels_of(strings) if stays else labels), stays


def written_labels(table: Table, target: str) -> Any:
    """Return labels that are read as numbers as they are written; None if they are not so."""
    import pyarrow as pa

    kind = table.columns[target].type
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if table.written is None or not (table.has_codes and is_number):
        return None
    return as_strings(table.written(target))


def stay_as_written(different: Sequence[str]) -> bool:
    """Tell whether labels that look like numbers are none: 01 is not 1, an id may be too long.

    Examples
    --------
    >>> stay_as_written(["01", "10"]), stay_as_written(["0", "0.5", "10"])
    (True, False)
    """
    import pyarrow as pa

    has_codes = any(LEADING_ZERO.match(label) for label in different)
    longest = max(map(len, different), default=0)
    return has_codes or (longest > 18 and first_rounded(pa.array(different)) is not None)


def labels_from(different: Array, decimal_point: str) -> Array:
    """Return different labels that were read as strings as numbers, unless they stay as written.

    Examples
    --------
    >>> labels_from(np.array(["2", "1.0"]), ".")
    array([2, 1])
    """
    import pyarrow as pa

    strings = pa.array(different.tolist(), pa.string())
    if stay_as_written(different.tolist()):
        return different
    try:
        return labels_of(pa.chunked_array([strings.cast(pa.int64())]))
    except pa.ArrowInvalid:
        return labels_of(pa.chunked_array([read_cells(strings, "number", decimal_point)]))


class LabelsInBlocks:
    """The labels of a table that comes block by block; what they are is settled at the end.

    Numbers are taken as they are written: 01 in the last block makes codes of all of them.
    """

    def __init__(self, target: str, as_written: bool) -> None:
        self.as_written = as_written
        self._target, self._are_numbers, self._decimal_point = target, False, "."

    def of(self, table: Table) -> Array:
        """Return the labels of a block."""
        column = table.columns[self._target]
        strings = None if self.as_written else written_labels(table, self._target)
        self._are_numbers, self._decimal_point = strings is not None, table.decimal_point
        if strings is None:
            strings = as_strings(column) if self.as_written else column
        return labels_of(strings)

    def settle(self, known: Array, notes: Notes) -> Array:
        """Return what the labels are, given all different ones that there were."""
        if not self._are_numbers:
            return known
        labels = labels_from(known, self._decimal_point)
        self.as_written = bool(labels.dtype == known.dtype)
        notes.extend(note_on_spelling(known.tolist(), labels, self.as_written))
        return labels


def note_on_spelling(different: Sequence[str], labels: Array, stays: bool) -> list[str]:
    """Say that labels are no numbers, or that one number is written in several ways."""
    shown = ", ".join(map(repr, sorted(different)[:4]))
    if stays:
        return [f"labels are taken as they are written ({shown}, ...), not as numbers"]
    if len(different) == len(np.unique(labels)):
        return []
    return [f"labels are numbers; one that is written in several ways is one class ({shown}, ...)"]


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
    strings = codes.dictionary.to_pylist()
    for code, string in enumerate(strings):
        if string.endswith("\0"):  # NumPy would take it for the end of the string
            row = int(np.flatnonzero(codes.indices.to_numpy() == code)[0])
            raise DataError(
                f"the label of row {row} (the first is 0), {string!r}, ends with the character "
                "NUL; leave it out"
            )
    different = np.asarray(strings, dtype=str)
    chosen: Array = different[codes.indices.to_numpy()]
    return chosen
