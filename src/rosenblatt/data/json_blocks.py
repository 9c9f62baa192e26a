"""JSON lines, read block by block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from rosenblatt.data.arrow_files import parse_json
from rosenblatt.data.columns import is_string, kind_of_type
from rosenblatt.data.json_mixed import numbers_as_written
from rosenblatt.data.line_blocks import blocks_of_lines
from rosenblatt.data.sample import check_text, take_sample
from rosenblatt.data.source import Opener
from rosenblatt.data.table import Table, line_place, type_words
from rosenblatt.errors import DataError


class JsonLinesFile:
    """A file of JSON lines that is read in blocks; `opened` opens it anew for each reading."""

    def __init__(self, opened: Opener, name: str, block_bytes: int) -> None:
        self.name, self.notes = name, list[str]()
        self.left_out: set[str] = set()
        self._opened, self._block_bytes = opened, block_bytes
        self._schema: Any = None

    def tables(self) -> Iterator[Table]:
        """Yield the rows, block by block; all columns are there once their types are known."""
        with self._opened() as source:
            line = 1
            take_sample(source)
            for text, end in blocks_of_lines(source.content, self._block_bytes):
                content = check_text(text[:end].tobytes(), self.name, line)
                if content.strip():
                    columns = parse_json(content, self.name, self._schema, line)
                    place, written = line_place(content, line), partial(numbers_as_written, content)
                    yield Table(columns, self.name, place, written=written)
                line += content.count(b"\n")

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
