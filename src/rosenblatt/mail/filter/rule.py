"""From words to a score: averaged perceptrons on words that count by their evidence.

    e_j   = log((s_j + a) / (S + 2a)) - log((h_j + a) / (H + 2a))    naive Bayes' evidence of word j
    u_j   = sum of  y_i step_i / sqrt(n_i)  over the messages i with word j      the perceptron
    score = sum of  e_j^2 u_j / sqrt(n)  over the words j of a message

s_j of S spams and h_j of H hams have the word j; n words are in the message. It is the perceptron
in its dual form, w = sum of y_i step_i x_i, with x_ij = e_j / sqrt(n_i): the evidence decides how
much a word may say, and the perceptron learns what. All but e_j are sums of whole numbers, so a
message is taken out again by subtracting what it added.

Text, letterhead and letters are three witnesses: each has its own counts, n, steps and sum, and
the score is the sum of all. An advertisement that was asked for reads like spam, but did not come
like spam. The letters are windows of 4 bytes of the message as it came, which show what a reader
does not see, and they need no words; their places in a table stand for words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import fsum, log, sqrt
from typing import NamedTuple

from rosenblatt.mail.filter.memory import UNIT, FilterMemory, Witnesses, each_once

SMOOTHING = 0.1  # a above

Evidence = Callable[[int, int], float]


class WitnessSums(NamedTuple):
    """What each witness adds to a score."""

    text: float
    letterhead: float
    letters: float


class MessageVerdict(NamedTuple):
    """What the filter says of a message; what words and letters add makes the score."""

    label: str  # spam, ham or unsure
    score: float
    words: list[tuple[str, float]]  # known ones, the heaviest first
    sums: WitnessSums = WitnessSums(0.0, 0.0, 0.0)


@lru_cache(maxsize=1)  # who judges many messages needs the same logarithms again
def evidence_of(n_spam: int, n_ham: int) -> Evidence:
    """Return the function (s_j, h_j) -> e_j^2.

    Examples
    --------
    >>> evidence = evidence_of(n_spam=10, n_ham=10)
    >>> evidence(5, 5)
    0.0
    >>> evidence(9, 0) > evidence(9, 1) > evidence(9, 5)
    True
    """
    known: dict[tuple[int, int], float] = {}
    rest = log((n_ham + 2 * SMOOTHING) / (n_spam + 2 * SMOOTHING))

    def evidence(spam: int, ham: int) -> float:
        value = known.get((spam, ham))
        if value is None:
            value = (log((spam + SMOOTHING) / (ham + SMOOTHING)) + rest) ** 2
            known[spam, ham] = value
        return value

    return evidence


def judge_message(memory: FilterMemory, features: Witnesses) -> MessageVerdict:
    """Return what the filter says of a message with these words."""
    table, evidence = memory.words, evidence_of(memory.n_spam, memory.n_ham)
    spam, ham, weights = table.spam, table.ham, table.weights
    parts: list[tuple[str, float]] = []
    sums: list[float] = []
    for witness in map(each_once, memory.texts_of(features)):
        scale, before = _scale(witness), len(parts)
        for word in witness:
            place = table.find(word)
            if place >= 0 and weights[place]:
                value = evidence(spam[place], ham[place]) * weights[place] * scale
                parts.append((word.decode("utf-8", "surrogatepass"), value))
        sums.append(fsum(value for _, value in parts[before:]))
    sums.append(_letters(memory, features, evidence))
    parts.sort(key=lambda part: (-abs(part[1]), part[0]))
    score = fsum([*(value for _, value in parts), sums[-1]])
    return MessageVerdict(memory.label_of(score), score, parts, WitnessSums(*sums))


def _letters(memory: FilterMemory, features: Witnesses, evidence: Evidence) -> float:
    """Return what the letters of a message add to its score."""
    table, places = memory.letters, memory.places_of(features)
    if table is None:
        return 0.0
    spam, ham, weights = table.spam, table.ham, table.weights
    known = [place for place in places if weights[place]]
    return fsum([evidence(spam[k], ham[k]) * weights[k] for k in known]) * _scale(places)


def _scale(witness: Sequence[object]) -> float:
    return 1 / (UNIT * sqrt(max(1, len(witness))))
