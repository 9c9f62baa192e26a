"""CSV and its kin: how rows are written is guessed, the rest is Arrow's reader.

CSV files, read block by block.

The type of a column is the first of a ladder that all of its values can be read as. So the types
of the blocks are put together as Arrow would have found them in the whole file.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rosenblatt.counting import counted
from rosenblatt.data.block_recipe import ReadAgainError
from rosenblatt.data.buffers import Bytes, find, owned
from rosenblatt.data.cells import MISSING
from rosenblatt.data.formats.dialect import (
    WHITE_SPACE,
    Dialect,
    find_dialect,
    guesses,
    last_row_end,
    settle_quotes,
    word_for,
)
from rosenblatt.data.formats.lines import blocks_of_lines
from rosenblatt.data.source import Opener, Sample, Source, check_text, take_sample
from rosenblatt.data.table import Table, nth
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import last_line_end

STRING = "string"
BLOCK, MAX_BLOCK = 1 << 20, (1 << 31) - 1  # bytes that Arrow parses at a time
ROWS_OF_A_BLOCK = 1000  # at least, going by the first line
_NOT_BLANK = re.compile(rb"[^\r\n]")
LONGEST = 16 << 20  # bytes of a row: past that a quote was opened and never closed


def read_delimited(
    content: Bytes,
    name: str,
    sample: Sample,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    as_text: tuple[str, ...] = (),
) -> Table:
    r"""Read a table; the columns named in `as_text` are strings, whatever they look like.

    Examples
    --------
    >>> sample = Sample(b"", ["size;kind", "1,5;a", "2,0;b"])
    >>> read_delimited(b"size;kind\n1,5;a\n2,0;b\n", "x.csv", sample).columns.to_pydict()
    {'size': [1.5, 2.0], 'kind': ['a', 'b']}
    """
    content = check_text(content, name)
    dialect = find_dialect(sample, name, delimiter, header)
    if dialect.delimiter == WHITE_SPACE:
        content = single_blanks(content)
    dialect, quotes = settle_quotes(content, name, dialect)
    first = _NOT_BLANK.search(content)
    rows = content[first.start() if first else 0 :]
    columns = parse_table(rows, name, dialect, dict.fromkeys(as_text, STRING))
    given = dict(
        zip(
            proper_names(columns.column_names, name, dialect.header),
            columns.column_names,
            strict=True,
        )
    )
    if any(given.get(column, column) != column for column in as_text):
        types = {given[column]: STRING for column in as_text if column in given}
        columns = parse_table(rows, name, dialect, types)
    columns = _named(columns, name, dialect.header)
    if columns.num_rows == 0:
        raise DataError(f"{name} has no rows below its header")

    def written(column: str) -> Any:
        only = {given[column]: STRING}
        return parse_table(rows, name, dialect, only, only=list(only)).column(0)

    notes = [*guesses(dialect, delimiter, header), *quotes]
    return Table(
        columns,
        name,
        places(content, dialect),
        notes,
        decimal_point=dialect.decimal_point,
        written=written,
        has_codes=True,
    )


def parse_table(
    content: Bytes,
    name: str,
    dialect: Dialect,
    types: Mapping[str, Any],
    names: list[str] | None = None,
    first_line: int = 1,
    only: list[str] | None = None,
) -> Any:
    """Return an Arrow table; `types` of columns where they are known; `only` some of them.

    With `names` the content is a part of a file, without its line of names, from `first_line` on.
    """
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    headless = names is None and not dialect.header
    missing = [blank + word for word in MISSING for blank in ("", " ")]
    parsing = arrow_csv.ParseOptions(
        delimiter=dialect.delimiter,
        quote_char='"' if dialect.quoted else False,
        newlines_in_values=dialect.quoted and find(content, b'"') >= 0,
    )
    converting = arrow_csv.ConvertOptions(
        null_values=missing,
        strings_can_be_null=True,
        decimal_point=dialect.decimal_point,
        column_types=dict(types),
        include_columns=only,
    )
    buffer, said = owned(content), ""
    # a block has to hold a whole row: those that are longer than usual need one of their own; a
    # column comes in as many parts as there are blocks, so those of 20,000 columns are larger
    whole = min(max(len(content), BLOCK), MAX_BLOCK)
    usual = max(BLOCK, ROWS_OF_A_BLOCK * (find(content, b"\n") + 1))
    for size in sorted({min(usual, whole), whole}):
        reading = arrow_csv.ReadOptions(
            column_names=names, autogenerate_column_names=headless, block_size=size
        )
        try:
            return arrow_csv.read_csv(pa.BufferReader(buffer), reading, parsing, converting)
        except pa.ArrowInvalid as error:
            said = str(error)
    width = None if names is None else len(names)
    raise _what_is_wrong(content, name, dialect, said, first_line, width)


def _named(columns: Any, name: str, header: bool) -> Any:
    """Return the table with proper names: x1, x2, ... where the file has none."""
    import pyarrow as pa

    given = [column.strip() for column in columns.column_names] if header else []
    names = proper_names(columns.column_names, name, header)
    columns = columns.rename_columns(names)
    if given and not given[-1] and pa.types.is_null(columns.column(-1).type):
        return columns.drop_columns([names[-1]])  # every line ends with a delimiter
    return columns


def proper_names(given: list[str], name: str, header: bool) -> list[str]:
    """Return the names of columns, stripped; x1, x2, ... where there are none."""
    stripped = [column.strip() if header else "" for column in given]
    repeated = [other for other, times in Counter(filter(None, stripped)).items() if times > 1]
    if repeated:
        raise DataError(f"{name} has two columns named {repeated[0]!r}; rename one of them")
    taken = set(stripped)
    return [column or _free_name(f"x{j + 1}", taken) for j, column in enumerate(stripped)]


def _free_name(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _what_is_wrong(
    content: Bytes, name: str, dialect: Dialect, said: str, first_line: int, width: int | None
) -> DataError:
    """Return the error for a table that Arrow refused, with the line that is at fault."""
    rows = _records(content, dialect)
    if width is None:
        width = len(next(rows, (0, []))[1])
    for line, row in rows:
        if len(row) != width:
            return DataError(
                f"{name}, line {line + first_line - 1}: {counted(len(row), 'field')} where the "
                f"first row has {width} (split at {word_for(dialect.delimiter)})",
                do="mend the line, or pass {delimiter} or {format}",
                on_page="mend the line",
            )
    return DataError(f"{name} cannot be read as a table: {said}")


def _records(content: Bytes, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) of every row, slowly: to name a place."""
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
    reader = csv.reader(
        text,
        delimiter=dialect.delimiter,
        quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
    )
    csv.field_size_limit(1 << 30)
    for row in reader:
        if row:
            yield reader.line_num, row


def places(content: Bytes, dialect: Dialect, first_line: int = 1) -> Callable[[int], str]:
    """Return where each row is: the line that it ends in."""

    def place(row: int) -> str:
        lines = (line for line, _ in _records(content, dialect))
        return f"line {nth(lines, row + dialect.header) + first_line - 1}"

    return place


def single_blanks(content: Bytes) -> bytes:
    """Return lines in which fields are one blank apart."""
    content = re.sub(rb"[ \t]+", b" ", content)
    return re.sub(rb"(?m)^ | (?=\r?$)", b"", content)


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
