"""Put words with their counts in the order of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.mail_filter.memory import Words


def in_order(words: Words, kept: Any) -> Words:
    """Return some of different words as a table: by their keys, then by their bytes.

    Examples
    --------
    >>> from zlib import crc32
    >>> keys = np.array([crc32(b"one"), crc32(b"two")], dtype=np.uint32)
    >>> names, counts = np.frombuffer(b"onetwo", np.uint8), np.array([1, 2])
    >>> words = Words(keys, np.array([0, 3, 6]), names, counts, counts, counts)
    >>> table = in_order(words, np.array([0, 1]))
    >>> table.spam[table.find(b"two")]
    np.int64(2)
    """
    order = kept[np.argsort(words.keys[kept], kind="stable")]
    for begin, end in _runs(words.keys[order]):
        order[begin:end] = sorted(order[begin:end], key=lambda k: _name(words, k))
    lengths = np.diff(words.ends)[order]
    ends = np.concatenate([[0], np.cumsum(lengths)])
    # a letter comes from as far behind its new place as the whole word does
    places = np.repeat(words.ends[order] - ends[:-1], lengths) + np.arange(ends[-1])
    columns = (column[order] for column in words[3:])
    return Words(words.keys[order], ends.astype(np.uint32), words.names[places], *columns)


def _name(words: Words, k: int) -> bytes:
    return bytes(words.names[words.ends[k] : words.ends[k + 1]])


def _runs(keys: Any) -> list[tuple[int, int]]:
    """Return where equal keys lie, begin and end."""
    same = np.flatnonzero(keys[1:] == keys[:-1])
    if not len(same):
        return []
    breaks = np.flatnonzero(np.diff(same) > 1)
    firsts = same[np.concatenate([[0], breaks + 1])]
    lasts = same[np.concatenate([breaks, [len(same) - 1]])]
    return [(int(a), int(b) + 2) for a, b in zip(firsts, lasts, strict=True)]
