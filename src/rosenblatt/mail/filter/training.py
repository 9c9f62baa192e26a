"""Learn a filter from many messages at once.

1.  count the words and letters of spam and ham; the evidence of each follows (`rule`)
2.  passes of the perceptron with a margin give each message its step
3.  the same on four fifths gives the scores of the last fifth, five times over: held-out
    scores for all messages, on which the marks are chosen (`marks`)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from xxhash import xxh64_intdigest

from rosenblatt.errors import DataError
from rosenblatt.kernels.margin_perceptron import (
    PACE,
    TIMES,
    UPDATES,
    VISITS,
    add_rows,
    dot_rows,
    margin_pass,
)
from rosenblatt.kernels.rows import Presence
from rosenblatt.mail.filter.correcting import in_order
from rosenblatt.mail.filter.marks import choose_marks
from rosenblatt.mail.filter.memory import (
    HAM,
    LEAST_ODDS,
    MARGIN,
    PLACES,
    SPAM,
    UNIT,
    FilterMemory,
    Judged,
    Letters,
    Messages,
    Witnesses,
    Words,
    message_digest,
)
from rosenblatt.mail.filter.numbering import Numbering, letter_rows
from rosenblatt.mail.filter.rule import SMOOTHING
from rosenblatt.types import Array

MOST_PASSES, AT_FIRST = 20, 3  # later ones look less often at messages that are sure
N_FOLDS = 5
SLICE = 1 << 24  # words looked at between two answers to Ctrl-C

JUDGED = np.uint64, np.float64, np.uint8, np.uint32

Tell = Callable[[str, float], None]


class Corpus:
    """Messages as numbers of words: add them all, then `train`."""

    def __init__(self) -> None:
        self._numberings = Numbering(), Numbering()  # of text and letterhead
        self._labels, self._digests = array("B"), array("Q")
        self._letters, self._stops = bytearray(), array("q")

    def add(self, features: Witnesses, label: int) -> int:
        """Add a message: its words, and HAM or SPAM; return the number it is known by."""
        text, head = self._numberings
        text.add(features.text)
        head.add(features.head)
        self._letters += features.letters
        self._stops.append(len(self._letters))
        self._labels.append(label)
        self._digests.append(message_digest(*features[:3]))
        return self._digests[-1]

    def count(self, label: int) -> int:
        """Return how many messages of a class there are."""
        return self._labels.count(label)

    def train(
        self,
        max_false_positives: float = 0.001,
        seed: int = 0,
        tell: Tell = lambda stage, share: None,
        least_odds: float = LEAST_ODDS,
    ) -> FilterMemory:
        """Return what a filter knows after these messages."""
        if not (self.count(SPAM) and self.count(HAM)):
            missing = "ham" if self.count(SPAM) else "spam"
            raise DataError(f"there is no {missing}; a filter needs messages of both kinds")
        labels, secret = np.array(self._labels), self._secret()
        witnesses = [_Problem(*each.rows(), labels, len(each)) for each in self._numberings]
        witnesses.append(_Problem(*letter_rows(self._letters, self._stops, secret), labels, PLACES))
        rng = np.random.default_rng(seed)
        everyone = np.arange(len(self._labels))
        tell("learning", 0.0)
        steps = [(witness.steps(everyone, rng) * UNIT).astype(np.int64) for witness in witnesses]
        scores = _held_out(witnesses, rng, tell)
        messages = self._messages(steps, scores, secret)
        judged = Judged(*(np.empty(0, dtype) for dtype in JUDGED))
        letters = Letters(secret, *witnesses[2].columns(steps[2]))
        words = self._table(witnesses[:2], steps[:2])
        marks = choose_marks(messages, judged, max_false_positives, least_odds)
        return FilterMemory(
            words, letters, messages, judged, max_false_positives, least_odds, *marks
        )

    def _secret(self) -> int:
        """Return an odd number that only who has all these messages can know."""
        everything = np.sort(np.array(self._digests)).tobytes()
        return int.from_bytes(sha256(everything).digest()[:4], "little") | 1

    def _table(self, witnesses: list[_Problem], steps: list[Array]) -> Words:
        (text, text_ends), (head, head_ends) = (each.names() for each in self._numberings)
        ends = np.concatenate([text_ends, head_ends[1:] + len(text)])
        names = np.concatenate([text, head])
        letters = names.tobytes()
        keys = np.array([crc32(letters[a:b]) for a, b in pairwise(ends.tolist())], dtype=np.uint32)
        columns = zip(*map(_Problem.columns, witnesses, steps), strict=True)
        words = Words(keys, ends, names, *map(np.concatenate, columns))
        return in_order(words, np.arange(len(keys)))

    def _messages(self, steps: list[Array], scores: Array, secret: int) -> Messages:
        text_steps, head_steps, letter_steps = steps
        starts = [0, *self._stops]
        arrivals = [xxh64_intdigest(self._letters[a:b], secret) for a, b in pairwise(starts)]
        columns = [
            np.array(self._digests),
            np.array(self._labels),
            text_steps,
            head_steps,
            scores,
            letter_steps,
            np.array(arrivals, dtype=np.uint64),
            np.zeros(len(scores), dtype=np.uint32),
        ]
        order = np.lexsort((columns[1], columns[0]))
        return Messages(*(column[order] for column in columns))


class _Problem:
    """The rows of one witness for all messages; folds take part in it by their numbers."""

    def __init__(self, indices: Array, indptr: Array, labels: Array, n_words: int) -> None:
        self.X, self.labels, self.n_words = Presence(indices, indptr), labels, n_words
        self.y = np.where(labels == SPAM, 1.0, -1.0)
        self.roots = np.sqrt(np.maximum(1, np.diff(indptr)))
        self.all_counts = self._counts(np.ones(len(labels), dtype=bool))

    def columns(self, steps: Array) -> tuple[Array, Array, Array]:
        """Return spam, ham and weight of each word."""
        # as `share_of`; sums of whole numbers below 2^53 are exact in float64
        shares = np.trunc(steps / self.roots)
        spam, ham, weights = *self.all_counts, self._sums(self.y * shares)
        return spam.astype(np.int32), ham.astype(np.int32), weights.astype(np.int64)

    def steps(self, members: Array, rng: Any) -> Array:
        """Return the steps of all messages, when the members are learned."""
        return self._steps(members, self._squares(members), rng)

    def scores(self, members: Array, others: Array, rng: Any) -> Array:
        """Return the scores of messages by the rule that the members give."""
        squares = self._squares(members)
        steps = self._steps(members, squares, rng)
        found = np.empty(len(others))
        dot_rows(self.X, others, squares * self._sums(self.y * steps / self.roots), found)
        return found / self.roots[others]

    def _steps(self, members: Array, squares: Array, rng: Any) -> Array:
        v, clock = np.zeros(self.n_words), np.zeros(2)
        steps = np.zeros((len(self.labels), 3))
        size = max(1, SLICE * len(self.labels) // max(1, len(self.X.indices)))
        rule = self.X, 1 / self.roots, squares, self.y
        for number in range(MOST_PASSES):
            order, n_updates = rng.permutation(members), 0
            clock[PACE] = max(1.0, number / AT_FIRST)
            for start in range(0, len(order), size):
                part = order[start : start + size]
                n_updates += margin_pass(*rule, part, MARGIN, v, steps, clock)
            if not n_updates:
                break
        mean: Array = steps[:, UPDATES] - steps[:, TIMES] / max(1.0, clock[VISITS])
        return mean

    def _squares(self, members: Array) -> Array:
        """Return e_j^2, by the members."""
        spam, ham = self.all_counts
        if len(members) < len(self.labels):
            # the fewer are counted: of four fifths, the fifth that is left out
            left_out = np.ones(len(self.labels), dtype=bool)
            left_out[members] = False
            more_spam, more_ham = self._counts(left_out)
            spam, ham = spam - more_spam, ham - more_ham
        n_spam, n_ham = (int((self.labels[members] == label).sum()) for label in (SPAM, HAM))
        rest = np.log((n_ham + 2 * SMOOTHING) / (n_spam + 2 * SMOOTHING))
        squares: Array = (np.log((spam + SMOOTHING) / (ham + SMOOTHING)) + rest) ** 2
        squares[(spam == 0) & (ham == 0)] = 0.0
        return squares

    def _counts(self, wanted: Array) -> tuple[Array, Array]:
        """Return in how many spams and hams among the wanted each word is."""
        spam, ham = (self._sums((wanted & (self.labels == label)) * 1.0) for label in (SPAM, HAM))
        return spam, ham

    def _sums(self, coefficients: Array) -> Array:
        """Return for each word the sum over the messages that have it."""
        total = np.zeros(self.n_words)
        add_rows(self.X, coefficients, total)
        return total


def _held_out(witnesses: list[_Problem], rng: Any, tell: Tell) -> Array:
    """Return a score of each message by a rule that was learned without it."""
    labels = witnesses[0].labels
    scores = np.zeros(len(labels))
    for number, (members, others) in enumerate(_folds(labels, rng)):
        tell("choosing the marks", (number + 1) / (N_FOLDS + 1))
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
