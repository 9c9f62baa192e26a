"""From the words of a document to its features: n-grams of words, or of characters in words.

A reader goes from document to document and keeps its place in a state, so that it can stop
whenever its buffers or the target (`kernels/feature_targets.py`) are full, and go on from there.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.feature_targets import KEYS, emit, has_room
from rosenblatt.kernels.words import (
    LONGEST,
    MARKS,
    SPARE_MARKS,
    combine,
    cut,
    find_words,
    fold_bytes,
    hash_bytes,
    hash_word,
)

MOST_GRAMS = 16  # words or characters in one feature, at most
MOST_CHARACTERS = 400  # of one word: three for every two bytes, and a space at each end
PIECE = 1 << 20  # bytes looked at for words at a time

# places in the state of a reader
DOCUMENT, PLACE, MARKED, NEXT, FOUND, PHRASE, FUEL, STATES = 0, 1, 2, 3, 4, 5, 6, 7


class Texts(NamedTuple):
    """Documents one after the other, as Arrow keeps them."""

    text: np.ndarray  # uint8
    offsets: np.ndarray  # int64, where each begins, and the end of the last


class Rule(NamedTuple):
    """What is a feature: n-grams of low to high words or characters."""

    fold: bool
    characters: bool
    low: int
    high: int


class Room(NamedTuple):
    """What a reader of documents needs to work, and where it is."""

    state: np.ndarray  # int64
    marks: np.ndarray  # int64, begins and ends of words
    folded: np.ndarray  # uint8, one word, folded
    spelled: np.ndarray  # the same bytes to read, of the same type as texts: compiled once
    places: np.ndarray  # int64, where its characters begin
    grams: np.ndarray  # uint64, the hashes of the last 1, 2, ... words
    starts: np.ndarray  # int64, where they begin
    keys: np.ndarray  # uint32, the features of a document


def room() -> Room:
    """Make room for a reader that is at the first document."""
    folded = np.empty(4 * LONGEST, dtype=np.uint8)
    spelled = folded.view()
    spelled.flags.writeable = False
    return Room(
        np.zeros(STATES, dtype=np.int64),
        np.empty(MARKS + SPARE_MARKS, dtype=np.int64),
        folded,
        spelled,
        np.empty(MOST_CHARACTERS + 1, dtype=np.int64),
        np.empty(MOST_GRAMS, dtype=np.uint64),
        np.empty(MOST_GRAMS, dtype=np.int64),
        np.empty(KEYS, dtype=np.uint32),
    )


@inlined
def most_features(rule):
    """Return how many features one word can give."""
    sizes = rule.high - rule.low + 1
    return MOST_CHARACTERS * sizes if rule.characters else sizes


@inlined
def read_on(T, C, room):
    """Find more words of the document, if all that were found are used up."""
    state, marks = room.state, room.marks
    if state[NEXT] + 1 < state[MARKED]:
        return
    n = state[MARKED] & 1
    if n == 1:
        marks[0] = marks[state[MARKED] - 1]
    p, end = state[PLACE], T.offsets[state[DOCUMENT] + 1]
    state[PLACE], n = find_words(T.text, C, p, min(end, p + PIECE), end, marks, n)
    state[FUEL] -= state[PLACE] - p
    if state[PLACE] >= end and n & 1 == 1:
        marks[n] = end
        n += 1
    state[MARKED], state[NEXT] = n, 0


@inlined
def is_read(T, state):
    """Tell whether all words of the document are used up."""
    return state[NEXT] == state[MARKED] and state[PLACE] >= T.offsets[state[DOCUMENT] + 1]


@inlined
def next_document(T, state):
    """Go to the next document."""
    state[DOCUMENT] += 1
    state[PLACE] = T.offsets[state[DOCUMENT]]
    state[PHRASE] = 0


@inlined
def add_words(T, C, rule, target, room):
    """Give the features of the words that were found to the target, while it has room."""
    state, marks, most = room.state, room.marks, most_features(rule)
    k, marked = state[NEXT], state[MARKED]
    while k + 1 < marked and has_room(target, state[FOUND], most):
        start, end = marks[np.uint64(k)], marks[np.uint64(k + 1)]
        stop = cut(T.text, start, end)
        if stop < end:
            marks[k] = stop
        else:
            k += 2
        if rule.characters:
            add_characters(T.text, C, rule, target, room, start, stop)
        elif rule.high == 1:
            h = hash_word(T.text, C, start, stop, rule.fold, room.folded, room.spelled)
            state[FOUND] = emit(
                target, C, rule.fold, room.keys, state[FOUND], h, T.text, start, stop
            )
        else:
            add_phrases(T.text, C, rule, target, room, start, stop)
    state[NEXT] = k


@inlined
def add_phrases(text, C, rule, target, room, start, end):
    """Take the n-grams that end with a word."""
    state, grams, starts = room.state, room.grams, room.starts
    h = hash_word(text, C, start, end, rule.fold, room.folded, room.spelled)
    n = state[FOUND]
    for k in range(min(state[PHRASE], rule.high - 1), 0, -1):
        grams[k] = combine(grams[k - 1], h)
        starts[k] = starts[k - 1]
        if k + 1 >= rule.low:
            n = emit(target, C, rule.fold, room.keys, n, grams[k], text, starts[k], end)
    grams[0], starts[0] = h, start
    if rule.low == 1:
        n = emit(target, C, rule.fold, room.keys, n, h, text, start, end)
    state[PHRASE] += 1
    state[FOUND] = n


@kernel
def add_characters(text, C, rule, target, room, start, end):
    """Take the n-grams of characters of one word with a space at each end."""
    spelled, places, state = room.spelled, room.places, room.state
    count = spell(text, C, rule.fold, start, end, room.folded, places)
    n = state[FOUND]
    for size in range(min(rule.low, count), min(rule.high, count) + 1):
        for c in range(count - size + 1):
            a, b = places[c], places[c + size]
            h, _ = hash_bytes(spelled, a, b, np.uint64(0))
            n = emit(target, C, rule.fold, room.keys, n, h, spelled, a, b)
    state[FOUND] = n


@inlined
def spell(text, C, fold, start, end, folded, places):
    """Write a word with a space at each end, and where its characters begin; return how many."""
    folded[0] = 0x20
    length = fold_bytes(text, C, start, end, fold, folded, np.int64(1))
    folded[length] = 0x20
    count = 0
    for p in range(length + 1):
        if folded[p] & 0xC0 != 0x80:
            places[count] = p
            count += 1
    places[count] = length + 1
    return count
