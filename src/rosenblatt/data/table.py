"""A table as it came from a file: Arrow columns, and where each row stands in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rosenblatt.data.buffers import Bytes

LONGEST_TYPE = 40  # letters


def row_place(row: int) -> str:
    """Say where a row is when a file has no lines."""
    return f"row {row} (the first is 0)"


@dataclass(frozen=True)
class Table:
    """Columns of one length; `place(row)` says where a row is: "line 7" for files of lines.

    `kinds` of columns are known from the format; those of others are found in their values.
    `written(name)` gives the cells of a column as they are written, if the file is one of text.
    """

    columns: Any  # a pyarrow.Table
    name: str
    place: Callable[[int], str] = row_place
    notes: list[str] = field(default_factory=list)
    kinds: Mapping[str, str] = field(default_factory=dict)
    decimal_point: str = "."
    written: Callable[[str], Any] | None = None
    has_codes: bool = False  # numbers may be written with leading zeros

    @cached_property  # there may be 20,000, and each is looked up
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.columns.column_names)

    def only(self, rows: Any) -> Table:
        """Return the table with these rows alone; they keep their places."""
        written = self.written
        return replace(
            self,
            columns=self.columns.take(rows),
            place=lambda row: self.place(int(rows[row])),
            written=written and (lambda name: written(name).take(rows)),
        )


def line_place(content: Bytes, first_line: int = 1) -> Callable[[int], str]:
    """Return the places of rows that are the lines of a file which are not blank."""

    def place(row: int) -> str:
        numbers = (
            n for n, line in enumerate(bytes(content).split(b"\n"), first_line) if line.strip()
        )
        return f"line {nth(numbers, row)}"

    return place


def type_words(kind: Any) -> str:
    """Return the name of an Arrow type, cut short where types are nested in types."""
    said = str(kind)
    return said if len(said) <= LONGEST_TYPE else f"{said[:LONGEST_TYPE]}..."


def nth(items: Iterator[int], n: int) -> int:
    """Return the item with n items before it."""
    for _ in range(n):
        next(items)
    return next(items)
