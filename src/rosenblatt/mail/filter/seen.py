"""What came and was judged: a file beside the filter, so that marks do not drift by corrections.

Corrections are a biased sample: mistakes and doubts. What `mail filter` judges says how biased, so
it appends score and arrival of each message to MODEL.seen, and `mail learn` joins them:

    header    16 bytes: a name, and a CRC-32 of the filter's secret
    records   16 bytes each: the score (float64), the arrival (uint64), both little-endian

A record is appended by one write, so several may filter at once. No word of a message is in it. A
file that is cut, foreign or full is begun anew, and nothing that fails here is an error: a message
that is not written down does not shift the marks, that is all.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from math import isfinite
from struct import Struct
from zlib import crc32

from rosenblatt.files import OWNER_ONLY, open_regular
from rosenblatt.mail.filter.memory import FilterMemory

NAME = b"rosenblatt 1"
RECORD = Struct("<dQ")
MOST = 1 << 20  # bytes
FLAGS = ("O_APPEND", "O_CREAT", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC")

Arrival = tuple[float, int]  # the score of a message, and its number


def note(model: str | os.PathLike[str], memory: FilterMemory, found: Iterable[Arrival]) -> None:
    """Write down what was judged; what fails is of no consequence."""
    records = b"".join(RECORD.pack(*arrival) for arrival in found)
    flags = os.O_RDWR | sum(getattr(os, name, 0) for name in FLAGS)
    with suppress(OSError):
        handle = os.open(_path(model), flags, OWNER_ONLY)
        try:
            if stat.S_ISREG(os.fstat(handle).st_mode):
                os.write(handle, _start(handle, _header(memory), len(records)) + records)
        finally:
            os.close(handle)


def read_seen(model: str | os.PathLike[str], memory: FilterMemory) -> list[Arrival]:
    """Return what was written down since the last correction, in order."""
    header = _header(memory)
    with suppress(OSError):
        with open_regular(_path(model)) as file:
            content = file.read(MOST + 1)
        if _is_whole(content[: len(header)], len(content), header):
            # several who begin a file at once write a header each
            rows = (content[k : k + RECORD.size] for k in range(0, len(content), RECORD.size))
            found = (RECORD.unpack(row) for row in rows if row != header)
            return [arrival for arrival in found if isfinite(arrival[0])]
    return []


def forget_seen(model: str | os.PathLike[str]) -> None:
    """Remove the file, since the filter knows what is in it."""
    with suppress(OSError):
        os.unlink(_path(model))


def _path(model: str | os.PathLike[str]) -> str:
    return f"{os.path.realpath(model)}.seen"


def _header(memory: FilterMemory) -> bytes:
    secret = memory.letters.secret if memory.letters else 0
    return NAME + crc32(b"%d" % secret).to_bytes(4, "little")


def _start(handle: int, header: bytes, n_more: int) -> bytes:
    """Return what must stand before new records: a header if the file is empty or begun anew."""
    size = os.fstat(handle).st_size
    if _is_whole(os.pread(handle, len(header), 0), size, header) and size + n_more <= MOST:
        return b""
    os.ftruncate(handle, 0)
    os.fchmod(handle, OWNER_ONLY)  # one that is begun anew may have been made by others
    return header


def _is_whole(start: bytes, size: int, header: bytes) -> bool:
    return start == header and size <= MOST and size % RECORD.size == 0
