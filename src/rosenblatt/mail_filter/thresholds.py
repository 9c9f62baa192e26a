"""Where spam begins: chosen on scores of messages that the rule had not learned.

Of the few highest scores of ham the very highest is a matter of luck. So the mark is not set on
one of them, but where a tail that falls off exponentially, fitted to the highest k (20, or as many
as are allowed, at most a fifth), leaves half of the allowed share:

    spam from   v + m log((k / n) / (rate / 2))      v: the score below the k highest of n hams
                                                     m: how far these are above v, on the average
    ham below   the score that 1 % of the held-out spam lies under

The first is at least 0, the second at most 0. With fewer than 5 messages of a kind there is no
tail to speak of: then a whole margin is kept from the highest ham, and from the lowest spam.
"""

from __future__ import annotations

from math import log
from typing import Any

from rosenblatt.mail_filter.memory import HAM, MARGIN, SPAM, Messages

MISSED = 0.01  # of the spam may be called ham
TAIL, TAIL_SHARE = 20, 0.2
FEW = 5


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
    """Return the score from which on a message is spam; the highest scores come first.

    Examples
    --------
    >>> round(spam_mark([7.0, 3.0, 2.0, -5.0, -6.0], max_false_positives=0.4), 4)
    3.0
    >>> spam_mark([-20.0], max_false_positives=0.001)
    10.0
    """
    k = min(int(TAIL_SHARE * len(ham)), max(TAIL, int(max_false_positives * len(ham))))
    if len(ham) < FEW:
        return max(0.0, ham[0]) + MARGIN
    mean = sum(score - ham[k] for score in ham[:k]) / k
    return max(0.0, ham[k] + mean * log(max(1.0, (k / len(ham)) / (max_false_positives / 2))))


def ham_mark(spam: list[float]) -> float:
    """Return the score below which a message is ham.

    Examples
    --------
    >>> ham_mark([20.0, 15.0, 14.0, 12.0, -3.0])
    -3.0
    """
    if len(spam) < FEW:
        return min(0.0, spam[-1]) - MARGIN
    return min(0.0, spam[-1 - int(MISSED * len(spam))])


def _list(column: Any) -> list[Any]:
    return list(column.tolist())
