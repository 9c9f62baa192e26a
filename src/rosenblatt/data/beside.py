"""Columns that are read and not learned from: groups, times, and those that users leave out.

Validation asks for groups and times: rows of one group stay in one fold, and later rows are
foretold from earlier ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.data.columns import as_numbers, as_strings
from rosenblatt.data.table import DataFile, Table
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.types import Array

SHOWN = 8  # columns that are not learned from, by name
TIMES = ("number", "date")  # kinds of columns that have an order in time


@dataclass(frozen=True)
class Beside:
    """The names of such columns, None where nobody asked for one.

    `only` are the columns to learn from, if they were chosen, and those of `drop` are left out.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = Table(pa.table({"who": ["ann", "bob", "ann"], "day": [3, 1, 2]}), "visits")
    >>> beside = Beside(group="who", by_time="day")
    >>> a, b, c = beside.groups_of(table)
    >>> bool(a == c), bool(a == b), beside.times_of(table)
    (True, False, array([3., 1., 2.]))
    >>> Beside.of(drop=["name"]).left_out(["name", "who", "day", "size", "kind"], "kind")
    ['name']
    """

    group: str | None = None
    by_time: str | None = None
    kind_of_time: str = "number"
    only: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        group: str | None = None,
        by_time: str | None = None,
        only: Iterable[str] | None = None,
        drop: Iterable[str] | None = None,
    ) -> Beside:
        """Return what users ask for; refuse a string where names are expected."""
        for name, columns in (("only", only), ("drop", drop)):
            if isinstance(columns, str):
                raise ParameterError(f"must be a list of columns, got {columns!r}", about=name)
        return cls(
            group,
            by_time,
            only=None if only is None else tuple(only),
            drop=tuple(drop or ()),
        )

    @property
    def options(self) -> dict[str, str]:
        """The parameters that name a column which validation needs, with it."""
        given = {"group": self.group, "by_time": self.by_time}
        return {name: column for name, column in given.items() if column is not None}

    @property
    def given(self) -> list[str]:
        """The parameters that were given."""
        chosen = {"only": self.only is not None, "drop": bool(self.drop)}
        return [*self.options, *(name for name, is_given in chosen.items() if is_given)]

    @property
    def named(self) -> tuple[str, ...]:
        """All columns that were named."""
        return (*self.kinds, *(self.only or ()), *self.drop)

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
        for name in self.given if file.without_columns else ():
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
        if target in self.drop:
            raise DataError(
                f"{source}, column {target!r} holds the labels",
                do="take it out of {drop}, or choose another {target}",
            )
        left_out = self.left_out(names, target)
        if len(left_out) + 1 == len(names):
            unused = ", ".join(map(repr, left_out[:SHOWN])) + ", ..." * (len(left_out) > SHOWN)
            raise DataError(
                f"{source} has no column left to learn from beside the labels, {target!r}, and "
                f"{unused}"
            )
        if self.by_time is None:
            return self
        found = kind(self.by_time)
        if found not in TIMES:
            raise DataError(
                f"{source}, column {self.by_time!r} holds neither dates nor numbers",
                do="choose another column for {by_time}",
            )
        return replace(self, kind_of_time=found)

    def left_out(self, names: Iterable[str], target: str) -> list[str]:
        """Return the columns that are not learned from, the labels apart."""
        names = list(names)
        learned = {*self.learned(names, target), target}
        return [name for name in names if name not in learned]

    def learned(self, names: Iterable[str], target: str | None) -> list[str]:
        """Return the columns that are learned from."""
        passed, only = {target, *self.drop, *self.kinds}, set(self.only or ())
        free = [name for name in names if name not in passed]
        return free if self.only is None else [name for name in free if name in only]

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
    """Refuse a group or a time where nothing is validated in folds, and to choose columns."""
    for name in ("only", "drop"):
        if options.get(name):
            raise ParameterError(
                "which columns are learned from, is known from training", do=f"leave out {{{name}}}"
            )
    for name in ("group", "by_time"):
        if options.get(name) is not None:
            raise ParameterError(
                "a saved model that goes on is validated by its answers before it learns",
                do=f"leave out {{{name}}}",
            )
