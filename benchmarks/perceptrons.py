"""The perceptron family against scikit-learn and against the lectures' procedures in NumPy."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Perceptron as PeerPerceptron
from sklearn.linear_model import SGDClassifier

from benchmarks import samples
from benchmarks.timing import Row, by_turns
from rosenblatt import AveragedPerceptron, Perceptron, PocketPerceptron
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.perceptron import learn
from rosenblatt.kernels.selection import Scan
from rosenblatt.lab.runs import perceptron_runs

warnings.simplefilter("ignore")

PEER = "scikit-learn Perceptron"


def fits() -> Iterator[Row]:
    """Ten epochs of the perceptron, and of the averaged one."""
    for name, columns in (("uniform columns", "uniform"), ("word-like columns", "words")):
        X, y = samples.sparse_rows(columns)
        yield ten_epochs(f"sparse fit, {name}", X, y, "2x")
        yield _averaged(f"averaged, sparse, {name}", X, y)
        X, y = samples.presence_rows(columns)
        yield ten_epochs(f"presence fit, {name}", X, y, "3.5x")
    X, y = samples.dense_rows()
    yield ten_epochs("dense fit, 500,000 x 64 float32", X, y, "6x")


def ten_epochs(work: str, X: object, y: np.ndarray, target: str) -> Row:
    ours, theirs = by_turns(
        lambda: Perceptron(max_epochs=10).fit(X, y),
        lambda: PeerPerceptron(max_iter=10, tol=None, shuffle=False).fit(X, y),
    )
    return Row(work, PEER, ours, theirs, target)


def _averaged(work: str, X: object, y: np.ndarray) -> Row:
    peer = SGDClassifier(
        loss="perceptron",
        average=True,
        learning_rate="constant",
        eta0=1,
        penalty=None,
        max_iter=10,
        tol=None,
        random_state=0,
    )
    ours, theirs = by_turns(
        lambda: AveragedPerceptron(random_state=0).fit(X, y), lambda: peer.fit(X, y)
    )
    return Row(work, "scikit-learn SGDClassifier", ours, theirs, "3x")


def predictions() -> Iterator[Row]:
    """Labels of the rows that were learned from, with all checks of the input."""
    kinds = {
        "sparse": samples.sparse_rows,
        "presence": samples.presence_rows,
        "dense": samples.dense_rows,
    }
    for kind, rows in kinds.items():
        X, y = rows()
        model = Perceptron(max_epochs=1).fit(X, y)
        peer = PeerPerceptron(max_iter=1, tol=None, shuffle=False).fit(X, y)
        ours, theirs = by_turns(
            lambda X=X, model=model: model.predict(X), lambda X=X, peer=peer: peer.predict(X), 15
        )
        yield Row(f"{kind} prediction, two classes", PEER, ours, theirs, "none")


def bandwidth() -> Iterator[Row]:
    """One epoch without mistakes, as bytes read, against a plain sum of the same array."""
    X, _ = samples.dense_rows()
    w = np.random.default_rng(0).standard_normal(X.shape[1])
    y = np.where(X @ w > 0, 1, -1).astype(np.int32)
    D = LabelledRows(X, y, np.empty(0), 0.0)
    h = Hypothesis(w, np.zeros(1), np.zeros(1))
    order = np.arange(len(y))

    def epoch() -> None:
        rule = Scan(order, np.zeros(2, dtype=np.int64), False, False)
        learn(rule, D, h, 0, np.array([1 << 40, 1 << 40, 1]))

    ours, theirs = by_turns(epoch, lambda: X.sum(), repeats=15)
    yield Row("dense epoch, bytes per second", "numpy.sum", ours, theirs, "1.0")


def pocket() -> Iterator[Row]:
    """10,000 updates with a pocket; the literal procedure is measured on 1,000 and scaled."""
    X, y = samples.overlapping()
    ours, theirs = by_turns(
        lambda: PocketPerceptron(max_updates=10_000, random_state=0).fit(X, y),
        lambda: literal_pocket(X, y, 1_000),
    )
    yield Row("pocket, 10,000 updates, 10,000 x 20", "literal NumPy", ours, 10 * theirs, "10x")


def literal_pocket(X: np.ndarray, y: np.ndarray, n_updates: int) -> int:
    rng = np.random.RandomState(0)
    Z = np.hstack([np.ones((len(X), 1)), X])
    w = best_w = np.zeros(Z.shape[1])
    wrong = np.flatnonzero(np.sign(Z @ w) != y)
    best = len(wrong)
    for _ in range(n_updates):
        i = rng.choice(wrong)
        w = w + y[i] * Z[i]
        wrong = np.flatnonzero(np.sign(Z @ w) != y)
        if len(wrong) < best:
            best, best_w = len(wrong), w
    return int((np.sign(Z @ best_w) != y).sum())


def first() -> Iterator[Row]:
    """PLA that always corrects the first mistake, as the Octave program of the lecture does."""
    X, y = samples.thin_margin()
    model = Perceptron(rule="first", max_epochs=None, max_updates=10**7)
    n_updates = literal_first(X, y)
    ours, theirs = by_turns(lambda: model.fit(X, y), lambda: literal_first(X, y), repeats=3)
    if n_updates != model.n_updates_:
        raise RuntimeError(f"the peer made {n_updates} updates, we {model.n_updates_}")
    yield Row(f"PLA first, {n_updates} updates, 20,000 x 10", "literal NumPy", ours, theirs, "100x")


def literal_first(X: np.ndarray, y: np.ndarray) -> int:
    Z = np.hstack([np.ones((len(X), 1)), X])
    w, n_updates, found = np.zeros(Z.shape[1]), 0, True
    while found:
        found = False
        output = np.sign(Z @ w)
        for i in range(len(y)):
            if y[i] != output[i]:
                w = w + y[i] * Z[i]
                n_updates += 1
                found = True
                break
    return n_updates


def many_runs() -> Iterator[Row]:
    """1,000 runs of PLA on 100 points; the plain loop is measured on 100 runs and scaled."""
    X, y = samples.planes()
    ours, theirs = by_turns(
        lambda: perceptron_runs(X, y, random_state=0),
        lambda: [literal_random(X[r], y[r]) for r in range(0, len(X), 10)],
    )
    yield Row("1,000 runs of PLA, N = 100, random", "plain NumPy loop", ours, 10 * theirs, "50x")


def literal_random(X: np.ndarray, y: np.ndarray) -> int:
    rng = np.random.RandomState(0)
    Z = np.hstack([np.ones((len(X), 1)), X])
    w, n_updates = np.zeros(Z.shape[1]), 0
    while len(wrong := np.flatnonzero(np.sign(Z @ w) != y)):
        i = rng.choice(wrong)
        w = w + y[i] * Z[i]
        n_updates += 1
    return n_updates
