"""CSV files, read block by block: once to learn the recipe, once more for the rows.

What a column is can depend on its last value. So the types of all blocks are put together first,
as Arrow would have found them in the whole file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt.data.columns import (
    MAX_CATEGORIES,
    NUMERIC,
    Column,
    RunningMean,
    as_numbers,
    as_strings,
    kind_of,
    kind_of_strings,
)
from rosenblatt.data.delimited import (
    WHITE_SPACE,
    Dialect,
    find_dialect,
    guesses,
    parse_table,
    places,
    proper_names,
    single_blanks,
)
from rosenblatt.data.line_blocks import blocks_of_lines
from rosenblatt.data.missing import settle_missing
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.sample import Sample, check_text, take_sample
from rosenblatt.data.source import Source
from rosenblatt.data.table import Table
from rosenblatt.data.target import choose_target
from rosenblatt.errors import DataError

QUOTE, NEWLINE = ord('"'), ord("\n")
LONGEST = 16 << 20  # bytes of a row: past that a quote was opened and never closed


@dataclass
class _Seen:
    """What is known of a column so far."""

    types: set[Any] = field(default_factory=set)
    n_there: int = 0
    different: set[str] = field(default_factory=set)  # strings; one more than may be categories
    mean: RunningMean = field(default_factory=RunningMean)


class DelimitedFile:
    """A CSV file that is read in blocks; `opened` opens it anew for each reading."""

    def __init__(
        self,
        opened: Callable[[], Any],
        block_bytes: int,
        delimiter: str | None = None,
        header: bool | None = None,
    ) -> None:
        self._opened, self._block_bytes = opened, block_bytes
        with opened() as source:
            sample: Sample = take_sample(source)
            self.dialect: Dialect = find_dialect(sample, source.name, delimiter, header)
        self.notes = guesses(self.dialect, delimiter, header)
        self._names: list[str] = []
        self._types: dict[str, Any] = {}
        self._unnamed = ""

    def learn_recipe(self, target: str | int | None, bits: int) -> Recipe:
        """Go through the file and learn what `read` would learn of it."""
        import pyarrow as pa

        seen: dict[str, _Seen] = {}
        table = None
        for table in self.tables():
            seen = seen or {name: _Seen() for name in self._names}
            for name, column in seen.items():
                _look(table.columns[name], column)
        if table is None:
            raise DataError("the file has no rows below its header")
        self._types = {name: _common(name, table.name, found) for name, found in seen.items()}
        if self._unnamed and pa.types.is_null(self._types[self._unnamed]):
            del seen[self._unnamed]  # every line ends with a delimiter
        kinds = {name: _kind(self._types[name], name, found) for name, found in seen.items()}
        whole = Table(table.columns.select(list(kinds)), table.name)
        chosen, note = choose_target(whole, target, kinds)
        self.notes += [note] if note else []
        columns = tuple(_column(n, kinds[n], seen[n]) for n in kinds if n != chosen)
        return Recipe(columns, chosen, "error", bits, "float64")

    def tables(self) -> Iterator[Table]:
        """Yield the rows, block by block."""
        with self._opened() as source:
            line, begun = 1, False
            blocks = blocks_of_lines(source.content, self._block_bytes, end_of=_even_end)
            for text, end in blocks:
                content = check_text(text[:end].tobytes(), source.name, line)
                if self.dialect.delimiter == WHITE_SPACE:
                    content = single_blanks(content)
                rows = content if begun or not content.strip() else self._begin(content, source)
                begun = begun or bool(content.strip())
                next_line = line + content.count(b"\n")
                if rows.strip():
                    yield self._table(rows, source.name, next_line - rows.count(b"\n"))
                line = next_line

    def _begin(self, content: bytes, source: Source) -> bytes:
        """Take the line of names off the first block."""
        content = content.lstrip(b"\r\n")
        first, _, rest = content.partition(b"\n")
        given = parse_table(first + b"\n", source.name, self.dialect, {}).column_names
        self._names = proper_names(given, source.name, self.dialect.header)
        self._unnamed = "" if not self.dialect.header or given[-1].strip() else self._names[-1]
        return rest if self.dialect.header else content

    def _table(self, content: bytes, name: str, line: int) -> Table:
        types = {n: t for n, t in self._types.items() if str(t) != "null"}
        columns = parse_table(content, name, self.dialect, types, self._names, line)
        return Table(columns, name, places(content, self.dialect._replace(header=False), line))


def check_complete(table: Table, recipe: Recipe) -> None:
    """Refuse a block with missing values or infinity."""
    kinds = {column.name: column.kind for column in recipe.columns}
    settle_missing(table, kinds, recipe.target, "error")


def _even_end(text: Any, end: int) -> int:
    """Return the place after the last newline of text[:end] that is not inside of quotes."""
    quoted = np.cumsum(text[:end] == QUOTE, dtype=np.uint8) & 1
    ends = np.flatnonzero((text[:end] == NEWLINE) & (quoted == 0))
    if not len(ends) and end > LONGEST:
        raise DataError(
            f"a row of the table is longer than {LONGEST} bytes; is a quote not closed?"
        )
    return int(ends[-1]) + 1 if len(ends) else 0


def _look(values: Any, seen: _Seen) -> None:
    import pyarrow as pa

    seen.types.add(values.type)
    seen.n_there += len(values) - values.null_count
    if pa.types.is_string(values.type):
        if len(seen.different) <= MAX_CATEGORIES:
            seen.different.update(values.unique().drop_null().to_pylist())
    elif kind_of(values) in NUMERIC:
        seen.mean.add(as_numbers(values))


def _common(name: str, source: str, seen: _Seen) -> Any:
    """Return the type of a column from those of its blocks."""
    import pyarrow as pa

    types = seen.types - {pa.null()}
    if len(types) <= 1:
        return next(iter(types), pa.null())
    if types == {pa.int64(), pa.float64()}:
        return pa.float64()
    raise DataError(
        f"{source}, column {name!r} holds {' and '.join(sorted(map(str, types)))} in different "
        "parts of the file; write it in one way, or read the file without memory="
    )


def _kind(kind: Any, name: str, seen: _Seen) -> str:
    import pyarrow as pa

    if pa.types.is_string(kind):
        return kind_of_strings(seen.n_there, len(seen.different))
    return kind_of(pa.array([], kind), name)


def _column(name: str, kind: str, seen: _Seen) -> Column:
    import pyarrow as pa

    if kind == "category":
        strings = as_strings(pa.array(sorted(seen.different))).unique().to_pylist()
        return Column(name, kind, categories=tuple(sorted(strings)))
    return Column(name, kind) if kind == "text" else Column(name, kind, mean=seen.mean.value)
