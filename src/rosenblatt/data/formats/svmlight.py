"""svmlight (libsvm) files: read in blocks, parsed by a kernel, strict.

Labels are whole numbers (int64) when all of them are, floats otherwise. When every value of the
file is 1 the rows are presence rows (a CSR array of bool, no values in memory), otherwise a CSR
array of float64; zeros that are written down stay. The features of a recipe are numbers, and
another file may not have the last of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.blocks.label_codes import whole_if_possible
from rosenblatt.checks.parameters import check_choice
from rosenblatt.counting import counted
from rosenblatt.data.examples import Numbered
from rosenblatt.data.formats.lines import blocks_of_lines
from rosenblatt.data.formats.text import FIRST_FIELD
from rosenblatt.data.rounded import is_rounded, said_of_rounded
from rosenblatt.data.source import FileSample, Opener
from rosenblatt.data.table import DataFile, Notes, Reading
from rosenblatt.errors import DataError
from rosenblatt.kernels import svmlight as kernel
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.types import Array

BLOCK = 4 << 20  # bytes: some 10 ms of work, and the block stays in the cache
PAIR_BYTES, ROW_BYTES = 4, 2  # the least that a pair and a row take
N_HARD = 64
# possessive (++): a line of many digits has one reading, tried once
_NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
_PAIRS = r"(?:\s++qid:\S*+)?(?:\s++\d++:\S++)++"
_ROW = re.compile(rf"\s*+{_NUMBER}(?:,{_NUMBER})*+{_PAIRS}\s*+(?:#.*)?")
SHOWN = 20  # bytes of the file in a message

EXPECTED = {
    kernel.NO_LABEL: "expected a label before the first index:value pair",
    kernel.MANY_LABELS: "several labels for one row are not supported; expected one number",
    kernel.BAD_LABEL: "expected a label, a finite number such as +1 or 0.5",
    kernel.BAD_QID: "expected qid:number after the label",
    kernel.BAD_PAIR: "expected an index:value pair, a # comment or the end of the line",
    kernel.NO_COLON: "expected a colon after the index",
    kernel.BAD_VALUE: "expected a finite number after the colon",
    kernel.NOT_ASCENDING: "expected an index above the one before it; sort the pairs of the line",
    kernel.ZERO_INDEX: "expected indices from 1 on, not from 0",
    kernel.LARGE_INDEX: f"expected an index of at most {kernel.MAX_INDEX}",
}


def looks_like_svmlight(lines: list[str], named: str | None) -> bool:
    """Tell whether lines are rows of a label and pairs: half of them at least, or the name says."""
    n_rows = sum(_ROW.fullmatch(line) is not None for line in lines)
    return named == "svmlight" or 2 * n_rows >= len(lines)


class SvmlightFile(DataFile):
    """A file of `label index:value ...` lines.

    Where indices start, and how many features there are, is known when all rows were gone through:
    then `recipe` and `shift`, which is to be added to all indices, tell.

    Examples
    --------
    >>> X, y = SvmlightFile.of_bytes(b"+1 1:0.5 3:2 # good", "a").whole()
    >>> X.toarray(), y
    (array([[0.5, 0. , 2. ]]), array([1]))
    """

    is_read_again = False
    without_columns = "rows of svmlight"

    def __init__(self, opened: Opener, name: str, sample: FileSample, how: Reading) -> None:
        super().__init__(opened, name, sample, how)
        check_choice(how.zero_based, "zero_based", ("auto", True, False))
        self._others: list[SvmlightFile] = []  # whose rows come after these
        self.recipe = IndexedRecipe(0, 1)
        self.remarks: list[str] = []  # on the rows, when all were gone through
        self.rounded = ""  # a sentence about a whole number that float64 does not hold

    @property
    def shift(self) -> int:
        """What to add to the indices of `rows`: the parser took 1 off."""
        return 1 - self.recipe.first

    def join(self, other: SvmlightFile) -> None:
        """Take the rows of another file, after those that there are."""
        self._others.append(other)

    def rows(self) -> Iterator[tuple[CSR | Presence, Array]]:
        """Yield (rows, labels) of each block."""
        size, n_rows = self.how.block_bytes, 0
        parser = _Parser(1 if self.how.zero_based is False else 0)
        for file in (self, *self._others):
            with file._open() as source:
                parser.begin(source.name, source.n_bytes if size is None else None)
                source.content.end_lines_at_returns()
                for text, end in blocks_of_lines(source.content, BLOCK if size is None else size):
                    parser.parse(text, end)
                    if size is not None and parser.n_rows:
                        n_rows += parser.n_rows
                        yield parser.take()
        if size is None:
            n_rows = parser.n_rows
            yield parser.take()
        parser.name = self.name
        self._settle(parser, n_rows)

    def whole(self) -> tuple[Any, Array]:
        """Return the matrix and the labels of a file that is read as one block."""
        ((rows, labels),) = self.rows()
        return matrix_of(rows, len(labels), self.shift), whole_if_possible(labels)

    def matrices(self, first: int) -> Iterator[tuple[Any, Array]]:
        """Yield (X, labels) of each block, good until the next; indices start at `first`."""
        for rows, labels in self.rows():
            yield matrix_of(rows, len(labels), 1 - first), whole_if_possible(labels)

    def _settle(self, parser: _Parser, n_rows: int) -> None:
        parser.check_not_empty(n_rows)
        first = parser.first(self.how.zero_based)
        self.recipe = IndexedRecipe(parser.n_features(first), first)
        if not self.how.has_recipe:
            self.notes.append(FIRST_FIELD)
        if self.how.zero_based == "auto":
            self.notes.append(f"indices start at {first} (guessed)")
        if parser.is_of_ones:
            self.remarks.append("every value is 1: read as presence rows (a matrix of bool)")
        if parser.has_query_ids:
            self.remarks.append("query ids (qid) are not used")
        self.rounded = parser.rounded
        self.remarks += [self.rounded] if self.rounded else []


def matrix_of(rows: CSR | Presence, n_rows: int, shift: int) -> Any:
    """Return rows as a matrix with as many columns as there are indices."""
    starts, indices = rows.indptr, rows.indices
    if shift:
        indices += shift
    if len(indices) <= np.iinfo(np.int32).max:
        starts = starts.astype(np.int32)
    values = rows.data if isinstance(rows, CSR) else np.ones(len(indices), dtype=bool)
    shape = (n_rows, int(indices.max(initial=-1)) + 1)
    return sparse.csr_array((values, indices, starts), shape=shape)


class _Parser:
    """The rows so far, with room that grows."""

    def __init__(self, least: int) -> None:
        self.name = ""
        self.n_bytes: int | None = None
        self.state = np.zeros(kernel.N_STATE, dtype=np.int64)
        self.state[kernel.LEAST] = least
        self.state[kernel.LOWEST] = kernel.MAX_INDEX + 1
        self.state[kernel.HIGHEST] = -1
        self.out = kernel.Rows(
            np.empty(0),
            np.zeros(1, dtype=np.int64),
            np.empty(0, dtype=np.int32),
            np.empty(0),
            np.empty((N_HARD, 3), dtype=np.int64),
        )
        self.n_parsed = 0
        self.rounded = ""

    def begin(self, name: str, n_bytes: int | None) -> None:
        """Begin another file, whose lines are numbered from the first one on."""
        self.name = name
        self.n_bytes = None if n_bytes is None else self.n_parsed + n_bytes
        self.state[kernel.LINE] = 0

    def parse(self, text: Array, end: int) -> None:
        """Add the lines of text[:end]."""
        self._make_room(end)
        self.state[kernel.AT] = 0
        while (ended := kernel.parse_lines(text, end, self.out, self.state)) != kernel.DONE:
            if ended == kernel.NOT_ONES:
                values = np.empty(len(self.out.indices))
                values[: self.state[kernel.ENTRY]] = 1.0
                self.out = self.out._replace(values=values)
            elif ended == kernel.HARD_FULL:
                self._read_hard_numbers(text)
                self.out = self.out._replace(hard=np.empty((2 * len(self.out.hard), 3), np.int64))
            else:
                raise DataError(_fault(self.name, ended, text, self.state))
        self._read_hard_numbers(text)
        self.n_parsed += end

    def take(self) -> tuple[CSR | Presence, Array]:
        """Return (rows, labels) since the last call; their indices are less by 1."""
        n_rows, n_entries = self.state[kernel.ROW], self.state[kernel.ENTRY]
        labels, starts, indices, values, _ = self.out
        self.state[[kernel.ROW, kernel.ENTRY]] = 0
        rows = Presence(indices[:n_entries], starts[: n_rows + 1])
        if not self.is_of_ones:
            return CSR(values[:n_entries], *rows), labels[:n_rows]
        return rows, labels[:n_rows]

    def first(self, zero_based: bool | str) -> int:
        """Return the number of the first feature."""
        return 0 if zero_based is True or self.state[kernel.LOWEST] == 0 else 1

    def n_features(self, first: int) -> int:
        """Return how many features there are."""
        return int(self.state[kernel.HIGHEST]) + 1 - first

    def check_not_empty(self, n_rows: int) -> None:
        """Refuse a file without rows, or without any value in them."""
        if self.state[kernel.HIGHEST] < 0:
            what = "no rows" if n_rows == 0 else "labels but no index:value pair"
            raise DataError(f"{self.name} has {what}; expected `label index:value ...` lines")

    @property
    def n_rows(self) -> int:
        """The rows since the last call of `take`."""
        return int(self.state[kernel.ROW])

    @property
    def is_of_ones(self) -> bool:
        """Whether every value was 1 so far."""
        return len(self.out.values) == 0

    @property
    def has_query_ids(self) -> bool:
        """Whether a line had a qid."""
        return bool(self.state[kernel.N_QID])

    def _make_room(self, n_text: int) -> None:
        n_rows, n_entries = self.state[kernel.ROW], self.state[kernel.ENTRY]
        rows = n_rows + n_text // ROW_BYTES + 1
        entries = n_entries + n_text // PAIR_BYTES + 1
        labels, starts, indices, values, hard = self.out
        if rows > len(labels):
            labels = _grown(labels, n_rows, self._expected(n_rows, rows))
            starts = _grown(starts, n_rows + 1, len(labels) + 1)
        if entries > len(indices):
            indices = _grown(indices, n_entries, self._expected(n_entries, entries))
            values = _grown(values, n_entries, len(indices)) if len(values) else values
        self.out = kernel.Rows(labels, starts, indices, values, hard)

    def _expected(self, n_now: int, least: int) -> int:
        """Return how much room to make: for the whole file, going by its first part."""
        if self.n_bytes is None or self.n_parsed == 0:
            return max(2 * n_now, least)
        left = max(self.n_bytes - self.n_parsed, 0)
        return least + int(1.05 * n_now * left / self.n_parsed)

    def _read_hard_numbers(self, text: Array) -> None:
        for place, start, end in self.out.hard[: self.state[kernel.N_HARD]].tolist():
            value = float(text[start:end].tobytes())
            if not np.isfinite(value):
                raise DataError(_too_large(self.name, text, start, end, self.state))
            if place >= 0:
                self.out.values[place] = value
                self._note_rounded(text, start, end)
            else:
                self.out.labels[-1 - place] = value
        self.state[kernel.N_HARD] = 0

    def _note_rounded(self, text: Array, start: int, end: int) -> None:
        """Remember the first whole number that float64 does not hold."""
        written = text[start:end].tobytes().lstrip(b"+-")
        if not self.rounded and written.isdigit() and is_rounded(int(written)):
            line, _ = _line_and_column(text, start, self.state)
            self.rounded = said_of_rounded(int(text[start:end].tobytes()), f"line {line}")


def _grown(array: Array, n_used: int, n_room: int) -> Array:
    grown: Array = np.empty(n_room, dtype=array.dtype)
    grown[:n_used] = array[:n_used]
    return grown


def _fault(name: str, ended: int, text: Array, state: Array) -> str:
    """Return the sentence for a line that the kernel refused."""
    wrong, start = int(state[kernel.WRONG]), int(state[kernel.LINE_START])
    return (
        f"{name}, line {state[kernel.LINE] + 1}, column {wrong - start + 1}: "
        f"{EXPECTED[ended]}, got {_shown(text[wrong : wrong + SHOWN + 1].tobytes())}"
    )


def _too_large(name: str, text: Array, start: int, end: int, state: Array) -> str:
    """Return the sentence for the number text[start:end], which no float can hold."""
    line, column = _line_and_column(text, start, state)
    return (
        f"{name}, line {line}, column {column}: expected a finite number, "
        f"got {_shown(text[start:end].tobytes())}, too large for a float"
    )


def _line_and_column(text: Array, start: int, state: Array) -> tuple[int, int]:
    """Return the line and the column of a place in what was parsed."""
    parsed = text[: state[kernel.AT]].tobytes()
    line = int(state[kernel.LINE]) + 1 - parsed.count(b"\n", start)
    return line, start - (parsed.rfind(b"\n", 0, start) + 1) + 1


def _shown(came: bytes) -> str:
    line = came.split(b"\n")[0].rstrip(b"\r")
    if not line:
        return "the end of the line"
    words = re.split(rb"[ \t]+", line)
    word = words[0] or line
    shown = word[:SHOWN].decode("utf-8", errors="backslashreplace")
    return repr(shown + ("..." if len(word) > SHOWN else ""))


@dataclass(frozen=True)
class IndexedRecipe:
    """How many features there are in training, and the number of the first.

    Examples
    --------
    >>> IndexedRecipe(n_features=3, first=1).to_dict()
    {'kind': 'svmlight', 'n_features': 3, 'first': 1}
    """

    n_features: int
    first: int

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data that JSON can hold."""
        return {"kind": "svmlight", **asdict(self)}

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> IndexedRecipe:
        """Return the recipe that `to_dict` wrote."""
        return cls(n_features=int(facts["n_features"]), first=int(facts["first"]))

    @property
    def feature_names(self) -> Numbered:
        """The numbers of the features, as they stand in a file."""
        return Numbered(self.first, self.n_features)

    def apply(self, X: Any, notes: Notes) -> Any:
        """Return rows with the features of training; a note says that others are left out."""
        if X.shape[1] <= self.n_features:
            shape = (X.shape[0], self.n_features)
            return sparse.csr_array((X.data, X.indices, X.indptr), shape=shape)

        def say(n: int) -> str:
            last = self.first + self.n_features - 1
            return f"{counted(n, 'value')} not used: the largest index in training was {last}"

        notes.count("beyond", say, int(np.count_nonzero(X.indices >= self.n_features)))
        return X[:, : self.n_features]
