"""How good a filter is on messages whose label is known, and how sure one can be of that.

Shares come with Clopper and Pearson's interval (1934), in which the true share lies with 95 %, or
more often. It is found by halving: `mail train` does without SciPy, which takes long to load.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import exp, lgamma, log, log1p
from typing import Any

from rosenblatt.mail.filter.memory import FilterMemory, Witnesses

CONFIDENCE = 0.95
HALVINGS = 60


@dataclass(frozen=True)
class Share:
    """So many of so many, and where the share is with a probability of 95 %."""

    k: int
    n: int

    @property
    def share(self) -> float:
        """The share itself; of no messages at all it is 0."""
        return self.k / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper and Pearson's."""
        return share_interval(self.k, self.n)

    def __str__(self) -> str:
        low, high = self.interval
        percent = f"{100 * self.share:.2f} %"
        return f"{percent:>9}  ({self.k} of {self.n}; 95 %: {100 * low:.2f} to {100 * high:.2f} %)"


@dataclass(frozen=True)
class Evaluation:
    """How messages of each class are judged.

    Attributes
    ----------
    memory : FilterMemory
        The filter, whose marks decide.
    ham, spam : list of float
        The scores of the messages.
    """

    memory: FilterMemory
    ham: list[float]
    spam: list[float]

    def plot(self) -> Any:
        """Return a picture of both kinds of scores, and of the marks between them."""
        from rosenblatt.plot.curves import scores_and_marks  # it needs matplotlib

        marks = {"ham below": self.memory.ham_below, "spam from": self.memory.spam_from}
        return scores_and_marks({"ham": self.ham, "spam": self.spam}, marks)

    @property
    def shares(self) -> dict[str, Share]:
        """What one asks of a filter, by name."""
        n_ham, n_spam = len(self.ham), len(self.spam)
        ham, spam = (Counter(map(self.memory.label_of, part)) for part in (self.ham, self.spam))
        return {
            "ham lost": Share(ham["spam"], n_ham),
            "ham unsure": Share(ham["unsure"], n_ham),
            "spam caught": Share(spam["spam"], n_spam),
            "spam unsure": Share(spam["unsure"], n_spam),
            "spam missed": Share(spam["ham"], n_spam),
        }

    @property
    def lines(self) -> list[str]:
        """The shares, one below the other."""
        return [f"{name:<12} {share}" for name, share in self.shares.items()]

    @property
    def facts(self) -> dict[str, dict[str, object]]:
        """The shares as plain data."""
        return {
            name.replace(" ", "_"): {
                "count": share.k,
                "of": share.n,
                "share": share.share,
                "interval": share.interval,
            }
            for name, share in self.shares.items()
        }


def evaluate(
    memory: FilterMemory, ham: Iterable[Witnesses], spam: Iterable[Witnesses]
) -> Evaluation:
    """Judge messages of both classes, given as words."""
    # not above: it needs the kernels, and `learn` does not
    from rosenblatt.mail.filter.estimator import message_scores

    return Evaluation(memory, *(message_scores(memory, part).tolist() for part in (ham, spam)))


def share_interval(k: int, n: int) -> tuple[float, float]:
    """Return where a share is with a probability of at least 95 %, when k of n were seen.

    Examples
    --------
    >>> [round(end, 4) for end in share_interval(1, 10)]
    [0.0025, 0.445]
    >>> share_interval(0, 0)
    (0.0, 1.0)
    """
    each_side = (1 - CONFIDENCE) / 2
    low = 0.0 if k == 0 else _solve(lambda p: 1 - _at_most(k - 1, n, p) < each_side)
    high = 1.0 if k == n else _solve(lambda p: _at_most(k, n, p) > each_side)
    return low, high


def share_below(k: int, n: int) -> float:
    """Return a bound that the share stays under with 95 %; for k = 0 nearly 3 / n.

    Examples
    --------
    >>> round(share_below(0, 1000), 5)
    0.00299
    """
    return 1.0 if k >= n else _solve(lambda p: _at_most(k, n, p) > 1 - CONFIDENCE)


def _at_most(k: int, n: int, p: float) -> float:
    """Return the probability of at most k of n, each with probability p."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return float(k >= n)
    logs = [
        lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) + i * log(p) + (n - i) * log1p(-p)
        for i in range(k + 1)
    ]
    return min(1.0, sum(map(exp, logs)))


def _solve(is_below: Callable[[float], bool]) -> float:
    """Return where a condition that holds for small p ceases to hold, by halving."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high
