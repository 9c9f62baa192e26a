"""Rows in parts, to learn from: on Dask, or here to compare with."""

from itertools import pairwise

import numpy as np

from rosenblatt.cluster.crew import Here
from rosenblatt.cluster.parts import part_names, raw_part, spread_parts


def sample(n_rows=60, n_classes=2, seed=3, noise=0.1):
    """Return rows with fractions that floats cannot hold, and labels that a rule gives them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (n_rows, 6)) * rng.choice([0.1, 0.7, 1.0], (n_rows, 6))
    y = (X @ rng.standard_normal((6, n_classes))).argmax(axis=1)
    wrong = rng.random(n_rows) < noise
    y[wrong] = rng.integers(0, n_classes, wrong.sum())
    y[:n_classes] = np.arange(n_classes)
    return X, np.array(["ham", "spam", "news"])[y]


def in_parts(X, y, cuts, crew=None):
    """Return the rows cut at some places, held by a crew; by this process without one."""
    crew = Here() if crew is None else crew
    ends = [0, *cuts, len(y)]
    pieces = [slice(a, b) for a, b in pairwise(ends)]
    names = part_names(len(pieces))
    raw = [
        crew.task(name, raw_part, crew.constant(X[p]), crew.constant(y[p]))
        for name, p in zip(names, pieces, strict=True)
    ]
    return spread_parts(crew, raw, names)
