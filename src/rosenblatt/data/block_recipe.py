"""The recipe of a table that is read block by block: the same as `learn_recipe` learns of all.

What a column is can depend on its last value, so the blocks are looked at before any row is made:
once to know the types and kinds of all columns, and once more if rows with missing values are
dropped, to know the categories and means of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rosenblatt.data.cells import NUMERIC, Cells
from rosenblatt.data.columns import (
    Column,
    RunningMean,
    as_kinds,
    as_numbers,
    as_strings,
    is_string,
    kind_of_type,
)
from rosenblatt.data.guessing import (
    AS_WRITTEN,
    check_there,
    note_on_labels,
    said_of,
    settle_kinds,
)
from rosenblatt.data.missing import settle_missing
from rosenblatt.data.recipe import Recipe, check_options, dtype_of
from rosenblatt.data.table import Table
from rosenblatt.data.target import choose_target
from rosenblatt.errors import DataError


class ReadAgainError(Exception):
    """The blocks have to be read again from the first, in another way that is known now."""


class TableFile(Protocol):
    """A table that is read in blocks, as often as one likes."""

    name: str
    notes: list[str]
    left_out: set[str]  # columns that are none

    def tables(self) -> Iterator[Table]:
        """Yield the rows, block by block; a block may have some of the columns only."""

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column, given those in its blocks; True: look again."""


@dataclass
class _Seen:
    """What is known of a column so far."""

    types: set[Any] = field(default_factory=set)
    cells: Cells | None = None  # of strings
    different: set[str] = field(default_factory=set)  # of a column that is known to be a category
    mean: RunningMean = field(default_factory=RunningMean)


def learn_recipe_of_blocks(
    file: TableFile,
    target: str | int | None,
    missing: str,
    bits: int,
    asked: Mapping[str, str] | None = None,
) -> Recipe:
    """Go through the file and learn what `read` would learn of it."""
    check_options(missing, bits)
    asked = asked or {}
    seen = _look(file, asked)
    types, again = file.settle_types({name: found.types for name, found in seen.items()})
    if again:
        seen = _look(file, asked)
    seen = {name: found for name, found in seen.items() if name not in file.left_out}
    check_there(asked, seen, file.name)
    known = {name: asked.get(name) or _kind(seen[name]) for name in seen}
    empty = _empty(file, types, seen)
    chosen, note = choose_target(empty, target, {n: k for n, k in known.items() if k is not None})
    file.notes += [note] if note else []
    found = {n: seen[n].cells or types[n] for n in seen if n != chosen}
    kinds = settle_kinds(found, asked, missing, empty)
    labels = seen[chosen].cells
    if labels is not None:
        file.notes += note_on_labels(chosen, labels)
    if missing == "drop" or any(seen[n].cells and kinds[n] in NUMERIC for n in kinds):
        seen = _look(file, kinds, chosen, missing)
    columns = tuple(_column(name, kind, seen.get(name, _Seen())) for name, kind in kinds.items())
    file.notes += said_of(columns)
    dtype = dtype_of(types[name] for name, kind in kinds.items() if kind in NUMERIC)
    return Recipe(columns, chosen, missing, bits, dtype, asked.get(chosen) in AS_WRITTEN)


def _look(
    file: TableFile,
    kinds: Mapping[str, str],
    target: str | None = None,
    missing: str | None = None,
) -> dict[str, _Seen]:
    """Go through all blocks; once kinds are settled, through the rows that are learned from."""
    seen: dict[str, _Seen] = {}
    try:
        for table in file.tables():
            if missing is not None:
                table = as_kinds(table, kinds)
            if missing == "drop":
                table, _ = settle_missing(table, kinds, target, "drop", is_part=True)
            for name, values in zip(table.names, table.columns.columns, strict=True):
                _look_at(values, kinds.get(name), table, seen.setdefault(name, _Seen()))
    except ReadAgainError:
        return _look(file, kinds, target, missing)
    if not seen:
        raise DataError(f"{file.name} has no rows below its header")
    return seen


def _look_at(values: Any, known: str | None, table: Table, seen: _Seen) -> None:
    kind = known or kind_of_type(values.type)
    seen.types.add(values.type)
    if kind == "category":
        seen.different.update(as_strings(values).unique().drop_null().to_pylist())
    elif is_string(values.type) and kind != "text":
        seen.cells = seen.cells or Cells(table.decimal_point)
        seen.cells.add(values, table.place)
    elif kind in NUMERIC:
        seen.mean.add(as_numbers(values))


def _kind(seen: _Seen) -> str | None:
    return None if seen.cells is None else seen.cells.kind


def _column(name: str, kind: str, seen: _Seen) -> Column:
    import pyarrow as pa

    if kind == "category":
        found = seen.different if seen.cells is None else seen.cells.different
        strings = as_strings(pa.array(sorted(found), pa.string())).unique().to_pylist()
        return Column(name, kind, categories=tuple(sorted(strings)))
    return Column(name, kind) if kind == "text" else Column(name, kind, mean=seen.mean.value)


def _empty(file: TableFile, types: Mapping[str, Any], names: Iterable[str]) -> Table:
    import pyarrow as pa

    columns = pa.table({name: pa.array([], types[name]) for name in names})
    return Table(columns, file.name, notes=file.notes)
