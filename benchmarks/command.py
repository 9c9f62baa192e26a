"""The command as a process, and what `compare` offers for text with many classes."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import Perceptron as PeerPerceptron

from benchmarks.timing import Row, by_turns
from rosenblatt import BagOfWords
from rosenblatt.workflows.algorithms import make_learner

NEWS = Path(__file__).resolve().parents[2] / "shared" / "data" / "20news" / "20news-bydate.tar.xz"
HELP = "from rosenblatt.cli.main import main; main(['--help'])"


class Part(NamedTuple):
    """Texts and the names of their groups."""

    texts: list[str]
    labels: list[str]


def help_text() -> Iterator[Row]:
    """`rosenblatt --help` against loading the libraries that it is made with."""
    ours, theirs = by_turns(lambda: _run(HELP), lambda: _run("import typer, rich"), repeats=15)
    yield Row("rosenblatt --help, whole process", "import typer, rich", ours, theirs, "0.67")


def newsgroups() -> Iterator[Row]:
    """20 Newsgroups by date: fit and predict, on the same rows; the accuracies in the names.

    With 2^17 columns, about as many as there are different words (126,542), and with the 2^20 that
    are the default: there our time goes into the columns that are never set.
    """
    if not NEWS.exists():
        return
    warnings.simplefilter("ignore")
    train, test = read_news()
    for bits, name, target in (
        (17, "multinomial", "10x"),
        (17, "averaged", "none"),
        (20, "multinomial", "none"),
        (20, "averaged", "none"),
    ):
        yield _news_row(train, test, bits, name, target)


def _news_row(train: Part, test: Part, bits: int, name: str, target: str) -> Row:
    words = BagOfWords(bits=bits)
    X, Z = words.transform(train.texts), words.transform(test.texts)
    y, right = np.array(train.labels), np.array(test.labels)
    # the peer reads the same words as numbers of its own kind
    X_peer, Z_peer = X.astype(np.float64), Z.astype(np.float64)
    ours, peer = make_learner(name, of_words=True), PeerPerceptron(random_state=0)
    times = by_turns(
        lambda: ours.fit(X, y).predict(Z), lambda: peer.fit(X_peer, y).predict(Z_peer), repeats=3
    )
    work = f"20news, 2^{bits} words, {name} {_accuracy(ours, Z, right):.4f}"
    return Row(work, f"sklearn Perceptron {_accuracy(peer, Z_peer, right):.4f}", *times, target)


def read_news(path: Path = NEWS) -> tuple[Part, Part]:
    """Read the messages of both folders, to learn from and to test on."""
    train, test = Part([], []), Part([], [])
    with tarfile.open(path) as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                folder, label, _ = member.name.split("/")[-3:]
                part = train if folder.endswith("train") else test
                part.texts.append(content.read().decode("latin-1"))
                part.labels.append(label)
    return train, test


def _accuracy(model: Any, X: Any, y: Any) -> float:
    return float((model.predict(X) == y).mean())


def _run(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
