"""A table as it comes from a file: blocks of Arrow columns that know where each row stands.

A format of tables is a class of its own, a `TableFile`. "All at once" is one block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from rosenblatt.data.buffers import Bytes
from rosenblatt.data.source import (
    HEAD,
    FileSample,
    Opener,
    Source,
    no_source,
    sample_of,
    source_of_bytes,
)
from rosenblatt.errors import DataError

T = TypeVar("T")
LONGEST_TYPE = 40  # letters
SHOWN = 200  # letters of what Arrow says, or of a value


def row_place(row: int) -> str:
    """Say where a row is when a file has no lines."""
    return f"row {row} (the first is 0)"


class Notes:
    """Sentences about a table, each said once; numbers in them add up over its blocks.

    Examples
    --------
    >>> notes = Notes(["read as csv"])
    >>> for n in (0, 2, 1):
    ...     notes.count("bad", "{} bad cells".format, n)
    >>> list(notes)
    ['read as csv', '3 bad cells']
    """

    def __init__(self, sentences: Iterable[str] = ()) -> None:
        self._said: dict[Any, tuple[Callable[..., str], tuple[int, ...]]] = {}
        self.extend(sentences)

    def __iter__(self) -> Iterator[str]:
        for say, numbers in self._said.values():
            if not numbers or numbers[0]:
                yield say(*numbers)

    def append(self, sentence: str) -> None:
        """Take another sentence, if it is a new one."""
        self._said.setdefault(sentence, (lambda: sentence, ()))

    def extend(self, sentences: Iterable[str]) -> None:
        """Take more sentences."""
        for sentence in sentences:
            self.append(sentence)

    def count(self, key: Any, say: Callable[..., str], *numbers: int) -> None:
        """Add to the numbers of a sentence; nothing is said while the first of them is 0."""
        known, so_far = self._said.get(key, (say, (0,) * len(numbers)))
        is_first = so_far[0] == 0
        total = tuple(a + b for a, b in zip(so_far, numbers, strict=True))
        self._said[key] = (say if is_first else known, total)


@dataclass(frozen=True)
class Table:
    """Columns of one length; `place(row)` says where a row is: "line 7" for files of lines.

    `written(name)` gives the cells of a column as they are written, if the file is one of text.
    """

    columns: Any  # a pyarrow.Table
    name: str
    place: Callable[[int], str] = row_place
    notes: Notes = field(default_factory=Notes)
    decimal_point: str = "."
    written: Callable[[str], Any] | None = None
    has_codes: bool = False  # numbers may be written with leading zeros

    @cached_property  # there may be 20,000, and each is looked up
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.columns.column_names)

    def only(self, rows: Any) -> Table:
        """Return the table with these rows alone; they keep their places."""
        written = self.written
        return replace(
            self,
            columns=self.columns.take(rows),
            place=lambda row: self.place(int(rows[row])),
            written=written and (lambda name: written(name).take(rows)),
        )

    def without(self, names: set[str]) -> Table:
        """Return the table without some of its columns."""
        gone = [name for name in self.names if name in names]
        return replace(self, columns=self.columns.drop_columns(gone)) if gone else self


class Reading(NamedTuple):
    """How a file is to be read."""

    block_bytes: int | None = None  # of a block, about; None: the whole file is one block
    memory: int | None = None  # bytes that may be taken
    delimiter: str | None = None
    header: bool | None = None
    as_text: tuple[str, ...] = ()  # columns that are strings, whatever they look like
    zero_based: bool | str = "auto"
    with_labels: bool = True  # whether lines of text have labels in front of them
    names: tuple[str, str] = ("label", "text")  # of the columns of texts
    has_recipe: bool = False  # whether the features are known from training
    as_it_comes: bool = False  # rows are gone through once, and those of a pipe are not waited for


class ReadAgainError(Exception):
    """The blocks have to be read again from the first, in another way that is known now."""


class DataFile:
    """A file of some format, and how it is to be read; `opened` opens it anew."""

    any_place: ClassVar[bool] = False  # whether places of the file are read in any order
    is_read_again: ClassVar[bool] = True  # whether its blocks are gone through more than once
    without_columns: str = ""  # what it has, if that is nothing with columns

    def __init__(self, opened: Opener, name: str, sample: FileSample, how: Reading) -> None:
        self.name, self.how, self.notes = name, how, list[str]()
        self._opened, self._sample = opened, sample
        self.n_bytes: int | None = None  # of lines, where that is known

    @classmethod
    def of_bytes(cls, content: bytes, name: str, **how: Any) -> Self:
        """Return a file that is in memory."""

        def opened() -> nullcontext[Source]:
            return nullcontext(source_of_bytes(content, name))

        return cls(opened, name, sample_of(content[:HEAD], name), Reading(**how))

    @contextmanager
    def _open(self) -> Iterator[Source]:
        with self._opened() as source:
            if self._sample.is_of_old_lines:
                source.content.end_lines_at_returns()
            yield source


class TableFile(DataFile):
    """A table in a file, read in blocks, as often as one likes.

    A format has a `blocks` of its own, and perhaps a `settle_types`. A file of one block is opened
    once, and its block is kept.
    """

    no_rows: ClassVar[str] = "no rows"  # what a file has that has none
    is_typed = False  # whether all blocks have columns of the same types, whatever is in them

    def __init__(self, opened: Opener, name: str, sample: FileSample, how: Reading) -> None:
        super().__init__(opened, name, sample, how)
        self.left_out: set[str] = set()  # columns that are none
        self.kinds: dict[str, str] = {}  # of columns, where the format tells them
        self.target: str | None = None  # the column of the labels, where the format tells it
        self._whole: Table | None = None

    def __sizeof__(self) -> int:
        # Dask moves what is small to whoever has nothing to do
        return super().__sizeof__() + (0 if self._whole is None else self._whole.columns.nbytes)

    def tables(self) -> Iterator[Table]:
        """Yield the rows, block by block; a block may have some of the columns only."""
        for table in self._all_blocks():
            yield table.without(self.left_out)

    def looked_at(self, look: Callable[[Iterable[Table]], T], merge: Callable[[T, T], T]) -> T:
        """Return what a look at all blocks finds; `merge` is for blocks that are elsewhere."""
        return look(self.tables())

    def whole(self) -> Table:
        """Return the only block."""
        (table,) = self.tables()
        return table

    def blocks(self, source: Source) -> Iterator[Table]:
        """Yield the rows of a file that was opened just now."""
        raise NotImplementedError

    def read_as_text(self, names: Iterable[str]) -> None:
        """Read columns as strings from now on, whatever they look like, where there is a choice."""

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column, given those in its blocks; True: look again."""
        return {name: next(iter(types)) for name, types in found.items()}, False

    def _all_blocks(self) -> Iterator[Table]:
        if self._whole is not None:
            yield self._whole
            return
        n_rows = 0
        with self._open() as source:
            for table in self.blocks(source):
                if table.columns.num_rows and table.columns.num_columns:
                    self.check_names(table)
                    self._keep(table)
                    n_rows += table.columns.num_rows
                    yield table
        if n_rows == 0:
            raise DataError(f"{self.name} has {self.no_rows}")

    def check_names(self, table: Table) -> None:
        """Refuse two columns of one name."""
        repeated = [name for name, times in Counter(table.names).items() if times > 1]
        if repeated:
            raise two_columns(self.name, repeated[0])

    def _keep(self, table: Table) -> None:
        if self.how.block_bytes is None:
            self._whole = table
            self.settle_types({f.name: {f.type} for f in table.columns.schema})


class KeptTable(TableFile):
    """A table that is in memory already: nothing is ever opened."""

    def __init__(self, table: Table, target: str | None = None) -> None:
        super().__init__(no_source, table.name, FileSample(b"", []), Reading())
        self._whole, self.target = table, target
        self.check_names(table)


def two_columns(source: str, name: str) -> DataError:
    """Return the error for two columns of one name."""
    return DataError(f"{source} has two columns named {name!r}; rename one of them")


def line_place(content: Bytes, first_line: int = 1) -> Callable[[int], str]:
    """Return the places of rows that are the lines of a file which are not blank."""

    def place(row: int) -> str:
        numbers = (
            n for n, line in enumerate(bytes(content).split(b"\n"), first_line) if line.strip()
        )
        return f"line {nth(numbers, row)}"

    return place


def type_words(kind: Any) -> str:
    """Return the name of an Arrow type, cut short where types are nested in types."""
    said = str(kind)
    return said if len(said) <= LONGEST_TYPE else f"{said[:LONGEST_TYPE]}..."


def first_words(said: str) -> str:
    """Return the beginning of what was said."""
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}..."


def nth(items: Iterator[int], n: int) -> int:
    """Return the item with n items before it."""
    for _ in range(n):
        next(items)
    return next(items)
