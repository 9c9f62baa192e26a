"""Reading files: svmlight against scikit-learn, wide tables against pandas."""

from __future__ import annotations

import lzma
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.linear_model import Perceptron as SklearnPerceptron

from benchmarks.real import DATA
from benchmarks.samples import sparse_rows
from benchmarks.timing import Row, by_turns
from rosenblatt import Perceptron, read

N_BYTES = 100_000_000
PEER = "sklearn load_svmlight_file"
N_COLUMNS, N_ROWS = 20_000, 200
EPOCHS = 10


def svmlight() -> Iterator[Row]:
    """a9a repeated to 100 MB, all of its values 1; and values with 16 digits."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.svm"
        packed = DATA / "libsvm" / "a9a.xz"
        if packed.exists():
            once = lzma.decompress(packed.read_bytes())
            path.write_bytes(once * -(-N_BYTES // len(once)))
            yield _reading("svmlight, a9a repeated to 100 MB", path, "10x")
        X, y = sparse_rows()
        dump_svmlight_file(X[:30_000], y[:30_000], str(path))
        yield _reading("svmlight, 2 million values of 16 digits", path, "none")


def _reading(work: str, path: Path, target: str) -> Row:
    ours, theirs = by_turns(lambda: read(path), lambda: load_svmlight_file(str(path)), repeats=3)
    return Row(work, PEER, ours, theirs, target)


def wide() -> Iterator[Row]:
    """A table of 20,000 columns of numbers, as those of genes are: read, and learned from."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(N_ROWS, N_COLUMNS)).round(4)
    frame = pd.DataFrame(numbers, columns=[f"g{j}" for j in range(N_COLUMNS)])
    frame["label"] = np.where(numbers[:, :10].sum(axis=1) > 0, "yes", "no")
    with tempfile.TemporaryDirectory() as folder:
        for form in ("csv", "parquet"):
            path = Path(folder) / f"genes.{form}"
            if form == "csv":
                frame.to_csv(path, index=False)
            else:
                frame.to_parquet(path, index=False)
            ours, theirs = by_turns(
                lambda path=path: _learn(path), lambda path=path: _learn_of_frame(path), repeats=3
            )
            work = f"{form} of {N_COLUMNS:,} columns to perceptron"
            yield Row(work, "pandas, scikit-learn", ours, theirs, "none")


def _learn(path: Path) -> None:
    examples = read(path)
    Perceptron(max_epochs=EPOCHS).fit(examples.X, examples.y)


def _learn_of_frame(path: Path) -> None:
    frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
    X, y = frame.drop(columns="label").to_numpy(), frame["label"].to_numpy()
    SklearnPerceptron(max_iter=EPOCHS, tol=None).fit(X, y)
