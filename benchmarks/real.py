"""The same fits on public data, where the folder `../shared/data` is there."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.perceptrons import ten_epochs
from benchmarks.timing import Row

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def public_data() -> Iterator[Row]:
    """Sparse sets of the LIBSVM collection, and MNIST, even digits against odd."""
    for name in ("a9a", "w8a"):
        path = DATA / "libsvm" / f"{name}.xz"
        if path.exists():
            with lzma.open(path) as file:
                X, y = load_svmlight_file(file)
            # the peer takes 32-bit indices only
            X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
            yield ten_epochs(f"{name}, {X.shape[0]} x {X.shape[1]}", X, y, "none")
    images = DATA / "mnist" / "train-images-idx3-ubyte.xz"
    if images.exists():
        X = read_idx(images, header=16).reshape(-1, 784).astype(np.float32)
        y = read_idx(images.with_name("train-labels-idx1-ubyte.xz"), header=8) % 2
        yield ten_epochs(f"MNIST, even or odd, {X.shape[0]} x 784", X, y, "none")


def read_idx(path: Path, header: int) -> np.ndarray:
    with lzma.open(path) as file:
        return np.frombuffer(file.read(), dtype=np.uint8, offset=header)
