"""Values that are not there: an error that says where, fewer rows, or the mean.

With "mean" a number, boolean or date gets the mean of its column in the training data, and a
category gets none of its features. A missing label can be dropped, not made up. A text without
words is not missing. Infinity is no value to learn from and always an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.data.table import Table
from rosenblatt.errors import DataError
from rosenblatt.types import Array

Missing = Literal["error", "drop", "mean"]
POLICIES: tuple[Missing, ...] = get_args(Missing)


def settle_missing(
    table: Table,
    kinds: Mapping[str, str],
    needed: Mapping[str, str],
    policy: str,
    *,
    is_part: bool = False,
) -> tuple[Table, Array | None]:
    """Return the table and the rows that were kept, None for all; refuse what `policy` refuses.

    `needed` are columns of which no value is made up, the labels above all, with their names.
    `is_part`: there are more rows elsewhere, so none of these need to be kept.
    """
    doubtful = [name for name in kinds if not _is_all_finite(table.columns[name])]
    for name in doubtful:
        _refuse_infinity(table, name)
    checked = [name for name in doubtful if kinds[name] != "text" and name not in needed]
    masks = {name: _missing(table.columns[name]) for name in checked}
    for name in needed:
        masks[name] = _missing(table.columns[name], empty_too=True)
    masks = {name: mask for name, mask in masks.items() if mask.any()}
    if not masks:
        return table, None
    if policy == "drop":
        return _without(table, masks, is_part)
    if policy == "error" or any(name in masks for name in needed):
        _refuse(table, masks, needed, is_part)
    return table, None


def _is_all_finite(values: Any) -> bool:
    """Tell at a glance that numbers are there and finite; their sum may say less than is so."""
    import pyarrow as pa

    if values.null_count or not pa.types.is_floating(values.type):
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.to_numpy().sum()))


def _missing(values: Any, empty_too: bool = False) -> Array:
    import pyarrow.compute as compute

    if values.null_count == 0 and values.type in _never_missing():
        return np.zeros(0, dtype=bool)
    mask: Array = compute.is_null(values, nan_is_null=True).to_numpy()
    if empty_too and str(values.type) in ("string", "large_string"):
        blank = compute.equal(compute.utf8_trim_whitespace(values), "").fill_null(True)
        mask = mask | blank.to_numpy()
    return mask


def _never_missing() -> tuple[Any, ...]:
    import pyarrow as pa

    return (pa.int64(), pa.int32(), pa.int16(), pa.int8(), pa.uint8(), pa.bool_())


def _without(table: Table, masks: Mapping[str, Array], is_part: bool) -> tuple[Table, Array]:
    bad = np.logical_or.reduce(list(masks.values()))
    rows = np.flatnonzero(~bad)
    kept = table.only(rows)
    if is_part:
        return kept, rows
    if len(rows) == 0:
        fullest = max(masks, key=lambda name: int(masks[name].sum()))
        raise all_missing(table.name, f", most of them in column {fullest!r}")
    kept.notes.append(dropped(int(bad.sum()), len(bad)))
    return kept, rows


def dropped(n_dropped: int, n: int) -> str:
    """Say how many rows were dropped."""
    they = "it has" if n_dropped == 1 else "they have"
    return f"{n_dropped} of {counted(n, 'row')} dropped: {they} missing values"


def all_missing(name: str, where: str = "") -> DataError:
    """Return the error for a table of which no row is left."""
    return DataError(
        f"{name}: every row has a missing value{where}",
        do="leave out of the file the columns that have no values, or use {missing:mean}",
    )


def _refuse(
    table: Table, masks: Mapping[str, Array], needed: Mapping[str, str], is_part: bool
) -> None:
    name = next((name for name in needed if name in masks), next(iter(masks)))
    row = int(np.flatnonzero(masks[name])[0])
    total = sum(int(mask.sum()) for mask in masks.values())
    what = f"{needed.get(name, 'a value')} is missing"
    cure = "{missing:drop}" if name in needed else "{missing:drop} or {missing:mean}"
    in_all = "" if is_part else f" ({total} missing in all)"
    raise DataError(
        f"{table.name}, {table.place(row)}, column {name!r}: {what}{in_all}",
        do=f"fill it in, or use {cure}",
        on_page="fill it in, or take the row out",
    )


def _refuse_infinity(table: Table, name: str) -> None:
    import pyarrow as pa
    import pyarrow.compute as compute

    values = table.columns[name]
    if pa.types.is_floating(values.type):
        infinite = compute.is_inf(values).fill_null(False).to_numpy()
        if infinite.any():
            row = int(np.flatnonzero(infinite)[0])
            raise DataError(
                f"{table.name}, {table.place(row)}, column {name!r}: expected a finite number, "
                f"got {values[row].as_py()}"
            )
