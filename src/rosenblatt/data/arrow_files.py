"""JSON lines, Parquet and Arrow (Feather) files: Arrow's readers, our words for what is wrong."""

from __future__ import annotations

import json
from typing import Any

from rosenblatt.data.compression import check_growth
from rosenblatt.data.json_mixed import columns_to_write, with_strings
from rosenblatt.data.sample import check_text
from rosenblatt.data.source import Source
from rosenblatt.data.table import Table, line_place
from rosenblatt.errors import DataError

VALUE_BYTES = 8


def read_json_lines(content: bytes, name: str) -> Table:
    r"""Read a table from one JSON object per line; what a line leaves out is missing.

    Examples
    --------
    >>> read_json_lines(b'{"a": 1}\n{"a": 2, "b": "x"}', "x.jsonl").columns.to_pydict()
    {'a': [1, 2], 'b': [None, 'x']}
    """
    columns = parse_json(check_text(content, name), name)
    return Table(not_empty(columns, name), name, line_place(content))


def parse_json(content: bytes, name: str, schema: Any = None, first_line: int = 1) -> Any:
    """Return an Arrow table; `schema` has the types of columns where they are known."""
    import pyarrow as pa
    import pyarrow.json as arrow_json

    # a block holds a whole line at least
    options = arrow_json.ReadOptions(block_size=min(len(content) + 1, 1 << 30))
    types = arrow_json.ParseOptions(explicit_schema=schema)
    try:
        return arrow_json.read_json(pa.BufferReader(content), options, types)
    except pa.ArrowInvalid as error:
        strings = {f.name for f in schema or () if pa.types.is_string(f.type)}
        mixed = columns_to_write(content, strings)
        if not mixed:
            raise DataError(_what_is_wrong(content, name, str(error), first_line)) from None
    # the schema keeps Arrow from taking strings for dates
    known = {f.name: f.type for f in schema or ()} | dict.fromkeys(mixed, pa.string())
    schema = pa.schema(list(known.items()))
    return parse_json(with_strings(content, mixed), name, schema, first_line)


def _what_is_wrong(content: bytes, name: str, said: str, first_line: int) -> str:
    kinds: dict[str, type] = {}
    for number, line in enumerate(content.split(b"\n"), first_line):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            return f"{name}, line {number}: not JSON ({error})"
        if not isinstance(record, dict):
            return f"{name}, line {number}: expected a JSON object, got {line[:40].decode()!r}"
        for key, value in record.items():
            kind = float if type(value) is int else type(value)
            if value is not None and kinds.setdefault(key, kind) is not kind:
                was = "number" if kinds[key] is float else kinds[key].__name__
                return f"{name}, line {number}, column {key!r}: expected a {was}, got {value!r}"
    return f"{name} cannot be read as JSON lines: {said}"


def read_parquet(source: Source) -> Table:
    """Read a table from a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    try:
        with parquet.ParquetFile(_input(source)) as file:
            check_rows_of(file, source)
            columns = file.read()
    except (pa.ArrowException, OSError) as error:
        raise damaged(source.name, "a Parquet", error) from error
    return Table(not_empty(columns, source.name), source.name)


def check_rows_of(file: Any, source: Source) -> None:
    """Refuse a Parquet file that says it has far more rows than its bytes can hold."""
    if source.n_bytes is not None:
        n_bytes = file.metadata.num_rows * file.metadata.num_columns * VALUE_BYTES
        check_growth(source.name, source.n_bytes, n_bytes, source.max_bytes)


def read_arrow(source: Source) -> Table:
    """Read a table from an Arrow file (Feather), or an Arrow stream."""
    import pyarrow as pa

    content = pa.py_buffer(source.content.read_all())
    opened = pa.ipc.open_file if content[:6].to_pybytes() == b"ARROW1" else pa.ipc.open_stream
    try:
        columns = opened(content).read_all()
        columns.validate(full=True)  # offsets of a damaged file point anywhere
    except (pa.ArrowException, OSError) as error:
        raise damaged(source.name, "an Arrow", error) from error
    return Table(not_empty(columns, source.name), source.name)


def damaged(name: str, kind: str, error: Exception) -> DataError:
    """Return the error for a file that Arrow cannot read."""
    return DataError(f"{name} is not {kind} file, or damaged ({error})")


def _input(source: Source) -> Any:
    import pyarrow as pa

    return str(source.path) if source.path else pa.BufferReader(source.content.read_all())


def not_empty(columns: Any, name: str) -> Any:
    """Return the columns; refuse none, none of rows, and two of one name."""
    if columns.num_rows == 0 or columns.num_columns == 0:
        raise DataError(f"{name} has no rows")
    repeated = [other for other in columns.column_names if columns.column_names.count(other) > 1]
    if repeated:
        raise DataError(f"{name} has two columns named {repeated[0]!r}; rename one of them")
    return columns
