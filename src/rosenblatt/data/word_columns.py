"""Text columns: the door to `rosenblatt.text`, and the names of hashed words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np


def words_of(texts: Any, bits: int) -> Any:
    """Return a CSR array of bool, which of the 2^bits hashed words each text has."""
    from rosenblatt.text.words import BagOfWords

    return BagOfWords(bits=bits, n_jobs=-1).transform(texts)


class WordNames(Sequence[str]):
    """The names of hashed words, looked up in the texts when the first is asked for."""

    def __init__(self, texts: Any, X: Any, bits: int, prefix: str = "") -> None:
        self._texts, self._X, self._bits, self._prefix = texts, X, bits, prefix
        self._names: dict[int, str] | None = None

    def __len__(self) -> int:
        return 1 << self._bits

    @overload
    def __getitem__(self, j: int) -> str: ...
    @overload
    def __getitem__(self, j: slice) -> list[str]: ...
    def __getitem__(self, j: int | slice) -> str | list[str]:
        if isinstance(j, slice):
            return [self[k] for k in range(*j.indices(len(self)))]
        j = range(len(self))[j]
        if self._names is None:
            self._names = self._look_up()
        return self._prefix + self._names.get(j, f"#{j}")

    def _look_up(self) -> dict[int, str]:
        from rosenblatt.text.words import BagOfWords

        columns = np.unique(self._X.indices)
        names = BagOfWords(bits=self._bits).fit(self._texts).feature_names(columns)
        self._texts = self._X = None  # they may be large
        return dict(zip(columns.tolist(), names, strict=True))
