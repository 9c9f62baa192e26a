"""CSV and its kin: how rows are written is guessed, the rest is Arrow's reader.

The type of a column is the first of a ladder that all of its values can be read as. So the types
of the blocks are put together as Arrow would have found them in the whole file.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar

from rosenblatt.counting import counted
from rosenblatt.data.buffers import Bytes, count, first_place, owned
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
from rosenblatt.data.formats.lines import checked_blocks
from rosenblatt.data.source import FileSample, Opener, Source, check_text
from rosenblatt.data.table import ReadAgainError, Reading, Table, TableFile, nth, two_columns
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import last_line_end

STRING = "string"
BLOCK, MAX_BLOCK = 1 << 20, (1 << 31) - 1  # bytes that Arrow parses at a time
ROWS_OF_A_BLOCK = 1000  # at least, going by the first line
LONGEST = 16 << 20  # bytes of a row: past that a quote was opened and never closed
_NOT_BLANK = re.compile(rb"[^\r\n]")


class DelimitedFile(TableFile):
    r"""A CSV file.

    Examples
    --------
    >>> DelimitedFile.of_bytes(b"size;kind\n1,5;a\n2,0;b\n", "x.csv").whole().columns.to_pydict()
    {'size': [1.5, 2.0], 'kind': ['a', 'b']}
    """

    no_rows = "no rows below its header"
    delimiter: ClassVar[str | None] = None  # what columns are split at, unless users say otherwise

    def __init__(self, opened: Opener, name: str, sample: FileSample, how: Reading) -> None:
        super().__init__(opened, name, sample, how)
        check_text(sample.text, name)  # what is no text has no dialect
        delimiter = self.delimiter if how.delimiter is None else how.delimiter
        self.dialect: Dialect = find_dialect(
            sample, name, delimiter, how.header, may_be_single=how.has_recipe
        )
        self.notes += guesses(self.dialect, delimiter, how.header)
        self._names: list[str] = []
        self._types: dict[str, Any] = dict.fromkeys(how.as_text, STRING)
        self._unnamed = ""  # the last column, if it has no name

    def blocks(self, source: Source) -> Iterator[Table]:
        """Yield the rows; the first of the file may be the names."""
        has_names, end_of_rows = self.dialect.header, self._end_of_rows
        for line, content in checked_blocks(source, self.how.block_bytes, end_of=end_of_rows):
            if self.dialect.delimiter == WHITE_SPACE:
                content = single_blanks(content)
            self._settle_quotes(content, line)
            first = _NOT_BLANK.search(content)
            if first is not None:
                line += count(content[: first.start()], b"\n")
                yield self._table(content[first.start() :], line, has_names)
                has_names = False

    def read_as_text(self, names: Iterable[str]) -> None:
        """Read columns as strings from now on, whatever they look like."""
        self._types |= dict.fromkeys(names, STRING)

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

    def _end_of_rows(self, text: Any, end: int) -> int:
        found = last_row_end(text, end, self.dialect.delimiter) if self.dialect.quoted else 0
        # a quote that never ends: whoever reads the block says so
        is_hopeless = not self.dialect.quoted or end > LONGEST
        return found or (int(last_line_end(text, end)) if is_hopeless else 0)

    def _settle_quotes(self, content: Bytes, line: int) -> None:
        dialect, notes = settle_quotes(content, self.name, self.dialect, line)
        self.notes += [note for note in notes if note not in self.notes]
        if dialect != self.dialect:
            self.dialect, self._names = dialect, []
            if self.how.block_bytes is not None:  # rows end elsewhere
                raise ReadAgainError

    def _table(self, content: Bytes, line: int, has_names: bool) -> Table:
        if not self._names:
            columns = self._take_names(content, line)
        else:
            types = {name: kind for name, kind in self._types.items() if str(kind) != "null"}
            columns = self._parsed(content, line, has_names, types)

        def written(column: str) -> Any:
            return self._parsed(content, line, has_names, {column: STRING}, [column]).column(0)

        return Table(
            columns,
            self.name,
            places(content, self.dialect._replace(header=has_names), line),
            decimal_point=self.dialect.decimal_point,
            written=written,
            has_codes=True,
        )

    def _take_names(self, content: Bytes, line: int) -> Any:
        """Return the columns of the first block, which tells their names."""
        columns = parse_table(content, self.name, self.dialect, self._types, first_line=line)
        given, header = columns.column_names, self.dialect.header
        self._names = proper_names(given, self.name, header)
        self._unnamed = self._names[-1] if header and not given[-1].strip() else ""
        named = dict(zip(self._names, given, strict=True))
        if all(named.get(name, name) == name for name in self._types):
            return columns.rename_columns(self._names)
        return self._parsed(content, line, header, self._types)

    def _parsed(
        self,
        content: Bytes,
        line: int,
        has_names: bool,
        types: Mapping[str, Any],
        only: list[str] | None = None,
    ) -> Any:
        """Return columns whose names are known, whether or not they are in the first row."""
        dialect = self.dialect._replace(header=has_names)
        return parse_table(content, self.name, dialect, types, self._names, line, only)


class TabbedFile(DelimitedFile):
    """A CSV file whose columns are split at tabs."""

    delimiter = "\t"


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

    Columns have these `names`, whatever stands in a first row of names, or else those. The content
    begins with `first_line` of the file.
    """
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    headless = names is None and not dialect.header
    missing = [blank + word for word in MISSING for blank in ("", " ")]
    parsing = arrow_csv.ParseOptions(
        delimiter=dialect.delimiter,
        quote_char='"' if dialect.quoted else False,
        newlines_in_values=dialect.quoted and first_place(content, b'"') >= 0,
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
    usual = max(BLOCK, ROWS_OF_A_BLOCK * (first_place(content, b"\n") + 1))
    for size in sorted({min(usual, whole), whole}):
        reading = arrow_csv.ReadOptions(
            column_names=names,
            autogenerate_column_names=headless,
            skip_rows_after_names=int(names is not None and dialect.header),
            block_size=size,
        )
        try:
            return arrow_csv.read_csv(pa.BufferReader(buffer), reading, parsing, converting)
        except pa.ArrowInvalid as error:
            said = str(error)
    width = None if names is None else len(names)
    raise _what_is_wrong(content, name, dialect, said, first_line, width)


def proper_names(given: list[str], name: str, header: bool) -> list[str]:
    """Return the names of columns, stripped; x1, x2, ... where there are none."""
    stripped = [column.strip() if header else "" for column in given]
    repeated = [other for other, times in Counter(filter(None, stripped)).items() if times > 1]
    if repeated:
        raise two_columns(name, repeated[0])
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
