"""The file itself: a safetensors file with a checksum at a fixed place (docs/model-files.md).

    8 bytes   length of the header, little-endian
    header    JSON: {"__metadata__": {"format", "xxh64", "bytes", "version", ...}, arrays ...}
    arrays    one behind the other, little-endian, in C order

The first three entries of the metadata have fixed places and widths. So the checksum covers the
whole file, with zeros in its own place, and a file can be judged before anything is parsed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import FileIO
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import xxhash

from rosenblatt.errors import ModelFileError
from rosenblatt.files import open_regular, replace_file

if TYPE_CHECKING:
    from rosenblatt.types import Array

VERSION = 1
MAGIC = b'{"__metadata__":{"format":"rosenblatt model","xxh64":"'
BETWEEN, BEHIND = b'","bytes":"', b'","version":"'
DIGEST, LENGTH = 16, 20  # places: a digest in hexadecimal, the bytes of the file in decimal
DIGEST_AT = 8 + len(MAGIC)
LENGTH_AT = DIGEST_AT + DIGEST + len(BETWEEN)
PRELUDE = LENGTH_AT + LENGTH + len(BEHIND)
MOST_HEADER = 100_000_000  # that of the safetensors library
MOST_AXES = 8
ALIGNED = 64  # arrays begin at a multiple of it, so that they need no copy
CHUNK = 1 << 20  # read and summed up while it is in the cache

DTYPES = {
    "BOOL": np.dtype("?"),
    "I8": np.dtype("<i1"),
    "U8": np.dtype("<u1"),
    "I16": np.dtype("<i2"),
    "U16": np.dtype("<u2"),
    "F16": np.dtype("<f2"),
    "I32": np.dtype("<i4"),
    "U32": np.dtype("<u4"),
    "F32": np.dtype("<f4"),
    "I64": np.dtype("<i8"),
    "U64": np.dtype("<u8"),
    "F64": np.dtype("<f8"),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Content(NamedTuple):
    """What a file holds."""

    metadata: dict[str, str]
    arrays: dict[str, Array]


def write_file(path: str | Path, content: Content, *, private: bool = False) -> None:
    """Write a file: whatever happens, the old file or the new one is there, never half of one.

    A new file that is private can be read by its owner only.
    """
    arrays = {
        name: np.asarray(a, dtype=a.dtype.newbyteorder("<"), order="C")
        for name, a in content.arrays.items()
    }
    # the widest numbers first: then every array begins at a multiple of its item size
    names = sorted(arrays, key=lambda name: -arrays[name].itemsize)
    parts: list[Any] = [arrays[name].reshape(-1).view(np.uint8).data for name in names]
    header = _header(content.metadata, {name: arrays[name] for name in names})
    digest = xxhash.xxh64()
    for part in (header, *parts):
        digest.update(part)
    end = DIGEST_AT + DIGEST
    header = header[:DIGEST_AT] + digest.hexdigest().encode() + header[end:]
    try:
        replace_file(Path(path), [header, *parts], private=private)
    except OSError as error:
        raise ModelFileError(f"{path} cannot be written: {error.strerror}") from error


def read_file(path: str | Path) -> Content:
    """Read a file and check it; a ModelFileError says what is wrong with it."""
    try:
        with open_regular(path) as file:
            raw = _checked_bytes(path, file, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read: {error.strerror}") from error
    try:
        return _parse(raw)
    except _FormError as error:
        raise ModelFileError(f"{path} {error}") from error


class _FormError(Exception):
    """What is wrong with a file whose checksum is right."""


def _header(metadata: Mapping[str, str], arrays: Mapping[str, Array]) -> bytes:
    """Return the first 8 bytes and the header, with zeros for the digest."""
    entries, end = {}, 0
    for name, a in arrays.items():
        entries[name] = {
            "dtype": NAMES[a.dtype],
            "shape": list(a.shape),
            "data_offsets": [end, end + a.nbytes],
        }
        end += a.nbytes
    rest = json.dumps({"version": str(VERSION), **metadata}, separators=(",", ":"))[1:]
    tail = json.dumps(entries, separators=(",", ":"))[1:]
    start = MAGIC + b"0" * DIGEST + BETWEEN + b"0" * LENGTH + b'",'
    text = start + rest.encode() + (b"," if entries else b"") + tail.encode()
    text += b" " * (-(8 + len(text)) % ALIGNED)
    if len(text) > MOST_HEADER:
        raise ModelFileError(
            f"the model has a header of {len(text)} bytes, a file has at most {MOST_HEADER}; "
            "it has too many separate arrays"
        )
    size = b"%020d" % (8 + len(text) + end)
    header = len(text).to_bytes(8, "little") + text
    return header[:LENGTH_AT] + size + header[LENGTH_AT + LENGTH :]


def _checked_bytes(path: str | Path, file: FileIO, size: int) -> Array:
    """Return the bytes of the file if its beginning, its length and its checksum are right."""
    start = file.read(min(size, PRELUDE))
    if not start:
        raise ModelFileError(f"{path} is empty")
    if not MAGIC.startswith(start[8:DIGEST_AT]):
        raise ModelFileError(
            f"{path} is not a model file of rosenblatt",
            do="rosenblatt.save writes one",
            in_shell="`rosenblatt fit -o` writes one; the model comes first, then the data",
        )
    said = start[LENGTH_AT : LENGTH_AT + LENGTH]
    if len(start) < PRELUDE or (said.isdigit() and size < int(said)):
        whole = int(said) if len(said) == LENGTH and said.isdigit() else f"at least {PRELUDE}"
        raise ModelFileError(f"{path} is cut off: it has {size} of {whole} bytes")
    if said.isdigit() and size > int(said):
        raise ModelFileError(f"{path} has {size - int(said)} bytes too many; it is damaged")
    raw = np.empty(size, dtype=np.uint8)
    raw[: len(start)] = np.frombuffer(start, dtype=np.uint8)
    if _digest(raw, file, len(start)) != start[DIGEST_AT : DIGEST_AT + DIGEST]:
        raise ModelFileError(f"{path} is damaged: its checksum is wrong; save or copy it again")
    return raw


def _digest(raw: Array, file: FileIO, n_read: int) -> bytes:
    """Read the rest of the file into `raw`; return the digest of all, zeros in its own place."""
    digest = xxhash.xxh64()
    digest.update(raw.data[:DIGEST_AT])
    digest.update(b"0" * DIGEST)
    digest.update(raw.data[DIGEST_AT + DIGEST : n_read])
    room = raw.data
    while n_read < len(raw):
        n = file.readinto(room[n_read : n_read + CHUNK])
        if not n:
            break  # cut while it is read; the digest will not fit
        digest.update(room[n_read : n_read + n])
        n_read += n
    return digest.hexdigest().encode()


def _parse(raw: Array) -> Content:
    length = int.from_bytes(raw[:8].tobytes(), "little")
    if length > min(MOST_HEADER, len(raw) - 8):
        raise _FormError(f"has a header of {length} bytes, more than can be")
    try:
        header = json.loads(raw[8 : 8 + length].tobytes(), object_pairs_hook=_once)
        metadata = header.pop("__metadata__")
        version = int(metadata["version"])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise _FormError(f"has a header that cannot be read: {str(error)[:80]}") from error
    if version > VERSION:
        raise _FormError(
            f"was written by a newer rosenblatt: its form is {version}, this one reads {VERSION}"
        )
    if version < 1 or not all(isinstance(value, str) for value in metadata.values()):
        raise _FormError("has metadata that no version of rosenblatt writes")
    return Content(metadata, _arrays(header, raw[8 + length :]))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a name comes twice")
    return content


def _arrays(entries: dict[str, Any], data: Array) -> dict[str, Array]:
    arrays, end = {}, 0
    try:
        for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
            begin, stop = entry["data_offsets"]
            if begin != end:
                raise _FormError(f"has a gap before the array {name[:80]!r}")
            arrays[name] = _array(entry, data, begin, stop)
            end = stop
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        raise _FormError(f"describes its arrays wrongly: {str(error)[:80]}") from error
    if end != len(data):
        raise _FormError(f"has {len(data)} bytes of arrays, and says that they have {end}")
    return arrays


def _array(entry: dict[str, Any], data: Array, begin: int, stop: int) -> Array:
    dtype, shape = DTYPES[entry["dtype"]], entry["shape"]
    if len(shape) > MOST_AXES or not all(type(n) is int and 0 <= n < 1 << 48 for n in shape):
        raise ValueError(f"no shape: {shape!r}")
    if stop - begin != prod(shape) * dtype.itemsize or stop > len(data):
        raise ValueError(f"{shape} does not fit the bytes {begin} to {stop}")
    part = data[begin:stop]
    if dtype.kind == "b" and (part > 1).any():
        raise ValueError("a truth value is neither 0 nor 1")
    array = part.view(dtype).reshape(shape)
    if not array.flags.aligned:
        array = array.copy()
    return array.astype(dtype.newbyteorder("="), copy=False)
