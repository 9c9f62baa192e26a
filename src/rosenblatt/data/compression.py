"""The bytes of a file, unpacked while they are read, within limits.

A few kilobytes can be made to unpack to any size. Unless told otherwise a packed file may grow to
100 times its size (the first 16 MiB are free) and to 4 GiB at most.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from typing import Any, BinaryIO

from rosenblatt.errors import DataError

MAX_GROWTH = 100
FREE_BYTES = 16 << 20
MAX_BYTES = 4 << 30
BLOCK = 4 << 20

# what a packed file begins with, and the ending of its name
MAGIC = {"gz": b"\x1f\x8b", "bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zst": b"\x28\xb5\x2f\xfd"}
ENDINGS = (".gz", ".bz2", ".xz", ".zst")

_HINT = {
    "do": "if it is meant to be that large, unpack it first, or pass another {max_bytes}",
    "in_shell": "if it is meant to be that large, unpack it first",
}
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)


def without_ending(name: str) -> str:
    """Return a file's name without the ending that compression gave it."""
    for ending in ENDINGS:
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name


class Content(io.RawIOBase):
    """The unpacked bytes of a file; `peek` looks at the first of them without using them up.

    Examples
    --------
    >>> import gzip, io
    >>> content = Content(io.BytesIO(gzip.compress(b"1 1:1")), "a.gz")
    >>> content.peek(1), content.read_all()
    (b'1', b'1 1:1')
    """

    def __init__(self, stream: BinaryIO, name: str, max_bytes: int | None = None) -> None:
        self._packed = _Counted(stream)
        self._name, self._max_bytes = name, max_bytes
        self._ahead, self._n_out = b"", 0
        start = self._packed.read_full(6)
        kind = next((kind for kind, magic in MAGIC.items() if start.startswith(magic)), None)
        self.is_packed = kind is not None
        self._packed.ahead = start
        self._stream = _unpacking(self._packed, kind)

    def peek(self, n: int) -> bytes:
        """Return the first n bytes, fewer if there are no more."""
        block = memoryview(bytearray(max(n - len(self._ahead), 0)))
        n_read = 0
        while n_read < len(block):
            got = self._fetch(block[n_read:])
            if got == 0:
                break
            n_read += got
        self._ahead += bytes(block[:n_read])
        return self._ahead[:n]

    def readable(self) -> bool:
        """Return True, as streams that can be read do."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, or a part of it; return how many bytes, 0 at the end."""
        block = memoryview(buffer)
        if not self._ahead:
            return self._fetch(block)
        n = min(len(self._ahead), len(block))
        block[:n], self._ahead = self._ahead[:n], self._ahead[n:]
        return n

    def read_all(self) -> bytes:
        """Return all that is left."""
        blocks = []
        while block := self.read(BLOCK):
            blocks.append(block)
        return b"".join(blocks)

    def _fetch(self, block: memoryview) -> int:
        try:
            n = int(self._stream.readinto(block) or 0)
        except _BROKEN as error:
            if not self.is_packed:
                raise
            raise DataError(
                f"{self._name} cannot be unpacked, it is cut off or damaged ({error})"
            ) from error
        self._n_out += n
        self._check_size()
        return n

    def _check_size(self) -> None:
        if self._max_bytes is None and self.is_packed and self._n_out > MAX_BYTES:
            raise DataError(f"{self._name} unpacks to more than {MAX_BYTES >> 30} GiB", **_HINT)
        if self._max_bytes is not None or self.is_packed:
            check_growth(self._name, self._packed.n_bytes, self._n_out, self._max_bytes)


def check_growth(name: str, n_packed: int, n_unpacked: int, max_bytes: int | None) -> None:
    """Refuse what unpacks to more than `max_bytes`, or to too many times its size."""
    if max_bytes is not None:
        if n_unpacked > max_bytes:
            raise DataError(f"{name} holds more than the {max_bytes} bytes that max_bytes allows")
    elif n_unpacked > max(FREE_BYTES, MAX_GROWTH * n_packed):
        raise DataError(f"{name} unpacks to more than {MAX_GROWTH} times its size", **_HINT)


class _Counted(io.RawIOBase):
    """A stream that counts what is read from it and can be given its first bytes back."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.ahead, self.n_bytes = b"", 0

    def readable(self) -> bool:
        return True

    def read_full(self, n: int) -> bytes:
        """Return n bytes, fewer only at the end: a pipe may hand them over one by one."""
        block = b""
        while len(block) < n and (more := self.read(n - len(block))):
            block += more
        return block

    def readinto(self, buffer: Any) -> int:
        block = memoryview(buffer)
        if self.ahead:
            n = min(len(self.ahead), len(block))
            block[:n], self.ahead = self.ahead[:n], self.ahead[n:]
            return n
        n = int(self._stream.readinto(block) or 0)  # type: ignore[attr-defined]  # BinaryIO has no readinto
        self.n_bytes += n
        return n


def _unpacking(packed: _Counted, kind: str | None) -> Any:
    if kind is None:
        return packed
    if kind == "zst":
        import pyarrow as pa

        return pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")
    opened: Any = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}[kind]
    return opened(io.BufferedReader(packed, 1 << 16))
