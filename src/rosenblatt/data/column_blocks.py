"""Parquet and Arrow files, read block by block; each column has one type."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rosenblatt.data.arrow_files import check_rows_of, not_empty, saying_what_is_damaged
from rosenblatt.data.pandas_index import without_index
from rosenblatt.data.source import Opener, Source
from rosenblatt.data.table import Table, row_place
from rosenblatt.errors import ParameterError

FILE_MAGIC = b"ARROW1"
BUFFER = 1 << 18  # bytes read at a time of each column of a Parquet file
MEGABYTE = 1 << 20
MOST_ROWS = 1 << 16


class _ColumnFile:
    """A file of columns; `opened` opens it anew for each reading."""

    kind = ""

    def __init__(self, opened: Opener, name: str, block_bytes: int, memory: int) -> None:
        self.name, self.notes = name, list[str]()
        self.left_out: set[str] = set()
        self._opened, self._block_bytes, self._memory = opened, block_bytes, memory

    def tables(self) -> Iterator[Table]:
        """Yield the rows, block by block."""
        import pyarrow as pa

        first = 0
        with self._opened() as source, saying_what_is_damaged(self.name, self.kind):
            for batch in self._batches(source):
                columns = pa.Table.from_batches([batch])
                columns.validate(full=True)  # offsets of a damaged file point anywhere
                table = Table(not_empty(columns, self.name), self.name, _place(first))
                yield without_index(table, self.notes)
                first += batch.num_rows

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column."""
        return {name: next(iter(types)) for name, types in found.items()}, False

    def _batches(self, source: Source) -> Iterator[Any]:
        """Return the record batches of a file; each format has its own way."""
        raise NotImplementedError

    def _rows_of(self, n_rows: int, n_bytes: int) -> int:
        """Return how many rows go into a block, given how long some of them are."""
        return max(1, min(MOST_ROWS, self._block_bytes * n_rows // max(n_bytes, 1)))


class ParquetFile(_ColumnFile):
    """A Parquet file that is read in blocks."""

    kind = "a Parquet"

    def _batches(self, source: Source) -> Iterator[Any]:
        import pyarrow.parquet as parquet

        place: Any = str(source.path) if source.path else source.file
        with parquet.ParquetFile(place, buffer_size=BUFFER, pre_buffer=False) as file:
            check_rows_of(file, source, source.n_bytes)
            facts = file.metadata
            groups = [facts.row_group(k) for k in range(facts.num_row_groups)]
            n_bytes = sum(group.total_byte_size for group in groups)
            n_rows = self._rows_of(facts.num_rows, n_bytes)
            for batch in file.iter_batches(n_rows, use_threads=False):
                if batch.num_rows:
                    yield batch


class ArrowFile(_ColumnFile):
    """An Arrow file (Feather) or stream that is read in blocks.

    A record batch that is not packed is looked at where it is in the file; one that is packed is
    unpacked as a whole.
    """

    kind = "an Arrow"

    def _batches(self, source: Source) -> Iterator[Any]:
        import pyarrow as pa

        with _mapped(source) as content:
            before = pa.total_allocated_bytes()
            for batch in _record_batches(content):
                self._check_fits(pa.total_allocated_bytes() - before)
                size = self._rows_of(batch.num_rows, batch.get_total_buffer_size())
                for start in range(0, batch.num_rows, size):
                    yield batch.slice(start, size)

    def _check_fits(self, n_bytes: int) -> None:
        if n_bytes > self._memory // 2:
            raise ParameterError(
                f"{self.name} has a record batch of {n_bytes // MEGABYTE}MB",
                do="write it in smaller ones, or use {memory:{needed}MB}",
                needed=-(-2 * n_bytes // MEGABYTE),
            )


def _record_batches(content: Any) -> Iterator[Any]:
    import pyarrow as pa

    # the mapped bytes are Python's: no thread of Arrow's may be the last to let go of them
    alone = pa.ipc.IpcReadOptions(use_threads=False)
    if content[:6].to_pybytes() != FILE_MAGIC:
        yield from pa.ipc.open_stream(content, options=alone)
        return
    reader = pa.ipc.open_file(content, options=alone)
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)


@contextmanager
def _mapped(source: Source) -> Iterator[Any]:
    """Give the bytes of a file without reading all of them."""
    import pyarrow as pa

    if source.file is not None:
        yield pa.py_buffer(mmap.mmap(source.file.fileno(), 0, access=mmap.ACCESS_READ))
        return
    with open(source.path or source.name, "rb") as file:
        yield pa.py_buffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _place(first: int) -> Any:
    return lambda row: row_place(first + row)
