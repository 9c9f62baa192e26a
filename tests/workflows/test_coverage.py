"""The interval of 95 % holds the error of the delivered model in 95 of 100 cases.

The truth is measured: the model that learned from all rows is tested on many fresh ones.
"""

from typing import NamedTuple

import numpy as np
import pytest

from rosenblatt.data.examples import Examples
from rosenblatt.workflows import folds as dealing
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.uncertainty import wilson

FRESH = 10_000


class World(NamedTuple):
    """Normal classes around different middles, with some labels changed."""

    n: int
    n_features: int = 4
    n_classes: int = 2
    apart: float = 2.0
    noise: float = 0.0
    first: float = 1.0  # how often the first class comes, in multiples of another

    def draw(self, random, n):
        """Return rows and labels."""
        shares = np.ones(self.n_classes)
        shares[0] = self.first
        y = random.choice(self.n_classes, n, p=shares / shares.sum())
        X = random.standard_normal((n, self.n_features))
        X[np.arange(n), y] += self.apart
        other = random.random(n) < self.noise
        return X, np.where(other, random.integers(0, self.n_classes, n), y)


def held(world, algorithm, n_runs):
    """Return in which runs the interval, and Wilson's alone, hold the truth."""
    found = []
    for seed in range(n_runs):
        random = np.random.default_rng(seed)
        X, y = world.draw(random, world.n)
        names = [str(j) for j in range(world.n_features)]
        # with all that a fit does: the boundary may move, too
        report = fit(Examples(X, y, names, "drawn"), algorithm, seed=seed, prove_seconds=0)
        checked = report.validation
        X, y = world.draw(random, FRESH)
        truth = np.mean(report.model.predict(X) != y)
        ends = checked.interval, wilson(checked.n_wrong, checked.n_tested)
        found.append([low <= truth <= high for low, high in ends])
    return np.array(found)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_interval_covers_where_that_of_independent_rows_does_not():
    stable = held(World(30), "regression", 30)
    unstable = held(World(200, 10, noise=0.1), "perceptron", 30)
    assert np.concatenate([stable, unstable]).mean(axis=0)[0] >= 0.92
    assert unstable.mean(axis=0)[1] < 0.85


WORLDS = [
    World(30),
    World(30, 5, apart=3.5, first=3.0),
    World(100, 20, noise=0.05),
    World(500, 10, n_classes=4, apart=3.0, noise=0.1),
    World(2000, 20, noise=0.05),
]


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "algorithm", [None, "auto", "averaged", "perceptron", "regression", "gaussian"]
)
@pytest.mark.parametrize("is_large", [False, True], ids=["folds", "held-out"])
def test_the_interval_covers_at_its_rate(algorithm, is_large, monkeypatch):
    monkeypatch.setattr(dealing, "LARGE", 0 if is_large else 20_000)
    each = [held(world, algorithm, 200) for world in WORLDS]
    covered = np.concatenate(each).mean(axis=0)[0]
    assert covered >= 0.95
    # 200 runs: three standard errors are 0.046
    assert min(part.mean(axis=0)[0] for part in each) >= 0.90
