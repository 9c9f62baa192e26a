"""Bernoulli naive Bayes against scikit-learn's: time, and the memory a fit takes."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from functools import partial
from typing import Any

from sklearn.naive_bayes import BernoulliNB

from benchmarks import samples
from benchmarks.timing import Row, by_turns
from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes

PEER = "scikit-learn BernoulliNB"


def bernoulli() -> Iterator[Row]:
    """Fit and predict on presence rows, 200,000 x 262,144, 75 a row; peak extra memory of a fit."""
    for name, columns in (("uniform columns", "uniform"), ("word-like columns", "words")):
        X, y = samples.presence_rows(columns)
        ours, theirs = BernoulliNaiveBayes(), BernoulliNB()
        times = by_turns(partial(ours.fit, X, y), partial(theirs.fit, X, y))
        yield Row(f"Bernoulli fit, {name}", PEER, *times, "3x")
        times = by_turns(partial(ours.predict, X), partial(theirs.predict, X))
        yield Row(f"Bernoulli predict, {name}", PEER, *times, "2x")
        different = (ours.predict(X) != theirs.predict(X)).sum()
        if different > len(y) // 10_000:
            raise RuntimeError(f"{different} predictions differ from the peer's")
    X, y = samples.presence_rows()
    peaks = _extra_memory(BernoulliNaiveBayes(), X, y), _extra_memory(BernoulliNB(), X, y)
    yield Row("Bernoulli fit, extra memory, MiB", PEER, *peaks, "2x", "MiB")


def _extra_memory(model: Any, X: Any, y: Any) -> float:
    """Return the most that a fit allocates at a time beside its data."""
    tracemalloc.start()  # NumPy reports its arrays to it
    model.fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20
