"""How often `fit` is right beside its peers, on the public data: `make accuracy` writes the page.

Small sets are tested in 5 folds, drawn anew by each seed, larger ones on the part that came with
them. All see the same rows. Peers have their defaults; tables are scaled for them, and texts are
weighed by their own tf-idf.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import (
    LogisticRegression,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from benchmarks.command import NEWS, Part, read_news
from benchmarks.real import DATA
from benchmarks.streaming_peers import OneRowAtATime, VowpalWabbit
from rosenblatt import read
from rosenblatt.data.examples import Examples
from rosenblatt.workflows.algorithms import AUTO
from rosenblatt.workflows.choosing import learn_best
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.task import Task, inputs, make_task

PAGE = Path(__file__).resolve().parents[1] / "docs" / "accuracy.md"
SEEDS = 5
FEW = 2_500  # rows: of more, two seeds tell enough
Split = tuple[np.ndarray, np.ndarray]


class Set(NamedTuple):
    """A public set, and the part of it that came for testing, if any."""

    name: str
    task: Task
    test: Any = None  # Examples

    @property
    def y(self) -> np.ndarray:
        return self.task.y


def sets() -> Iterator[Set]:
    """Yield the public sets, those that are there."""
    for name in ("digits", "wine", "iris", "breast-cancer"):
        yield Set(name, make_task(read(name)))
    for name in ("sonar", "banknote_authentication", "pima-indians-diabetes", "ionosphere"):
        yield _table(name, f"uci-small/{name}.csv.xz")
    yield _table("spambase", "spambase/spambase.data.xz")
    for name, train, test in (
        ("heart", "heart_scale.xz", None),
        ("german", "german.numer_scale.xz", None),
        ("phishing", "phishing.xz", None),
        ("mushrooms", "mushrooms.xz", None),
        ("a9a", "a9a.xz", "a9a.t.xz"),
        ("w8a", "w8a.xz", None),
        ("ijcnn1", "ijcnn1.trn.bz2", "ijcnn1.tst.bz2"),
    ):
        yield _rows(name, train, test)
    sms = read(DATA / "sms-spam" / "SMSSpamCollection.xz", format="text")
    yield Set("sms", make_task(sms))
    yield _news()


def _table(name: str, path: str) -> Set:
    examples = read(DATA / path, target=-1, format="csv")
    return Set(name.partition("_")[0].partition("-")[0], make_task(examples))


def _rows(name: str, train: str, test: str | None) -> Set:
    examples = read(DATA / "libsvm" / train)
    tested = None if test is None else read(DATA / "libsvm" / test, recipe=examples.recipe)
    return Set(name, make_task(examples), tested)


def _news() -> Set:
    with tempfile.TemporaryDirectory() as folder:
        train, test = (
            _lines(Path(folder, name), part)
            for name, part in zip(("train.tsv", "test.tsv"), read_news(NEWS), strict=True)
        )
        examples = read(train, format="text")
        return Set("20 Newsgroups", make_task(examples), read(test, recipe=examples.recipe))


def _lines(path: Path, part: Part) -> Path:
    pairs = zip(part.labels, part.texts, strict=True)
    path.write_text("".join(f"{label}\t{' '.join(text.split())}\n" for label, text in pairs))
    return path


class Way(NamedTuple):
    """Somebody who learns from some rows and answers for others."""

    name: str
    answers: Callable[[Set, np.ndarray, np.ndarray | None, int], np.ndarray]


def product(data: Set, train: np.ndarray, test: np.ndarray | None, seed: int) -> np.ndarray:
    """Return the answers of `fit` as it is, with all that its validation teaches."""
    report = fit(_some(data.task.examples, train), seed=seed, prove_seconds=0)
    CHOSEN[data.name] = type(report.learner).__name__
    asked = data.test if test is None else _some(data.task.examples, test)
    return np.asarray(report.model.predict(inputs(report.model, asked)))


def automatic(data: Set, train: np.ndarray, test: np.ndarray | None, seed: int) -> np.ndarray:
    """Return the answers of the learner that `fit -a auto` chooses."""
    fitted = learn_best(data.task, AUTO, seed, train)
    if test is not None:
        return np.asarray(fitted.predict(data.task.X[test]))
    model = data.task.model(fitted)
    return np.asarray(model.predict(inputs(model, data.test)))


def _some(examples: Examples, rows: np.ndarray) -> Examples:
    texts = None if examples.texts is None else examples.texts.take(rows)
    return examples._replace(X=examples.X[rows], y=examples.y[rows], texts=texts)


CHOSEN: dict[str, str] = {}


def peer(name: str, make: Callable[[int], Any]) -> Way:
    """Return a learner of another library: tables are scaled for it, texts weighed."""

    def answers(data: Set, train: np.ndarray, test: np.ndarray | None, seed: int) -> np.ndarray:
        if data.task.words is not None:
            texts = np.array(data.task.examples.texts.to_pylist(), dtype=object)
            new = texts[test] if test is not None else data.test.texts.to_pylist()
            model = make_pipeline(TfidfVectorizer(), make(seed))
            return np.asarray(model.fit(texts[train], data.y[train]).predict(new))
        X = _peer_rows(data.task.X)
        Z = X[test] if test is not None else _peer_rows(data.test.X)
        model = make(seed)
        if not sparse.issparse(X) and not isinstance(model, GaussianNB):
            model = make_pipeline(StandardScaler(), model)
        return np.asarray(model.fit(X[train], data.y[train]).predict(Z))

    return Way(name, answers)


def _peer_rows(X: Any) -> Any:
    if not sparse.issparse(X):
        return X
    X = sparse.csr_matrix(X).astype(np.float64)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    is_full = X.nnz >= 0.5 * X.shape[0] * X.shape[1]
    return X.toarray() if is_full else X


def peers(data: Set) -> list[Way]:
    """Return the linear learners that take the rows of a set."""
    chosen = [
        peer("LinearSVC", lambda seed: LinearSVC(random_state=seed)),
        peer("LogisticRegression", lambda seed: LogisticRegression(max_iter=1000)),
        peer("RidgeClassifier", lambda seed: RidgeClassifier()),
        peer("SGDClassifier", lambda seed: SGDClassifier(random_state=seed)),
        peer("Perceptron", lambda seed: Perceptron(random_state=seed)),
        peer("Vowpal Wabbit", lambda seed: VowpalWabbit()),
    ]
    if data.task.words is not None:
        chosen += [peer("ComplementNB", lambda seed: ComplementNB())]
        return [*chosen, peer("MultinomialNB", lambda seed: MultinomialNB())]
    if data.task.blocks.is_dense:
        chosen.append(peer("GaussianNB", lambda seed: GaussianNB()))
    if len(data.task.blocks.classes) == 2 and len(data.y) < 12_000:
        chosen.append(peer("river", lambda seed: OneRowAtATime()))
    return chosen


def splits(data: Set, seed: int) -> list[tuple[np.ndarray, np.ndarray | None]]:
    """Return the rows to learn from, and to test on; None: the part that came for it."""
    if data.test is not None:
        return [(np.arange(len(data.y)), None)]
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    return list(folds.split(data.y, data.y))


def right_answers(data: Set, way: Way) -> np.ndarray:
    """Return the share of seeds with which each tested row was answered right."""
    right = data.y if data.test is None else data.test.y
    seeds = range(1 if data.test is not None else SEEDS if len(data.y) < FEW else 2)
    shares = np.zeros(len(right))
    for seed in seeds:
        for train, test in splits(data, seed):
            places = np.arange(len(right)) if test is None else test
            shares[places] += way.answers(data, train, test, seed) == right[places]
    return shares / len(seeds)


def line(data: Set) -> str:
    """Return the line of a set in the table."""
    mine = right_answers(data, Way("fit", product))
    auto = right_answers(data, Way("fit -a auto", automatic))
    others = {way.name: right_answers(data, way) for way in peers(data)}
    best = max(others, key=lambda name: float(others[name].mean()))
    gaps = mine - others[best]
    gap, error = 100 * gaps.mean(), 100 * gaps.std() / sqrt(len(gaps))
    mark = " behind" if gap < -2 * error else " ahead" if gap > 2 * error else ""
    default = CHOSEN[data.name]
    n, d = data.task.blocks.n_rows, data.task.blocks.n_features
    return (
        f"| {data.name} | {n:,} x {d:,} | {100 * mine.mean():.2f} ({default}) | "
        f"{100 * auto.mean():.2f} | {100 * others[best].mean():.2f} ({best}) | "
        f"{gap:+.2f} +- {error:.2f}{mark} |"
    )


def main() -> None:
    """Put the lines of all sets into the table of the page."""
    warnings.simplefilter("ignore")
    lines = []
    for data in sets():
        lines.append(line(data))
        print(lines[-1], flush=True)
    head, ruler, rest = PAGE.read_text().partition("|---|---|---|---|---|---|\n")
    below = rest[rest.index("\n\n") :] if not rest.startswith("\n") else "\n" + rest
    PAGE.write_text(f"{head}{ruler}{chr(10).join(lines)}{below}")


if __name__ == "__main__":
    main()
