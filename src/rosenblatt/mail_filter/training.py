"""Learn a filter from many messages at once.

1.  count the words of spam and ham; the evidence of each follows (`rule`)
2.  passes of the perceptron with a margin give each message its step
3.  the same on four fifths gives the scores of the last fifth, five times over: held-out
    scores for all messages, on which the thresholds are chosen
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np

from rosenblatt.errors import DataError
from rosenblatt.kernels.margin_perceptron import TIMES, UPDATES, margin_pass
from rosenblatt.kernels.rows import CSR
from rosenblatt.mail_filter.memory import (
    HAM,
    MARGIN,
    SPAM,
    UNIT,
    Memory,
    Messages,
    digest_of,
    is_head,
)
from rosenblatt.mail_filter.rule import SMOOTHING
from rosenblatt.mail_filter.tables import table_of
from rosenblatt.mail_filter.thresholds import thresholds

MOST_PASSES = 20
N_FOLDS = 5
SLICE = 1 << 24  # words looked at between two answers to Ctrl-C

Array = np.ndarray[Any, Any]
Tell = Callable[[str, float], None]


class Corpus:
    """Messages as numbers of words: add them all, then `train`."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self._indices, self._indptr = array("i"), array("q", [0])
        self._labels, self._digests = array("B"), array("Q")

    def add(self, features: list[str], label: int) -> None:
        """Add a message: its words, each once, and HAM or SPAM."""
        self._indices.extend(map(self._numbers.__getitem__, features))
        self._indptr.append(len(self._indices))
        self._labels.append(label)
        self._digests.append(digest_of(features))

    def count(self, label: int) -> int:
        """Return how many messages of a class there are."""
        return self._labels.count(label)

    def train(
        self,
        max_false_positives: float = 0.001,
        seed: int = 0,
        tell: Tell = lambda stage, share: None,
    ) -> Memory:
        """Return what a filter knows after these messages."""
        if not (self.count(SPAM) and self.count(HAM)):
            missing = "ham" if self.count(SPAM) else "spam"
            raise DataError(f"there is no {missing}; a filter needs messages of both kinds")
        witnesses = self._witnesses()
        rng = np.random.default_rng(seed)
        everyone = np.arange(len(self._labels))
        tell("learning", 0.0)
        steps = [(witness.steps(everyone, rng) * UNIT).astype(np.int64) for witness in witnesses]
        scores = _held_out(witnesses, rng, tell)
        words = [word.encode("utf-8", "surrogatepass") for word in self._numbers]
        columns = [
            sum(parts) for parts in zip(*map(_Problem.columns, witnesses, steps), strict=True)
        ]
        messages = self._messages(steps, scores)
        marks = thresholds(messages, max_false_positives)
        table = table_of(words, *columns)
        return Memory(table, messages, max_false_positives, *marks)

    def _witnesses(self) -> list[_Problem]:
        """Return text and letterhead, each with the rows of its own words."""
        indices, indptr = np.asarray(self._indices), np.asarray(self._indptr)
        of_head = np.fromiter(map(is_head, self._numbers), dtype=bool, count=len(self._numbers))
        found = []
        for is_wanted in (~of_head, of_head):
            kept = is_wanted[indices]
            ends = np.concatenate([[0], np.cumsum(kept)])[indptr]
            found.append(
                _Problem(indices[kept], ends, np.asarray(self._labels), len(self._numbers))
            )
        return found

    def _messages(self, steps: list[Array], scores: Array) -> Messages:
        digests, labels = np.array(self._digests), np.array(self._labels)
        order = np.lexsort((labels, digests))
        return Messages(*(column[order] for column in (digests, labels, *steps, scores)))


