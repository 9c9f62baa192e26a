"""When the error of a stream rises: ADWIN (Bifet and Gavaldà 2007) on right and wrong answers.

A window of the last answers is kept. Wherever it can be cut in two parts of n0 and n1 answers whose
shares of wrong ones differ by more than chance allows,

    |e0 - e1| > sqrt(2/m * v * ln(2/d)) + 2/(3m) * ln(2/d)

with 1/m = 1/n0 + 1/n1, d = delta / ln(n) and v the variance of all n = n0 + n1, the old part is
dropped. Answers are kept as counts of 32, 64, 128, ... of them, five at most of each size, so a
window of millions takes some dozens of numbers, and cuts are tried between them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from rosenblatt.types import Array

DELTA = 0.002  # how likely chance alone is to cut, as in the paper and elsewhere
SMALLEST = 32  # answers that are counted together, and between two looks
MOST = 5  # counts of one size
LEAST_PART = 64  # answers on either side of a cut


class Rise(NamedTuple):
    """The error has risen: it was noticed at `row`, and began about at `since`."""

    row: int
    since: int
    before: float
    after: float


class DriftDetector:
    """Is told right and wrong answers in their order; tells when the error rose.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> wrong = random.random(4000) < np.repeat([0.05, 0.2], 2000)
    >>> [(rise.row, rise.since) for rise in DriftDetector().add(wrong)]
    [(2112, 1792)]
    """

    def __init__(self, delta: float = DELTA) -> None:
        self._delta = delta
        self._counts: list[tuple[int, int]] = []  # (answers, wrong ones), oldest first
        self._n_rows = self._waiting = self._waiting_wrong = 0

    def add(self, wrong: Array) -> list[Rise]:
        """Take more answers; return where the error was found to have risen."""
        rises, start = [], 0
        while start < len(wrong):
            piece = wrong[start : start + SMALLEST - self._waiting]
            self._waiting += len(piece)
            self._waiting_wrong += int(piece.sum())
            self._n_rows += len(piece)
            start += len(piece)
            if self._waiting == SMALLEST:
                self._counts.append((SMALLEST, self._waiting_wrong))
                self._waiting = self._waiting_wrong = 0
                self._join()
                rise = self._cut()
                rises += [rise] if rise else []
        return rises

    def _join(self) -> None:
        """Put the two oldest counts of a size together where there are too many of it."""
        size = SMALLEST
        while (places := [p for p, (n, _) in enumerate(self._counts) if n == size])[MOST:]:
            first = places[0]
            (n0, wrong0), (n1, wrong1) = self._counts[first : first + 2]
            self._counts[first : first + 2] = [(n0 + n1, wrong0 + wrong1)]
            size *= 2

    def _cut(self) -> Rise | None:
        """Drop old counts as long as they differ from the newer ones; tell if those are worse."""
        rise = None
        while (place := self._first_cut()) is not None:
            old, new = self._counts[:place], self._counts[place:]
            before, after = _share_wrong(old), _share_wrong(new)
            if after > before:
                since = self._n_rows - sum(n for n, _ in new)
                rise = Rise(self._n_rows, since, rise.before if rise else before, after)
            self._counts = new
        return rise

    def _first_cut(self) -> int | None:
        n, n_wrong = (sum(part) for part in zip(*self._counts, strict=True))
        if n < 2 * LEAST_PART:
            return None
        share = n_wrong / n
        log = math.log(2.0 * math.log(n) / self._delta)
        n0 = wrong0 = 0
        for place, (size, wrong) in enumerate(self._counts[:-1], 1):
            n0, wrong0 = n0 + size, wrong0 + wrong
            n1 = n - n0
            if min(n0, n1) < LEAST_PART:
                continue
            m = 1.0 / (1.0 / n0 + 1.0 / n1)
            allowed = math.sqrt(2.0 / m * share * (1.0 - share) * log) + 2.0 / (3.0 * m) * log
            if abs(wrong0 / n0 - (n_wrong - wrong0) / n1) > allowed:
                return place
        return None


def _share_wrong(counts: list[tuple[int, int]]) -> float:
    """Return the share of wrong answers in some counts."""
    return sum(wrong for _, wrong in counts) / sum(n for n, _ in counts)
