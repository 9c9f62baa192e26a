"""Lines of `label<TAB>text` taken apart: the bytes of all labels, the bytes of all texts.

Blank lines are left out, and so is a carriage return at the end of a line. The text ends with a
newline, and no loop passes one.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel

TAB, NEWLINE, RETURN, SPACE = 9, 10, 13, 32


class Strings(NamedTuple):
    """Bytes one after the other; string i is data[ends[i] : ends[i + 1]]."""

    data: np.ndarray
    ends: np.ndarray


@kernel
def split_lines(text, labels, texts, with_labels):
    """Fill labels and texts; return (rows, -1), or (rows, place of the line without a tab).

    Without labels the whole line is the text.
    """
    p, row = 0, 0
    while p < text.shape[0]:
        end = _find(text, p, NEWLINE)
        stop = end - 1 if end > p and text[end - 1] == RETURN else end
        if not _is_blank(text, p, stop):
            if with_labels:
                tab = _find(text, p, TAB)
                if tab >= stop:
                    return row, p
                _append(labels, row, text, p, tab)
                p = tab + 1
            _append(texts, row, text, p, stop)
            row += 1
        p = end + 1
    return row, -1


@inlined
def _find(text, p, byte):
    while text[p] != byte and text[p] != NEWLINE:
        p += 1
    return p


@inlined
def _is_blank(text, p, stop):
    while p < stop and (text[p] == SPACE or text[p] == TAB):
        p += 1
    return p >= stop


@inlined
def _append(strings, row, text, start, stop):
    at = strings.ends[row]
    for k in range(stop - start):
        strings.data[at + k] = text[start + k]
    strings.ends[row + 1] = at + (stop - start)
