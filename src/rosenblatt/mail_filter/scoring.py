"""Scores of many messages: their words are numbered all together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np

from rosenblatt._read_only import as_others
from rosenblatt.mail_filter.memory import UNIT, Features, Memory
from rosenblatt.mail_filter.numbering import Numbering
from rosenblatt.mail_filter.rule import SMOOTHING

MANY = 256  # messages scored at a time
MOST_NEW = 1 << 20  # words that the filter does not know; then it begins with its own again

Array = np.ndarray[Any, Any]


def scores(memory: Memory, messages: Iterable[Features]) -> Array:
    """Return the scores of messages, each that of `rule.judge`."""
    scorer = _Scorer(memory)
    waiting, found = iter(messages), [np.empty(0)]
    while batch := list(islice(waiting, MANY)):
        if scorer.n_new > MOST_NEW:
            scorer = _Scorer(memory)
        found.append(scorer.scores(batch))
    return np.concatenate(found)


class _Scorer:
    def __init__(self, memory: Memory) -> None:
        table = memory.words
        self._numbering = Numbering()
        names, ends = np.asarray(table.names), np.asarray(table.ends).astype(np.int64)
        numbers, _ = self._numbering.number(as_others(names), ends[1:])
        self._weights = np.zeros(len(self._numbering) + 1)
        # from the end: of a word that is there twice the first one counts, as `Words.find` has it;
        # where words had control characters, earlier versions wrote such tables
        self._weights[numbers[::-1]] = _weights(memory)[::-1]

    @property
    def n_new(self) -> int:
        """How many words came that the filter does not know."""
        return len(self._numbering) + 1 - len(self._weights)

    def scores(self, messages: Iterable[Features]) -> Array:
        """Return the scores of some messages."""
        for text, head in messages:
            self._numbering.add(text)
            self._numbering.add(head)
        indices, indptr = self._numbering.rows()
        self._numbering.forget_rows()
        # a word that the filter does not know is numbered like the others, and weighs nothing
        entries = self._weights[np.minimum(indices, len(self._weights) - 1)]
        sums = np.diff(np.concatenate([[0.0], np.cumsum(entries)])[indptr])
        parts = sums / np.sqrt(np.maximum(1, np.diff(indptr)))
        found: Array = parts[0::2] + parts[1::2]
        return found


def _weights(memory: Memory) -> Array:
    """Return e_j^2 u_j of each word."""
    spam, ham, weights = (np.asarray(column) for column in memory.words[3:])
    rest = np.log((memory.n_ham + 2 * SMOOTHING) / (memory.n_spam + 2 * SMOOTHING))
    evidence = np.log((spam + SMOOTHING) / (ham + SMOOTHING)) + rest
    found: Array = evidence**2 * weights / UNIT
    return found
