"""Blocks of one kind of rows, put one behind the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rosenblatt.rows import join
from rosenblatt.types import Block


def join_blocks(parts: Sequence[Block]) -> Block:
    """Return blocks of one kind of rows, without weights, as one block."""
    if len(parts) == 1:
        return parts[0]
    labels = np.concatenate([part.labels for part in parts])
    return parts[0]._replace(
        rows=join([part.rows for part in parts]),
        n_rows=len(labels),
        labels=labels,
        members=np.arange(len(labels)),
    )
