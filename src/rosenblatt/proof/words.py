"""What a contradiction says to a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from rosenblatt.blocks import Blocks
from rosenblatt.blocks.joining import join_blocks
from rosenblatt.counting import counted
from rosenblatt.errors import DataError
from rosenblatt.markup import shortened
from rosenblatt.rows import matrix
from rosenblatt.types import Array

if TYPE_CHECKING:
    from rosenblatt.proof.certificate import Contradiction

MOST_LISTED = 12
MOST_COLUMNS = 8
LONG = 10**9


def listed(numbers: Sequence[object]) -> str:
    """Return numbers for a sentence; a long list is cut short."""
    shown = ", ".join(str(number) for number in numbers[:MOST_LISTED])
    return shown if len(numbers) <= MOST_LISTED else f"{shown}, ... ({len(numbers)} in all)"


def weighted(weights: Sequence[int]) -> str:
    """Return the weights for a sentence: as they are if they are short, else as shares."""
    return f"weights {listed(short_weights(weights))}"


def short_weights(weights: Sequence[int]) -> list[str]:
    """Return each weight: as it is if all are short, else as a share."""
    if max(weights) < LONG:
        return [str(a) for a in weights]
    # decimal fractions are no short binary ones: the exact weights have hundreds of digits
    total = sum(weights)
    return [f"{100 * a / total:.3g} %" for a in weights]


def contradiction_by_rows(proof: Contradiction, X: Any, y: Any, names: Any) -> str:
    """Return the contradiction line by line: row, label, weight, and what the row holds."""
    indices = proof.indices
    labels = None if y is None else np.asarray(y)[indices]
    texts = None if isinstance(X, Blocks) else _texts(X)
    if texts is not None:
        describe = _message(texts)
    else:
        if names is None:
            names = getattr(X, "columns", None)
        if isinstance(X, Blocks):
            found, labels = _fetched(X, indices)
        else:
            rows = X if sparse.issparse(X) or isinstance(X, np.ndarray) else np.asarray(X)
            found = rows[indices]
        describe = _columns(indices, found, names)
    lines = [str(proof), ""]
    rivals = [f" compared with {rival!s}," for rival in getattr(proof, "rivals", ())]
    for k, (i, weight) in enumerate(
        zip(proof.indices.tolist(), short_weights(proof.weights), strict=True)
    ):
        label = "" if labels is None else f" is {labels[k]!s},"
        rival = rivals[k] if rivals else ""
        lines.append(f"row {i}{label}{rival} weight {weight}: {describe(i)}")
    return "\n".join(lines)


def _texts(X: Any) -> list[str] | None:
    """Return X as a list of messages if it is one."""
    if isinstance(X, np.ndarray) and X.ndim != 1:
        return None
    if sparse.issparse(X) or hasattr(X, "columns") or len(X) == 0:
        return None
    rows = X.tolist() if hasattr(X, "tolist") else list(X)
    return rows if all(isinstance(row, str) for row in rows) else None


def _message(texts: list[str]) -> Any:
    def describe(i: int) -> str:
        return shortened(texts[i])

    return describe


def _fetched(blocks: Blocks, indices: Array) -> tuple[Any, Array]:
    """Return rows of blocks by number, and their labels."""
    ascending, places = np.unique(indices, return_inverse=True)
    part = join_blocks(list(blocks.take(ascending).each(lambda block: block)))
    return matrix(part.rows, part.n_features, float)[places], blocks.classes[part.labels[places]]


def _columns(indices: Array, found: Any, names: Any) -> Any:
    """Describe rows by the columns in which the examples differ the most."""
    Z = found if isinstance(found, np.ndarray) else found.toarray()
    Z = Z.astype(np.float64)
    d = Z.shape[1]
    if names is not None and len(names) != d:
        raise DataError(f"names must name {counted(d, 'column')}, got {len(names)}")
    with np.errstate(over="ignore"):
        spread = np.ptp(Z, axis=0) / np.maximum(np.abs(Z).max(axis=0), 1e-300)
    chosen = np.sort(np.argsort(-spread, kind="stable")[:MOST_COLUMNS])
    place = {int(i): row for i, row in zip(indices, Z, strict=True)}

    def describe(i: int) -> str:
        parts = [f"{names[j] if names is not None else f'x{j}'} = {place[i][j]:g}" for j in chosen]
        return ", ".join(parts) + (", ..." if d > len(chosen) else "")

    return describe
