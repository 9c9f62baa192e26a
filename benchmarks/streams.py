"""One row at a time: predict, then learn, against river."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import Row, by_turns
from rosenblatt import AveragedPerceptron, Perceptron

N_ROWS = 20_000


def streams() -> Iterator[Row]:
    """20,000 dicts of 10 and of 100 numbers, the same for all."""
    from river import linear_model

    for n_features in (10, 100):
        rows, labels = _rows(n_features)
        how = f"20,000 dicts of {n_features}"
        for ours, theirs, target in (
            (Perceptron, linear_model.Perceptron, "none"),
            (AveragedPerceptron, linear_model.LogisticRegression, "none"),
        ):
            peer = f"river {theirs.__name__}"
            for work, loop in (("learn_one", _learn), ("predict_one, learn_one", _both)):
                times = by_turns(_of(loop, ours, rows, labels), _of(loop, theirs, rows, labels), 3)
                yield Row(f"{work}, {how}", peer, *times, target)


def _of(loop: Any, learner: Any, rows: Any, labels: Any) -> Callable[[], None]:
    return partial(loop, learner, rows, labels)


def _rows(n_features: int) -> tuple[list[dict[str, float]], list[bool]]:
    random = np.random.default_rng(0)
    X = random.standard_normal((N_ROWS, n_features))
    y = X @ random.standard_normal(n_features) + random.standard_normal(N_ROWS) > 0
    names = [f"x{j}" for j in range(n_features)]
    return [dict(zip(names, row, strict=True)) for row in X.tolist()], y.tolist()


def _learn(new: Any, rows: Any, labels: Any) -> None:
    model = new()
    for x, y in zip(rows, labels, strict=True):
        model.learn_one(x, y)


def _both(new: Any, rows: Any, labels: Any) -> None:
    model = new()
    for x, y in zip(rows, labels, strict=True):
        model.predict_one(x)
        model.learn_one(x, y)
