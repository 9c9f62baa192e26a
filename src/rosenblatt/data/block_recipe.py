"""The recipe of a table that is read block by block: the same as `learn_recipe` learns of all.

What a column is can depend on its last value, so the blocks are looked at before any row is made:
once to know the types and kinds of all columns, and once more if rows with missing values are
dropped, to know the categories and means of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rosenblatt.data.columns import (
    MAX_CATEGORIES,
    NUMERIC,
    Column,
    RunningMean,
    as_numbers,
    as_strings,
    is_string,
    kind_of,
    kind_of_strings,
    kind_of_type,
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
    n_there: int = 0
    different: set[str] = field(default_factory=set)
    mean: RunningMean = field(default_factory=RunningMean)


def learn_recipe_of_blocks(
    file: TableFile, target: str | int | None, missing: str, bits: int
) -> Recipe:
    """Go through the file and learn what `read` would learn of it."""
    check_options(missing, bits)
    seen = _look(file)
    types, again = file.settle_types({name: found.types for name, found in seen.items()})
    if again:
        seen = _look(file)
    seen = {name: found for name, found in seen.items() if name not in file.left_out}
    kinds = {name: _kind(types[name], name, file.name, found) for name, found in seen.items()}
    chosen, note = choose_target(_empty(file.name, types, kinds), target, kinds)
    file.notes += [note] if note else []
    del kinds[chosen]
    if missing == "drop":
        seen = _look(file, kinds, chosen)
    columns = tuple(_column(name, kind, seen.get(name, _Seen())) for name, kind in kinds.items())
    dtype = dtype_of(types[name] for name, kind in kinds.items() if kind in NUMERIC)
    return Recipe(columns, chosen, missing, bits, dtype)


def _look(
    file: TableFile, kinds: Mapping[str, str] | None = None, target: str | None = None
) -> dict[str, _Seen]:
    """Go through all blocks; given the kinds of columns, through rows without missing values."""
    seen: dict[str, _Seen] = {}
    try:
        for table in file.tables():
            if kinds is not None:
                table, _ = settle_missing(table, kinds, target, "drop", is_part=True)
            for name in table.names:
                _look_at(table.columns[name], seen.setdefault(name, _Seen()))
    except ReadAgainError:
        return _look(file, kinds, target)
    if not seen:
        raise DataError(f"{file.name} has no rows below its header")
    return seen


def _look_at(values: Any, seen: _Seen) -> None:
    kind = kind_of_type(values.type)
    seen.types.add(values.type)
    seen.n_there += len(values) - values.null_count
    if kind == "category":
        seen.different.update(as_strings(values).unique().drop_null().to_pylist())
    elif is_string(values.type):
        if len(seen.different) <= MAX_CATEGORIES:  # one more than may be categories
            seen.different.update(values.unique().drop_null().to_pylist())
    elif kind in NUMERIC:
        seen.mean.add(as_numbers(values))


def _kind(kind: Any, name: str, source: str, seen: _Seen) -> str:
    import pyarrow as pa

    if is_string(kind):
        return kind_of_strings(seen.n_there, len(seen.different))
    return kind_of(pa.array([], kind), name, source)


def _column(name: str, kind: str, seen: _Seen) -> Column:
    import pyarrow as pa

    if kind == "category":
        strings = as_strings(pa.array(sorted(seen.different), pa.string())).unique().to_pylist()
        return Column(name, kind, categories=tuple(sorted(strings)))
    return Column(name, kind) if kind == "text" else Column(name, kind, mean=seen.mean.value)


def _empty(name: str, types: Mapping[str, Any], kinds: Mapping[str, str]) -> Table:
    import pyarrow as pa

    return Table(pa.table({column: pa.array([], types[column]) for column in kinds}), name)
