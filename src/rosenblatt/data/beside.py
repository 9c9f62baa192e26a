"""Columns that are read and not learned from: which rows belong together, and when they were made.

Validation asks for them: rows of one group stay in one fold, and later rows are foretold from
earlier ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.data.columns import as_numbers, as_strings
from rosenblatt.data.table import DataFile, Table
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array

TIMES = ("number", "date")  # kinds of columns that have an order in time


@dataclass(frozen=True)
class Beside:
    """The names of such columns, None where nobody asked for one.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = Table(pa.table({"who": ["ann", "bob", "ann"], "day": [3, 1, 2]}), "visits")
    >>> beside = Beside(group="who", by_time="day")
    >>> a, b, c = beside.groups_of(table)
    >>> bool(a == c), bool(a == b), beside.times_of(table)
    (True, False, array([3., 1., 2.]))
    """

    group: str | None = None
    by_time: str | None = None
    kind_of_time: str = "number"

    @property
    def options(self) -> dict[str, str]:
        """The parameters that were given, with their columns."""
        given = {"group": self.group, "by_time": self.by_time}
        return {name: column for name, column in given.items() if column is not None}

    @property
    def kinds(self) -> dict[str, str]:
        """What the columns are read as."""
        kinds = {"group": "category", "by_time": self.kind_of_time}
        return {column: kinds[name] for name, column in self.options.items()}

    @property
    def needed(self) -> dict[str, str]:
        """The columns in which no value may be missing, with what it is called."""
        called = {"group": "the group", "by_time": "the time"}
        return {column: called[name] for name, column in self.options.items()}

    @property
    def as_written(self) -> dict[str, str]:
        """Columns that are read as strings, whatever they look like: 07 and 7 are two groups."""
        return {} if self.group in (None, self.by_time) else {str(self.group): "text"}

    def check_can_be(self, file: DataFile) -> None:
        """Refuse columns of a file that has none."""
        for name in self.options if file.without_columns else ():
            raise DataError(
                f"{file.name} has {file.without_columns}, without columns to choose from",
                do=f"leave out {{{name}}}",
            )

    def settled(
        self, names: Collection[str], target: str, kind: Callable[[str], str], source: str
    ) -> Beside:
        """Return the columns with the kind of the times; refuse labels, and times that are none."""
        for name, column in self.options.items():
            if column == target:
                raise DataError(
                    f"{source}, column {column!r} holds the labels",
                    do=f"choose another column for {{{name}}}",
                )
        if len(names) - len(self.kinds) < 2:
            raise DataError(f"{source} has no column left to learn from beside {', '.join(names)}")
        if self.by_time is None:
            return self
        found = kind(self.by_time)
        if found not in TIMES:
            raise DataError(
                f"{source}, column {self.by_time!r} holds neither dates nor numbers",
                do="choose another column for {by_time}",
            )
        return replace(self, kind_of_time=found)

    def groups_of(self, table: Table) -> Array | None:
        """Return a number (uint64) for each row, the same for rows of one group."""
        if self.group is None:
            return None
        codes = as_strings(table.columns[self.group]).combine_chunks().dictionary_encode()
        # digests, for blocks of a file agree on them without a table of all groups
        digests = [_digest(name) for name in codes.dictionary.to_pylist()]
        found: Array = np.array(digests, dtype=np.uint64)[codes.indices.to_numpy()]
        return found

    def times_of(self, table: Table) -> Array | None:
        """Return the time of each row as a number."""
        return None if self.by_time is None else as_numbers(table.columns[self.by_time])


NOTHING_BESIDE = Beside()


def _digest(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


def check_nothing_beside(options: Mapping[str, Any]) -> None:
    """Refuse a group or a time where nothing is validated in folds."""
    for name in ("group", "by_time"):
        if options.get(name) is not None:
            raise ParameterError(
                "a saved model that goes on is validated by its answers before it learns",
                do=f"leave out {{{name}}}",
            )
