"""What came out of many experiments, and its summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.types import Array

MEASURES = ("updates", "disagreement", "error_in", "error_out")


class Summary(NamedTuple):
    """One measure over many runs; counts of updates are heavy-tailed, so not the mean alone."""

    mean: float
    standard_error: float
    lower_quartile: float
    median: float
    upper_quartile: float

    @classmethod
    def of(cls, values: Array) -> Summary:
        """Summarise the values of all runs."""
        quartiles = [float(q) for q in np.percentile(values, [25, 50, 75])]
        spread = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
        return cls(float(values.mean()), spread / len(values) ** 0.5, *quartiles)


@dataclass(frozen=True, eq=False)
class RunTable:
    """Measures of many independent runs, an entry for each.

    Attributes
    ----------
    n_points : int
        Points in each run.
    learner : str
        What learned from them.
    weights : ndarray of shape (runs, features + 1)
        The hypothesis g of each run, w0 first.
    updates : ndarray of shape (runs,)
        Corrections made; 0 for regression alone.
    disagreement : ndarray of shape (runs,)
        P[f != g], noise left aside.
    error_in, error_out : ndarray of shape (runs,)
        The share of wrong labels in the sample, and among all examples, noise included.
    converged : ndarray of shape (runs,)
        Whether nothing in the sample was misclassified in the end.

    Examples
    --------
    >>> from rosenblatt.lab import runs
    >>> table = runs(10, 2000, random_state=0)
    >>> table.summary()["updates"].median < table.summary()["updates"].mean
    True
    """

    n_points: int
    learner: str
    weights: Array
    updates: Array
    disagreement: Array
    error_in: Array
    error_out: Array

    @property
    def converged(self) -> Array:
        """Whether nothing in the sample was misclassified in the end."""
        return np.asarray(self.error_in == 0)

    def __len__(self) -> int:
        return len(self.updates)

    def summary(self) -> dict[str, Summary]:
        """Return mean, standard error, quartiles and median of each measure."""
        return {name: Summary.of(getattr(self, name)) for name in MEASURES}

    def __str__(self) -> str:
        lines = [
            f"{counted(len(self), 'run')}, N = {self.n_points}, {self.learner}",
            f"{'':<13} {'mean':>10} {'± error':>10} {'25 %':>10} {'median':>10} {'75 %':>10}",
        ]
        noiseless = np.array_equal(self.disagreement, self.error_out)
        for name, summary in self.summary().items():
            if name != "disagreement" or not noiseless:
                lines.append(f"{name:<13} " + " ".join(f"{value:>10.4g}" for value in summary))
        if noiseless:
            lines.append("error_out is P[f != g]: the labels have no noise")
        return "\n".join(lines)
