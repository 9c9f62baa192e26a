"""Cells of text: what nearly all of them read as, and those that do not.

A column of strings may be numbers with a typo among them. It is taken for numbers (dates, or true
and false) when nine in ten of its cells read as such, or all but one; the others are misfits. What
people write for "nothing here", such as - or None, speaks neither for nor against numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.types import Array

NUMERIC = ("number", "boolean", "date")  # one feature each
SAID = {"number": "a number", "date": "a date", "boolean": "true or false"}
MANY = {"number": "numbers", "date": "dates", "boolean": "true or false"}
LEAST_SHARE = 0.9
LEAST_BESIDE_ONE = 3  # in a short column one cell may be more than a tenth
MAX_CATEGORIES = 1000

_STAND_INS = ("-+", r"\.+", "none", "nil", "missing", "unknown", r"n\.a\.")
# "?" is how the UCI sets write it
MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "#N/A")
_BLANK = rf"^\s*(?:{'|'.join(re.escape(word) for word in MISSING)})\s*$"
_STAND_IN = rf"(?i)^\s*(?:{'|'.join(_STAND_INS)})\s*$"
_DATE = (
    r"^\s*\d{4}-\d\d-\d\d(?:[ T]\d\d(?::?\d\d(?::?\d\d(?:\.\d+)?)?)?"
    r"(?:Z|[+-]\d\d(?::?\d\d)?)?)?\s*$"
)
_BOOLEAN = r"(?i)^\s*(?:true|false)\s*$"


@dataclass(frozen=True)
class Misfits:
    """Cells that are not what the others of their column are."""

    n: int
    value: str  # of the first
    place: Callable[[], str]


class Cells:
    """What is known of the cells of a column of strings, which come block by block.

    Examples
    --------
    >>> import pyarrow as pa
    >>> cells = Cells()
    >>> cells.add(pa.chunked_array([["1.5", "2", "7", "oops"]]), lambda row: f"line {row + 2}")
    >>> cells.kind, cells.misfits("number").value, cells.misfits("number").place()
    ('number', 'oops', 'line 5')
    """

    def __init__(self, decimal_point: str = ".") -> None:
        self.n_there = 0  # that are not null
        self.different: set[str] = set()  # all, or one more than categories may be
        self.decimal_point = decimal_point
        self._n_blank = self._n_stand_ins = 0
        self._n_read = dict.fromkeys(NUMERIC, 0)
        self._first: dict[str, tuple[str, Callable[[], str]]] = {}

    def add(self, values: Any, place: Callable[[int], str]) -> None:
        """Take more cells; `place` tells where a row is."""
        there = values.is_valid().to_numpy()
        blank = matches(values, _BLANK)
        self.n_there += int(there.sum())
        self._n_blank += int(blank.sum())
        self._n_stand_ins += int(matches(values, _STAND_IN).sum())
        for kind in NUMERIC:
            read = _reads_as(values, kind, self.decimal_point)
            self._n_read[kind] += int(read.sum())
            others = there & ~blank & ~read
            if kind not in self._first and others.any():
                row = int(others.argmax())
                self._first[kind] = (values[row].as_py(), partial(place, row))
        if len(self.different) <= MAX_CATEGORIES:
            # no more of them than tell that they are many
            self.different.update(values.unique().drop_null()[: MAX_CATEGORIES + 1].to_pylist())

    def merge(self, other: Cells) -> None:
        """Take what another one knows of later cells."""
        self.n_there += other.n_there
        self._n_blank += other._n_blank
        self._n_stand_ins += other._n_stand_ins
        for kind in NUMERIC:
            self._n_read[kind] += other._n_read[kind]
        self._first = {**other._first, **self._first}
        if len(self.different) <= MAX_CATEGORIES:
            self.different |= other.different

    def settle_places(self) -> None:
        """Look up where the first misfits are: later their blocks may be elsewhere."""
        for kind, (value, place) in self._first.items():
            self._first[kind] = value, partial(str, place())

    @property
    def kind(self) -> str:
        """What the column is taken for."""
        for kind in NUMERIC:
            if self._are_nearly_all(kind):
                return kind
        few = len(self.different) <= MAX_CATEGORIES and 2 * len(self.different) <= self.n_there
        return "category" if few else "text"

    @property
    def n_filled(self) -> int:
        """The cells that are neither null nor blank."""
        return self.n_there - self._n_blank

    def n_read(self, kind: str) -> int:
        """Return how many cells read as a kind."""
        return self._n_read[kind]

    def misfits(self, kind: str) -> Misfits | None:
        """Return the cells that do not read as a kind, blank ones apart; None if all do."""
        n = self.n_filled - self._n_read[kind]
        return Misfits(n, *self._first[kind]) if n else None

    def _are_nearly_all(self, kind: str) -> bool:
        n_read = self._n_read[kind]
        n = self.n_filled - self._n_stand_ins
        but_one = n - n_read == 1 and n_read >= LEAST_BESIDE_ONE
        return n_read > 0 and (n_read >= LEAST_SHARE * n or but_one)


def read_cells(values: Any, kind: str, decimal_point: str = ".") -> Any:
    """Return a column of strings as numbers, moments or booleans; null where a cell is none.

    Examples
    --------
    >>> import pyarrow as pa
    >>> read_cells(pa.chunked_array([[" 1,5", "x", None]]), "number", ",").to_pylist()
    [1.5, None, None]
    """
    import pyarrow as pa
    import pyarrow.compute as compute

    fits = compute.match_substring_regex(values, _pattern(kind, decimal_point))
    kept = compute.if_else(fits, compute.utf8_trim_whitespace(values), pa.scalar(None, values.type))
    if kind == "date":
        return _moments(kept)
    if kind == "boolean":
        return compute.equal(compute.utf8_lower(kept), "true")
    if decimal_point != ".":
        kept = compute.replace_substring(kept, decimal_point, ".")
    return kept.cast(pa.float64())


def _pattern(kind: str, decimal_point: str) -> str:
    if kind == "date":
        return _DATE
    if kind == "boolean":
        return _BOOLEAN
    point = re.escape(decimal_point)
    return rf"^\s*[+-]?(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?\s*$"


def matches(values: Any, pattern: str) -> Array:
    """Tell which strings match a regular expression."""
    import pyarrow.compute as compute

    found = compute.match_substring_regex(values, pattern).fill_null(False)
    return np.asarray(found, dtype=bool)


def _reads_as(values: Any, kind: str, decimal_point: str) -> Array:
    fits = matches(values, _pattern(kind, decimal_point))
    if kind != "date" or not fits.any():
        return fits
    read: Array = read_cells(values, kind).is_valid().to_numpy()  # there is no 30th of February
    return read


def _moments(strings: Any) -> Any:
    """Return strings that look like dates as moments; null where there is no such day."""
    import pyarrow as pa

    for kind in (pa.timestamp("us"), pa.timestamp("us", "UTC")):
        try:
            return strings.cast(kind).cast(pa.timestamp("us"))
        except pa.ArrowInvalid:
            continue
    read = [None if string is None else _moment(string) for string in strings.to_pylist()]
    return pa.chunked_array([pa.array(read, pa.timestamp("us"))])


def _moment(string: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(string)
    except ValueError:
        return None
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
