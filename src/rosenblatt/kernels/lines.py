"""Lines of `label<TAB>text` taken apart: the bytes of all labels, the bytes of all texts.

Blank lines are left out, and so is a carriage return at the end of a line. The text ends with a
newline, and no loop passes one.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.vectors import WIDTH, newline_mask, trailing_zeros

TAB, NEWLINE, RETURN, SPACE = 9, 10, 13, 32
# What `take_labels` returns
DONE, NO_TAB, NEW_LABEL, BINARY = 0, 1, 2, 3


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


@kernel
def last_line_end(text, end):
    """Return the place after the last newline of text[:end], 0 if there is none."""
    while end > 0 and text[end - 1] != NEWLINE:
        end -= 1
    return end


@kernel
def take_labels(text, end, known, starts, codes, place):
    """Write spaces over the labels of the lines in text[:end], a newline at their end.

    For each line that is not blank: where it begins and the number of its label among the known
    ones. place = (where to go on, rows so far, lines so far). Return DONE, or why the line at
    place[0] could not be taken: NO_TAB, NEW_LABEL, BINARY (a byte 0, which no text has).
    """
    while place[0] < end:
        p = place[0]
        end_of_line = line_end(text, p)
        if text[end_of_line] == 0:
            return BINARY
        stop = end_of_line - np.int64(end_of_line > p and text[end_of_line - 1] == RETURN)
        if not _is_blank(text, p, stop):
            tab = _find(text, p, TAB)
            if tab >= stop:
                return NO_TAB
            number = _number_of(text, p, tab, known)
            if number < 0:
                return NEW_LABEL
            for k in range(p, tab):
                text[k] = SPACE
            starts[place[1]], codes[place[1]] = p, number
            place[1] += 1
        place[0] = end_of_line + 1
        place[2] += 1
    return DONE


@inlined
def _number_of(text, p, tab, known):
    """Return the number of a label among the known ones, or -1."""
    for number in range(known.ends.shape[0] - 1):
        a, length = known.ends[number], known.ends[number + 1] - known.ends[number]
        if length == tab - p:
            k = 0
            while k < length and text[p + k] == known.data[a + k]:
                k += 1
            if k == length:
                return number
    return -1


@inlined
def line_end(text, p):
    """Return the place of the next newline or byte 0; there is one."""
    mask = newline_mask(text, p)
    while mask == 0:
        p += WIDTH
        mask = newline_mask(text, p)
    return p + trailing_zeros(mask)


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
