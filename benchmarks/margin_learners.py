"""Passive-aggressive and AROW against scikit-learn's passive-aggressive, with as many passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.linear_model import SGDClassifier

from benchmarks import samples
from benchmarks.timing import Row, by_turns
from rosenblatt import AROW, PassiveAggressive

PEER = "scikit-learn pa1"


def passive_aggressive() -> Iterator[Row]:
    """Ten passes of variant I, averaged and not."""
    for average in (False, True):
        kind = "averaged PA" if average else "PA"
        ours, theirs = PassiveAggressive(average=average, random_state=0), peer(average)
        for name, X, y in data():
            yield ten_passes(f"{kind}, {name}", ours, theirs, X, y)


def arow() -> Iterator[Row]:
    """Ten passes; scikit-learn has no AROW, so the peer is its passive-aggressive learner."""
    for name, X, y in data():
        yield ten_passes(f"AROW, {name}", AROW(random_state=0), peer(average=False), X, y)


def data() -> Iterator[tuple[str, Any, np.ndarray]]:
    for name in ("uniform", "words"):
        yield f"sparse, {name}", *samples.sparse_rows(name)
    yield "presence, words", *samples.presence_rows("words")
    yield "dense, 500,000 x 64 float32", *samples.dense_rows()


def peer(average: bool) -> SGDClassifier:
    return SGDClassifier(
        loss="hinge",
        penalty=None,
        learning_rate="pa1",
        eta0=1.0,
        average=average,
        max_iter=10,
        tol=None,
        random_state=0,
    )


def ten_passes(work: str, ours: Any, theirs: Any, X: Any, y: np.ndarray) -> Row:
    return Row(work, PEER, *by_turns(lambda: ours.fit(X, y), lambda: theirs.fit(X, y)), "3x")
