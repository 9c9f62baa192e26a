"""Many experiments at once against the loop that one would write."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Row, by_turns
from rosenblatt.lab import runs


def lab_runs() -> Iterator[Row]:
    """1,000 experiments with 100 points: drawn, learned and judged.

    The counts of updates are heavy-tailed, so the plain loop is not scaled up from fewer runs.
    """
    ours, theirs = by_turns(
        lambda: runs(100, 1000, "regression-perceptron", random_state=0),
        lambda: [literal_experiment(np.random.RandomState(r)) for r in range(1000)],
    )
    yield Row("1,000 lab runs, N = 100, regression, PLA", "plain NumPy loop", ours, theirs, "50x")


def literal_experiment(random: np.random.RandomState) -> tuple[int, float]:
    """Draw a line and points, start PLA from least squares, return updates and P[f != g]."""
    a, b = random.uniform(-1, 1, (2, 2))
    normal = np.array([a[1] - b[1], b[0] - a[0]])
    f = np.array([-normal @ a, *normal])
    Z = np.hstack([np.ones((100, 1)), random.uniform(-1, 1, (100, 2))])
    y = np.sign(Z @ f)
    w, n_updates = np.linalg.lstsq(Z, y)[0], 0
    while len(wrong := np.flatnonzero(np.sign(Z @ w) != y)):
        i = random.choice(wrong)
        w = w + y[i] * Z[i]
        n_updates += 1
    fresh = np.hstack([np.ones((1000, 1)), random.uniform(-1, 1, (1000, 2))])
    return n_updates, float((np.sign(fresh @ w) != np.sign(fresh @ f)).mean())
