"""Files of lines: whole, or block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rosenblatt.data.buffers import Bytes, count, owned
from rosenblatt.data.compression import ByteStream
from rosenblatt.data.source import Source, check_text
from rosenblatt.kernels.lines import NEWLINE, last_line_end
from rosenblatt.types import Array


def blocks_of_lines(
    content: ByteStream,
    size: int,
    *,
    one_buffer: bool = True,
    end_of: Callable[[Array, int], int] = last_line_end,
) -> Iterator[tuple[Array, int]]:
    """Yield (text, end): whole lines in text[:end], the last with a newline, if need be ours.

    With one buffer a block is overwritten by the next one. `end_of` tells where the last whole
    line ends. Of content `as_it_comes` the first block is waited for, later ones are what is there.
    """
    text, kept, waits = np.empty(size, dtype=np.uint8), 0, True
    while True:
        if kept == len(text) - 1:  # a line longer than the block
            text = np.concatenate([text, np.empty_like(text)])
        n_new = _fill(content, text[kept:-1]) if waits else content.readinto(text[kept:-1].data)
        n = kept + n_new
        if n_new == 0 or (waits and n < len(text) - 1):
            if n:
                text[n] = NEWLINE
                yield text, n + 1 - (text[n - 1] == NEWLINE)
            return
        end, kept = end_of(text, n), n
        if end:
            yield text, end
            waits = not content.as_it_comes
            rest = text[end:n].copy()
            if not one_buffer:
                text = np.empty(size if len(rest) < size - 1 else len(text), dtype=np.uint8)
            text[: len(rest)] = rest
            kept = len(rest)


def checked_blocks(
    source: Source,
    block_bytes: int | None,
    *,
    end_of: Callable[[Array, int], int] = last_line_end,
) -> Iterator[tuple[int, Bytes]]:
    """Yield (number of the first line, text) of each block; for None of the whole file."""
    if block_bytes is None:
        yield 1, check_text(source.read_all(), source.name)
        return
    line = 1
    for text, end in blocks_of_lines(source.content, block_bytes, end_of=end_of):
        block = owned(text[:end])
        yield line, check_text(block, source.name, line)
        line += count(block, b"\n")


def _fill(content: ByteStream, block: Array) -> int:
    """Read until the block is full or the file ends; return how many bytes."""
    n = 0
    while n < len(block) and (got := content.readinto(block[n:].data)):
        n += got
    return n
