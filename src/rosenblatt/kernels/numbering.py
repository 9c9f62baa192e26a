"""Number the words of documents, those of each document once, in the order of their coming.

A word is whatever stands between bytes up to 0x20. The hash of a word is multiplied with a secret
before it decides on a place in the table: who writes a document cannot choose words that all want
the same place. Two words with the same 64 bits would be one word. Unlike that of
`feature_targets`, the table has all of a word side by side: its hash, its number and the last
document come with one line.
"""

from typing import NamedTuple

import numpy as np

from rosenblatt.kernels.compiler import inlined, kernel
from rosenblatt.kernels.prefetch import touch
from rosenblatt.kernels.vectors import WIDTH, black_mask
from rosenblatt.kernels.words import HALF, ONE, hash_bytes, mark_changes, mix

DOCUMENT, COUNT = 0, 1  # of `state`: where to go on, how many words there are
MARKS = 512  # begins and ends of words found at a time
LOWER = np.uint64(0xFFFFFFFF)


class Numbers(NamedTuple):
    """Words with their numbers, from 0 on; there is room for all bytes of the documents."""

    table: np.ndarray  # uint64, (places, 2): a hash; its number + 1 and the last document with it
    hashes: np.ndarray  # uint64, of each word in the order of their numbers
    names: np.ndarray  # uint8, the words one after the other
    ends: np.ndarray  # int64, where each begins, and the end of the last


class MarkedWords(NamedTuple):
    """Words of a document that are looked up together."""

    marks: np.ndarray  # int64, MARKS + 2 * WIDTH: where they begin and end, by turns
    hashes: np.ndarray  # uint64, half as many


@kernel
def number_words(text, stops, first, secret, words, marked, indices, indptr, state):
    """Number the words of documents that end at `stops`; return False to get a larger table.

    `indices` has room for a number for every second byte; `first` is how many documents there
    were before. A new table has forgotten which document had a word, so a document that needs
    one is begun anew.
    """
    for document in range(state[DOCUMENT], stops.shape[0]):
        p, end = stops[document - 1] if document > 0 else np.int64(0), stops[document]
        stamp, n, n_marks = np.uint64(first + document + 1) & LOWER, indptr[document], np.int64(0)
        while p < end:
            p, n_marks = mark_words(text, p, end, marked.marks, n_marks)
            hash_words(text, secret, words.table, marked, n_marks // 2)
            n = look_up(text, words, marked, n_marks // 2, stamp, indices, n, state)
            if n < 0:
                state[DOCUMENT] = document
                return False
            marked.marks[0] = marked.marks[n_marks - 1]  # the begin of a word that goes on
            n_marks &= 1
        indptr[document + 1] = n
    return True


@inlined
def mark_words(text, p, end, marks, n):
    """Write where words begin and end behind the n marks; return (p, n).

    An odd n means that p is in the middle of a word, which the end of the document ends.
    """
    while p < end and n < MARKS:
        length = min(np.int64(WIDTH), end - p)
        n = mark_changes(black_mask(text, p), length, p, marks, n)
        p += length
    if p == end and n & 1:
        marks[np.uint64(n)] = end
        n += 1
    return p, n


@inlined
def hash_words(text, secret, table, marked, n):
    """Hash n words and ask for their places in the table, which come while others are hashed."""
    last = np.uint64(table.shape[0] - 1)
    for k in range(np.uint64(n)):
        h, _ = hash_bytes(text, marked.marks[2 * k], marked.marks[2 * k + 1], np.uint64(0))
        h = mix(h * secret)
        marked.hashes[k] = h
        touch(table, np.int64((h & last) * np.uint64(16)))  # bytes of a place


@inlined
def look_up(text, words, marked, n_words, stamp, indices, n, state):
    """Write the numbers of words that the document had not before behind the n indices.

    Return how many there are, -1 if the table is full.
    """
    for k in range(np.uint64(n_words)):
        place = place_of(words.table, marked.hashes[k])
        entry = words.table[place, 1]
        if entry == 0:
            if state[COUNT] == words.hashes.shape[0]:
                return np.int64(-1)
            start, end = marked.marks[2 * k], marked.marks[2 * k + 1]
            entry = enter_word(words, place, marked.hashes[k], text, start, end, state)
        if entry & LOWER != stamp:
            words.table[place, 1] = entry & ~LOWER | stamp
            indices[n] = (entry >> HALF) - ONE
            n += 1
    return n


@inlined
def place_of(table, h):
    """Return the place of a hash in a table, or the free one where it would be."""
    last = np.uint64(table.shape[0] - 1)
    place = h & last
    while table[place, 1] != 0 and table[place, 0] != h:
        place = place + ONE & last
    return place


@kernel
def enter_word(words, place, h, text, start, end, state):
    """Put a new word into its place; return its entry."""
    count = state[COUNT]
    words.hashes[count] = h
    begin = words.ends[count]
    for k in range(end - start):
        words.names[begin + k] = text[start + k]
    words.ends[count + 1] = begin + end - start
    state[COUNT] = count + 1
    words.table[place, 0] = h
    return np.uint64(count + 1) << HALF


@kernel
def fill_table(hashes, table):
    """Fill an empty table with different hashes, numbered in their order."""
    for k in range(hashes.shape[0]):
        place = place_of(table, hashes[k])
        table[place, 0], table[place, 1] = hashes[k], np.uint64(k + 1) << HALF
