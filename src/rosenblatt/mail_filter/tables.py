"""Put words with their counts in the order of a table."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from rosenblatt.mail_filter.memory import Words


def table_of(words: list[bytes], spam: Any, ham: Any, weights: Any) -> Words:
    """Return a table of different words; the counts are in the order of the words.

    Examples
    --------
    >>> counts = np.array([1, 2], dtype=np.int32)
    >>> table = table_of([b"one", b"two"], counts, counts, counts.astype(np.int64))
    >>> table.spam[table.find(b"two")]
    np.int32(2)
    """
    keys = np.fromiter(map(crc32, words), dtype=np.uint32, count=len(words))
    order = np.argsort(keys, kind="stable")
    for begin, end in _runs(keys[order]):
        order[begin:end] = sorted(order[begin:end], key=words.__getitem__)
    sorted_words = [words[k] for k in order.tolist()]
    lengths = np.fromiter(map(len, sorted_words), dtype=np.int64, count=len(words))
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint32)
    names = np.frombuffer(b"".join(sorted_words), dtype=np.uint8)
    return Words(keys[order], ends, names, spam[order], ham[order], weights[order])


def _runs(keys: Any) -> list[tuple[int, int]]:
    """Return where equal keys lie, begin and end."""
    same = np.flatnonzero(keys[1:] == keys[:-1])
    if not len(same):
        return []
    breaks = np.flatnonzero(np.diff(same) > 1)
    firsts = same[np.concatenate([[0], breaks + 1])]
    lasts = same[np.concatenate([breaks, [len(same) - 1]])]
    return [(int(a), int(b) + 2) for a, b in zip(firsts, lasts, strict=True)]
