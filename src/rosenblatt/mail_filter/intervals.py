"""How sure a share can be after so few messages: Clopper and Pearson's interval (1934)."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, lgamma, log, log1p

CONFIDENCE = 0.95
HALVINGS = 60


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
