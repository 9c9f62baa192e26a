"""JSON lines in which a column has numbers in some lines and strings in others.

Arrow's reader wants one type in a column. Such columns are written anew, as strings, so that they
are judged as those of a CSV file are: a number column with a bad cell is none of categories.
"""

from __future__ import annotations

import json
from typing import Any

from rosenblatt.data.buffers import Bytes


def columns_to_write(content: Bytes, strings: set[str]) -> set[str]:
    """Return the columns that hold more than one type, or other than the `strings` they are to be.

    Columns that hold lists or objects are left as they are; so is all if a line is not JSON.
    """
    kinds: dict[str, set[str]] = {name: {"str"} for name in strings}
    for line in bytes(content).split(b"\n"):
        record = _record(line)
        if record is None:
            return set()
        for name, value in record.items():
            if value is not None:
                kinds.setdefault(name, set()).add(_kind(value))
    plain = {"str", "bool", "number"}
    return {name for name, found in kinds.items() if len(found) > 1 and found <= plain}


def with_strings(content: Bytes, names: set[str]) -> bytes:
    r"""Return the lines with the values of these columns as strings.

    Examples
    --------
    >>> with_strings(b'{"a": 1.5, "b": 2}\n{"a": "oops", "b": 3}', {"a"})
    b'{"a": "1.5", "b": 2}\n{"a": "oops", "b": 3}'
    """
    lines = []
    for line in bytes(content).split(b"\n"):
        record = _record(line)
        if record:
            record = {k: _string(v) if k in names else v for k, v in record.items()}
            line = json.dumps(record).encode()
        lines.append(line)
    return b"\n".join(lines)


def numbers_as_written(content: Bytes, name: str) -> Any:
    r"""Return the numbers of a column as they are written, null for all else.

    Examples
    --------
    >>> numbers_as_written(b'{"a": 9007199254740993}\n{"a": 1.50}', "a").to_pylist()
    ['9007199254740993', '1.50']
    """
    import pyarrow as pa

    cells = []
    for line in bytes(content).split(b"\n"):
        if line.strip():
            cell = json.loads(line, parse_int=str, parse_float=str).get(name)
            cells.append(cell if isinstance(cell, str) else None)
    return pa.array(cells, pa.string())


def _record(line: bytes) -> dict[str, Any] | None:
    if not line.strip():
        return {}
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else type(value).__name__


def _string(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else json.dumps(value)
