"""Data for the benchmarks, generated from a seed."""

from __future__ import annotations

import numpy as np
from scipy import sparse

N_ROWS, N_FEATURES, N_NONZERO = 200_000, 262_144, 75
NOISE = 0.02


def sparse_rows(columns: str = "uniform") -> tuple[sparse.csr_array, np.ndarray]:
    """200,000 x 262,144 with 75 values a row; columns uniform, or like words (Zipf)."""
    rng = np.random.default_rng(0)
    if columns == "uniform":
        indices = rng.integers(0, N_FEATURES, (N_ROWS, N_NONZERO), dtype=np.int32)
    else:
        share = np.cumsum(1.0 / np.arange(1, N_FEATURES + 1))
        rank = np.searchsorted(share / share[-1], rng.random((N_ROWS, N_NONZERO)))
        indices = rng.permutation(N_FEATURES)[rank].astype(np.int32)
    indptr = np.arange(0, N_ROWS * N_NONZERO + 1, N_NONZERO, dtype=np.int32)
    data = rng.standard_normal(N_ROWS * N_NONZERO)
    X = sparse.csr_array((data, indices.ravel(), indptr), shape=(N_ROWS, N_FEATURES))
    X.sum_duplicates()
    return X, noisy_labels(X @ rng.standard_normal(N_FEATURES), rng)


def presence_rows(columns: str = "uniform") -> tuple[sparse.csr_array, np.ndarray]:
    """The same rows with every value 1, as a matrix of bool."""
    X, _ = sparse_rows(columns)
    rng = np.random.default_rng(1)
    X = sparse.csr_array((np.ones(len(X.data), dtype=bool), X.indices, X.indptr), shape=X.shape)
    return X, noisy_labels(X.astype(np.float64) @ rng.standard_normal(N_FEATURES), rng)


def dense_rows(n_rows: int = 500_000, n_features: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Normal float32 rows with 2 % of the labels flipped."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_features), dtype=np.float32)
    return X, noisy_labels(X @ rng.standard_normal(n_features), rng)


def overlapping(n_rows: int = 10_000, n_features: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Normal float64 rows that no line separates."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, n_features))
    scores = X @ rng.standard_normal(n_features) + 1.5 * rng.standard_normal(n_rows)
    return X, np.where(scores > 0, 1, -1)


def thin_margin(n_rows: int = 20_000, n_features: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Normal float64 rows, separable with a margin of 0.01."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2 * n_rows, n_features))
    w = rng.standard_normal(n_features)
    distance = X @ (w / np.linalg.norm(w))
    keep = np.flatnonzero(np.abs(distance) > 0.01)[:n_rows]
    return np.ascontiguousarray(X[keep]), np.where(distance[keep] > 0, 1, -1)


def planes(n_runs: int = 1000, n_points: int = 100) -> tuple[np.ndarray, np.ndarray]:
    """Points in [-1, 1]^2, each run with a target line through two random points."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (n_runs, n_points, 2))
    ends = rng.uniform(-1, 1, (n_runs, 2, 2))
    along = ends[:, 1] - ends[:, 0]
    normal = np.stack([-along[:, 1], along[:, 0]], axis=1)
    side = np.einsum("rnd,rd->rn", X - ends[:, :1], normal)
    return X, np.where(side > 0, 1, -1)


def noisy_labels(scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    y = np.where(scores > 0, 1, -1)
    y[rng.random(len(y)) < NOISE] *= -1
    return y
