"""The bytes of a model file: safetensors with a checksum at a fixed place (docs/model-files.md).

    8 bytes   length of the header, little-endian
    header    JSON: {"__metadata__": {"format", "xxh64", "bytes", "version", ...}, arrays ...}
    arrays    one behind the other, little-endian, in C order

The first three entries of the metadata have fixed places and widths. So the checksum covers the
whole file, with zeros in its own place, and a file can be judged before anything is parsed.

Arrays are bytes with a kind and a shape here, and `arrays` makes NumPy's of them: a mail filter is
read for each message that comes, in less time than NumPy takes to load.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from io import FileIO
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import xxhash

from rosenblatt.errors import ModelFileError
from rosenblatt.files import open_regular, replace_file

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

ITEM_SIZES = {"BOOL": 1, "I8": 1, "U8": 1, "I16": 2, "U16": 2, "F16": 2}
ITEM_SIZES |= {"I32": 4, "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8}


class StoredArray(NamedTuple):
    """An array as it lies in a file."""

    dtype: str  # one of ITEM_SIZES
    shape: tuple[int, ...]
    data: memoryview  # its bytes


class Content(NamedTuple):
    """What a file holds."""

    metadata: dict[str, str]
    arrays: dict[str, StoredArray]


def write_content(path: str | os.PathLike[str], content: Content, *, private: bool = False) -> None:
    """Write a file: whatever happens, the old file or the new one is there, never half of one.

    A new file that is private can be read by its owner only.
    """
    # the widest numbers first: then every array begins at a multiple of its item size
    in_order = sorted(content.arrays.items(), key=lambda item: -ITEM_SIZES[item[1].dtype])
    header = _header(content.metadata, dict(in_order))
    parts: list[Any] = [header, *(array.data for _, array in in_order)]
    digest = xxhash.xxh64()
    for part in parts:
        digest.update(part)
    parts[0] = header[:DIGEST_AT] + digest.hexdigest().encode() + header[DIGEST_AT + DIGEST :]
    try:
        replace_file(Path(path), parts, private=private)
    except OSError as error:
        raise ModelFileError(f"{path} cannot be written: {error.strerror}") from error


def read_content(path: str | os.PathLike[str], room: Callable[[int], Any] = bytearray) -> Content:
    """Read a file and check it; a ModelFileError says what is wrong with it.

    `room` makes a buffer of so many bytes, in which the arrays stay. That of NumPy takes half the
    time of a bytearray, which is filled with zeros first.
    """
    try:
        file = open_regular(path)
    except (OSError, ValueError) as error:  # of a name that has a NUL in it
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(f"{path} cannot be read: {reason}") from error
    with file:
        try:
            return _content(file, os.fstat(file.fileno()).st_size, path, room)
        except OSError as error:
            raise ModelFileError(f"{path} cannot be read: {error.strerror}") from error


class _FormError(Exception):
    """What is wrong with a file whose checksum is right."""


def _header(metadata: Mapping[str, str], arrays: Mapping[str, StoredArray]) -> bytes:
    """Return the first 8 bytes and the header, with zeros for the digest."""
    entries, end = {}, 0
    for name, (dtype, shape, data) in arrays.items():
        place = [end, end + data.nbytes]
        entries[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": place}
        end += data.nbytes
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


def _content(file: FileIO, size: int, name: object, room: Callable[[int], Any]) -> Content:
    start = file.read(min(size, PRELUDE))
    _check_start(start, size, name)
    raw = memoryview(room(size))
    raw[: len(start)] = start
    if _digest(raw, file, len(start)) != start[DIGEST_AT : DIGEST_AT + DIGEST]:
        raise ModelFileError(
            f"{name} is damaged: its checksum is wrong", do="save or copy it again"
        )
    try:
        return _parse(raw)
    except _FormError as error:
        raise ModelFileError(f"{name} {error}") from error


def _check_start(start: bytes, size: int, name: object) -> None:
    """Raise a ModelFileError if a file does not begin as it should, or has another length."""
    if not start:
        raise ModelFileError(f"{name} is empty")
    # before MAGIC comes the length of a header, and none has 2^32 bytes
    is_other = start[4:].strip(b"\0") if size <= 8 else not MAGIC.startswith(start[8:DIGEST_AT])
    if is_other:
        raise ModelFileError(
            f"{name} is not a model file of rosenblatt",
            do="rosenblatt.save writes one",
            in_shell="`rosenblatt fit -o` writes one; the model comes first, then the data",
        )
    said = start[LENGTH_AT : LENGTH_AT + LENGTH]
    if len(start) < PRELUDE or (said.isdigit() and size < int(said)):
        whole = int(said) if len(said) == LENGTH and said.isdigit() else f"at least {PRELUDE}"
        raise ModelFileError(f"{name} is cut off: it has {size} of {whole} bytes")
    if said.isdigit() and size > int(said):
        raise ModelFileError(f"{name} has {size - int(said)} bytes too many; it is damaged")


def _digest(raw: memoryview, file: FileIO, n_read: int) -> bytes:
    """Read the rest of the file into `raw`; return the digest of all, zeros in its own place."""
    digest = xxhash.xxh64(raw[:DIGEST_AT])
    digest.update(b"0" * DIGEST)
    digest.update(raw[DIGEST_AT + DIGEST : n_read])
    while n_read < len(raw):
        n = file.readinto(raw[n_read : n_read + CHUNK])
        if not n:
            break  # cut while it is read; the digest will not fit
        digest.update(raw[n_read : n_read + n])
        n_read += n
    return digest.hexdigest().encode()


def _parse(raw: memoryview) -> Content:
    length = int.from_bytes(raw[:8], "little")
    if length > min(MOST_HEADER, len(raw) - 8):
        raise _FormError(f"has a header of {length} bytes, more than can be")
    try:
        header = json.loads(bytes(raw[8 : 8 + length]), object_pairs_hook=_once)
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


def _arrays(entries: dict[str, Any], data: memoryview) -> dict[str, StoredArray]:
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


def _array(entry: dict[str, Any], data: memoryview, begin: int, stop: int) -> StoredArray:
    dtype, shape = entry["dtype"], entry["shape"]
    size = ITEM_SIZES[dtype]
    if len(shape) > MOST_AXES or not all(type(n) is int and 0 <= n < 1 << 48 for n in shape):
        raise ValueError(f"no shape: {shape!r}")
    if stop - begin != prod(shape) * size or stop > len(data):
        raise ValueError(f"{shape} does not fit the bytes {begin} to {stop}")
    part = data[begin:stop]
    if dtype == "BOOL" and part.tobytes().translate(None, b"\0\1"):
        raise ValueError("a truth value is neither 0 nor 1")
    return StoredArray(dtype, tuple(shape), part)
