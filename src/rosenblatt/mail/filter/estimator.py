"""The filter as an estimator: what `rosenblatt.load` returns for a file of `mail train`.

It scores many messages at once: a kernel numbers the words of all together, and sums are NumPy's.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from rosenblatt.errors import DataError
from rosenblatt.kernels.margin_perceptron import dot_rows
from rosenblatt.kernels.rows import Presence
from rosenblatt.mail.filter.file import columns_of, filter_facts, memory_of
from rosenblatt.mail.filter.memory import HAM, LEAST_ODDS, SPAM, UNIT, FilterMemory, Witnesses
from rosenblatt.mail.filter.numbering import Numbering, letter_rows
from rosenblatt.mail.filter.reading import features_of
from rosenblatt.mail.filter.rule import SMOOTHING
from rosenblatt.mail.filter.training import Corpus
from rosenblatt.rows import as_others
from rosenblatt.types import Array

LABELS = {"ham": HAM, "spam": SPAM}
MANY = 256  # messages scored at a time
MOST_NEW = 1 << 20  # words that the filter does not know; then it begins with its own again


class MailFilter(BaseEstimator):  # type: ignore[misc]  # untyped base
    r"""Tell spam from ham, or be unsure.

    Suits raw messages, as bytes. The command `rosenblatt mail` does the same with files, and learns
    and forgets single messages.

    Parameters
    ----------
    max_false_positives : float, default=0.001
        The share of ham that may be called spam.
    least_odds : float, default=1.0
        The odds of spam to ham from which on a message may be called spam; 99 is careful.

    Attributes
    ----------
    spam_from_, ham_below_ : float
        Scores: from the first on a message is spam, below the second it is ham, unsure between.
    keys_, ends_, names_, spam_, ham_, weights_ : ndarray
        The words: see `rosenblatt.mail.filter.memory.Words`.
    secret_, letter_spam_, letter_ham_, letter_weights_ : int and ndarray
        The letters: see `rosenblatt.mail.filter.memory.Letters`; earlier versions had none.
    digests_, labels_, text_steps_, head_steps_, scores_, letter_steps_, arrivals_, times_ : ndarray
        The messages: see `rosenblatt.mail.filter.memory.Messages`.
    judged_arrivals_, judged_scores_, judged_labels_, judged_times_ : ndarray
        What was judged: see `rosenblatt.mail.filter.memory.Judged`; not there if it was nothing.

    Examples
    --------
    >>> from rosenblatt.mail.filter.estimator import MailFilter
    >>> spam = b"From: shop@example.biz\nSubject: win\n\nfree money now"
    >>> ham = b"From: ann@example.org\nSubject: lunch\n\nat noon?"
    >>> model = MailFilter().fit([spam, ham] * 5, ["spam", "ham"] * 5)
    >>> new = b"From: bob@example.org\nSubject: again\n\nlunch at noon"
    >>> model.predict([spam, new, b"Subject: hello\n\nhow are you"])
    array(['spam', 'ham', 'unsure'], dtype='<U6')
    """

    def __init__(
        self, *, max_false_positives: float = 0.001, least_odds: float = LEAST_ODDS
    ) -> None:
        self.max_false_positives = max_false_positives
        self.least_odds = least_odds

    def fit(self, X: Iterable[bytes], y: Sequence[str]) -> MailFilter:
        """Learn from raw messages X with the labels y, "spam" or "ham"; return self."""
        corpus = Corpus()
        for raw, label in zip(X, y, strict=True):
            if label not in LABELS:
                raise DataError(f"y must hold 'spam' and 'ham', got {label!r}")
            corpus.add(features_of(raw), LABELS[label])
        return self._keep(corpus.train(self.max_false_positives, least_odds=self.least_odds))

    def decision_function(self, X: Iterable[bytes]) -> Array:
        """Return the score of each raw message; the higher, the more like spam."""
        return message_scores(self.memory(), map(features_of, X))

    def predict(self, X: Iterable[bytes]) -> Array:
        """Return "spam", "ham" or "unsure" for each raw message."""
        memory = self.memory()
        labels = [memory.label_of(score) for score in self.decision_function(X)]
        return np.array(labels, dtype="<U6")

    @property
    def classes_(self) -> Array:
        """The labels that it learns; of a message it may say "unsure", too."""
        return np.array(sorted(LABELS))

    def memory(self) -> FilterMemory:
        """Return what it knows in the form that the commands use."""
        check_is_fitted(self)
        return memory_of(vars(self), self.get_params())

    def _keep(self, memory: FilterMemory) -> MailFilter:
        columns = columns_of(memory).items()
        found: dict[str, Any] = {name: np.asarray(column) for name, column in columns}
        for name, value in (found | filter_facts(memory)).items():
            setattr(self, name, value)
        return self


def message_scores(memory: FilterMemory, messages: Iterable[Witnesses]) -> Array:
    """Return the scores of messages, each that of `rule.judge_message`."""
    scorer = _Scorer(memory)
    waiting, found = iter(messages), [np.empty(0)]
    while batch := list(islice(waiting, MANY)):
        if scorer.n_new > MOST_NEW:
            scorer = _Scorer(memory)
        found.append(scorer.scores(batch))
    return np.concatenate(found)


class _Scorer:
    def __init__(self, memory: FilterMemory) -> None:
        table = memory.words
        self._numbering = Numbering()
        names, ends = np.asarray(table.names), np.asarray(table.ends).astype(np.int64)
        numbers, _ = self._numbering.number(as_others(names), ends[1:])
        self._weights = np.zeros(len(self._numbering) + 1)
        # from the end: of a word that is there twice the first one counts, as `Words.find` has it;
        # where words had control characters, earlier versions wrote such tables
        self._weights[numbers[::-1]] = _weights(memory, *table[3:])[::-1]
        self._memory = memory
        self._letter_weights = _weights(memory, *memory.letters[1:]) if memory.letters else None

    @property
    def n_new(self) -> int:
        """How many words came that the filter does not know."""
        return len(self._numbering) + 1 - len(self._weights)

    def scores(self, messages: Iterable[Witnesses]) -> Array:
        """Return the scores of some messages."""
        letters, stops = bytearray(), array("q")
        for features in messages:
            for words in self._memory.texts_of(features):
                self._numbering.add(words)
            letters += features.letters
            stops.append(len(letters))
        indices, indptr = self._numbering.rows()
        self._numbering.forget_rows()
        # a word that the filter does not know is numbered like the others, and weighs nothing
        found = _means(self._weights[np.minimum(indices, len(self._weights) - 1)], indptr)
        found = found[0::2] + found[1::2]
        if self._memory.letters and self._letter_weights is not None:
            rows = Presence(*letter_rows(letters, stops, self._memory.letters.secret))
            sums = np.empty(len(found))
            dot_rows(rows, np.arange(len(found)), self._letter_weights, sums)
            found += sums / _roots(rows.indptr)
        return found


def _means(entries: Array, indptr: Array) -> Array:
    """Return the sum of each row by the root of its length."""
    sums = np.diff(np.concatenate([[0.0], np.cumsum(entries)])[indptr])
    found: Array = sums / _roots(indptr)
    return found


def _roots(indptr: Array) -> Array:
    """Return the root of the length of each row."""
    found: Array = np.sqrt(np.maximum(1, np.diff(indptr)))
    return found


def _weights(memory: FilterMemory, *columns: Any) -> Array:
    """Return e_j^2 u_j of each word or place."""
    spam, ham, weights = (np.asarray(column) for column in columns)
    rest = np.log((memory.n_ham + 2 * SMOOTHING) / (memory.n_spam + 2 * SMOOTHING))
    evidence = np.log((spam + SMOOTHING) / (ham + SMOOTHING)) + rest
    found: Array = evidence**2 * weights / UNIT
    return found