class _Problem:
    """The rows of all messages; folds take part in it by their numbers."""

    def __init__(self, indices: Array, indptr: Array, labels: Array, n_words: int) -> None:
        self.indices, self.indptr, self.labels = indices, indptr, labels
        self.lengths = np.diff(indptr)
        self.y = np.where(labels == SPAM, 1.0, -1.0)
        self.n_words = n_words
        self.all_counts = self._counts(np.ones(len(labels), dtype=bool))
        self.scales = np.repeat(1 / np.sqrt(np.maximum(1, self.lengths)), self.lengths)

    def signed(self, steps: Array) -> Array:
        """Return the steps, those of ham negative."""
        return np.where(self.labels == SPAM, steps, -steps)

    def counts(self, members: Array) -> tuple[Array, Array]:
        """Return in how many spams and hams among the members each word is."""
        if len(members) == len(self.labels):
            return self.all_counts
        # the fewer are counted: of four fifths, the fifth that is left out
        left_out = np.ones(len(self.labels), dtype=bool)
        left_out[members] = False
        spam, ham = self._counts(left_out)
        return self.all_counts[0] - spam, self.all_counts[1] - ham

    def _counts(self, wanted: Array) -> tuple[Array, Array]:
        spam, ham = (
            np.bincount(
                self.indices[np.repeat(wanted & (self.labels == label), self.lengths)],
                minlength=self.n_words,
            ).astype(np.int32)
            for label in (SPAM, HAM)
        )
        return spam, ham

    def columns(self, steps: Array) -> tuple[Array, Array, Array]:
        """Return spam, ham and weight of each word."""
        # as `share_of`; sums of whole numbers below 2^53 are exact in float64
        shares = (steps / np.sqrt(np.maximum(1, self.lengths))).astype(np.int64)
        entries = np.repeat(self.signed(shares), self.lengths)
        weights = np.bincount(self.indices, entries, minlength=self.n_words).astype(np.int64)
        return *self.all_counts, weights

    def steps(self, members: Array, rng: Any) -> Array:
        """Return the steps of all messages, when the members are learned."""
        return self._fit(members, rng)[0]

    def scores(self, members: Array, others: Array, rng: Any) -> Array:
        """Return the scores of messages by the rule that the members give."""
        _, rows, w = self._fit(members, rng)
        return _scores(rows, others, w)

    def _fit(self, members: Array, rng: Any) -> tuple[Array, CSR, Array]:
        rows = self._rows(members)
        w, clock = np.zeros(self.n_words), np.zeros(1)
        steps = np.zeros((len(self.labels), 3))
        size = max(1, SLICE * len(self.labels) // max(1, len(self.indices)))
        for _ in range(MOST_PASSES):
            order, n_updates = rng.permutation(members), 0
            for start in range(0, len(order), size):
                part = order[start : start + size]
                n_updates += margin_pass(rows, self.y, part, MARGIN, w, steps, clock)
            if not n_updates:
                break
        mean = steps[:, UPDATES] - steps[:, TIMES] / max(1.0, clock[0])
        return self._averaged(mean, rows)

    def _averaged(self, steps: Array, rows: CSR) -> tuple[Array, CSR, Array]:
        entries = np.repeat(steps * self.y, self.lengths) * rows.data
        w = np.bincount(self.indices, entries, minlength=self.n_words)
        return steps, rows, w

    def _rows(self, members: Array) -> CSR:
        """Return x_ij = e_j / sqrt(n_i), with the evidence of the members."""
        spam, ham = self.counts(members)
        n_spam, n_ham = (int((self.labels[members] == label).sum()) for label in (SPAM, HAM))
        rest = np.log((n_ham + 2 * SMOOTHING) / (n_spam + 2 * SMOOTHING))
        evidence = np.abs(np.log((spam + SMOOTHING) / (ham + SMOOTHING)) + rest)
        evidence[(spam == 0) & (ham == 0)] = 0.0
        return CSR(evidence[self.indices] * self.scales, self.indices, self.indptr)


def _held_out(witnesses: list[_Problem], rng: Any, tell: Tell) -> Array:
    """Return a score of each message by a rule that was learned without it."""
    labels = witnesses[0].labels
    scores = np.zeros(len(labels))
    for number, (members, others) in enumerate(_folds(labels, rng)):
        tell("choosing the thresholds", (number + 1) / (N_FOLDS + 1))
        for witness in witnesses:
            scores[others] += witness.scores(members, others, rng)
    return scores


def _folds(labels: Array, rng: Any) -> Iterator[tuple[Array, Array]]:
    """Return (to learn, to score): of each class the same share in every fold."""
    fold = np.empty(len(labels), dtype=np.int64)
    for label in (HAM, SPAM):
        rows = rng.permutation(np.flatnonzero(labels == label))
        fold[rows] = np.arange(len(rows)) % N_FOLDS
    for number in range(N_FOLDS):
        others = np.flatnonzero(fold == number)
        if len(others):
            yield np.flatnonzero(fold != number), others


def _scores(rows: CSR, members: Array, w: Array) -> Array:
    products = rows.data * w[rows.indices]
    sums = np.concatenate([[0.0], np.cumsum(products)])
    found: Array = sums[rows.indptr[members + 1]] - sums[rows.indptr[members]]
    return found
