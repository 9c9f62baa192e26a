"""One row at a time, in arrays that stay: what comes is written into them, ready for a kernel.

A row that is taken is one of the same kind as before, with finite numbers of an ordinary size. All
else is left to those who have the time to look at it closely: `take` returns False, or raises what
Python says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from struct import Struct, pack_into
from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.blocks import Blocks, InMemory, as_blocks
from rosenblatt.errors import DataError
from rosenblatt.kernels.compiler import entry_of
from rosenblatt.kernels.hypothesis import length_of
from rosenblatt.kernels.rows import CSR
from rosenblatt.types import Array, Rows

# Lengths between which sums of billions of rows stay far from what a float64 cannot hold
SHORTEST, LONGEST = 1e-50, 1e50
LARGEST = 1e40  # number: a row of them is not longer than that
ROOM = 64  # entries of a row to begin with


class DenseRow:
    """A row of numbers, a list or an array.

    Examples
    --------
    >>> row = DenseRow(2)
    >>> row.take([1, 2.5]), row.take([1.0]), row.take(np.array([1.0, np.nan]))
    (True, False, False)
    """

    def __init__(self, n_features: int) -> None:
        self.columns = range(n_features)
        self.X: Rows = np.zeros((1, n_features))
        self.names: Array | None = None
        self._row = self.X[0]
        self._shape = self._row.shape
        # text is no number for it, as it is for NumPy
        self._write = Struct(f"{n_features}d").pack_into
        self._length = entry_of(length_of, self.X, 0, 0.0)

    def take(self, x: Any, *, grows: bool = True) -> bool:
        """Write a row into X; False if it is another kind of row, or not an ordinary one."""
        kind = type(x)
        if kind is np.ndarray:
            if x.shape != self._shape:
                return False
            np.copyto(self._row, x, casting="same_kind")
        elif kind is list or kind is tuple:
            if len(x) != self._shape[0]:
                return False
            self._write(self._row, 0, *x)
        else:
            return False
        return is_ordinary(self._length(self.X, 0, 0.0))


class NamedRow:
    """A row {name: number}; names get columns in the order in which they come.

    Examples
    --------
    >>> row = NamedRow(["size"])
    >>> row.take({"size": 1.5, "age": 7}), row.columns
    (True, {'size': 0, 'age': 1})
    """

    def __init__(self, names: Any) -> None:
        self.columns: dict[str, int] = {name: j for j, name in enumerate(names)}
        self._listed = list(self.columns)
        self._in_order: tuple[str, ...] | None = None  # the last names, if they came otherwise
        self._last: tuple[str, ...] | None = None
        self._make_room(ROOM)
        self._length = entry_of(length_of, self.X, 0, 0.0)

    @property
    def names(self) -> Array:
        """The names of the columns, in order."""
        names: Array = np.empty(len(self.columns), dtype=object)
        names[:] = self._listed
        return names

    def take(self, x: Any, *, grows: bool = True) -> bool:
        """Write a row into X; False if it is another kind of row, or not an ordinary one.

        New names get columns if it `grows`; else they are left out.
        """
        if type(x) is not dict:
            return False
        names = tuple(x)
        # most often the names are those of the last row, in the same order
        if names != self._last:
            try:
                places = list(map(self.columns.__getitem__, names))
            except KeyError:
                return self._take_new_names(x, grows)
            self._find(names, places)
        values = x.values() if self._in_order is None else map(x.__getitem__, self._in_order)
        pack_into(self._format, self._data.data, 0, *values)
        return is_ordinary(self._length(self.X, 0, 0.0))

    def add(self, names: Any) -> None:
        """Give columns to those names that have none."""
        for name in names:
            if name not in self.columns:
                self.columns[name] = len(self._listed)
                self._listed.append(name)

    def matrix(self, x: Mapping[str, Any]) -> Any:
        """Return a row whose names have columns as a sparse matrix."""
        pairs = sorted((self.columns[name], float(value)) for name, value in x.items())
        indices = np.array([j for j, _ in pairs], dtype=np.int32)
        data = np.array([value for _, value in pairs], dtype=np.float64)
        starts = np.array([0, len(pairs)], dtype=np.int32)
        return sparse.csr_array((data, indices, starts), shape=(1, len(self.columns)))

    def checked(self, x: Mapping[str, Any], y: Any) -> Blocks:
        """Return a row whose names have columns, and its label, through the door."""
        block = as_blocks(self.matrix(x), [y], known_classes=np.asarray([y])[:0]).whole
        return InMemory(block._replace(feature_names=self.names))

    def _take_new_names(self, x: dict[Any, Any], grows: bool) -> bool:
        # the numbers first: nothing changes if one of them is none
        values = x.values()
        if not all(map(math.isfinite, values)) or max(map(abs, values)) > LARGEST:
            return False
        if not grows:
            return self.take({name: x[name] for name in x if name in self.columns})
        new = [name for name in x if name not in self.columns]
        if not all(isinstance(name, str) for name in new):
            return False
        self.add(new)
        return self.take(x)

    def _find(self, names: tuple[str, ...], places: list[int]) -> None:
        """Write the columns of these names into X, in ascending order, as a matrix has them."""
        n = len(names)
        if n > len(self._data):
            self._make_room(2 * n)
        ordered, self._in_order = sorted(places), None
        if places != ordered:
            self._in_order = tuple(map(self._listed.__getitem__, ordered))
        pack_into(f"{n}i", self._indices.data, 0, *ordered)
        self._starts[1] = n
        self._format, self._last = f"{n}d", names

    def _make_room(self, n: int) -> None:
        self._data, self._indices = np.zeros(n), np.zeros(n, dtype=np.int32)
        self._starts = np.zeros(2, dtype=np.int32)
        self._last = None
        self.X: Rows = CSR(self._data, self._indices, self._starts)


def is_ordinary(length: float) -> bool:
    """Tell whether a row of this length is learned from without a closer look."""
    return SHORTEST < length < LONGEST or length == 0.0


class RowOfBlock:
    """Rows that came through the door together; which of them it is, is told by its number."""

    names: Array | None = None

    def __init__(self, X: Rows, n_features: int) -> None:
        self.X, self.columns = X, range(n_features)

    def take(self, x: Any, *, grows: bool = True) -> bool:
        """Return False: single rows are another kind."""
        return False


OneRow = DenseRow | NamedRow | RowOfBlock


def as_table(x: Any) -> Array:
    """Return one row of numbers as a table of one row; refuse what is none."""
    row = np.asarray(x) if not isinstance(x, (str, bytes)) else np.empty(())
    if row.ndim != 1:
        what = f"an array of shape {row.shape}" if row.ndim else type(x).__name__
        raise DataError(
            "x must be one row, a dict of {name: number} or a list of numbers, got " + what,
            do="pass many rows to fit or partial_fit",
            in_shell="",
        )
    return row[np.newaxis]


def check_named(x: Mapping[Any, Any]) -> None:
    """Refuse names that are no text, and values that are no finite numbers."""
    for name, value in x.items():
        if not isinstance(name, str):
            raise DataError(
                f"the names in x must be text, got {name!r}, which is {type(name).__name__}",
                do="pass {{str(name): value}}",
                in_shell="",
            )
        is_number = isinstance(value, (Real, np.number, np.bool_))
        try:
            is_finite = is_number and math.isfinite(value)
        except (TypeError, OverflowError):
            is_finite = False
        if not is_finite:
            raise DataError(
                f"x must hold finite numbers, got {value!r} for {name!r}",
                do="leave the name out, which counts as 0, or fill in a number",
                in_shell="",
            )
