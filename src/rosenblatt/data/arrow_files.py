"""JSON lines, Parquet and Arrow (Feather) files: Arrow's readers, our words for what is wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from rosenblatt.data.buffers import Bytes, count, owned
from rosenblatt.data.compression import check_growth
from rosenblatt.data.json_mixed import columns_to_write, numbers_as_written, with_strings
from rosenblatt.data.sample import check_text
from rosenblatt.data.source import Source
from rosenblatt.data.table import Table, line_place
from rosenblatt.errors import DataError
from rosenblatt.kernels.json_depth import place_too_deep

VALUE_BYTES = 8
SHOWN = 200  # letters of what Arrow says, or of a value
DEEPEST = 64  # levels of JSON


def read_json_lines(content: Bytes, name: str) -> Table:
    r"""Read a table from one JSON object per line; what a line leaves out is missing.

    Examples
    --------
    >>> read_json_lines(b'{"a": 1}\n{"a": 2, "b": "x"}', "x.jsonl").columns.to_pydict()
    {'a': [1, 2], 'b': [None, 'x']}
    """
    columns = parse_json(check_text(content, name), name)
    written = partial(numbers_as_written, content)
    return Table(not_empty(columns, name), name, line_place(content), written=written)


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
                shown = _first_words(repr(value))
                return f"{name}, line {number}, column {key!r}: expected a {was}, got {shown}"
    return f"{name} cannot be read as JSON lines: {said}"


def read_parquet(source: Source) -> Table:
    """Read a table from a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    with saying_what_is_damaged(source.name, "a Parquet"):
        place: Any = str(source.path) if source.path else source.read_all()
        n_packed = source.n_bytes if source.path else len(place)
        with parquet.ParquetFile(place if source.path else pa.BufferReader(place)) as file:
            check_rows_of(file, source, n_packed)
            columns = file.read()
        columns.validate(full=True)
        return Table(not_empty(columns, source.name), source.name)


def check_rows_of(file: Any, source: Source, n_packed: int | None) -> None:
    """Refuse a Parquet file that says it has far more rows than its bytes can hold."""
    if n_packed is not None:
        n_bytes = file.metadata.num_rows * file.metadata.num_columns * VALUE_BYTES
        check_growth(source.name, n_packed, n_bytes, source.max_bytes)


def read_arrow(source: Source) -> Table:
    """Read a table from an Arrow file (Feather), or an Arrow stream."""
    import pyarrow as pa

    content = source.read_all()
    opened = pa.ipc.open_file if content[:6].to_pybytes() == b"ARROW1" else pa.ipc.open_stream
    with saying_what_is_damaged(source.name, "an Arrow"):
        columns = opened(content).read_all()
        columns.validate(full=True)  # offsets of a damaged file point anywhere
        return Table(not_empty(columns, source.name), source.name)


@contextmanager
def saying_what_is_damaged(name: str, kind: str) -> Iterator[None]:
    """Say in our words that Arrow cannot read a file, or that what it holds is no text."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{name} is not {kind} file, or damaged ({_first_words(str(error))})"
        ) from error


def _first_words(said: str) -> str:
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}..."


def not_empty(columns: Any, name: str) -> Any:
    """Return the columns; refuse none, none of rows, and two of one name."""
    if columns.num_rows == 0 or columns.num_columns == 0:
        raise DataError(f"{name} has no rows")
    # the names once: Arrow makes the list anew each time, and there may be 20,000 columns
    repeated = [other for other, times in Counter(columns.column_names).items() if times > 1]
    if repeated:
        raise DataError(f"{name} has two columns named {repeated[0]!r}; rename one of them")
    return columns
