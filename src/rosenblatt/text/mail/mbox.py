"""Messages of an mbox: one after the other, each behind a line that begins with "From "."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LONGEST = 1000  # bytes of the line between two messages
# after an empty line; with a day and a time, as a line of a text that begins so rarely has
_BETWEEN = re.compile(
    rb"\n\r?\n(From [^\n]{0,400}?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[^\n]{1,30}?[0-9]:[0-9][0-9]"
    rb"[^\n]{0,400}\n)"
)
_FIRST = re.compile(rb"From [^\n]{0,900}\n")


def split_mbox(buffer: bytearray, blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bytes, bool]]:
    r"""Return (line in front, message, whether it is the last) of each message.

    The empty line between two messages belongs to neither. `buffer` has the first bytes and is
    used up.

    Examples
    --------
    >>> first = b"From a Mon Jan  1 10:00\nTo: b\n\none\n\n"
    >>> box = first + b"From c Tue Jan  2 11:00\nTo: d\n\nFrom me\n\n"
    >>> for message in split_mbox(bytearray(box), iter([])):
    ...     print(message)
    (b'From a Mon Jan  1 10:00\n', b'To: b\n\none\n', False)
    (b'From c Tue Jan  2 11:00\n', b'To: d\n\nFrom me\n', True)
    """
    first = _FIRST.match(buffer)
    envelope = first[0] if first else b""
    del first, buffer[: len(envelope)]
    looked = 0
    block: bytes | None = b""
    while block is not None:
        places = _places(buffer, looked)
        start = 0
        for end, line, after in places:
            yield envelope, bytes(buffer[start:end]), False
            envelope, start = bytes(buffer[line:after]), after
        del buffer[:start]
        looked = max(0, len(buffer) - _LONGEST)
        block = next(blocks, None)
        buffer += block or b""
    end = len(buffer)
    if buffer.endswith((b"\n\n", b"\n\r\n")):
        end -= 1 if buffer.endswith(b"\n\n") else 2
    yield envelope, bytes(buffer[:end]), True


def _places(buffer: bytearray, start: int) -> list[tuple[int, int, int]]:
    """Return (end of a message, begin of the line behind it, begin of the next) from start on."""
    if buffer.find(b"\nFrom ", start) < 0:  # a file of one message: no need to look closely
        return []
    return [(m.start() + 1, m.start(1), m.end()) for m in _BETWEEN.finditer(buffer, start)]
