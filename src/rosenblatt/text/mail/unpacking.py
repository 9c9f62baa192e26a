"""The bytes of a mailbox, block by block, unpacked within limits.

Unlike other files a mailbox that unpacks to too much, or breaks off, is no error: it ends there,
and the message at its end is marked.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from rosenblatt.text.mail import limits

BLOCK = 1 << 20
FIRST = 1 << 16  # most messages are shorter: room for a block would be made and given back
MAGIC = b"\x1f\x8b"
_GZIP = 31  # what zlib calls a gzip header with the largest window


class Unpacked:
    """The blocks of a file, and what was wrong with it once they are read.

    Examples
    --------
    >>> import gzip, io
    >>> content = Unpacked(io.BytesIO(gzip.compress(b"Subject: a") + b"?").read)
    >>> list(content.blocks()), content.marks
    ([b'Subject: a'], ['gzip:broken'])
    """

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read_bytes = read
        self.marks: list[str] = []
        self._n_in = self._n_out = 0

    def blocks(self) -> Iterator[bytes]:
        """Return the bytes in blocks."""
        first = self._read(FIRST)
        if len(first) == 1:  # a pipe may hand over bytes one by one
            first += self._read()
        if first.startswith(MAGIC):
            yield from self._unpack(first)
            return
        while first:
            yield first
            first = self._read()

    def _read(self, size: int = BLOCK) -> bytes:
        block = self._read_bytes(size)
        self._n_in += len(block)
        return block

    def _unpack(self, packed: bytes) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(_GZIP)
        try:
            while packed:
                block = unpacker.decompress(packed, BLOCK)
                packed = unpacker.unused_data.lstrip(b"\0") or unpacker.unconsumed_tail
                self._n_out += len(block)
                if block:
                    yield block
                if self._is_bomb():
                    self.marks.append("gzip:bomb")
                    return
                if unpacker.eof and (packed := packed or self._read()):
                    unpacker = zlib.decompressobj(_GZIP)  # gzip files may follow each other
                packed = packed or self._read()
        except zlib.error:
            self.marks.append("gzip:broken")
            return
        if not unpacker.eof:
            self.marks.append("gzip:broken")

    def _is_bomb(self) -> bool:
        allowed = max(limits.MESSAGE, limits.GROWTH * self._n_in)
        return self._n_out > min(allowed, limits.UNPACKED)
