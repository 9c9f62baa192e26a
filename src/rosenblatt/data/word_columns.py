"""The words of text columns: rows of hashed words, and the names of these.

Names are looked up when they are asked for, or learned block by block where texts are not kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.data.examples import NamesOnDemand
from rosenblatt.kernels.ngrams import Texts
from rosenblatt.text.words import BagOfWords


def hashed_words(texts: Any, bits: int, symbols: bool = False) -> Any:
    """Return a CSR array of bool, which of the 2^bits hashed words each text has."""
    return BagOfWords(bits=bits, symbols=symbols, n_jobs=-1).transform(texts)


class WordNames(NamesOnDemand):
    """The names of hashed words, looked up in the texts when the first is asked for."""

    def __init__(self, texts: Any, X: Any, words: dict[str, Any], prefix: str = "") -> None:
        self._texts, self._X, self._words, self._prefix = texts, X, words, prefix
        self._names: dict[int, str] | None = None

    def __len__(self) -> int:
        return 1 << int(self._words["bits"])

    def _name(self, j: int) -> str:
        if self._names is None:
            self._names = self._look_up()
        return self._prefix + self._names.get(j, f"#{j}")

    def _look_up(self) -> dict[int, str]:
        columns = np.unique(self._X.indices)
        names = BagOfWords(**self._words).fit(self._texts).feature_names(columns)
        self._texts = self._X = None  # they may be large
        return dict(zip(columns.tolist(), names, strict=True))


class Vocabularies:
    """A bag of words for each column of texts; it learns names until it has as many as it may.

    Examples
    --------
    >>> words = Vocabularies(bits=10)
    >>> words.learn("text", ["win a prize"])
    >>> words.learn("text", ["see you"])
    >>> [bag.vocabulary_.name(3) for bag in words.bags.values()]
    ['see']
    """

    def __init__(self, bits: int, ngrams: int = 1, *, symbols: bool = False) -> None:
        self.bits, self.ngrams, self.symbols = bits, ngrams, symbols
        self.bags: dict[str, BagOfWords] = {}

    def learn(self, column: str, texts: Any) -> None:
        """Learn the names of more words."""
        new = BagOfWords(bits=self.bits, ngrams=self.ngrams, symbols=self.symbols)
        bag = self.bags.setdefault(column, new)
        known = getattr(bag, "vocabulary_", ())
        if len(known) < bag.n_names:
            bag.partial_fit(as_arrow(texts) if isinstance(texts, Texts) else texts)

    def plus(self, later: Vocabularies) -> Vocabularies:
        """Return the words of both, those of the later texts behind."""
        found = Vocabularies(self.bits, self.ngrams, symbols=self.symbols)
        found.bags = dict(self.bags)
        for column, bag in later.bags.items():
            mine = found.bags.get(column)
            found.bags[column] = bag if mine is None else mine.unweighed().meeting(bag)
        return found

    @property
    def n_names(self) -> int:
        """The words of all columns that have names."""
        return sum(len(bag.vocabulary_) for bag in self.bags.values())


def as_arrow(texts: Texts) -> Any:
    """Return documents as an Arrow array, without a copy."""
    import pyarrow as pa

    text, starts = texts
    parts = [None, pa.py_buffer(starts), pa.py_buffer(text)]
    return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(starts) - 1, parts)
