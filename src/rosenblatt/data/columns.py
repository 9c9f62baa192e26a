"""What a column of a table holds, and the numbers it becomes.

    number     stays as it is                      one feature, named as the column
    boolean    0 or 1                              one feature
    date       days since 1970-01-01               one feature
    category   a 1 for the value that is there     one feature per value, `column=value`
    text       words (rosenblatt.text)             2^bits features

A column of strings is a category when at most half of its values are different ones and there are
at most 1000 of them; otherwise it is text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError

NUMERIC = ("number", "boolean", "date")
KINDS = (*NUMERIC, "category", "text")
MAX_CATEGORIES = 1000
SUMMED = 1 << 16  # values whose sum is rounded once
MICROSECONDS_OF_A_DAY = 86_400 * 10**6


@dataclass(frozen=True)
class Column:
    """What is remembered of a column."""

    name: str
    kind: str
    categories: tuple[str, ...] = ()
    mean: float | None = None

    @property
    def feature_names(self) -> list[str]:
        """The names of its features; none for text."""
        if self.kind == "category":
            return [f"{self.name}={category}" for category in self.categories]
        return [] if self.kind == "text" else [self.name]


def kind_of(values: Any, name: str = "", source: str = "") -> str:
    """Return one of KINDS for an Arrow column."""
    kind = kind_of_type(values.type)
    if kind is not None:
        return kind
    if is_string(values.type):
        n_there, n_different = len(values) - values.null_count, len(values.unique().drop_null())
        return kind_of_strings(n_there, n_different)
    raise DataError(
        f"{source}, column {name!r} holds {values.type}; features are made of numbers, booleans, "
        "dates and strings. Leave the column out of the file"
    )


def kind_of_type(kind: Any) -> str | None:
    """Return one of KINDS if the type of an Arrow column tells it."""
    import pyarrow as pa

    t = pa.types
    if t.is_boolean(kind):
        return "boolean"
    if t.is_integer(kind) or t.is_floating(kind) or t.is_decimal(kind) or t.is_null(kind):
        return "number"
    if t.is_date(kind) or t.is_timestamp(kind):
        return "date"
    return "category" if t.is_dictionary(kind) and is_string(kind.value_type) else None


def kind_of_strings(n_there: int, n_different: int) -> str:
    """Return the kind of a column of strings."""
    few = n_different <= MAX_CATEGORIES and 2 * n_different <= n_there
    return "category" if few else "text"


def learn_column(name: str, kind: str, values: Any) -> Column:
    """Remember the categories of a column, or its mean."""
    if kind == "category":
        found = as_strings(values).unique().drop_null().to_pylist()
        return Column(name, kind, categories=tuple(sorted(found)))
    if kind == "text":
        return Column(name, kind)
    mean = RunningMean()
    mean.add(as_numbers(values))
    return Column(name, kind, mean=mean.value)


class RunningMean:
    """The mean of values that come in parts, the same bits however they are parted.

    Examples
    --------
    >>> mean = RunningMean()
    >>> mean.add(np.array([1.0, np.nan])), mean.add(np.array([4.0]))
    (None, None)
    >>> mean.value
    2.5
    """

    def __init__(self) -> None:
        self._total, self._n, self._waiting = 0.0, 0, np.empty(0)

    def add(self, numbers: Array) -> None:
        """Take more values; NaN is left out."""
        there = np.concatenate([self._waiting, numbers[~np.isnan(numbers)]])
        whole = len(there) // SUMMED * SUMMED
        for start in range(0, whole, SUMMED):
            self._total += float(there[start : start + SUMMED].sum())
        self._n += whole
        self._waiting = there[whole:].copy()

    @property
    def value(self) -> float | None:
        """The mean, None of nothing."""
        n = self._n + len(self._waiting)
        return (self._total + float(self._waiting.sum())) / n if n else None


def conform(values: Any, column: Column, table: Table) -> Any:
    """Return the values of another file as the kind of column that was learned from."""
    import pyarrow as pa

    if column.kind not in NUMERIC:
        return as_strings(values)
    if not is_string(values.type):
        kind_of(values, column.name, table.name)
        return values
    try:
        return values.cast(pa.float64())
    except pa.ArrowInvalid:
        row, value = _first_that_is_no_number(values)
        raise DataError(
            f"{table.name}, {table.place(row)}, column {column.name!r}: expected a {column.kind}, "
            f"as in training, got {value!r}"
        ) from None


def as_numbers(values: Any) -> Array:
    """Return a column as floats, NaN where a value is missing."""
    import pyarrow as pa

    if pa.types.is_float32(values.type) and values.null_count == 0:
        numbers: Array = values.to_numpy()
        return numbers
    if pa.types.is_date(values.type) or pa.types.is_timestamp(values.type):
        moments = values.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        days: Array = as_numbers(moments) / MICROSECONDS_OF_A_DAY
        return days
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.uint8())
    others: Array = values.cast(pa.float64(), safe=False).to_numpy()
    return others


def as_strings(values: Any) -> Any:
    """Return a column as strings without blanks around them."""
    import pyarrow as pa
    import pyarrow.compute as compute

    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if not is_string(values.type):
        values = values.cast(pa.string())
    return compute.utf8_trim_whitespace(values)


def is_string(kind: Any) -> bool:
    """Tell whether a type of Arrow is one of strings."""
    import pyarrow as pa

    t = pa.types
    return bool(t.is_string(kind) or t.is_large_string(kind) or t.is_string_view(kind))


def _first_that_is_no_number(values: Any) -> tuple[int, str]:
    for row, value in enumerate(values.to_pylist()):
        try:
            float("0" if value is None else value)
        except ValueError:
            return row, value
    return 0, str(values[0])
