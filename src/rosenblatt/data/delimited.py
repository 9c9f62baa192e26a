"""CSV and its kin: how rows are written is guessed, the rest is Arrow's reader."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rosenblatt._counting import counted
from rosenblatt.data.buffers import Bytes, find, owned
from rosenblatt.data.dialect import (
    MISSING,
    WHITE_SPACE,
    Dialect,
    find_dialect,
    guesses,
    settle_quotes,
    word_for,
)
from rosenblatt.data.sample import Sample, check_text
from rosenblatt.data.table import Table, nth
from rosenblatt.errors import DataError

STRING = "string"
BLOCK, MAX_BLOCK = 1 << 20, (1 << 31) - 1  # bytes that Arrow parses at a time
ROWS_OF_A_BLOCK = 1000  # at least, going by the first line
_NOT_BLANK = re.compile(rb"[^\r\n]")


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
