"""The bytes of a file in a buffer of Arrow's own.

Arrow reads tables in threads of its own. If the bytes were Python's, such a thread could be the
last to let go of them, which it may do only while it holds Python's lock: when Python ends at that
moment, the process is aborted. A buffer that Arrow allocated is freed without Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Bytes = Any  # bytes, or a pyarrow.Buffer: both have a length, slices, and memory to look at
LOOKED_AT = 1 << 18  # bytes at a time: a copy of them stays in the cache of the processor
FIRST_ROOM = 1 << 20


def owned(content: Bytes) -> Any:
    """Return the bytes in a buffer of Arrow's: as they are if they are in one, else a copy.

    Examples
    --------
    >>> owned(b"1,2").to_pybytes()
    b'1,2'
    """
    import pyarrow as pa

    if isinstance(content, pa.Buffer):
        return content
    return _with_room(content, len(content))[:]  # a slice is read-only, as kernels are compiled for


def filled(readinto: Callable[[memoryview], int], expected: int = 0) -> Any:
    """Return all that `readinto` gives, in a buffer of Arrow's; `expected` bytes, or more."""
    # one byte more than expected: the end is seen without making more room
    buffer, n = _with_room(b"", max(expected + 1, FIRST_ROOM)), 0
    while True:
        room = _bytes_of(buffer)
        while n < len(room) and (got := readinto(room[n:])):
            n += got
        if n < len(room):
            return buffer[:n]
        buffer = _with_room(buffer, 2 * n)


def first_place(content: Bytes, byte: bytes) -> int:
    r"""Return where a byte is for the first time, -1 if it is not there.

    Examples
    --------
    >>> first_place(owned(b"a\tb"), b"\t"), first_place(b"a", b"\t")
    (1, -1)
    """
    for start, part in _parts(content):
        at = part.find(byte)
        if at >= 0:
            return start + at
    return -1


def count(content: Bytes, byte: bytes) -> int:
    r"""Return how often a byte is there.

    Examples
    --------
    >>> count(owned(b"a\nb\n"), b"\n")
    2
    """
    return sum(part.count(byte) for _, part in _parts(content))


def _parts(content: Bytes) -> Iterator[tuple[int, bytes]]:
    view = _bytes_of(content)
    for start in range(0, len(view), LOOKED_AT):
        yield start, bytes(view[start : start + LOOKED_AT])


def _bytes_of(content: Bytes) -> memoryview:
    return memoryview(content).cast("B")


def _with_room(content: Bytes, n_bytes: int) -> Any:
    """Return a buffer of so many bytes that begins with the content."""
    import pyarrow as pa

    buffer = pa.allocate_buffer(n_bytes)
    _bytes_of(buffer)[: len(content)] = _bytes_of(content)
    return buffer
