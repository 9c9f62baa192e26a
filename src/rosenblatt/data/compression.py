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
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from rosenblatt.data.buffers import filled
from rosenblatt.errors import DataError

MAX_GROWTH = 100
NEWLINE, RETURN = 10, 13
FREE_BYTES = 16 << 20
MAX_BYTES = 4 << 30

# what a packed file begins with, and the ending of its name
MAGIC = {"gz": b"\x1f\x8b", "bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zst": b"\x28\xb5\x2f\xfd"}
PIECE = 1 << 16  # packed bytes at a time
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


class ByteStream(io.RawIOBase):
    """The unpacked bytes of a file; `peek` looks at the first of them without using them up.

    Examples
    --------
    >>> import gzip, io
    >>> content = ByteStream(io.BytesIO(gzip.compress(b"1 1:1")), "a.gz")
    >>> content.peek(1), content.read_all().to_pybytes()
    (b'1', b'1 1:1')
    """

    def __init__(
        self,
        stream: BinaryIO,
        name: str,
        max_bytes: int | None = None,
        *,
        may_be_packed: bool = True,
    ) -> None:
        self._packed = _Counted(stream)
        self._name, self._max_bytes = name, max_bytes
        self._ahead, self._n_out = b"", 0
        self._ends_lines_at_returns = False
        start = self._packed.read_full(6)
        kind = next((kind for kind, magic in MAGIC.items() if start.startswith(magic)), None)
        kind = kind if may_be_packed else None
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

    @property
    def as_it_comes(self) -> bool:
        """Whether what is there is read, without waiting for a block to be full."""
        return self._packed.as_it_comes

    def do_not_wait(self) -> None:
        """Give what is there from now on, as a pipe has it."""
        self._packed.as_it_comes = True

    def readable(self) -> bool:
        """Return True, as streams that can be read do."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, or a part of it; return how many bytes, 0 at the end."""
        block = memoryview(buffer)
        n = min(len(self._ahead), len(block))
        if n:
            block[:n], self._ahead = self._ahead[:n], self._ahead[n:]
        else:
            n = self._fetch(block)
        if self._ends_lines_at_returns:
            self._end_lines(block[:n])
        return n

    def end_lines_at_returns(self) -> None:
        """Take a carriage return for the end of a line from now on, as old files have it."""
        self._ends_lines_at_returns = True

    def _end_lines(self, block: memoryview) -> None:
        text = np.frombuffer(block, dtype=np.uint8)
        returns = np.flatnonzero(text == RETURN)
        if len(returns) and returns[-1] == len(text) - 1:
            # the next byte tells, if there is one
            if self.peek(1) != b"\n":
                text[-1] = NEWLINE
            returns = returns[:-1]
        text[returns[text[returns + 1] != NEWLINE]] = NEWLINE

    def read_all(self, expected: int | None = None) -> Any:
        """Return all that is left, in a buffer of Arrow's; so many bytes, if that is known."""
        return filled(self.readinto, expected or 0)

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
        self.ahead, self.n_bytes, self.as_it_comes = b"", 0, False

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
        # standard input has a buffer, which would be filled first
        once = getattr(self._stream, "readinto1", None) if self.as_it_comes else None
        n = int((once or self._stream.readinto)(block) or 0)  # type: ignore[attr-defined]  # BinaryIO has no readinto
        self.n_bytes += n
        return n


def _unpacking(packed: _Counted, kind: str | None) -> Any:
    if kind is None:
        return packed
    if kind == "zst":
        import pyarrow as pa

        return pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")
    if kind == "gz":
        return gzip.open(io.BufferedReader(packed, PIECE))
    return _Unpacked(packed, bz2.BZ2Decompressor if kind == "bz2" else lzma.LZMADecompressor)


class _Unpacked(io.RawIOBase):
    """What a file holds, one packed stream after the other.

    The readers of Python's own for .bz2 and .xz pass over bytes behind the last stream.
    """

    def __init__(self, packed: _Counted, new: Callable[[], Any]) -> None:
        self._packed, self._new, self._stream = packed, new, new()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block, content = memoryview(buffer), b""
        while not content:
            packed = self._next_piece()
            if not packed and self._stream.eof:
                return 0
            content = self._stream.decompress(packed, len(block))
        block[: len(content)] = content
        return len(content)

    def _next_piece(self) -> bytes:
        """Return more of the file, if the stream needs it; begin the next stream, if there is."""
        if not self._stream.eof:
            if not self._stream.needs_input:
                return b""
            piece = self._packed.read(PIECE) or b""
            if not piece:
                raise EOFError("the end is missing")
            return piece
        piece = self._stream.unused_data or self._packed.read(PIECE) or b""
        while self._new is lzma.LZMADecompressor and piece and not piece.strip(b"\0"):
            piece = self._packed.read(PIECE) or b""  # zeros fill up a file of .xz
        if piece:
            self._stream = self._new()
        return piece
