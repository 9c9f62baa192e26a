"""Where spam begins and ham ends: marks that stand when some labels are wrong.

Known are scores of messages before they were learned, in order, and what each was said to be: spam,
ham, or nothing. A noisy logistic is fitted to them by EM:

    P(truly spam | s) = p = 1 / (1 + exp(-(a s + b)))
    a spam is labelled ham with probability eh, a ham is labelled spam with probability es

    repeat until eh and es stay:
        a, b <- two Newton steps towards r            at first r = 1 of spam, 0 of ham, else 1/2
        r    <- (1 - eh) p / ((1 - eh) p + es (1 - p))     P(truly spam), if labelled spam
                eh p / (eh p + (1 - es) (1 - p))           if labelled ham
                p                                          if nothing was said
        eh   <- sum of r over labelled hams / (sum of r over all labelled + 2)
        es   <- sum of 1 - r over labelled spams / (sum of 1 - r over all labelled + 2)

For the marks the rates are thought to be 1 % beforehand, as surely as 100 more labels of each class
would say it: otherwise they go to 0 where corrections are few, and a single spam that was called
ham by mistake is believed and takes the mark up with it.
A label that is more likely wrong than right does not count; the others count with the probability
that they are right.

    spam from   the largest of: the score that the allowed share of ham reaches (`edge`); the least
                odds that were asked for, by the logistic: at least its centre, odds of 1 to 1;
                30 / sqrt(n), for n hams that count: of few hams nothing else is known
    ham below   the least of: the score that 1 % of spam lie under (`edge`); the centre; minus
                30 / n, for n spams that count
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rosenblatt.mail.filter.memory import (
    HAM,
    LEAST_ODDS,
    MARGIN,
    SPAM,
    UNSURE,
    Judged,
    Messages,
)
from rosenblatt.types import Array

MISSED = 0.01  # of the spam may be called ham
MANY = 100  # messages of a class; of more the recent half counts
TAIL = 0.1  # of the hams show how the highest scores thin out
LEARNED = 3 * MARGIN  # what a learned spam scores
FIRST_RATE = 0.01  # of wrong labels, before anything is known of them
N_BEFORE = 100  # labels of each class that the first rate counts as, for the marks
RIDGE = 0.3  # in units of the median score
MOST_ROUNDS, STILL = 500, 1e-5
LEAST_SLOPE = 1e-6  # of the logistic; one that is flatter says nothing
LEAST_UNIT = 1e-3  # scores below it say nothing
LONGEST_STEP = 2.0  # of Newton, in units of the median score


class NoisyLogistic(NamedTuple):
    """How scores and truth belong together, and how often labels are wrong."""

    a: float
    b: float
    spam_as_ham: float  # eh above
    ham_as_spam: float  # es above
    truth: Array  # r: the probability of each message that it is spam

    def score_at(self, odds: float) -> float:
        """Return the score at which the odds of spam are such."""
        return float((np.log(odds) - self.b) / self.a)

    def wrong(self, labels: Array) -> Array:
        """Return the probability of each label that it is wrong; 0 where nothing was said."""
        return np.where(labels == SPAM, 1 - self.truth, self.truth * (labels == HAM))


def noisy_logistic(scores: Array, labels: Array, n_before: int = 0) -> NoisyLogistic:
    """Fit probabilities of spam to scores with labels HAM, SPAM or UNSURE (nothing was said).

    The first rate of wrong labels counts as that of `n_before` labels of each class.
    """
    middle = float(np.median(np.abs(scores)))
    unit = middle if middle > LEAST_UNIT else 1.0
    s, spam, ham = scores / unit, labels == SPAM, labels == HAM
    told = spam | ham
    r = np.where(told, 1.0 * spam, 0.5)
    (a, b), (eh, es) = (0.0, 0.0), (FIRST_RATE, FIRST_RATE)
    n_wrong = n_before * FIRST_RATE
    for _ in range(MOST_ROUNDS):
        for _ in range(2):
            a, b = _newton(s, r, a, b)
        p = _sigmoid(a * s + b)
        before = eh, es
        r = _truth(p, spam, ham, eh, es)
        right = r[told].sum()
        eh = float((r[ham].sum() + n_wrong) / (right + n_before + 2))
        es = float(((1 - r)[spam].sum() + n_wrong) / (told.sum() - right + n_before + 2))
        if abs(eh - before[0]) < STILL and abs(es - before[1]) < STILL:
            break
    return NoisyLogistic(a / unit, b, eh, es, r)


def _newton(s: Array, r: Array, a: float, b: float) -> tuple[float, float]:
    p = _sigmoid(a * s + b)
    rest, slack = r - p, p * (1 - p)
    down_a, down_b = float(rest @ s) - RIDGE * a, float(rest.sum())
    aa, ab, bb = float(slack @ (s * s)) + RIDGE, float(slack @ s), float(slack.sum()) + 1e-9
    area = aa * bb - ab * ab
    step = np.array([bb * down_a - ab * down_b, aa * down_b - ab * down_a]) / area
    step *= min(1.0, LONGEST_STEP / max(1e-300, float(np.abs(step).max())))
    return a + float(step[0]), b + float(step[1])


def _sigmoid(z: Array) -> Array:
    found: Array = 0.5 * (1 + np.tanh(0.5 * z))
    return found


def _truth(p: Array, spam: Array, ham: Array, eh: float, es: float) -> Array:
    as_spam = (1 - eh) * p / ((1 - eh) * p + es * (1 - p))
    as_ham = eh * p / (eh * p + (1 - es) * (1 - p))
    return np.where(spam, as_spam, np.where(ham, as_ham, p))


def edge(scores: Array, weights: Array, alpha: float) -> float:
    """Return the score that the share alpha of messages like these reaches or passes.

    It is a conformal quantile: the highest score whose weight from above exceeds
    max(0, alpha (n + 1) - 1) + 1/2. Where n messages are too few to show so small a share, their
    highest tenth is continued as an exponential tail.

    Examples
    --------
    >>> scores = np.arange(2000.0)
    >>> edge(scores, np.ones(2000), 0.001)  # two of 2,001
    1998.0
    """
    order = np.argsort(-scores, kind="stable")
    high, above = scores[order], np.cumsum(weights[order])
    n = float(above[-1])
    expected = alpha * (n + 1)
    mark = float(high[_first(above > max(0.0, expected - 1) + 0.5)])
    if expected < 1:
        start = high[_first(above > TAIL * n)]
        tail = high > start
        if tail.any():
            excess = np.average(high[tail] - start, weights=weights[order][tail])
            mark += float(np.log(1 / expected) * excess)
    return mark


def _first(found: Array) -> int:
    """Return where the first True is; without one, the last place."""
    return int(found.argmax()) if found.any() else len(found) - 1


def choose_marks(
    messages: Messages, judged: Judged, max_false_positives: float, least_odds: float
) -> tuple[float, float]:
    """Return the scores (spam from, ham below)."""
    scores, labels = recent(*known_scores(messages, judged))
    return marks_of(scores, labels, max_false_positives, least_odds)


def marks_of(
    scores: Array, labels: Array, max_false_positives: float, least_odds: float = LEAST_ODDS
) -> tuple[float, float]:
    """Return (spam from, ham below) by scores with labels HAM, SPAM or UNSURE."""
    if not len(scores):
        return LEARNED, 0.0
    fitted = noisy_logistic(scores, labels, N_BEFORE)
    believed = fitted.wrong(labels) <= 0.5
    ham = (1 - fitted.truth) * (believed & (labels != SPAM))
    spam = fitted.truth * (believed & (labels != HAM))
    spam_from, ham_below = [LEARNED / np.sqrt(max(1.0, ham.sum()))], [0.0]
    if fitted.a > LEAST_SLOPE:
        spam_from.append(fitted.score_at(least_odds))
        ham_below = [fitted.score_at(1.0)]
    if ham.any():
        highest = edge(scores[ham > 0], ham[ham > 0], max_false_positives)
        spam_from.append(np.nextafter(highest, np.inf))  # that one is not lost
    if spam.any():
        ham_below.append(-edge(-scores[spam > 0], spam[spam > 0], MISSED))
    return float(max(spam_from)), float(min(ham_below) - LEARNED / max(1.0, spam.sum()))


def known_scores(messages: Messages, judged: Judged) -> tuple[Array, Array, Array]:
    """Return scores, labels and times of what was learned, and of what was judged besides."""
    others = ~np.isin(np.asarray(judged.arrivals), np.asarray(messages.arrivals))
    pairs = (
        (messages.scores, judged.scores),
        (messages.labels, judged.labels),
        (messages.times, judged.times),
    )
    scores, labels, times = (np.append(a, np.asarray(b)[others]) for a, b in pairs)
    return scores, labels, times


def recent(scores: Array, labels: Array, times: Array) -> tuple[Array, Array]:
    """Return scores and labels of the more recent half of each class that has many."""
    kept = np.ones(len(scores), dtype=bool)
    for label in (HAM, SPAM, UNSURE):
        mine = labels == label
        if mine.sum() > MANY:
            # those of `mail train` are all of the same time: of them all count, or none
            kept &= ~mine | (times >= np.sort(times[mine])[mine.sum() // 2])
    return scores[kept], labels[kept]
