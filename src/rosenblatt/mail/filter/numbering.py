"""Words and letters of many messages as numbers: a row for each document, each number once."""

from __future__ import annotations

import secrets
from array import array

import numpy as np

from rosenblatt.kernels.letters import letter_places
from rosenblatt.kernels.numbering import (
    COUNT,
    MARKS,
    MarkedWords,
    Numbers,
    fill_table,
    number_words,
)
from rosenblatt.kernels.vectors import WIDTH
from rosenblatt.mail.filter.memory import PLACES
from rosenblatt.types import Array

BATCH = 1 << 20  # bytes that wait before they are numbered
LEAST = 1 << 12  # words that there is room for


class Numbering:
    """A vocabulary that grows with the documents it is given.

    Examples
    --------
    >>> numbering = Numbering()
    >>> numbering.add(b"to be or not to be")
    >>> numbering.add(b"or not")
    >>> indices, indptr = numbering.rows()
    >>> indices.tolist(), indptr.tolist(), numbering.names()[0].tobytes()
    ([0, 1, 2, 3, 2, 3], [0, 4, 6], b'tobeornot')
    """

    def __init__(self) -> None:
        self._secret = np.uint64(secrets.randbits(64) | 1)
        self._words = _with_room(None, 0, LEAST, BATCH)
        self._count = 0
        self._waiting, self._stops = bytearray(), [0]
        self._n_documents = 0
        self._rows: list[tuple[Array, Array]] = []

    def __len__(self) -> int:
        return self._count

    def add(self, document: bytes) -> None:
        """Add a document: words with spaces between them."""
        self._waiting += document
        self._stops.append(len(self._waiting))
        if len(self._waiting) >= BATCH:
            self._number_waiting()

    def rows(self) -> tuple[Array, Array]:
        """Return (indices, indptr) of all documents."""
        self._number_waiting()
        lengths = [np.diff(indptr) for _, indptr in self._rows]
        indptr = np.concatenate([[0], *lengths]).cumsum()
        indices = np.concatenate([np.empty(0, np.int32), *(part for part, _ in self._rows)])
        self._rows = [(indices, indptr)]
        return indices, indptr

    def forget_rows(self) -> None:
        """Forget the documents; their words stay."""
        self._rows = []

    def names(self) -> tuple[Array, Array]:
        """Return the bytes of all words, and where each begins in them."""
        ends = self._words.ends[: self._count + 1]
        return self._words.names[: ends[-1]], ends

    def number(self, text: Array, stops: Array) -> tuple[Array, Array]:
        """Return (indices, indptr) of documents that lie behind each other in an array."""
        indices = np.empty(len(text) // 2 + len(stops) + 1, dtype=np.int32)
        indptr = np.zeros(len(stops) + 1, dtype=np.int64)
        state = np.array([0, self._count])
        words = _with_room(self._words, self._count, len(self._words.hashes), len(text))
        marks = np.empty(MARKS + 2 * WIDTH, dtype=np.int64)
        marked = MarkedWords(marks, np.empty(len(marks) // 2, dtype=np.uint64))
        documents = text, stops, self._n_documents, self._secret
        while not number_words(*documents, words, marked, indices, indptr, state):
            words = _with_room(words, int(state[COUNT]), 2 * len(words.hashes), len(text))
        self._words, self._count = words, int(state[COUNT])
        self._n_documents += len(stops)
        return indices[: indptr[-1]].copy(), indptr

    def _number_waiting(self) -> None:
        if len(self._stops) > 1:
            text, stops = np.frombuffer(self._waiting, dtype=np.uint8), np.array(self._stops[1:])
            self._waiting, self._stops = bytearray(), [0]
            self._rows.append(self.number(text, stops))


def letter_rows(letters: bytearray, stops: array[int], secret: int) -> tuple[Array, Array]:
    """Return (indices, indptr) of documents: the different places of their windows of 4 bytes.

    Examples
    --------
    >>> indices, indptr = letter_rows(bytearray(b"abcdabcd"), array("q", [4, 8]), 1)
    >>> indices.tolist(), indptr.tolist()
    ([25699, 25699], [0, 1, 2])
    """
    text, ends = np.frombuffer(letters, dtype=np.uint8), np.array(stops, dtype=np.int64)
    last = np.full(PLACES, -1, dtype=np.int64)
    indices = np.empty(len(text), dtype=np.uint16)  # no document has more places than letters
    indptr = np.zeros(len(ends) + 1, dtype=np.int64)
    count = letter_places(text, ends, np.uint64(secret), last, indices, indptr)
    return indices[:count], indptr


def _with_room(words: Numbers | None, count: int, n_words: int, n_bytes: int) -> Numbers:
    """Return the words with room for so many in all, and for so many more bytes of names."""
    used = int(words.ends[count]) if words else 0
    if words and n_words == len(words.hashes):
        if used + n_bytes <= len(words.names):
            return words
        return words._replace(names=_longer(words.names, used, 2 * used + n_bytes))
    table = np.zeros((2 * n_words, 2), dtype=np.uint64)
    if words is None:
        empty = np.zeros(1, dtype=np.int64)
        words = Numbers(table, empty.view(np.uint64), empty.view(np.uint8), empty)
    hashes = _longer(words.hashes, count, n_words)
    fill_table(hashes[:count], table)
    names = _longer(words.names, used, 2 * used + n_bytes)
    return Numbers(table, hashes, names, _longer(words.ends, count + 1, n_words + 1))


def _longer(column: Array, n_kept: int, n: int) -> Array:
    longer = np.zeros(n, dtype=column.dtype)
    longer[:n_kept] = column[:n_kept]
    return longer
