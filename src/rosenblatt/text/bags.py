"""Documents to sparse rows, block by block, on one core or several."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from numbers import Integral
from threading import local
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.checks.parameters import check_count
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.bags import DIGIT, SHORT, Bags, Sorter, fill_bags
from rosenblatt.kernels.feature_targets import KEYS, Hashed, Known
from rosenblatt.kernels.ngrams import FUEL, MOST_GRAMS, PLACE, Room, Rule, Texts, room
from rosenblatt.kernels.utf8 import Characters, WithSymbols
from rosenblatt.text.tfidf import DocumentCounts, weigh
from rosenblatt.text.unicode_table import BLANKS, FOLDS, NUMBERS, unpack
from rosenblatt.types import Array

MOST_BITS = 31  # of the number of a column
ENTRIES = 8 * KEYS  # of rows in the making
PARTS = 1 << 14
AHEAD = 2  # blocks in the making beyond one for each thread
BYTES = 1 << 23  # of text read in one call, some 30 ms: so long Ctrl-C waits


class BagSettings(NamedTuple):
    """How documents become rows."""

    rule: Rule
    target: Hashed | Known
    width: int  # bits of a column
    counts: bool
    symbols: bool = False  # are words, too
    documents: DocumentCounts | None = None  # words are weighed by them


class Piece(NamedTuple):
    """Rows that are finished."""

    indices: Array
    values: Array | None  # none for presence rows
    lengths: Array  # entries of each row


class Worker(local):
    """The buffers of one thread."""

    def __init__(self, settings: BagSettings) -> None:
        signed = isinstance(settings.target, Hashed) and settings.target.signed
        self.settings = settings
        self.room = room()
        self.sorter = Sorter(
            settings.width + signed,
            isinstance(settings.target, Hashed),
            signed,
            np.empty(KEYS, dtype=np.uint32),
            np.empty(max(1 << DIGIT, 2 * SHORT), dtype=np.uint32),
        )
        self.out = Bags(
            np.empty(ENTRIES, dtype=np.int32),
            np.empty(ENTRIES if settings.counts else 0),
            np.empty(PARTS, dtype=np.int64),
            np.empty(PARTS, dtype=np.int64),
            np.zeros(2, dtype=np.int64),
        )

    def fill(self, texts: Texts) -> Piece:
        """Return the rows of a block."""
        begin(self.room, texts)
        pieces, rows, done = [], [], False
        while not done:
            self.room.state[FUEL] = BYTES
            self.out.filled[:] = 0
            done = fill_bags(
                texts,
                characters(self.settings.symbols),
                self.settings.rule,
                self.settings.target,
                self.room,
                self.sorter,
                self.out,
            )
            n_entries, n_parts = self.out.filled
            pieces.append(_finished(self.out, n_entries, n_parts))
            rows.append(self.out.rows[:n_parts].copy())
        found = _one_part_each(_joined(pieces), np.concatenate(rows), len(texts.offsets) - 1)
        documents = self.settings.documents
        return found if documents is None else _weighed(documents, found)


def begin(place: Room, texts: Texts) -> None:
    """Go to the first document."""
    place.state[:] = 0
    place.state[PLACE] = texts.offsets[0]


def make_rows(blocks: Iterator[Texts], settings: BagSettings, n_jobs: int) -> Iterator[Piece]:
    """Return the rows of each block, in order."""
    worker = Worker(settings)
    n_threads = (os.cpu_count() or 1) if n_jobs == -1 else n_jobs
    if n_threads == 1:
        yield from map(worker.fill, blocks)
        return
    # Whoever takes the rows has work of its own with them and is one of the threads
    pool = ThreadPoolExecutor(n_threads - 1)
    waiting: deque[_Job] = deque()
    try:
        for texts in blocks:
            waiting.append(_Job(worker, texts, pool))
            # some blocks ahead of whoever takes the rows, not all of them: they may be many
            if len(waiting) > n_threads + AHEAD:
                yield _first_of(waiting)
        while waiting:
            yield _first_of(waiting)
    finally:
        pool.shutdown(cancel_futures=True)


class _Job:
    """A block that becomes rows in a thread of a pool, or in this one if that comes first."""

    def __init__(self, worker: Worker, texts: Texts, pool: ThreadPoolExecutor) -> None:
        self._worker, self._texts = worker, texts
        self._future: Future[Piece] = pool.submit(worker.fill, texts)

    def is_done(self) -> bool:
        return self._future.done()

    def do_here(self) -> bool:
        """Do it now, if no other thread has begun; return whether."""
        if not self._future.cancel():
            return False
        self._future = Future()
        self._future.set_result(self._worker.fill(self._texts))
        return True

    def rows(self) -> Piece:
        return self._future.result()


def _first_of(waiting: deque[_Job]) -> Piece:
    """Take out the rows of the first block; until they are there, work on the blocks behind it."""
    while not waiting[0].is_done() and any(job.do_here() for job in waiting):
        pass
    return waiting.popleft().rows()


def to_matrix(pieces: list[Piece], n_columns: int) -> Any:
    """Return a SciPy matrix with the columns of each row in order: of bool, or of counts."""
    indices, values, lengths = _joined(pieces)
    indptr = np.zeros(len(lengths) + 1, dtype=np.int32 if len(indices) < 1 << 31 else np.int64)
    np.cumsum(lengths, out=indptr[1:])
    if values is None:
        values = np.ones(len(indices), dtype=bool)
    X = sparse.csr_array((values, indices, indptr), shape=(len(lengths), n_columns))
    X.has_sorted_indices = X.has_canonical_format = True
    return X


def _finished(out: Bags, n_entries: int, n_parts: int) -> Piece:
    """Return a copy of the parts that are in `out`."""
    values = out.values[:n_entries].copy() if len(out.values) else None
    lengths = np.diff(out.ends[:n_parts], prepend=0)
    return Piece(out.indices[:n_entries].copy(), values, lengths)


def _joined(pieces: list[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    values = [piece.values for piece in pieces if piece.values is not None]
    return Piece(
        np.concatenate([piece.indices for piece in pieces]),
        np.concatenate(values) if values else None,
        np.concatenate([piece.lengths for piece in pieces]),
    )


def _one_part_each(parts: Piece, rows: Array, n_rows: int) -> Piece:
    """Join the parts of each document that has several."""
    if len(rows) == n_rows:
        return parts
    ends = np.cumsum(parts.lengths)
    # the first part of each document, and the end of the last
    first = np.searchsorted(rows, np.arange(n_rows + 1))
    bounds = np.concatenate([[0], ends])[first]
    return _joined(
        [
            _merged(parts, bounds[row], bounds[row + 1], first[row + 1] - first[row] > 1)
            for row in range(n_rows)
        ]
    )


def _weighed(documents: DocumentCounts, piece: Piece) -> Piece:
    starts = np.concatenate([[0], np.cumsum(piece.lengths)])
    return piece._replace(values=weigh(documents, piece.indices, piece.values, starts))


def _merged(parts: Piece, start: int, end: int, several: bool) -> Piece:
    """Return the entries from start to end as one row, each column once."""
    indices = parts.indices[start:end]
    values = None if parts.values is None else parts.values[start:end]
    if several and values is None:
        indices = np.unique(indices)
    elif several:
        indices, places = np.unique(indices, return_inverse=True)
        sums = np.bincount(places, weights=values, minlength=len(indices))
        indices, values = indices[sums != 0], sums[sums != 0]
    return Piece(indices, values, np.array([len(indices)]))


@cache
def characters(symbols: bool = False) -> Characters | WithSymbols:
    """Return the characters of all scripts as the kernels want them: unpacked once."""
    packed = np.frombuffer(unpack(), dtype=np.uint8)
    folds = packed[-FOLDS:].copy().view("<i4").reshape(-1, 4)
    tables = packed[:NUMBERS], packed[NUMBERS:-FOLDS], folds.astype(np.int32)
    if not symbols:
        return Characters(*tables)
    bounds = np.array([(first, last + 1) for first, last in BLANKS], dtype=np.int32)
    return WithSymbols(*tables, bounds.ravel())


def check_bits(bits: int | None) -> None:
    """Refuse numbers of columns that rows cannot have."""
    if bits is None:
        return
    check_count(bits=bits)
    if bits > MOST_BITS:
        raise ParameterError(
            f"must be from 1 to {MOST_BITS}, or None, got {bits}; 22 is plenty for most texts",
            about="bits",
        )


def check_ngrams(ngrams: Any) -> tuple[int, int]:
    """Return the least and the largest number of words in a feature."""
    pair: tuple[Any, Any] = (1, ngrams) if isinstance(ngrams, Integral) else _pair(ngrams)
    low, high = pair
    check_count(ngrams=low)
    check_count(ngrams=high)
    if not low <= high <= MOST_GRAMS:
        raise ParameterError(
            f"must be from 1 to {MOST_GRAMS}, or a pair of them, the smaller one first, "
            f"got {ngrams!r}",
            about="ngrams",
        )
    return int(low), int(high)


def _pair(ngrams: Any) -> tuple[Any, Any]:
    if not isinstance(ngrams, (tuple, list)) or len(ngrams) != 2:
        raise ParameterError(
            f"must be a whole number or a pair of them, got {ngrams!r}", about="ngrams"
        )
    return ngrams[0], ngrams[1]
