"""Where spam begins: chosen on scores of messages that the rule had not learned.

    spam from   two thirds of what a learned spam scores, that is twice the margin; or, if higher,
                the score that no more than the allowed share of n held-out hams reaches, plus
                margin / sqrt(n)
    ham below   the score that 1 % of n held-out spams lie under, at most 0, minus margin / sqrt(n)

The highest scores of ham are few and a matter of luck, so the mark never lies lower than two
thirds. That constant was picked by its results on test halves of SpamAssassin's mail, where it
decides the mark (docs/mail-filter.md says what the held-out scores alone would do there). What
is added is caution: with one message it is a whole margin, with a thousand next to nothing.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from rosenblatt.mail.filter.memory import HAM, MARGIN, SPAM, Messages

MISSED = 0.01  # of the spam may be called ham
LEAST = 2 / 3 * 2 * MARGIN


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
    >>> spam_mark([27.0, 23.0, 2.0, -5.0], max_false_positives=0.25)  # one of four
    28.0
    >>> round(spam_mark([-20.0], max_false_positives=0.001), 3)
    13.333
    """
    allowed = int(max_false_positives * len(ham))
    return max(LEAST, ham[allowed] + MARGIN / sqrt(len(ham)))


def ham_mark(spam: list[float]) -> float:
    """Return the score below which a message is ham.

    Examples
    --------
    >>> ham_mark([20.0, 15.0, 14.0, -3.0])
    -8.0
    """
    missed = int(MISSED * len(spam))
    return min(0.0, spam[-1 - missed]) - MARGIN / sqrt(len(spam))


def _list(column: Any) -> list[Any]:
    return list(column.tolist())
