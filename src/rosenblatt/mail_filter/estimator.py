"""The filter as an estimator: what `rosenblatt.load` returns for a file of `mail train`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from rosenblatt.errors import DataError
from rosenblatt.mail_filter.file import KINDS
from rosenblatt.mail_filter.memory import HAM, SPAM, Memory, Messages, Words, is_sound
from rosenblatt.mail_filter.reading import features_of
from rosenblatt.mail_filter.rule import label_of
from rosenblatt.mail_filter.scoring import scores
from rosenblatt.mail_filter.tables import healed
from rosenblatt.mail_filter.training import Array, Corpus

LABELS = {"ham": HAM, "spam": SPAM}


class MailFilter(BaseEstimator):  # type: ignore[misc]  # untyped base
    r"""Tell spam from ham, or be unsure.

    Suits raw messages, as bytes. The command `rosenblatt mail` does the same with files, and learns
    and forgets single messages.

    Parameters
    ----------
    max_false_positives : float, default=0.001
        The share of ham that may be called spam.

    Attributes
    ----------
    spam_from_, ham_below_ : float
        Scores: from the first on a message is spam, below the second it is ham, unsure between.
    keys_, ends_, names_, spam_, ham_, weights_ : ndarray
        The words: see `rosenblatt.mail_filter.memory.Words`.
    digests_, labels_, text_steps_, head_steps_, scores_ : ndarray
        The messages: see `rosenblatt.mail_filter.memory.Messages`.

    Examples
    --------
    >>> from rosenblatt.mail_filter.estimator import MailFilter
    >>> spam = b"From: shop@example.biz\nSubject: win\n\nfree money now"
    >>> ham = b"From: ann@example.org\nSubject: lunch\n\nat noon?"
    >>> model = MailFilter().fit([spam, ham] * 5, ["spam", "ham"] * 5)
    >>> new = b"From: bob@example.org\nSubject: again\n\nlunch at noon"
    >>> model.predict([spam, new, b"Subject: hello\n\nhow are you"])
    array(['spam', 'ham', 'unsure'], dtype='<U6')
    """

    def __init__(self, *, max_false_positives: float = 0.001) -> None:
        self.max_false_positives = max_false_positives

    def fit(self, X: Iterable[bytes], y: Sequence[str]) -> MailFilter:
        """Learn from raw messages X with the labels y, "spam" or "ham"; return self."""
        corpus = Corpus()
        for raw, label in zip(X, y, strict=True):
            if label not in LABELS:
                raise DataError(f"y must hold 'spam' and 'ham', got {label!r}")
            corpus.add(features_of(raw), LABELS[label])
        return self._keep(corpus.train(self.max_false_positives))

    def decision_function(self, X: Iterable[bytes]) -> Array:
        """Return the score of each raw message; the higher, the more like spam."""
        return scores(self.memory(), map(features_of, X))

    def predict(self, X: Iterable[bytes]) -> Array:
        """Return "spam", "ham" or "unsure" for each raw message."""
        memory = self.memory()
        labels = [label_of(memory, score) for score in self.decision_function(X)]
        return np.array(labels, dtype="<U6")

    def memory(self) -> Memory:
        """Return what it knows in the form that the commands use."""
        check_is_fitted(self)
        columns = [getattr(self, name) for name in KINDS]
        words, messages = Words(*columns[:6]), Messages(*columns[6:])
        marks = self.spam_from_, self.ham_below_
        words = words if is_sound(words) else healed(words)
        return Memory(words, messages, self.max_false_positives, *marks)

    def _keep(self, memory: Memory) -> MailFilter:
        columns = zip(KINDS, (*memory.words, *memory.messages), strict=True)
        found: dict[str, Any] = {name: np.asarray(column) for name, column in columns}
        found |= {"spam_from_": memory.spam_from, "ham_below_": memory.ham_below}
        for name, value in found.items():
            setattr(self, name, value)
        return self
