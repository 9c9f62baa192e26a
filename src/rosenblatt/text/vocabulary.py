"""A vocabulary: words with their numbers, kept as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.kernels.feature_targets import Known, Learned
from rosenblatt.kernels.ngrams import FUEL, MOST_CHARACTERS, Rule, Texts, room
from rosenblatt.kernels.vocabulary import DONE, GROW, enter_hashes, learn_words
from rosenblatt.kernels.words import LONGEST
from rosenblatt.text.bags import BYTES, begin, characters
from rosenblatt.types import Array

LEAST_WORDS = 1 << 12
LEAST_BYTES = 1 << 16


class Vocabulary:
    """Features in the order in which they were first met, with the hash and the name of each.

    Parameters
    ----------
    most_words : int
        Features that are learned; later ones are not entered.
    """

    def __init__(self, most_words: int) -> None:
        self.most_words = most_words
        self.hashes = np.empty(0, dtype=np.uint64)
        self.names = np.empty(0, dtype=np.uint8)  # UTF-8, one after the other
        self.ends = np.zeros(1, dtype=np.int64)  # where each begins, and the end of the last

    def __len__(self) -> int:
        return len(self.hashes)

    def learn(self, blocks: Iterable[Texts], rule: Rule, *, symbols: bool = False) -> Vocabulary:
        """Return a vocabulary with the features of more documents; symbols may be words."""
        target, place = self._growing(rule), room()
        for texts in blocks:
            begin(place, texts)
            answer = None
            while answer != DONE:
                place.state[FUEL] = BYTES
                answer = learn_words(texts, characters(symbols), rule, target, place)
                if answer == GROW:
                    target = _larger(target, _most_features(rule))
        return self._with(target)

    def plus(self, later: Vocabulary) -> Vocabulary:
        """Return the features of two, those of the later documents behind: as if learned at once.

        Examples
        --------
        >>> from rosenblatt import BagOfWords
        >>> one, two = (BagOfWords().fit([text]).vocabulary_ for text in ("a b", "b c"))
        >>> one.plus(two).all_names()
        array(['a', 'b', 'c'], dtype=object)
        """
        new = np.flatnonzero(~np.isin(later.hashes, self.hashes))
        new = new[: max(0, self.most_words - len(self))]
        starts, stops = later.ends[new], later.ends[new + 1]
        names = [later.names[a:b] for a, b in zip(starts, stops, strict=True)]
        found = Vocabulary(self.most_words)
        found.hashes = np.concatenate([self.hashes, later.hashes[new]])
        found.names = np.concatenate([self.names, *names])
        found.ends = np.concatenate([self.ends, self.ends[-1] + np.cumsum(stops - starts)])
        return found

    def known(self) -> Known:
        """Return a table to look columns up in."""
        return Known(*_table(self.hashes, len(self.hashes)))

    def name(self, number: int) -> str:
        """Return the name of a feature."""
        return bytes(self.names[self.ends[number] : self.ends[number + 1]]).decode()

    def all_names(self) -> Array:
        """Return all names, in order."""
        text, ends = self.names.tobytes(), self.ends.tolist()
        names = np.empty(len(self), dtype=object)
        names[:] = [text[a:b].decode() for a, b in pairwise(ends)]
        return names

    def _growing(self, rule: Rule) -> Learned:
        count = np.array([len(self)])
        tables = _table(self.hashes, len(self))
        most_bytes = _most_bytes(rule)
        target = Learned(
            *tables, self.hashes, self.names, self.ends, count, self.most_words, most_bytes
        )
        return _larger(target, _most_features(rule))

    def _with(self, target: Learned) -> Vocabulary:
        count = int(target.count[0])
        if count >= (1 << 31) - 1:
            raise DataError(
                f"a vocabulary has at most 2^31 - 2 words, got {count}", do="use {bits:30}"
            )
        grown = Vocabulary(self.most_words)
        grown.hashes = target.hashes[:count].copy()
        grown.names = target.names[: target.ends[count]].copy()
        grown.ends = target.ends[: count + 1].copy()
        return grown


def _most_features(rule: Rule) -> int:
    """Return how many features one word can give."""
    return (MOST_CHARACTERS if rule.characters else 1) * (rule.high - rule.low + 1)


def _most_bytes(rule: Rule) -> int:
    """Return how many bytes the names of the features of one word can have."""
    if rule.characters:
        return _most_features(rule) * 4 * rule.high
    return (rule.high - rule.low + 1) * rule.high * 4 * LONGEST


def _larger(target: Learned, most_features: int) -> Learned:
    """Return a vocabulary with room for twice as many words, and their names."""
    count = int(target.count[0])
    n_words = max(2 * count, LEAST_WORDS) + most_features
    n_bytes = max(2 * int(target.ends[count]), LEAST_BYTES) + target.most_bytes
    hashes, names = np.empty(n_words, dtype=np.uint64), np.empty(n_bytes, dtype=np.uint8)
    ends = np.zeros(n_words + 1, dtype=np.int64)
    hashes[:count] = target.hashes[:count]
    ends[: count + 1] = target.ends[: count + 1]
    names[: ends[count]] = target.names[: ends[count]]
    tables = _table(hashes[:count], n_words)
    return Learned(*tables, hashes, names, ends, target.count, target.most_words, target.most_bytes)


def _table(hashes: Array, n_words: int) -> tuple[Array, Array]:
    """Return an open table with room for `n_words` that has these hashes."""
    size = 2
    while size < 2 * (n_words + 1):
        size *= 2
    slots, numbers = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.int32)
    enter_hashes(hashes, slots, numbers)
    return slots, numbers
