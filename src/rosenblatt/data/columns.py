"""What a column of a table holds, and the numbers it becomes.

    number     stays as it is                      one feature, named as the column
    boolean    0 or 1                              one feature
    date       days since 1970-01-01               one feature
    category   a 1 for the value that is there     one feature per value, `column=value`
    text       words (rosenblatt.text)             2^bits features

A column of strings is what nearly all of its cells read as (`cells`). If that is neither numbers
nor dates nor true and false, it is a category when at most half of its values are different ones
and there are at most 1000 of them, and text otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rosenblatt.data.cells import MANY, NUMERIC, SAID, Cells, Misfits, read_cells
from rosenblatt.data.table import Table, type_words
from rosenblatt.errors import DataError
from rosenblatt.types import Array

KINDS = (*NUMERIC, "category", "text")
AS_WRITTEN = ("category", "text")  # kinds of which cells are taken as strings
MICROSECONDS_OF_A_DAY = 86_400 * 10**6


@dataclass(frozen=True)
class Column:
    """What is remembered of a column."""

    name: str
    kind: str
    categories: tuple[str, ...] = ()
    mean: float | None = None

    @property
    def feature_names(self) -> list[str]:
        """The names of its features; none for text."""
        if self.kind == "category":
            return [f"{self.name}={category}" for category in self.categories]
        return [] if self.kind == "text" else [self.name]


def kind_of_column(values: Any, name: str, table: Table) -> str:
    """Return one of KINDS for an Arrow column of a table."""
    if is_string(values.type):
        return cells_of(values, table).kind
    return known_kind(values.type, name, table.name)


def known_kind(kind: Any, name: str, source: str) -> str:
    """Return a kind that is known from the type of a column; refuse types that have none."""
    found = kind_of_type(kind)
    if found is None:
        raise DataError(
            f"{source}, column {name!r} holds {type_words(kind)}; features are made of "
            "numbers, booleans, dates and strings. Leave the column out of the file"
        )
    return found


def cells_of(values: Any, table: Table) -> Cells:
    """Return what is known of a column of strings."""
    cells = Cells(table.decimal_point)
    cells.add(values, table.place)
    return cells


def kind_of_type(kind: Any) -> str | None:
    """Return one of KINDS if the type of an Arrow column tells it."""
    import pyarrow as pa

    t = pa.types
    if t.is_boolean(kind):
        return "boolean"
    if t.is_integer(kind) or t.is_floating(kind) or t.is_decimal(kind) or t.is_null(kind):
        return "number"
    if t.is_date(kind) or t.is_timestamp(kind):
        return "date"
    return "category" if t.is_dictionary(kind) and is_string(kind.value_type) else None


def conform(
    values: Any, column: Column, table: Table, missing: str, *, is_part: bool = False
) -> Any:
    """Return the values of another file as the kind of column that was learned from.

    A cell that is none of it is an error, or missing if the policy for missing values is another.
    `is_part`: there are more rows elsewhere, so nobody knows how many such cells there are.
    """
    if column.kind not in NUMERIC:
        return as_strings(values)
    if not is_string(values.type):
        _check_like(values.type, column, table)
        return values
    misfits = cells_of(values, table).misfits(column.kind)
    if misfits is not None:
        if missing == "error":
            shown = replace(misfits, n=1) if is_part else misfits
            raise misfit(table.name, column.name, column.kind, "in training", shown)

        def say(n: int) -> str:
            return taken_for_missing(column.name, column.kind, replace(misfits, n=n))

        table.notes.count(("misfits", column.name), say, misfits.n)
    return read_cells(values, column.kind, table.decimal_point)


def _check_like(found: Any, column: Column, table: Table) -> None:
    """Refuse dates where numbers were learned from, and the other way round."""
    import pyarrow as pa

    kind = known_kind(found, column.name, table.name)
    if "date" in (kind, column.kind) and kind != column.kind and not pa.types.is_null(found):
        raise DataError(
            f"{table.name}, column {column.name!r} holds {MANY.get(kind, 'categories')}, but "
            f"{MANY[column.kind]} in training"
        )


def as_kinds(table: Table, kinds: Mapping[str, str]) -> Table:
    """Return the table with the strings of columns that are read otherwise as what they say."""
    import pyarrow as pa

    columns = {
        field.name: read_cells(values, kinds[field.name], table.decimal_point)
        for field, values in zip(table.columns.schema, table.columns.columns, strict=True)
        if is_string(field.type) and kinds.get(field.name) in NUMERIC
    }
    if not columns:
        return table
    whole = dict(zip(table.names, table.columns.columns, strict=True))
    return replace(table, columns=pa.table(whole | columns))


def misfit(source: str, name: str, kind: str, where: str, misfits: Misfits) -> DataError:
    """Return the error for cells that are not what their column holds elsewhere."""
    several = "" if misfits.n == 1 else f" (the first of {misfits.n} such cells)"
    it = "it" if misfits.n == 1 else "them"
    cure = f"correct {it}, or use {{missing:drop}} or {{missing:mean}} to take {it} for missing"
    known = where == "in training"
    return DataError(
        f"{source}, {misfits.place()}, column {name!r}: expected {SAID[kind]}, as {where}, got "
        f"{misfits.value!r}{several}",
        do=cure + ("" if known else ", or columns={{{column!r}: 'category'}} if it has categories"),
        in_shell=cure + ("" if known else ", or --category {column!r} if it has categories"),
        on_page=f"correct {it}",
        column=name,
    )


def taken_for_missing(name: str, kind: str, misfits: Misfits) -> str:
    """Say that cells count as missing."""
    value = f"{misfits.value!r} ({misfits.place()})"
    if misfits.n == 1:
        return f"column {name!r}: {value} is not {SAID[kind]} and counts as missing"
    return (
        f"column {name!r}: {misfits.n} cells are not {MANY[kind]} and count as missing, the first "
        f"{value}"
    )


def as_numbers(values: Any) -> Array:
    """Return a column as floats, NaN where a value is missing."""
    import pyarrow as pa

    # one of 20,000 columns takes longer to be asked what it is than to be copied
    if values.type == pa.float64() or (values.type == pa.float32() and values.null_count == 0):
        numbers: Array = values.to_numpy()
        return numbers
    if pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        moments = values.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        days: Array = as_numbers(moments) / MICROSECONDS_OF_A_DAY
        return days
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    others: Array = values.cast(pa.float64(), safe=False).to_numpy()
    return others


def as_strings(values: Any) -> Any:
    """Return a column as strings without blanks around them."""
    import pyarrow as pa
    import pyarrow.compute as compute

    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not is_string(values.type):
        values = values.cast(pa.string())
    return compute.utf8_trim_whitespace(values)


def is_whole_or_string(kind: Any) -> bool:
    """Tell whether a type of Arrow is one that ids have."""
    import pyarrow as pa

    return is_string(kind) or bool(pa.types.is_integer(kind))


def is_string(kind: Any) -> bool:
    """Tell whether a type of Arrow is one of strings."""
    import pyarrow as pa

    t = pa.types
    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))
