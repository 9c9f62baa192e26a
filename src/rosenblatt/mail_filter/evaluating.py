"""How good a filter is on messages whose label is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rosenblatt.mail_filter.intervals import share_interval
from rosenblatt.mail_filter.memory import Features, Memory
from rosenblatt.mail_filter.rule import label_of


@dataclass(frozen=True)
class Share:
    """So many of so many, and where the share is with a probability of 95 %."""

    k: int
    n: int

    @property
    def share(self) -> float:
        """K of n, 0 of 0 is 0."""
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
    """How many messages of each class were called what."""

    ham: Counter[str]
    spam: Counter[str]

    @property
    def shares(self) -> dict[str, Share]:
        """What one asks of a filter, by name."""
        n_ham, n_spam = sum(self.ham.values()), sum(self.spam.values())
        return {
            "ham lost": Share(self.ham["spam"], n_ham),
            "ham unsure": Share(self.ham["unsure"], n_ham),
            "spam caught": Share(self.spam["spam"], n_spam),
            "spam unsure": Share(self.spam["unsure"], n_spam),
            "spam missed": Share(self.spam["ham"], n_spam),
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


def evaluate(memory: Memory, ham: Iterable[Features], spam: Iterable[Features]) -> Evaluation:
    """Judge messages of both classes, given as words."""
    # not above: it needs the kernels, and `learn` does not
    from rosenblatt.mail_filter.scoring import scores

    ham_labels, spam_labels = (
        Counter(label_of(memory, score) for score in scores(memory, messages).tolist())
        for messages in (ham, spam)
    )
    return Evaluation(ham_labels, spam_labels)
