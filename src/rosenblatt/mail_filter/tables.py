"""Put words with their counts in the order of a table."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np

from rosenblatt.mail_filter.memory import Words, each_once


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


def healed(words: Words) -> Words:
    r"""Return a table in which each entry is one word, and is in no fewer than 0 messages.

    Earlier versions took a word with a control character for one word when they learned or forgot
    a single message, and for several when they learned many at once. So a message learned with
    others and forgotten alone left its words with a count of 1, and all of them together with a
    count of -1. Here each word gets what was put down to all of them together.

    Examples
    --------
    >>> keys = np.array([crc32(word) for word in (b"id:a\1b", b"id:a", b"b")], dtype=np.uint32)
    >>> names, ham = np.frombuffer(b"id:a\1bid:ab", np.uint8), np.array([0, 2, 0])
    >>> spam = np.array([-1, 1, 1])
    >>> table = healed(Words(keys, np.array([0, 6, 10, 11]), names, spam, ham, 5 * spam))
    >>> table.names.tobytes(), table.spam.tolist(), table.ham.tolist(), table.weights.tolist()
    (b'id:a', [0], [2], [0])
    """
    sums: dict[bytes, Any] = {}
    columns = np.column_stack(words[3:]).astype(np.int64)
    for k, facts in enumerate(columns):
        for word in each_once(_name(words, k)):
            sums[word] = sums[word] + facts if word in sums else facts
    spam, ham, weights = np.array(list(sums.values())).reshape(-1, 3).T
    spam, ham = np.maximum(0, spam).astype(np.int32), np.maximum(0, ham).astype(np.int32)
    keys = np.array(list(map(crc32, sums)), dtype=np.uint32)
    ends = np.cumsum([0, *map(len, sums)])
    whole = Words(keys, ends, np.frombuffer(b"".join(sums), dtype=np.uint8), spam, ham, weights)
    return in_order(whole, np.flatnonzero(spam | ham))


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
