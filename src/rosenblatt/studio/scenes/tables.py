"""A pasted table as points in the plane; what is wrong is said with its line and column."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.data.cells import NUMERIC, SAID, read_cells
from rosenblatt.data.columns import as_numbers, cells_of, is_string, kind_of_column
from rosenblatt.data.formats.csv import DelimitedFile
from rosenblatt.data.formats.dialect import DELIMITERS
from rosenblatt.data.source import HEAD
from rosenblatt.data.table import Notes, Table
from rosenblatt.data.target import USUAL_NAMES, labels_in, nearest
from rosenblatt.errors import DataError
from rosenblatt.studio.scenes.choices import MOST_CLASSES, MOST_POINTS, AllColumns
from rosenblatt.studio.scenes.opening import Opened, in_the_plane
from rosenblatt.types import Array

NAME = "the table"
MOST_COLUMNS = 100
NUMBER, LABEL = "number", "label"


class PastedColumn(NamedTuple):
    """A column as it is offered."""

    name: str
    kind: str  # "number" or "label"
    values: int  # different ones


class Pasted(NamedTuple):
    """A table, its columns, and the three that are shown."""

    columns: list[PastedColumn]
    n_rows: int
    chosen: tuple[str, str, str]  # x, y, label
    opened: Opened


def read_pasted(
    content: bytes, x: str | None = None, y: str | None = None, label: str | None = None
) -> Pasted:
    r"""Read a table; columns that are not named are suggested.

    Examples
    --------
    >>> pasted = read_pasted(b"size,weight,kind\n1,2,a\n2,1,a\n5,6,b\n")
    >>> pasted.chosen, pasted.opened.data.labels
    (('size', 'weight', 'kind'), array([0, 0, 1]))
    """
    _check_width(content)
    file = DelimitedFile.of_bytes(content, NAME)
    table = replace(file.whole(), notes=Notes(file.notes))
    _check_rows(table)
    if len(table.names) > MOST_COLUMNS:
        raise DataError(_too_wide(len(table.names), repr(table.names[MOST_COLUMNS])))
    columns = [_described(table, name) for name in table.names]
    for name in (x, y, label):
        if name is not None and name not in table.names:
            raise DataError(f"{NAME} has no column {name!r}{nearest(name, table.names)}")
    chosen = _suggest(columns, x, y, label)
    opened = _points(table, *chosen)
    whole = _whole(table, [c.name for c in columns if c.kind == NUMBER and c.name != chosen[2]])
    opened = opened._replace(data=opened.data._replace(whole=whole))
    return Pasted(columns, table.columns.num_rows, chosen, opened)


def _whole(table: Table, names: list[str]) -> AllColumns | None:
    """Return all columns of numbers where there are more than two; None if one cannot be read."""
    if len(names) <= 2:
        return None
    try:
        X = np.column_stack([_numbers(table, name) for name in names])
    except DataError:  # nobody asked for this column
        return None
    return AllColumns(X, f"2 of {counted(len(names), 'column')} of numbers")


def _check_rows(table: Table) -> None:
    n_rows = table.columns.num_rows
    if n_rows > MOST_POINTS:
        raise DataError(
            f"{NAME}, {table.place(MOST_POINTS)}: the studio shows up to {MOST_POINTS:,} rows, and "
            f"there are {n_rows:,}; take a part of them, or use `rosenblatt fit FILE`"
        )


def _check_width(content: bytes) -> None:
    """Refuse what would take long to read, by counting."""
    first = (content[:HEAD].lstrip().splitlines() or [b""])[0]  # whichever ends them
    widest = 1 + max(first.count(d.encode()) for d in DELIMITERS if d != " ")
    if widest > MOST_COLUMNS:
        raise DataError(_too_wide(widest, "line 1"))


def _too_wide(n: int, what: str) -> str:
    return (
        f"{NAME} has {n} columns, the studio takes up to {MOST_COLUMNS}: column "
        f"{MOST_COLUMNS + 1} ({what}) is one too many; keep two features and the label"
    )


def _described(table: Table, name: str) -> PastedColumn:
    values = table.columns[name]
    numeric = kind_of_column(values, name, table) in NUMERIC or _mostly_numbers(table, name)
    return PastedColumn(name, NUMBER if numeric else LABEL, len(values.unique().drop_null()))


def _mostly_numbers(table: Table, name: str) -> bool:
    """Whether a column of strings is meant to be one of numbers: most of its cells are."""
    if not is_string(table.columns[name].type):
        return False
    cells = cells_of(table.columns[name], table)
    return 2 * cells.n_read("number") > cells.n_filled


def _suggest(
    columns: list[PastedColumn], x: str | None, y: str | None, label: str | None
) -> tuple[str, str, str]:
    if label is None:
        label = _label_column([c for c in columns if c.name not in (x, y)])
    numbers = [c.name for c in columns if c.kind == NUMBER and c.name not in (x, y, label)]
    missing = [x, y].count(None)
    if len(numbers) < missing:
        raise DataError(
            f"{NAME} needs two columns of numbers beside the label {label!r}, got "
            f"{len(numbers) + 2 - missing}; its columns are "
            f"{', '.join(repr(c.name) for c in columns[:8])}"
        )
    x = numbers.pop(0) if x is None else x
    y = numbers.pop(0) if y is None else y
    return x, y, label


def _label_column(columns: list[PastedColumn]) -> str:
    """Return a column by its usual name; else words of few kinds; else few numbers, from the end.

    A column of one value is taken last: it makes one class, which is then said.
    """
    if not columns:
        raise DataError(f"{NAME} has no third column for the label")
    by_name = {c.name.lower(): c.name for c in reversed(columns)}
    usual = next((by_name[name] for name in USUAL_NAMES if name in by_name), None)
    if usual is not None:
        return usual
    few = [c for c in reversed(columns) if 2 <= c.values <= MOST_CLASSES]
    words = [c for c in few if c.kind == LABEL]
    return (words or few or columns[-1:])[0].name


def _points(table: Table, x: str, y: str, label: str) -> Opened:
    if len({x, y, label}) < 3:
        raise DataError(f"x, y and the label must be three columns, got {x!r}, {y!r}, {label!r}")
    points = np.column_stack([_numbers(table, name) for name in (x, y)])
    classes, labels = _classes(table, label)
    return in_the_plane(points, labels, classes, [x, y], list(table.notes))


def _numbers(table: Table, name: str) -> Array:
    values = table.columns[name]
    kind = kind_of_column(values, name, table)
    if is_string(values.type):
        kind = kind if kind in NUMERIC else "number"
        misfits = cells_of(values, table).misfits(kind)
        if misfits is not None:
            raise DataError(
                f"{table.name}, {misfits.place()}, column {name!r}: expected {SAID[kind]}, got "
                f"{misfits.value.strip()[:40]!r}"
            )
        values = read_cells(values, kind, table.decimal_point)
    numbers = as_numbers(values).astype(np.float64)
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax())
        word = "no number (NaN or empty)" if np.isnan(numbers[row]) else "infinity"
        raise _wrong(table, row, name, f"expected a finite number, got {word}")
    return numbers


def _classes(table: Table, name: str) -> tuple[list[str], Array]:
    values = table.columns[name]
    if values.null_count:
        row = values.is_null().to_pylist().index(True)
        raise _wrong(table, row, name, "the label is missing")
    found, labels = np.unique(labels_in(table, name)[0], return_inverse=True)
    if len(found) == 1:
        what = f"one class only, {str(found[0])[:40]!r}, from here to the end; learning needs two"
        raise _wrong(table, 0, name, what)
    if len(found) > MOST_CLASSES:
        first = np.unique(labels, return_index=True)[1]
        row = int(np.sort(first)[MOST_CLASSES])
        what = f"the label of an {MOST_CLASSES + 1}th class; the studio shows {MOST_CLASSES}"
        raise _wrong(table, row, name, f"{what}, choose another label column")
    return [str(c)[:80] for c in found.tolist()], labels


def _wrong(table: Table, row: int, name: str, what: str) -> DataError:
    return DataError(f"{table.name}, {table.place(row)}, column {name!r}: {what}")
