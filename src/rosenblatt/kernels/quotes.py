"""Quoted fields of a table: where rows end, and the quotes that no writer of tables would write.

A field is quoted when its first byte is a quote. In it a quote is written twice, and newlines do
not end the row. After the quote that ends it comes a delimiter or the end of the line; elsewhere
a quote is a sign like any other. Texts with quotes of their own, which nobody wrote as a table,
betray themselves: they "quote" several lines and end in the middle of a field.
"""

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel

QUOTE, NEWLINE, RETURN, TAB, SPACE = 34, 10, 13, 9, 32
# What is counted: the place after the last row that ends, the fields with a newline in them, and
# where the last quoted field begins
ROW_END, N_SPANNING, OPENED = 0, 1, 2
N_COUNTS = 3
# What is returned
FINE, OPEN, UNBALANCED = 0, 1, 2


@kernel
def scan_quotes(text, end, delimiter, counts):
    """Look at text[:end], which begins with a row; fill `counts`; return what was found.

    OPEN: the text ends in a quoted field. UNBALANCED: the quote that ends a field of several lines
    is not at its end. For both counts[OPENED] is the place of the quote that began the field. A
    blank as delimiter is a tab, too.
    """
    for k in range(N_COUNTS):
        counts[k] = 0
    p, at_start = 0, True
    while p < end:
        byte = text[p]
        if byte == QUOTE and at_start:
            n_before = counts[N_SPANNING]
            counts[OPENED] = p
            p = _field_end(text, p + 1, end, counts)
            if p >= end:
                return OPEN
            if counts[N_SPANNING] > n_before and not _ends_field(text[p], delimiter):
                return UNBALANCED
            at_start = False
            continue
        p += 1
        if byte == NEWLINE:
            counts[ROW_END] = p
        at_start = byte == NEWLINE or _splits(byte, delimiter)
    return FINE


@inlined
def _field_end(text, p, end, counts):
    """Return the place after the quote that ends the field, `end` if none does."""
    spanning = np.int64(0)
    while p < end:
        if text[p] == NEWLINE:
            spanning = 1
        elif text[p] == QUOTE:
            if p + 1 < end and text[p + 1] == QUOTE:
                p += 1
            else:
                counts[N_SPANNING] += spanning
                return p + 1
        p += 1
    return end


@inlined
def _ends_field(byte, delimiter):
    return byte in (NEWLINE, RETURN) or _splits(byte, delimiter)


@inlined
def _splits(byte, delimiter):
    return byte == delimiter or (delimiter == SPACE and byte == TAB)
