"""Rows in memory, cut into blocks anywhere: a place as simple as one can be, for comparisons."""

import numpy as np

from rosenblatt.blocks import Blocks, InMemory, as_blocks, taken


class Cut(Blocks):
    """Blocks of rows that end where they are told to; some may be empty."""

    def __init__(self, X, y, cuts):
        self._whole = as_blocks(X, y).whole
        n = self._whole.n_rows
        self._edges = [0, *sorted(cuts), n]
        self.classes, self.n_rows = self._whole.classes, n
        self.n_features = self._whole.n_features

    @property
    def is_dense(self):
        return isinstance(self._whole.rows, np.ndarray)

    def one_pass(self, draws=None):
        assert draws is None
        for first, last in zip(self._edges, self._edges[1:], strict=False):
            yield taken(self._whole, np.arange(first, last))._replace(first=first)

    def take(self, rows):
        return InMemory(taken(self._whole, rows))


def cut_at_random(X, y, rng):
    """Cut rows at some random places, the same place twice among them."""
    n = len(y)
    cuts = rng.integers(0, n + 1, rng.integers(1, 6)).tolist()
    return Cut(X, y, [*cuts, cuts[0]])
