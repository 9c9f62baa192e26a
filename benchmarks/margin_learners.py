"""Passive-aggressive and AROW against scikit-learn: as many passes, and the time to an error."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC

from benchmarks import samples
from benchmarks.command import NEWS, read_news
from benchmarks.real import DATA
from benchmarks.timing import Row, by_turns
from rosenblatt import AROW, BagOfWords, PassiveAggressive

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


def to_the_error_of_svc() -> Iterator[Row]:
    """The passes that it takes to be right as often as LinearSVC, on the rows that it gets."""
    if NEWS.exists():
        train, test = read_news()
        words = BagOfWords(weighting="tfidf").fit(train.texts)
        X, Z = words.transform(train.texts), words.transform(test.texts)
        yield until_as_good("20news", AROW(r=10.0, random_state=0), X, train.labels, Z, test.labels)
    if (DATA / "libsvm").exists():
        (X, y), (Z, right) = (_svmlight(name) for name in ("a9a.xz", "a9a.t.xz"))
        ours = PassiveAggressive(variant="II", C=0.03, random_state=0)
        yield until_as_good("a9a", ours, X, y, Z, right)


def until_as_good(name: str, ours: Any, X: Any, y: Any, Z: Any, right: Any) -> Row:
    theirs = LinearSVC(random_state=0)
    X_peer, Z_peer = (_int32(rows) for rows in (X, Z))
    goal = theirs.fit(X_peer, y).score(Z_peer, right)
    for epochs in range(1, 51):
        ours.set_params(epochs=epochs)
        if ours.fit(X, y).score(Z, right) >= goal:
            break
    times = by_turns(lambda: ours.fit(X, y), lambda: theirs.fit(X_peer, y))
    work = f"{name}, {type(ours).__name__}, {epochs} passes, {ours.score(Z, right):.4f}"
    return Row(work, f"LinearSVC {goal:.4f}", *times, "5x")


def _svmlight(name: str) -> tuple[Any, np.ndarray]:
    with lzma.open(DATA / "libsvm" / name) as file:
        X, y = load_svmlight_file(file, n_features=123)
    return _int32(X), y


def _int32(X: Any) -> Any:
    # the peer takes 32-bit indices only
    X = sparse.csr_matrix(X)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X
