"""Data for the tests, and the ways to hand it over.

Small integers: their sums and products are exact in floats, so results must agree to the last bit.
"""

import warnings
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

FEW = settings(deadline=None, derandomize=True, max_examples=30)
MANY = settings(deadline=None, derandomize=True, max_examples=500)

RULES = ("first", "cyclic", "random", "shuffled", "worst")
WAYS = ("joint", "one-vs-rest", "one-vs-one")
# The worked trace of the lecture: x = 1, 2, 7, 8
LECTURE_X, LECTURE_Y = [[1], [2], [7], [8]], [-1, -1, 1, 1]
XOR_X, XOR_Y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]


class Data(NamedTuple):
    """Rows as lists of whole numbers, labels 0 ... k-1."""

    X: list[list[int]]
    y: list[int]

    @property
    def signs(self):
        """The labels of two classes as -1 and +1."""
        return [2 * label - 1 for label in self.y]


@st.composite
def small_data(draw, n_classes=2, low=-3, high=3, most_rows=10, most_features=5):
    """Draw rows in which every class occurs; rows of zeros and repeated rows come up too."""
    n = draw(st.integers(n_classes, most_rows))
    d = draw(st.integers(1, most_features))
    row = st.lists(st.integers(low, high), min_size=d, max_size=d)
    X = draw(st.lists(row, min_size=n, max_size=n))
    more = st.lists(st.integers(0, n_classes - 1), min_size=n - n_classes, max_size=n - n_classes)
    y = draw(st.permutations([*range(n_classes), *draw(more)]))
    return Data(X, list(y))


def random_data(seed, n, d, n_classes=2, low=-3, high=3):
    """The same from a seed, where Hypothesis would be slow."""
    rng = np.random.default_rng(seed)
    X = rng.integers(low, high, (n, d), endpoint=True).tolist()
    y = [*range(n_classes), *rng.integers(0, n_classes, n - n_classes).tolist()]
    return Data(X, y)


def dense(dtype):
    return lambda X: np.array(X, dtype=dtype)


def csr(dtype, index_dtype):
    def rows(X):
        matrix = sparse.csr_array(np.array(X, dtype=dtype))
        # set afterwards: the constructor chooses the smallest index type by itself
        matrix.indices = matrix.indices.astype(index_dtype)
        matrix.indptr = matrix.indptr.astype(index_dtype)
        return matrix

    return rows


# Whatever is learned from, these hold the same numbers. Presence rows can only hold 0 and 1.
NUMBERS = {
    "dense float64": dense(np.float64),
    "dense float32": dense(np.float32),
    "csr float64 int32": csr(np.float64, np.int32),
    "csr float64 int64": csr(np.float64, np.int64),
    "csr float32 int32": csr(np.float32, np.int32),
    "csr float32 int64": csr(np.float32, np.int64),
}
PRESENCE = {"presence int32": csr(bool, np.int32), "presence int64": csr(bool, np.int64)}
KINDS = NUMBERS | PRESENCE
# One of each for the tests that run every learner: each kind is compiled anew
THREE_KINDS = {
    name: KINDS[name] for name in ("dense float64", "csr float64 int32", "presence int32")
}
# What these two compile the others compile, too, each line with a number or an index of that size
TWICE = ("csr float32 int32", "presence int64")
EVERY_KIND = [pytest.param(name, marks=pytest.mark.soak if name in TWICE else ()) for name in KINDS]
# for what has to be compiled for each kind, some seconds every time: the others are left to soak
ALL_KINDS = [
    pytest.param(name, marks=() if name in THREE_KINDS else pytest.mark.soak) for name in KINDS
]


def fit(model, X, y, **options):
    """Fit where running out of budget is part of the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y, **options)


def weights(model):
    """Return (w0, w1, ... wd), or a row of them for each weight vector, as lists."""
    rows = np.column_stack([model.intercept_, model.coef_]).tolist()
    return rows[0] if len(rows) == 1 else rows


def steps_of(make_model, X, y, most):
    """Return the weights after 0, 1, ... updates: one fit for each budget of updates.

    `make_model(max_updates)` gives the model, always with the same random_state.
    """
    path = []
    for t in range(1, most + 1):
        model = fit(make_model(t), X, y)
        if model.n_updates_ < t:
            break
        path.append(weights(model))
    start = np.zeros_like(path[0]).tolist()
    return [start, *path]


def picks_of(path, X, y):
    """Tell from consecutive weights which example was picked; any of equal ones will do.

    Rows in canonical form, labels -1 and +1.
    """
    picks = []
    for before, after in pairwise(path):
        move = [a - b for a, b in zip(after, before, strict=True)]
        same = [i for i in range(len(X)) if [y[i] * x for x in X[i]] == move]
        assert same, f"the weights moved by {move}, which is no example"
        picks.append(same[0])
    return picks
