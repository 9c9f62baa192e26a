"""CSV files, read block by block.

The type of a column is the first of a ladder that all of its values can be read as. So the types
of the blocks are put together as Arrow would have found them in the whole file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rosenblatt.data.block_recipe import ReadAgainError
from rosenblatt.data.delimited import STRING, parse_table, places, proper_names, single_blanks
from rosenblatt.data.dialect import (
    WHITE_SPACE,
    Dialect,
    find_dialect,
    guesses,
    settle_quotes,
)
from rosenblatt.data.line_blocks import blocks_of_lines
from rosenblatt.data.quoting import last_row_end
from rosenblatt.data.sample import check_text, take_sample
from rosenblatt.data.source import Opener, Source
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import last_line_end

LONGEST = 16 << 20  # bytes of a row: past that a quote was opened and never closed


class DelimitedFile:
    """A CSV file that is read in blocks; `opened` opens it anew for each reading."""

    def __init__(
        self,
        opened: Opener,
        block_bytes: int,
        delimiter: str | None = None,
        header: bool | None = None,
        as_text: tuple[str, ...] = (),
    ) -> None:
        self._opened, self._block_bytes = opened, block_bytes
        with opened() as source:
            self.name = source.name
            self.dialect: Dialect = find_dialect(
                take_sample(source), source.name, delimiter, header
            )
        self.notes = guesses(self.dialect, delimiter, header)
        self.left_out: set[str] = set()
        self._names: list[str] = []
        self._types: dict[str, Any] = dict.fromkeys(as_text, STRING)
        self._unnamed = ""

    def tables(self) -> Iterator[Table]:
        """Yield the rows, block by block."""
        with self._opened() as source:
            line, begun = 1, False
            take_sample(source)
            for text, end in blocks_of_lines(
                source.content, self._block_bytes, end_of=self._end_of_rows()
            ):
                content = check_text(text[:end].tobytes(), source.name, line)
                if self.dialect.delimiter == WHITE_SPACE:
                    content = single_blanks(content)
                self._settle_quotes(content, line)
                rows = content if begun or not content.strip() else self._begin(content, source)
                begun = begun or bool(content.strip())
                next_line = line + content.count(b"\n")
                if rows.strip():
                    yield self._table(rows, next_line - rows.count(b"\n"))
                line = next_line

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column, given those in its blocks; True: look again."""
        import pyarrow as pa

        again = False
        for name, types in found.items():
            different = types - {pa.null()}
            self._types[name] = next(iter(different), pa.null())
            if len(different) > 1:
                self._types[name] = self._first_that_fits(name, different)
                again = again or self._types[name] != pa.float64()
        if self._unnamed and pa.types.is_null(self._types[self._unnamed]):
            self.left_out = {self._unnamed}  # every line ends with a delimiter
        return self._types, again

    def _first_that_fits(self, name: str, types: set[Any]) -> Any:
        """Return the first type of the ladder that all blocks can be read as."""
        import pyarrow as pa

        if types == {pa.int64(), pa.float64()}:
            return pa.float64()
        ladder = _ladder()
        first = max(ladder.index(kind) for kind in types)
        for kind in ladder[first:-1]:
            self._types[name] = kind
            try:
                for _ in self.tables():
                    pass
                return kind
            except DataError:
                continue
        return ladder[-1]

    def _end_of_rows(self) -> Callable[[Any, int], int]:
        def end_of_rows(text: Any, end: int) -> int:
            found = last_row_end(text, end, self.dialect.delimiter) if self.dialect.quoted else 0
            # a quote that never ends: whoever reads the block says so
            is_hopeless = not self.dialect.quoted or end > LONGEST
            return found or (int(last_line_end(text, end)) if is_hopeless else 0)

        return end_of_rows

    def _settle_quotes(self, content: bytes, line: int) -> None:
        dialect, notes = settle_quotes(content, self.name, self.dialect, line)
        self.notes += [note for note in notes if note not in self.notes]
        if dialect != self.dialect:
            self.dialect = dialect
            raise ReadAgainError

    def _begin(self, content: bytes, source: Source) -> bytes:
        """Take the line of names off the first block."""
        content = content.lstrip(b"\r\n")
        first, _, rest = content.partition(b"\n")
        given = parse_table(first + b"\n", source.name, self.dialect, {}).column_names
        self._names = proper_names(given, source.name, self.dialect.header)
        self._unnamed = "" if not self.dialect.header or given[-1].strip() else self._names[-1]
        return rest if self.dialect.header else content

    def _table(self, content: bytes, line: int) -> Table:
        types = {n: t for n, t in self._types.items() if str(t) != "null"}
        columns = parse_table(content, self.name, self.dialect, types, self._names, line)
        if self.left_out:
            columns = columns.drop_columns(list(self.left_out))

        def written(column: str) -> Any:
            only = {column: STRING}
            return parse_table(
                content, self.name, self.dialect, only, self._names, line, [column]
            ).column(0)

        return Table(
            columns,
            self.name,
            places(content, self.dialect._replace(header=False), line),
            decimal_point=self.dialect.decimal_point,
            written=written,
            has_codes=True,
        )


def _ladder() -> list[Any]:
    """Return the types that Arrow tries one after the other."""
    import pyarrow as pa

    return [
        pa.int64(),
        pa.bool_(),
        pa.date32(),
        pa.time32("s"),
        pa.timestamp("s"),
        pa.timestamp("ns"),
        pa.timestamp("s", "UTC"),
        pa.timestamp("ns", "UTC"),
        pa.float64(),
        pa.string(),
    ]
