"""The index of a pandas frame in a Parquet or Arrow file: names of rows, never a label or feature.

pandas writes an index that is not just 0, 1, 2, ... as a column, and says in the metadata of the
schema which columns are the index. Where the metadata was lost on the way, the names that pandas
and Dask give to an index without a name are known.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from rosenblatt.data.table import Table
from rosenblatt.errors import DataError

NAMELESS = re.compile(r"__index_level_\d+__|__null_dask_index__")


def without_index(table: Table, notes: list[str]) -> Table:
    """Return a table without the index of a pandas frame; a note says so once.

    Examples
    --------
    >>> import pyarrow as pa
    >>> notes = []
    >>> table = Table(pa.table({"a": [1], "__index_level_0__": [7]}), "a.parquet")
    >>> without_index(table, notes).names, notes
    (['a'], ["not used, as it is the index of a pandas frame: '__index_level_0__'"])
    """
    said = _said_by_pandas(table.columns.schema.metadata or {})
    index = [name for name in table.names if name in said or NAMELESS.fullmatch(name)]
    if not index:
        return table
    if len(index) == len(table.names):
        raise DataError(f"{table.name} has no columns but the index of a pandas frame")
    it_is = "it is" if len(index) == 1 else "they are"
    note = f"not used, as {it_is} the index of a pandas frame: {', '.join(map(repr, index))}"
    if note not in notes:
        notes.append(note)
    return replace(table, columns=table.columns.drop_columns(index))


def _said_by_pandas(metadata: dict[bytes, bytes]) -> set[str]:
    """Return the columns that are the index; an index that is no column is described by a dict."""
    try:
        index = json.loads(metadata.get(b"pandas", b"{}"))["index_columns"]
        return {column for column in index if isinstance(column, str)}
    except (ValueError, KeyError, TypeError, RecursionError):
        return set()  # not as pandas writes it
