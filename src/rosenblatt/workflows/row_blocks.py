"""Rows of a cache: some of them, scaled ones, and what a model says about them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.preprocessing import StandardScaler

from rosenblatt.data.blocks import Blocks
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.rows import row_digests
from rosenblatt.types import Array, Block

AT_A_TIME = 1 << 14  # rows


class Selected:
    """Some rows of blocks, given by their numbers in ascending order."""

    def __init__(self, blocks: Blocks, chosen: Array) -> None:
        self.classes, self.n_features, self.n_rows = blocks.classes, blocks.n_features, len(chosen)
        self._blocks, self._chosen = blocks, chosen

    def one_pass(self, order: Iterator[Array] | None = None) -> Iterator[Block]:
        """Yield the rows, in their order or in the one that is given part by part."""
        if order is None:
            starts = range(0, self.n_rows, AT_A_TIME)
            order = (np.arange(start, min(start + AT_A_TIME, self.n_rows)) for start in starts)
        return self._blocks.one_pass(self._chosen[part] for part in order)


class Scaled:
    """Dense rows of blocks, scaled."""

    def __init__(self, blocks: Blocks, scaler: StandardScaler) -> None:
        self.classes, self.n_features, self.n_rows = (
            blocks.classes,
            blocks.n_features,
            blocks.n_rows,
        )
        self._blocks, self._scaler = blocks, scaler

    def one_pass(self, order: Iterator[Array] | None = None) -> Iterator[Block]:
        """Yield the rows, in their order or in the one that is given part by part."""
        for data in self._blocks.one_pass(order):
            yield data._replace(rows=self._scaler.transform(data.rows))


def dense_rows(blocks: Blocks) -> Iterator[Array]:
    """Yield the rows of blocks that are dense."""
    for data in blocks.one_pass():
        rows: Array = np.asarray(data.rows)
        yield rows


def labels_of_rows(blocks: Blocks) -> Array:
    """Return the label of each row, as its place among the classes."""
    return np.concatenate([data.labels for data in blocks.one_pass()])


def n_wrong(model: Any, blocks: Blocks) -> int:
    """Return for how many rows a model says another label."""
    wrong = 0
    for data in blocks.one_pass():
        said = model.predict(matrix_of(data))
        wrong += int((said != data.classes[data.labels]).sum())
    return wrong


def matrix_of(data: Block) -> Any:
    """Return the rows of a block as a model takes them."""
    shape = (data.n_rows, data.n_features)
    if isinstance(data.rows, CSR):
        return sparse.csr_array(tuple(data.rows), shape=shape)
    if isinstance(data.rows, Presence):
        ones = np.ones(len(data.rows.indices), dtype=bool)
        return sparse.csr_array((ones, *data.rows), shape=shape)
    return data.rows


def digest_of(blocks: Blocks) -> str:
    """Return a digest of the rows and labels, in their order."""
    whole = hashlib.sha256()
    for data in blocks.one_pass():
        whole.update(row_digests(data.rows, data.n_rows).tobytes())
    joint = ""
    for data in blocks.one_pass():
        whole.update((joint + "\n".join(map(str, data.classes[data.labels]))).encode())
        joint = "\n"
    return whole.hexdigest()
