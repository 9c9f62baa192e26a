"""CSV and its kin: delimiter, header and decimal point are guessed, the rest is Arrow's reader."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rosenblatt.data.sample import Sample, check_text
from rosenblatt.data.table import Table, nth
from rosenblatt.errors import DataError, ParameterError

# Of those that split the lines equally well the first is taken: "1,5;2,0" has decimal commas
DELIMITERS = ("\t", ";", "|", ",", " ")
WHITE_SPACE = " "  # any run of blanks, as in files made with printf
STRING = "string"
WORDS_FOR = {"\t": "tab", " ": "white space"}

# "?" is how the UCI sets write it
MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "#N/A")

_NUMBER = re.compile(r"\s*+[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d++)?\s*+")
_DECIMAL_COMMA = re.compile(r"\s*+[+-]?\d*+,\d++\s*+")


class Dialect(NamedTuple):
    """How the rows of a file are written."""

    delimiter: str
    header: bool
    decimal_point: str


def read_delimited(
    content: bytes,
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
    types = dict.fromkeys(as_text, STRING)
    columns = parse_table(content.lstrip(b"\r\n"), name, dialect, types)
    columns = _named(columns, name, dialect.header)
    if columns.num_rows == 0:
        raise DataError(f"{name} has no rows below its header")
    return Table(columns, name, places(content, dialect), guesses(dialect, delimiter, header))


def guesses(dialect: Dialect, delimiter: str | None, header: bool | None) -> list[str]:
    """Say what was guessed."""
    notes = []
    if header is None:
        what = "the first line holds the names" if dialect.header else "there is no line of names"
        notes.append(f"{what} of the columns (guessed)")
    if delimiter is None and dialect.delimiter != ",":
        notes.append(f"columns are split at {_word_for(dialect.delimiter)} (guessed)")
    if dialect.decimal_point == ",":
        notes.append("numbers have a decimal comma (guessed)")
    return notes


def guess_delimiter(sample: Sample) -> str | None:
    """Return the delimiter that gives most lines the same number of fields, two at least."""
    best, best_share = None, 0.5
    for delimiter in DELIMITERS:
        counts = Counter(map(len, _fields(sample.lines, delimiter)))
        if not counts:
            continue
        width, n_lines = counts.most_common(1)[0]
        share = n_lines / counts.total()
        if width >= 2 and share > best_share:
            best, best_share = delimiter, share
    return best


def find_dialect(sample: Sample, name: str, delimiter: str | None, header: bool | None) -> Dialect:
    """Return how the rows are written, as told or as the sample looks."""
    if delimiter is not None and len(delimiter) != 1:
        raise ParameterError(f"delimiter must be a single character, got {delimiter!r}")
    chosen = guess_delimiter(sample) if delimiter is None else delimiter
    rows = _fields(sample.lines, chosen) if chosen else []
    if chosen is None or len(rows[0]) < 2:
        tried = "tab, ; | , or white space" if delimiter is None else _word_for(delimiter)
        raise DataError(
            f"{name}: the first line, {sample.lines[0][:60]!r}, is a single column when split at "
            f"{tried}; check the file, or pass delimiter="
        )
    cells = [cell for row in rows for cell in row]
    commas = chosen != "," and any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    points = any("." in cell and _NUMBER.fullmatch(cell) for cell in cells)
    decimal_point = "," if commas and not points else "."
    if header is None:
        header = _has_header([[c.replace(decimal_point, ".") for c in row] for row in rows])
    return Dialect(chosen, header, decimal_point)


def _has_header(rows: list[list[str]]) -> bool:
    """Tell whether the first row is names: no number in it, and other columns than below.

    Where nothing below is a number either, names are taken to be different from each other and
    from all that is below them.
    """
    first, below = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if any(_NUMBER.fullmatch(cell) or cell.strip() == "?" for cell in first):
        return False
    if not below:
        return True
    columns = list(zip(*below, strict=True))
    if any(_is_numeric(column) for column in columns):
        return True
    repeated = any(name in column for name, column in zip(first, columns, strict=True))
    return not repeated and len(set(first)) == len(first)


def _is_numeric(column: tuple[str, ...]) -> bool:
    filled = [cell for cell in column if cell.strip() not in MISSING]
    return bool(filled) and all(_NUMBER.fullmatch(cell) for cell in filled)


def parse_table(
    content: bytes,
    name: str,
    dialect: Dialect,
    types: Mapping[str, Any],
    names: list[str] | None = None,
    first_line: int = 1,
) -> Any:
    """Return an Arrow table; `types` of columns where they are known.

    With `names` the content is a part of a file, without its line of names, from `first_line` on.
    """
    import pyarrow as pa
    import pyarrow.csv as arrow_csv

    headless = names is None and not dialect.header
    missing = [blank + word for word in MISSING for blank in ("", " ")]
    try:
        columns = arrow_csv.read_csv(
            pa.BufferReader(content),
            arrow_csv.ReadOptions(column_names=names, autogenerate_column_names=headless),
            arrow_csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=b'"' in content),
            arrow_csv.ConvertOptions(
                null_values=missing,
                strings_can_be_null=True,
                decimal_point=dialect.decimal_point,
                column_types=dict(types),
            ),
        )
    except pa.ArrowInvalid as error:
        width = None if names is None else len(names)
        wrong = _what_is_wrong(content, name, dialect, str(error), first_line, width)
        raise DataError(wrong) from None
    return columns


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
    names = [column or f"x{j + 1}" for j, column in enumerate(stripped)]
    repeated = [other for other, times in Counter(names).items() if times > 1]
    if repeated:
        raise DataError(f"{name} has two columns named {repeated[0]!r}; rename one of them")
    return names


def _what_is_wrong(
    content: bytes, name: str, dialect: Dialect, said: str, first_line: int, width: int | None
) -> str:
    rows = _records(content, dialect)
    if width is None:
        width = len(next(rows, (0, []))[1])
    for line, row in rows:
        if len(row) != width:
            return (
                f"{name}, line {line + first_line - 1}: {len(row)} fields where the first row has "
                f"{width} "
                f"(split at {_word_for(dialect.delimiter)}); mend the line, or pass delimiter= or "
                "format="
            )
    return f"{name} cannot be read as a table: {said}"


def _records(content: bytes, dialect: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) of every row, slowly: to name a place."""
    text = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")
    reader = csv.reader(text, delimiter=dialect.delimiter)
    csv.field_size_limit(1 << 30)
    for row in reader:
        if row:
            yield reader.line_num, row


def places(content: bytes, dialect: Dialect, first_line: int = 1) -> Callable[[int], str]:
    """Return where each row is: the line that it ends in."""

    def place(row: int) -> str:
        lines = (line for line, _ in _records(content, dialect))
        return f"line {nth(lines, row + dialect.header) + first_line - 1}"

    return place


def _fields(lines: list[str], delimiter: str) -> list[list[str]]:
    if delimiter == WHITE_SPACE:
        return [line.split() for line in lines]
    try:
        return [row for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return []


def single_blanks(content: bytes) -> bytes:
    """Return lines in which fields are one blank apart."""
    content = re.sub(rb"[ \t]+", b" ", content)
    return re.sub(rb"(?m)^ | (?=\r?$)", b"", content)


def _word_for(delimiter: str) -> str:
    return WORDS_FOR.get(delimiter, repr(delimiter))
