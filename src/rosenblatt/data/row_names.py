"""Columns that look like ids: another value in each row, which says nothing about new rows.

strings          single words, of which none comes twice
whole numbers    none comes twice, and they ascend or descend, or are a thousand and more, or the
                 column is named as ids are; amounts of a few rows may be different by chance
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from rosenblatt.types import Array

LOOKED_AT = 10_000  # the first rows
FEWEST = 20  # rows, from which on something can be said
MANY = 1000  # rows in which amounts would come twice
A_FEW = 50  # values that tell most columns apart
NAMED_SO = re.compile(
    r"(?i)(?:^|[_ .-])(?:id|ids|uuid|guid|key|index|idx|nr|no|number)$|[a-z]I[Dd]$"
)


class RowNames:
    """Whether the values of a column, which come block by block, may be names of rows.

    Examples
    --------
    >>> import pyarrow as pa
    >>> found = RowNames()
    >>> found.add(pa.array(range(100, 130)))
    >>> found.are_names("age"), found.are_names("customer_id")
    (True, True)
    """

    __slots__ = ("_may_be", "_n", "_parts")

    def __init__(self) -> None:
        self._parts: list[Any] = []
        self._n, self._may_be = 0, True

    def add(self, values: Any) -> None:
        """Take more values: strings, or whole numbers."""
        if not self._may_be or self._n >= LOOKED_AT:
            return
        n = LOOKED_AT - self._n
        if isinstance(values, np.ndarray):  # from elsewhere, where they were looked at
            part = values[:n]
        else:
            part = values.slice(0, n)
            self._may_be = part.null_count == 0 and _differ(part.slice(0, A_FEW)) and _differ(part)
        if self._may_be:
            self._parts.append(part)
            self._n += len(part)
        else:
            self._parts = []

    def merge(self, other: RowNames) -> None:
        """Take what another one knows of later blocks."""
        for part in other._parts:
            self.add(part)
        if not other._may_be and self._n < LOOKED_AT:
            self._may_be, self._parts = False, []

    def settle_values(self) -> None:
        """Keep the values alone, not the blocks of Arrow that they are slices of."""
        self._parts = [_array(part).copy() for part in self._parts]

    def are_names(self, column: str) -> bool:
        """Tell whether the values look like names of rows."""
        if not self._may_be or self._n < FEWEST:
            return False
        values = np.concatenate([_array(part) for part in self._parts])
        if len(np.unique(values)) < len(values):
            return False
        if values.dtype.kind == "U" or self._n >= MANY or NAMED_SO.search(column):
            return True
        return bool((values[1:] > values[:-1]).all() or (values[1:] < values[:-1]).all())


def _array(values: Any) -> Array:
    if isinstance(values, np.ndarray):
        return values
    found: Array = values.to_numpy() if hasattr(values, "chunks") else values.to_numpy(False)
    return found.astype(str) if found.dtype == object else found


def _differ(values: Any) -> bool:
    """Tell whether no value comes twice, and none is several words."""
    found = _array(values)
    if found.dtype.kind == "U" and (np.char.find(np.char.strip(found), " ") >= 0).any():
        return False
    return len(np.unique(found)) == len(found)


def notes_on_row_names(names: Mapping[str, RowNames | None]) -> list[str]:
    """Say which columns look like ids, and what to do about it."""
    return [
        f"column {name!r} looks like an id, another value in each row, which says nothing about "
        "new rows; drop it if it is one"
        for name, found in names.items()
        if found is not None and found.are_names(name)
    ]
