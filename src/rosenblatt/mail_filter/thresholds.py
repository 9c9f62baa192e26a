"""Where spam begins: chosen on scores of messages that the rule had not learned.

A message is not lost lightly, so the mark lies above the ham that was seen, not among it:

    spam from   the highest held-out score of n hams, at least 0, plus margin / sqrt(n); as many as
                floor(rate n / 2) of the very highest are left out
    ham below   the score that 1 % of the held-out spam lies under, at most 0, minus the same

Half the allowed share: as many hams again may lie above the mark among those not seen yet. What is
added is caution: with one ham it is a whole margin, with a thousand next to nothing.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from rosenblatt.mail_filter.memory import HAM, MARGIN, SPAM, Messages

MISSED = 0.01  # of the spam may be called ham


def thresholds(messages: Messages, max_false_positives: float) -> tuple[float, float]:
    """Return the scores (spam from, ham below)."""
    ham, spam = (held_out(messages, label) for label in (HAM, SPAM))
    # of a class that was forgotten altogether nothing is known
    spam_from = spam_mark(ham or [MARGIN], max_false_positives)
    return spam_from, ham_mark(spam or [-MARGIN])


def held_out(messages: Messages, label: int) -> list[float]:
    """Return the held-out scores of a class, highest first."""
    pairs = zip(_list(messages.labels), _list(messages.scores), strict=True)
    return sorted((score for kind, score in pairs if kind == label), reverse=True)


def spam_mark(ham: list[float], max_false_positives: float) -> float:
    """Return the score from which on a message is spam.

    Examples
    --------
    >>> spam_mark([7.0, 3.0, 2.0, -5.0], max_false_positives=0.5)  # the 7 is left out
    8.0
    >>> spam_mark([-20.0], max_false_positives=0.001)
    10.0
    """
    left_out = int(max_false_positives * len(ham) / 2)
    return max(0.0, ham[left_out]) + MARGIN / sqrt(len(ham))


def ham_mark(spam: list[float]) -> float:
    """Return the score below which a message is ham.

    Examples
    --------
    >>> ham_mark([20.0, 15.0, 14.0, 12.0])
    -5.0
    """
    left_out = int(MISSED * len(spam))
    return min(0.0, spam[-1 - left_out]) - MARGIN / sqrt(len(spam))


def _list(column: Any) -> list[Any]:
    return list(column.tolist())
