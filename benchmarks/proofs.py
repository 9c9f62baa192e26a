"""Proofs against HiGHS on the whole problem, in the form of either that it solves faster.

The peer's answer is in floats, to a tolerance; ours is exact, and its check is part of the time.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.optimize import linprog

from benchmarks.timing import Row, by_turns, seconds
from rosenblatt import prove

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PATIENCE = 600.0  # seconds for the peer


def proofs() -> Iterator[Row]:
    """Data that is not separable: the contradiction is to be found and checked."""
    X, y = noisy(4_600, 57)
    yield Row("prove, 4,600 x 57", "linprog, a rule", *against(X, y, rule), "5x")
    yield Row("prove, 4,600 x 57", "linprog, weights", *against(X, y, weights), "5x")
    path = DATA / "spambase" / "spambase.data.xz"
    if path.exists():
        with lzma.open(path, "rt") as file:
            D = np.loadtxt(file, delimiter=",")
        X, y = D[:, :-1], D[:, -1]
        yield Row("prove, spambase", "linprog, a rule", *against(X, y, rule), "5x")
        yield Row("prove, spambase", "linprog, weights", *against(X, y, weights), "5x")


def large_proofs() -> Iterator[Row]:
    """The same on many rows; the peer has ten minutes and is measured once."""
    X, y = noisy(500_000, 54)
    prove(X[:1000], y[:1000])
    ours = min(seconds(lambda: prove(X, y)) for _ in range(3))
    for name, peer in (("a rule", rule), ("weights", weights)):
        theirs = seconds(lambda peer=peer: peer(X, y))
        yield Row("prove, 500,000 x 54", f"linprog, {name}", ours, theirs, "50x")


def noisy(n_rows: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """A linear target with one label in ten flipped."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    y = X @ rng.normal(size=n_features) > 0
    return X, y ^ (rng.random(n_rows) < 0.1)


def against(X: np.ndarray, y: np.ndarray, peer: object) -> tuple[float, float]:
    return by_turns(lambda: prove(X, y), lambda: peer(X, y))


def rule(X: np.ndarray, y: np.ndarray) -> object:
    """Ask for w with z_i . w >= 1; the answer is that there is none, without a reason."""
    Z = canonical(X, y)
    bounds = [(None, None)] * Z.shape[1]
    options = {"time_limit": PATIENCE}
    return linprog(np.zeros(Z.shape[1]), -Z, -np.ones(len(Z)), bounds=bounds, options=options)


def weights(X: np.ndarray, y: np.ndarray) -> object:
    """Ask for a >= 0 with sum a_i z_i = 0: the reason."""
    Z = canonical(X, y)
    A = np.vstack([Z.T, np.ones(len(Z))])
    b = np.append(np.zeros(Z.shape[1]), 1.0)
    return linprog(np.zeros(len(Z)), A_eq=A, b_eq=b, options={"time_limit": PATIENCE})


def canonical(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    Z = np.column_stack([np.ones(len(X)), X])
    Z /= np.abs(Z).max(axis=0)
    Z *= np.where(y > 0, 1.0, -1.0)[:, np.newaxis]
    return Z
