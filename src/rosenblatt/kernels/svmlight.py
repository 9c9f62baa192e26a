"""svmlight lines, byte by byte: `label [qid:n] index:value index:value ... [# comment]`.

    for each line:
        label <- a number                        a blank line, or a comment alone, is no row
        for each pair: index above the one before it, a colon, a number
        a blank, a comment or the end of the line after each of them, nothing else

The text ends with a newline, and no loop passes one, so nothing is read outside of it. The caller
gives room for all that the text can hold: a pair takes 4 bytes at least, a row 2.

While every value is 1 none is stored (`values` is empty). The first other value ends the call with
NOT_ONES at the start of its line; the caller makes room for values and goes on from there. A line
is stored whole or not at all.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.numbers import BROKEN, HARD, digit_at, read_number

# What a call ends with: three that go on, then those that name a mistake
DONE, NOT_ONES, HARD_FULL = 0, 1, 2
NO_LABEL, MANY_LABELS, BAD_LABEL, BAD_QID, BAD_PAIR = 3, 4, 5, 6, 7
NO_COLON, BAD_VALUE, NOT_ASCENDING, ZERO_INDEX, LARGE_INDEX = 8, 9, 10, 11, 12

# Where the reading stands
AT, LINE, LINE_START, ROW, ENTRY, N_HARD, LOWEST, HIGHEST, N_QID, LEAST, WRONG = range(11)
N_STATE = 11

SPACE, TAB, NEWLINE, RETURN, HASH, COLON, COMMA, ONE = 32, 9, 10, 13, 35, 58, 44, 49
LETTER_Q, LETTER_I, LETTER_D = 113, 105, 100
MAX_INDEX = 2**31 - 1
INDEX_DIGITS = 10


class Rows(NamedTuple):
    """What is filled: labels, row starts, indices less 1, values or none, and hard numbers."""

    labels: np.ndarray
    starts: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    hard: np.ndarray  # (place, from, to): the value at place, or the label at -1 - place


@kernel
def parse_lines(text, end, out, state):
    """Store the rows of text[state[AT] : end]; return what it ended with."""
    while state[AT] < end:
        ended = _parse_line(text, out, state)
        if ended != DONE:
            return ended
    return DONE


@inlined
def _parse_line(text, out, state):
    state[LINE_START] = state[AT]
    p = _after_blanks(text, state[AT])
    if _is_end(text, p):
        return _next_line(text, p, state)
    p, n_hard, ended = _parse_label(text, p, out, state)
    if ended != DONE:
        return _stop(state, p, ended)
    p, k, n_hard, ended = _parse_pairs(text, p, out, state, n_hard)
    if ended != DONE:
        return _stop(state, p, ended)
    state[ROW] += 1
    state[ENTRY], state[N_HARD] = k, n_hard
    out.starts[state[ROW]] = k
    return _next_line(text, p, state)


@inlined
def _parse_label(text, p, out, state):
    n_hard = state[N_HARD]
    value, end, how = read_number(text, p)
    out.labels[state[ROW]] = value
    if how == HARD:
        if n_hard == out.hard.shape[0]:
            return p, n_hard, HARD_FULL
        n_hard = _keep_hard(out.hard, n_hard, -1 - state[ROW], p, end)
    if text[end] == COMMA:
        return end, n_hard, MANY_LABELS
    if text[end] == COLON:
        return p, n_hard, NO_LABEL
    if how == BROKEN or not _is_break(text, end):
        return p, n_hard, BAD_LABEL
    p = _after_blanks(text, end)
    if text[p] == LETTER_Q:
        end = _after_qid(text, p)
        if end < 0:
            return p, n_hard, BAD_QID
        state[N_QID] += 1
        p = _after_blanks(text, end)
    return p, n_hard, DONE


@inlined
def _parse_pairs(text, p, out, state, n_hard):
    """Return (where the line ends, entries stored, hard numbers kept, what it ended with)."""
    k, before = state[ENTRY], np.int64(-1)
    ones = out.values.shape[0] == 0
    while digit_at(text, p) < 10:
        first, index = p, np.int64(digit_at(text, p))
        p += 1
        while digit_at(text, p) < 10:
            index = 10 * index + digit_at(text, p)
            p += 1
        if text[p] != COLON:
            return p, k, n_hard, NO_COLON
        if index <= before or index > MAX_INDEX or p - first > INDEX_DIGITS or index < state[LEAST]:
            return first, k, n_hard, _index_fault(index, before, p - first)
        if before < 0:
            state[LOWEST] = min(state[LOWEST], index)
        before = index
        out.indices[k] = index - 1
        p += 1
        if text[p] == ONE and (text[p + 1] == SPACE or text[p + 1] == NEWLINE):
            p += 1
            if not ones:
                out.values[k] = 1.0
        else:
            value, end, how = read_number(text, p)
            if how == BROKEN or not _is_break(text, end):
                return p, k, n_hard, BAD_VALUE
            if ones:
                if how == HARD or value != 1.0:
                    return p, k, n_hard, NOT_ONES
            else:
                out.values[k] = value
                if how == HARD:
                    if n_hard == out.hard.shape[0]:
                        return p, k, n_hard, HARD_FULL
                    n_hard = _keep_hard(out.hard, n_hard, k, p, end)
            p = end
        k += 1
        p = _after_blanks(text, p)
    state[HIGHEST] = max(state[HIGHEST], before)
    return p, k, n_hard, DONE if _is_end(text, p) else BAD_PAIR


@inlined
def _index_fault(index, before, n_digits):
    if n_digits > INDEX_DIGITS or index > MAX_INDEX:
        return LARGE_INDEX
    return NOT_ASCENDING if index <= before else ZERO_INDEX


@inlined
def _keep_hard(hard, n_hard, place, start, end):
    hard[n_hard, 0], hard[n_hard, 1], hard[n_hard, 2] = place, start, end
    return n_hard + 1


@inlined
def _after_qid(text, p):
    """Return where `qid:digits` ends, -1 if it is not that."""
    if not (text[p + 1] == LETTER_I and text[p + 2] == LETTER_D and text[p + 3] == COLON):
        return -1
    p += 4
    if digit_at(text, p) >= 10:
        return -1
    while digit_at(text, p) < 10:
        p += 1
    return p if _is_break(text, p) else -1


@inlined
def _after_blanks(text, p):
    while text[p] == SPACE or text[p] == TAB:
        p += 1
    return p


@inlined
def _is_end(text, p):
    if text[p] == RETURN:
        return text[p + 1] == NEWLINE
    return text[p] == NEWLINE or text[p] == HASH


@inlined
def _is_break(text, p):
    return text[p] == SPACE or text[p] == TAB or _is_end(text, p)


@inlined
def _next_line(text, p, state):
    while text[p] != NEWLINE:
        p += 1
    state[AT] = p + 1
    state[LINE] += 1
    return DONE


@inlined
def _stop(state, p, ended):
    state[WRONG] = p
    return ended
