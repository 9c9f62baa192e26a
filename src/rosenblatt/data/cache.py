"""Read a binary cache of rows, pass after pass."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, Self

import numpy as np

from rosenblatt.checks import NO_WEIGHTS
from rosenblatt.data.cache_file import (
    INT,
    ROWS,
    Header,
    Part,
    check_size,
    checksum,
    damaged_block,
    read_header,
)
from rosenblatt.errors import DataError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.types import Array, Block, Rows

NEAR = 16  # rows: up to here it is faster to read those between than to read twice
BLOCK = 4 << 20  # bytes of a block, unless there is less memory


class Cache:
    """Rows on disk, read block by block into one buffer; use it in a `with` or close it.

    A block is compared with its checksum when it is read for the first time.
    """

    def __init__(
        self, file: BinaryIO, header: Header, name: str = "of this run", block_bytes: int = BLOCK
    ) -> None:
        self.classes: Array = np.array(header.classes, dtype=header.classes_dtype)
        self.n_features, self.n_rows = header.n_features, header.n_rows
        self._file, self._header, self._name = file, header, name
        self._block_bytes, self._good = block_bytes, 0  # blocks known to be good
        self._ranks = np.array(header.ranks, dtype=np.int32)
        self._firsts = np.cumsum([0, *(extent.n_rows for extent in header.extents)])
        self._buffer = np.empty(0, dtype=np.uint8)
        check_size(file, header, name)

    @classmethod
    def open(cls, folder: str | os.PathLike[str], block_bytes: int = BLOCK) -> Self:
        """Open a cache that was kept; refuse one that is damaged."""
        header = read_header(Path(folder))
        file = open(Path(folder) / ROWS, "rb")  # noqa: SIM115 - closed by the cache
        try:
            return cls(file, header, os.fspath(folder), block_bytes)
        except BaseException:
            file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return self._header.kind == "dense"

    @property
    def n_bytes(self) -> int:
        """The size of all blocks."""
        return sum(map(self._header.n_bytes, self._header.extents))

    def one_pass(self, order: Iterator[Array] | None = None) -> Iterator[Block]:
        """Yield all rows, in their order or in the one that is given part by part."""
        if order is None:
            for number in range(len(self._header.extents)):
                yield self._block(number)
            return
        for number in range(self._good, len(self._header.extents)):
            self._read_block(number)
        most = max(1, self._block_bytes // (12 * self._header.longest + 8))
        for part in order:
            for start in range(0, len(part), most):
                yield self._gathered(part[start : start + most])

    def _block(self, number: int) -> Block:
        starts, codes, indices, values = self._read_block(number)
        return self._training_set(starts, codes, indices, values, np.arange(len(codes)))

    def _read_block(self, number: int) -> list[Array]:
        extent = self._header.extents[number]
        n_bytes = self._header.n_bytes(extent)
        if len(self._buffer) < n_bytes:
            self._buffer = np.empty(n_bytes, dtype=np.uint8)
        block = self._buffer[:n_bytes]
        self._read_into(block, extent.offset)
        if number >= self._good:
            if checksum([block.data]) != extent.checksum:
                raise damaged_block(self._name, number)
            self._good = number + 1
        return [
            block[place - extent.offset :][: length * dtype.itemsize].view(dtype)
            for dtype, place, length in self._header.parts(extent)
        ]

    def _gathered(self, order: Array) -> Block:
        """Read rows from all over the file; they are visited in the order given."""
        rows, places = np.unique(order, return_inverse=True)
        ends = np.flatnonzero(np.diff(rows) > NEAR) + 1
        inner = np.searchsorted(rows, self._firsts[1:-1])
        cuts = np.unique(np.concatenate([[0], ends, inner, [len(rows)]]))
        runs = [self._run(rows[a:b]) for a, b in pairwise(cuts)]
        lengths, codes, indices, values = (
            np.concatenate(parts) for parts in zip(*runs, strict=True)
        )
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(INT)
        return self._training_set(starts, codes, indices, values, places.reshape(-1))

    def _run(self, chosen: Array) -> list[Array]:
        """Read rows of one block that are near each other: (lengths, labels, indices, values)."""
        number = int(np.searchsorted(self._firsts, chosen[0], side="right")) - 1
        places = chosen - self._firsts[number]
        a, b = int(places[0]), int(places[-1]) + 1
        starts, labels, indices, values = self._header.parts(self._header.extents[number])
        kept = places - a
        codes = self._slice(labels, a, b)[kept]
        if self._header.kind == "dense":
            none, width = self._slice(indices, 0, 0), self.n_features
            cells = self._slice(values, a * width, b * width).reshape(b - a, width)
            return [none, codes, none, cells[kept].reshape(-1)]
        bounds = self._slice(starts, a, b + 1)
        low, high = int(bounds[0]), int(bounds[-1])
        found = self._slice(values, low, high) if values.length else np.ones(high - low)
        if self._header.kind == "presence":
            found = found[:0]
        lengths, columns = np.diff(bounds), self._slice(indices, low, high)
        if len(kept) < b - a:
            among = np.repeat(np.isin(np.arange(b - a), kept), lengths)
            columns, found = columns[among], found[among] if len(found) else found
        return [lengths[kept], codes, columns, found]

    def _slice(self, part: Part, a: int, b: int) -> Array:
        found: Array = np.empty(b - a, dtype=part.dtype)
        self._read_into(found.view(np.uint8), part.place + a * part.dtype.itemsize)
        return found

    def _read_into(self, block: Array, offset: int) -> None:
        self._file.seek(offset)
        if self._file.readinto(block.data) != len(block):  # type: ignore[attr-defined]  # BinaryIO has no readinto
            raise DataError(f"the cache {self._name} was cut off while it was read")

    def _training_set(
        self, starts: Array, codes: Array, indices: Array, values: Array, order: Array
    ) -> Block:
        rows = self._rows(starts, indices, values, len(codes))
        labels = self._ranks[codes]
        return Block(
            rows, len(codes), labels, self.classes, NO_WEIGHTS, order, self.n_features, None
        )

    def _rows(self, starts: Array, indices: Array, values: Array, n_rows: int) -> Rows:
        if self._header.kind == "dense":
            return values.reshape(n_rows, self.n_features)
        indices += self._header.shift
        if self._header.kind == "presence":
            return Presence(indices, starts)
        # a block of ones was written without them
        values = values if len(values) else np.ones(len(indices), self._header.dtype)
        return CSR(values, indices, starts)
