"""How the rows of a table are written: delimiter, names, decimal point and quotes, guessed.

Fields in quotes may hold line breaks; quotes that would swallow rows are refused, or read as they
stand.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.data.buffers import Bytes, count, first_place
from rosenblatt.data.cells import MISSING
from rosenblatt.data.source import HEAD, FileSample
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.quotes import (
    FINE,
    N_COUNTS,
    N_SPANNING,
    OPENED,
    ROW_END,
    UNBALANCED,
    scan_quotes,
)
from rosenblatt.types import Array

# Of those that split the lines equally well the first is taken: "1,5;2,0" has decimal commas
DELIMITERS = ("\t", ";", "|", ",", " ")
WHITE_SPACE = " "  # any run of blanks, as in files made with printf
SPANNING = "some fields are quoted and hold line breaks"
WORDS_FOR = {"\t": "tab", " ": "white space"}

_NUMBER = re.compile(r"\s*+[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d++)?\s*+")
_THOUSANDS = re.compile(r"\s*+[+-]?[1-9]\d{0,2},\d{3}\s*+")
_DECIMAL_COMMA = re.compile(r"\s*+[+-]?\d*+,\d++\s*+")
QUOTE_MARK = b'"'
NEWLINE = b"\n"


class Dialect(NamedTuple):
    """How the rows of a file are written."""

    delimiter: str
    header: bool
    decimal_point: str
    quoted: bool = True  # whether quotes are around fields, or signs like any other


def guesses(dialect: Dialect, delimiter: str | None, header: bool | None) -> list[str]:
    """Say what was guessed."""
    notes = []
    if header is None:
        what = "the first line holds the names" if dialect.header else "there is no line of names"
        notes.append(f"{what} of the columns (guessed)")
    if delimiter is None and dialect.delimiter != ",":
        notes.append(f"columns are split at {word_for(dialect.delimiter)} (guessed)")
    if dialect.decimal_point == ",":
        notes.append("numbers have a decimal comma (guessed)")
    return notes


def guess_delimiter(sample: FileSample) -> str | None:
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


def find_dialect(
    sample: FileSample,
    name: str,
    delimiter: str | None,
    header: bool | None,
    *,
    may_be_single: bool = False,
) -> Dialect:
    """Return how the rows are written, as told or as the sample looks.

    `may_be_single`: one column is enough, where the labels may be left out.
    """
    if delimiter is not None and len(delimiter) != 1:
        raise ParameterError(f"must be a single character, got {delimiter!r}", about="delimiter")
    chosen = guess_delimiter(sample) if delimiter is None else delimiter
    rows = _fields(sample.lines, chosen) if chosen else []
    if chosen is None or len(rows[0]) < 2:
        _refuse_open_quote(sample, name, delimiter)
        if may_be_single and delimiter is None:
            return find_dialect(sample, name, ",", header, may_be_single=True)
    if chosen is None or (len(rows[0]) < 2 and not may_be_single):
        tried = "tab, ; | , or white space" if delimiter is None else word_for(delimiter)
        raise DataError(
            f"{name}: the first line, {sample.lines[0][:60]!r}, is a single column when split at "
            f"{tried}",
            do="check the file, or pass {delimiter}",
            on_page="put one of these between the columns",
        )
    cells = [cell for row in rows for cell in row]
    with_comma = [cell for cell in cells if chosen != "," and _DECIMAL_COMMA.fullmatch(cell)]
    commas = any(not _THOUSANDS.fullmatch(cell) for cell in with_comma)
    if with_comma and not commas:
        raise DataError(
            f"{name}: {with_comma[0].strip()!r} may be a number in thousands or one with a decimal "
            "comma, and no other number of the first lines tells which",
            do="write it without the comma, or with a point",
        )
    points = any("." in cell and _NUMBER.fullmatch(cell) for cell in cells)
    decimal_point = "," if commas and not points else "."
    if header is None:
        header = _has_header([[c.replace(decimal_point, ".") for c in row] for row in rows])
    return Dialect(chosen, header, decimal_point)


def _refuse_open_quote(sample: FileSample, name: str, delimiter: str | None) -> None:
    """Say so if lines are one column because a quote takes them for one field."""
    if len(sample.head) >= HEAD:
        return  # it may end behind the sample
    for tried in [delimiter] if delimiter else DELIMITERS:
        width = sample.lines[0].count(tried)
        if width and tried != WHITE_SPACE:
            try:
                check_quotes(sample.head, tried)
            except QuoteError as error:
                raise error.said_of(sample.head, name) from None


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


def settle_quotes(
    content: Bytes, name: str, dialect: Dialect, first_line: int = 1
) -> tuple[Dialect, list[str]]:
    """Return how quotes are to be read, and notes: no row may vanish in a quoted field.

    Columns split at tabs often hold texts with quotes of their own. If they make no sense as
    quotes around fields, they are read as they stand; elsewhere that is an error.
    """
    if not dialect.quoted:
        return dialect, []
    try:
        n_spanning = check_quotes(content, dialect.delimiter)
    except QuoteError as error:
        if dialect.delimiter != "\t":
            raise error.said_of(content, name, first_line) from None
        return dialect._replace(quoted=False), ["quotes do not end; they are read as they stand"]
    return dialect, [SPANNING] if n_spanning else []


def _fields(lines: list[str], delimiter: str) -> list[list[str]]:
    if delimiter == WHITE_SPACE:
        return [line.split() for line in lines]
    try:
        return [row for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return []


def word_for(delimiter: str) -> str:
    """Return a delimiter as it is said."""
    return WORDS_FOR.get(delimiter, repr(delimiter))


class QuoteError(Exception):
    """A quote begins a field and does not end it; `place` is where it stands."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(why)
        self.place = place

    def said_of(self, content: Bytes, name: str, first_line: int = 1) -> DataError:
        """Return the error for users."""
        line = count(content[: self.place], NEWLINE) + first_line
        return DataError(
            f"{name}, line {line}: a field begins with a quote, and {self}; write it without "
            "quotes, or the quotes inside of it twice"
        )


def check_quotes(content: Bytes, delimiter: str) -> int:
    r"""Return how many fields hold line breaks; refuse quotes that would swallow rows.

    Examples
    --------
    >>> check_quotes(b'a,"b\nb"\n5" disk,c\n', ",")
    1
    """
    if first_place(content, QUOTE_MARK) < 0:
        return 0
    text = np.frombuffer(b"".join([content, NEWLINE]), dtype=np.uint8)
    found, counts = _scan(text, len(text), delimiter)
    if found == FINE:
        return int(counts[N_SPANNING])
    why = "the quote that ends it lines below is in the middle of a field"
    raise QuoteError(int(counts[OPENED]), why if found == UNBALANCED else "no quote ends it")


def last_row_end(text: Any, end: int, delimiter: str) -> int:
    """Return the place after the last row of text[:end] that ends, 0 if none does."""
    found, counts = _scan(text, end, delimiter)
    if found == UNBALANCED:
        return end  # whoever reads the block says what is wrong with it
    return int(counts[ROW_END])


def _scan(text: Any, end: int, delimiter: str) -> tuple[int, Array]:
    counts: Array = np.zeros(N_COUNTS, dtype=np.int64)
    return scan_quotes(text, end, ord(delimiter), counts), counts
