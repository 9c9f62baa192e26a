"""JSON lines: Arrow's reader, our words for what is wrong.

Arrow wants one type in a column. Columns with numbers in some lines and strings in others are
written anew, as strings, so that they are judged as those of a CSV file are: a number column with
a bad cell is none of categories.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.data.buffers import Bytes, count, owned
from rosenblatt.data.columns import is_string, kind_of_type
from rosenblatt.data.formats.lines import checked_blocks
from rosenblatt.data.source import Source
from rosenblatt.data.table import Table, TableFile, first_words, line_place, type_words
from rosenblatt.errors import DataError
from rosenblatt.kernels.json_depth import place_too_deep

DEEPEST = 64  # levels of JSON
_NOT_BLANK = re.compile(rb"\S")


def looks_like_json(lines: list[str], named: str | None) -> bool:
    """Tell whether the first line begins an object."""
    return lines[0].lstrip().startswith("{")


class JsonLinesFile(TableFile):
    r"""A file with a JSON object in each line; what a line leaves out is missing.

    Examples
    --------
    >>> content = b'{"a": 1}\n{"a": 2, "b": "x"}'
    >>> JsonLinesFile.of_bytes(content, "x.jsonl").whole().columns.to_pydict()
    {'a': [1, 2], 'b': [None, 'x']}

    Not by `pyarrow.dataset`: it takes the types from the first block alone, and keeps 37 MB of a
    file of 38 MB, not 1, in the same time.
    """

    _schema: Any = None  # once the types of all columns are known

    def blocks(self, source: Source) -> Iterator[Table]:
        """Yield the rows; all columns are there once their types are known."""
        for line, content in checked_blocks(source, self.how.block_bytes):
            if _NOT_BLANK.search(content):
                columns = parse_json(content, self.name, self._schema, line)
                place, written = line_place(content, line), partial(numbers_as_written, content)
                yield Table(columns, self.name, place, written=written)

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column, given those in its blocks; True: look again."""
        import pyarrow as pa

        types = {name: self._common(name, kinds) for name, kinds in found.items()}
        self._schema = pa.schema(list(types.items()))
        strings = [name for name, kind in types.items() if pa.types.is_string(kind)]
        return types, any(len(found[name] - {pa.null()}) > 1 for name in strings)

    def _common(self, name: str, found: set[Any]) -> Any:
        """Return the type that Arrow would have found in the whole file."""
        import pyarrow as pa

        types = found - {pa.null()}
        if len(types) <= 1:
            return next(iter(types), pa.null())
        if types == {pa.int64(), pa.float64()}:
            return pa.float64()
        if all(kind_of_type(kind) or is_string(kind) for kind in types):
            return pa.string()  # numbers and strings are judged as in other formats
        raise DataError(
            f"{self.name}, column {name!r} holds {' and '.join(sorted(map(type_words, types)))} in "
            "different lines; write it in one way"
        )


def parse_json(content: Bytes, name: str, schema: Any = None, first_line: int = 1) -> Any:
    """Return an Arrow table; `schema` has the types of columns where they are known."""
    import pyarrow as pa
    import pyarrow.json as arrow_json

    # a block holds a whole line at least
    options = arrow_json.ReadOptions(block_size=min(len(content) + 1, 1 << 30))
    types = arrow_json.ParseOptions(explicit_schema=schema)
    # Arrow calls itself for each level: thousands of them would end the process
    deep = place_too_deep(np.frombuffer(content, dtype=np.uint8), DEEPEST)
    if deep >= 0:
        line = count(content[:deep], b"\n") + first_line
        said = f"line {line} has values in values in values, more than {DEEPEST} deep"
        raise DataError(_what_is_wrong(content, name, said, first_line))
    try:
        return arrow_json.read_json(pa.BufferReader(owned(content)), options, types)
    except pa.ArrowInvalid as error:
        strings = {f.name for f in schema or () if pa.types.is_string(f.type)}
        mixed = columns_to_write(content, strings)
        if not mixed:
            raise DataError(_what_is_wrong(content, name, str(error), first_line)) from None
    # the schema keeps Arrow from taking strings for dates
    known = {f.name: f.type for f in schema or ()} | dict.fromkeys(mixed, pa.string())
    schema = pa.schema(list(known.items()))
    return parse_json(with_strings(content, mixed), name, schema, first_line)


def _what_is_wrong(content: Bytes, name: str, said: str, first_line: int) -> str:
    kinds: dict[str, type] = {}
    for number, line in enumerate(bytes(content).split(b"\n"), first_line):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            return f"{name}, line {number}: not JSON ({error})"
        except RecursionError:
            break
        if not isinstance(record, dict):
            return f"{name}, line {number}: expected a JSON object, got {line[:40].decode()!r}"
        for key, value in record.items():
            kind = float if type(value) is int else type(value)
            if value is not None and kinds.setdefault(key, kind) is not kind:
                was = "number" if kinds[key] is float else kinds[key].__name__
                shown = first_words(repr(value))
                return f"{name}, line {number}, column {key!r}: expected a {was}, got {shown}"
    return f"{name} cannot be read as JSON lines: {said}"


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
