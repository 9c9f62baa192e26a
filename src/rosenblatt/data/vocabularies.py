"""The words of texts that come block by block: their rows, and their names."""

from __future__ import annotations

from typing import Any

from rosenblatt.kernels.ngrams import Texts
from rosenblatt.text.words import BagOfWords


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

    def __init__(self, bits: int, ngrams: int = 1) -> None:
        self.bits, self.ngrams = bits, ngrams
        self.bags: dict[str, BagOfWords] = {}

    def learn(self, column: str, texts: Any) -> None:
        """Learn the names of more words."""
        bag = self.bags.setdefault(column, BagOfWords(bits=self.bits, ngrams=self.ngrams))
        known = getattr(bag, "vocabulary_", ())
        if len(known) < bag.n_names:
            bag.partial_fit(as_arrow(texts) if isinstance(texts, Texts) else texts)

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
