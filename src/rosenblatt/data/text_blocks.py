"""Files of `label<TAB>text` lines as blocks of rows: read, hashed and learned in one go."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from copy import copy
from functools import partial

import numpy as np

from rosenblatt.blocks import Blocks, Draws, InMemory, UnknownLabelError, taken
from rosenblatt.blocks.joining import join_blocks
from rosenblatt.checks import NO_WEIGHTS
from rosenblatt.data.formats.text import BLOCK, Labelled, TextLabels, labelled_texts
from rosenblatt.data.source import BLANK_LINES, Source, open_source
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.ngrams import Texts
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.text.bags import Piece
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array, Block


class TextBlocks(Blocks):
    r"""The lines of a file as rows of words.

    Words are found anew in each pass, in threads ahead of the learner if `words` has more than one
    job: made for one pass over a file of any size. The file is read again for each pass, so it
    cannot be standard input.

    Parameters
    ----------
    path : str or path
        A file of `label<TAB>text` lines, perhaps packed.
    words : BagOfWords or None, default=None
        How texts become rows; None is BagOfWords(). Without `bits` it must be fitted.
    block_bytes : int, default=1048576
        Text read at a time.
    max_bytes : int or None, default=None
        The most that the file may hold, unpacked, as in `read`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.blocks.fitting import fit_blocks
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "mail.tsv")
    ...     _ = path.write_text("spam\twin a prize\nham\tsee you at noon\n")
    ...     model = fit_blocks(Perceptron(), TextBlocks(path))
    >>> model.predict(BagOfWords().transform(["a prize"]))
    array(['spam'], dtype='<U4')
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        words: BagOfWords | None = None,
        *,
        block_bytes: int = BLOCK,
        max_bytes: int | None = None,
    ) -> None:
        self.words = BagOfWords() if words is None else words
        self.n_features = self.words.n_columns
        self.classes: Array  # the labels met so far, in order; all after `look_for_labels`
        self.ranks: Array  # the place there of each number of a label
        self._path, self._block_bytes, self._max_bytes = path, block_bytes, max_bytes
        self._labels, self._n_rows = TextLabels(), -1
        self._first: Block | None = None
        self._take_labels_of_first_block()

    @property
    def n_members(self) -> None:
        """How many rows a pass visits: nobody knows before it is over."""
        return

    @property
    def n_rows(self) -> int:  # type: ignore[override]  # counted when asked for
        """The rows of the file."""
        if self._n_rows < 0:
            self.look_for_labels()
        return self._n_rows

    def look_for_labels(self) -> None:
        """Go through the file to know all labels."""
        with open_source(self._path, self._max_bytes) as source:
            self._n_rows = sum(len(codes) for _, codes in self._texts(source))
        self.settle_labels()

    def settle_labels(self) -> None:
        """Take the labels met so far for all there are."""
        self.classes, self.ranks = self._labels.classes_and_ranks()
        self._first = None

    def one_pass(self, draws: Draws = None) -> Iterator[Block]:
        """Yield all rows in their order."""
        if draws is not None:
            raise ParameterError(
                "a file of texts can be learned in the order of its lines only",
                do="use {shuffle:False} or {rule:cyclic}, or fit_file",
                in_shell="",
            )
        return self._in_order()

    def of_classes(self, codes: Array) -> Blocks:
        """Return blocks that visit the rows of some classes only."""
        return self.changed(partial(_only_classes, codes))

    def take(self, rows: Array) -> InMemory:
        """Return some of the rows, which are then in memory, by their numbers in order."""
        parts = [_taken_from(block, rows) for block in self.one_pass()]
        return InMemory(join_blocks([part for part in parts if part.n_rows] or parts[:1]))

    def among(self, classes: Array) -> Blocks:
        """Return the rows with their labels among more classes than theirs."""
        more = copy(self)
        more.ranks = np.searchsorted(classes, self.classes)[self.ranks].astype(np.int32)
        more.classes, more._first = classes, None
        return more

    def _in_order(self) -> Iterator[Block]:
        with open_source(self._path, self._max_bytes) as source:
            texts, n_before = self._texts(source), 0
            if self._first is not None:
                yield self._first
                n_before = len(next(texts).codes)
            for block in self._blocks(texts, n_before):
                # a second pass, which looks for a mistake, is often over after the first block
                self._first = block if self._first is None else self._first
                yield block

    def _texts(self, source: Source) -> Iterator[Labelled]:
        return labelled_texts(source, self._labels, self._block_bytes)

    def _take_labels_of_first_block(self) -> None:
        with open_source(self._path, self._max_bytes) as source:
            texts = self._texts(source)
            first = next(texts, None)
            if first is None:
                raise DataError(f"{source.name} has {BLANK_LINES}")
            if len(self._labels) < 2:
                self._n_rows = len(first.codes) + sum(len(codes) for _, codes in texts)
        self.settle_labels()

    def _blocks(self, texts: Iterator[Labelled], first: int) -> Iterator[Block]:
        for rows, codes in rows_of_texts(texts, self.words):
            if codes.max() >= len(self.ranks):
                raise UnknownLabelError
            labels, n = self.ranks[codes], len(codes)
            everyone = np.arange(n)
            yield Block(
                rows, n, labels, self.classes, NO_WEIGHTS, everyone, self.n_features, None, first
            )
            first += n


def _only_classes(codes: Array, block: Block) -> Block:
    return block._replace(members=np.flatnonzero(np.isin(block.labels, codes)))


def _taken_from(block: Block, rows: Array) -> Block:
    here = rows[(rows >= block.first) & (rows < block.first + block.n_rows)]
    return taken(block, here - block.first)


def rows_of_texts(
    texts: Iterator[Labelled], words: BagOfWords
) -> Iterator[tuple[Presence | CSR, Array]]:
    """Yield the rows of each block, and the numbers of their labels."""
    waiting: deque[Array] = deque()

    def documents() -> Iterator[Texts]:
        for found, codes in texts:
            waiting.append(codes)
            yield found

    for piece in words.rows_of(documents()):
        yield _as_rows(piece), waiting.popleft()


def _as_rows(piece: Piece) -> Presence | CSR:
    starts = np.zeros(len(piece.lengths) + 1, dtype=np.int32)
    np.cumsum(piece.lengths, out=starts[1:])
    if piece.values is None:
        return Presence(piece.indices, starts)
    return CSR(piece.values, piece.indices, starts)
