"""The binary file of a cache: blocks one after the other, and a header that tells where they are.

A block is a few arrays, little-endian, each filled up to a multiple of 8 bytes:

    starts    int32, rows + 1    where each row begins; not for dense rows
    labels    int32, rows        numbers of labels, in the order of their coming
    indices   int32, entries     columns; not for dense rows
    values    floats             one for each entry; not for presence rows

The header is JSON with a checksum of each block and one of itself.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.types import Array

VERSION = 1
ROWS, HEADER = "rows.bin", "header.json"
INT = np.dtype("<i4")
KINDS = ("dense", "csr", "presence")
DTYPES = ("<f8", "<f4")


class Extent(NamedTuple):
    """Where a block is, and what it has."""

    offset: int
    n_rows: int
    n_entries: int  # of all rows; for dense rows those that are stored, zeros too
    has_values: bool
    checksum: int


class Part(NamedTuple):
    """Where an array of a block is in the file."""

    dtype: np.dtype[Any]
    place: int
    length: int


@dataclass(frozen=True)
class Header:
    """What there is to know about a cache."""

    kind: str  # one of KINDS
    dtype: str  # of the values
    n_features: int
    shift: int  # to be added to every index
    classes: list[Any]
    classes_dtype: str
    ranks: list[int]  # the place among the classes of each number of a label
    longest: int  # entries of the longest row
    extents: list[Extent]

    @property
    def n_rows(self) -> int:
        """The rows of all blocks."""
        return sum(extent.n_rows for extent in self.extents)

    def parts(self, extent: Extent) -> list[Part]:
        """Return where the arrays of a block are: starts, labels, indices, values."""
        dense = self.kind == "dense"
        lengths = (
            0 if dense else extent.n_rows + 1,
            extent.n_rows,
            0 if dense else extent.n_entries,
            extent.n_entries if extent.has_values else 0,
        )
        found, place = [], extent.offset
        for length, dtype in zip(lengths, (INT, INT, INT, np.dtype(self.dtype)), strict=True):
            found.append(Part(dtype, place, length))
            place += padded(length * dtype.itemsize)
        return found

    def n_bytes(self, extent: Extent) -> int:
        """Return how long a block is."""
        dtype, place, length = self.parts(extent)[-1]
        return place + padded(length * dtype.itemsize) - extent.offset


def padded(n_bytes: int) -> int:
    """Return the next multiple of 8."""
    return -(-n_bytes // 8) * 8


def block_bytes(*arrays: Array) -> list[memoryview]:
    """Return the arrays as they are in a file."""
    found = []
    for array in arrays:
        flat = np.ascontiguousarray(array).reshape(-1)
        little = flat.astype(flat.dtype.newbyteorder("<"), copy=False)
        found.append(little.view(np.uint8).data)
        found.append(memoryview(bytes(padded(little.nbytes) - little.nbytes)))
    return found


def checksum(pieces: list[memoryview]) -> int:
    """Return the CRC-32 of bytes."""
    code = 0
    for piece in pieces:
        code = zlib.crc32(piece, code)
    return code


def write_header(folder: Path, header: Header) -> None:
    """Write the header of a cache whose rows are all there: the last thing to be written."""
    text = _text(asdict(header))
    whole = {"version": VERSION, "checksum": zlib.crc32(text.encode()), "cache": json.loads(text)}
    unfinished = folder / f"{HEADER}.new"
    unfinished.write_text(json.dumps(whole))
    os.replace(unfinished, folder / HEADER)


def read_header(folder: Path) -> Header:
    """Read a header; say what is wrong with one that is not as it was written."""
    try:
        whole = json.loads((folder / HEADER).read_text())
        facts, version, code = whole["cache"], whole["version"], whole["checksum"]
    except FileNotFoundError:
        raise DataError(f"{folder} is not a cache, or one that was never finished") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, f"its header cannot be read ({error})") from error
    if version != VERSION:
        raise DataError(
            f"{folder} is a cache of version {version}, this is version {VERSION}; make it again"
        )
    if zlib.crc32(_text(facts).encode()) != code:
        raise _damaged(folder, "its header is not as it was written")
    extents = [Extent(*extent) for extent in facts.pop("extents")]
    return Header(**facts, extents=extents)


def check_size(file: BinaryIO, header: Header, name: str) -> None:
    """Refuse a file that is shorter or longer than the header says."""
    n_bytes = sum(map(header.n_bytes, header.extents))
    found = os.fstat(file.fileno()).st_size
    if found != n_bytes:
        raise _damaged(name, f"{n_bytes} bytes were written and {found} are there")


def _text(facts: dict[str, Any]) -> str:
    return json.dumps(facts, sort_keys=True)


def _damaged(name: Any, why: str) -> DataError:
    return DataError(f"the cache {name} is damaged: {why}; delete it and make it again")


def damaged_block(name: str, number: int) -> DataError:
    """Return the error for a block whose checksum is another one."""
    return _damaged(name, f"block {number} is not as it was written")
