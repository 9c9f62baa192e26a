"""Quotes of a table: fields that hold line breaks, and quotes that would swallow rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.data.buffers import Bytes, count, find
from rosenblatt.errors import DataError
from rosenblatt.kernels.quotes import (
    FINE,
    N_COUNTS,
    N_SPANNING,
    OPENED,
    ROW_END,
    UNBALANCED,
    scan_quotes,
)

QUOTE_MARK = b'"'
NEWLINE = b"\n"


class QuoteError(Exception):
    """A quote begins a field and does not end it; `place` is where it stands."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(why)
        self.place = place

    def said_of(self, content: Bytes, name: str, first_line: int = 1) -> DataError:
        """Return the error for users."""
        line = count(content[: self.place], NEWLINE) + first_line
        return DataError(
            f"{name}, line {line}: a field begins with a quote, and {self}; write it without "
            "quotes, or the quotes inside of it twice"
        )


def check_quotes(content: Bytes, delimiter: str) -> int:
    r"""Return how many fields hold line breaks; refuse quotes that would swallow rows.

    Examples
    --------
    >>> check_quotes(b'a,"b\nb"\n5" disk,c\n', ",")
    1
    """
    if find(content, QUOTE_MARK) < 0:
        return 0
    text = np.frombuffer(b"".join([content, NEWLINE]), dtype=np.uint8)
    found, counts = _scan(text, len(text), delimiter)
    if found == FINE:
        return int(counts[N_SPANNING])
    why = "the quote that ends it lines below is in the middle of a field"
    raise QuoteError(int(counts[OPENED]), why if found == UNBALANCED else "no quote ends it")


def last_row_end(text: Any, end: int, delimiter: str) -> int:
    """Return the place after the last row of text[:end] that ends, 0 if none does."""
    found, counts = _scan(text, end, delimiter)
    if found == UNBALANCED:
        return end  # whoever reads the block says what is wrong with it
    return int(counts[ROW_END])


def _scan(text: Any, end: int, delimiter: str) -> tuple[int, Array]:
    counts: Array = np.zeros(N_COUNTS, dtype=np.int64)
    return scan_quotes(text, end, ord(delimiter), counts), counts
