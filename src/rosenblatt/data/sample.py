"""The first lines of a file, to guess from; files that are not text are refused here."""

from __future__ import annotations

from typing import Any, NamedTuple

from rosenblatt.data.buffers import Bytes, count, find
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError

HEAD = 1 << 16  # bytes to guess from
MAX_LINES = 500
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_BINARY_STARTS = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")


class Sample(NamedTuple):
    """The first bytes of a file and the whole lines in them that are not blank."""

    head: bytes
    lines: list[str]


def take_sample(source: Source) -> Sample:
    """Look at the first bytes; nothing is used up. Lines may end as in the oldest files."""
    sample = sample_of(source.content.peek(HEAD), source.name)
    if sample.lines and b"\r" in sample.head and b"\n" not in sample.head:
        source.content.end_lines_at_returns()
    return sample


def sample_of(head: bytes, name: str) -> Sample:
    """Return the sample that the first bytes of a file make."""
    if not head:
        raise DataError(f"{name} is empty")
    if head.startswith(_BINARY_STARTS):
        return Sample(head, [])
    refuse_binary(head, name)
    text = head.removeprefix(BYTE_ORDER_MARK).decode("utf-8", errors="replace")
    lines = text.splitlines()
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()  # cut off
    lines = [line for line in lines[:MAX_LINES] if line.strip()]
    if not lines:
        raise DataError(f"{name} has no rows, blank lines only")
    return Sample(head, lines)


def refuse_binary(content: Bytes, name: str) -> None:
    """Refuse bytes that no text has."""
    if bytes(content[:4]).startswith(_UTF_16_OR_32):
        raise DataError(
            f"{name} is not UTF-8 but UTF-16 or UTF-32",
            do="convert it first: iconv -f UTF-16 -t UTF-8 FILE > NEW",
            on_page="save it as UTF-8 in the program that it comes from",
        )
    at = find(content, b"\0")
    if at >= 0:
        raise DataError(f"{name} is a binary file (byte {at + 1} is 0), expected text or a table")


def check_text(content: Bytes, name: str, first_line: int = 1) -> Bytes:
    """Return the content of a text file without its byte order mark; refuse what is not UTF-8."""
    refuse_binary(content, name)
    if bytes(content[: len(BYTE_ORDER_MARK)]) == BYTE_ORDER_MARK:
        content = content[len(BYTE_ORDER_MARK) :]
    if not is_utf_8(content):
        try:
            str(content, "utf-8")
        except UnicodeDecodeError as error:
            line = count(content[: error.start], b"\n") + first_line
            raise DataError(
                f"{name}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8",
                do="convert the file first, for example: iconv -f LATIN1 -t UTF-8 FILE > NEW",
                on_page="save it as UTF-8 in the program that it comes from",
            ) from None
    return content


def is_utf_8(content: Any) -> bool:
    """Tell whether bytes are UTF-8."""
    import numpy as np
    import pyarrow as pa

    # Arrow looks at several bytes at a time and makes no string of them
    offsets = np.array([0, len(content)], dtype=np.int64)
    whole = pa.LargeStringArray.from_buffers(1, pa.py_buffer(offsets), pa.py_buffer(content))
    try:
        whole.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
