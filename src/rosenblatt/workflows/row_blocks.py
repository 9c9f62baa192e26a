"""Rows in blocks: what a model says about them, and a digest of them."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.rows import matrix, row_digests
from rosenblatt.types import Array, Block


def labels_of_rows(blocks: Blocks) -> Array:
    """Return the label of each row, as its place among the classes."""
    return np.concatenate(list(blocks.each(lambda block: block.labels)))


def n_wrong(model: Any, blocks: Blocks) -> int:
    """Return for how many rows a model says another label."""

    def wrong(block: Block) -> int:
        said = model.predict(matrix(block.rows, block.n_features))
        return int((said != block.classes[block.labels]).sum())

    return sum(blocks.each(wrong))


def digest_of(blocks: Blocks) -> str:
    """Return a digest of the rows and labels, in their order."""
    whole = hashlib.sha256()
    for digests in blocks.each(lambda block: row_digests(block.rows, block.n_rows)):
        whole.update(digests.tobytes())
    joint = ""
    for labels in blocks.each(lambda block: block.classes[block.labels]):
        whole.update((joint + "\n".join(map(str, labels))).encode())
        joint = "\n"
    return whole.hexdigest()
