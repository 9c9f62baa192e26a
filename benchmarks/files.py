"""Reading svmlight files, against scikit-learn."""

from __future__ import annotations

import lzma
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from benchmarks.real import DATA
from benchmarks.samples import sparse_rows
from benchmarks.timing import Row, by_turns
from rosenblatt import read

N_BYTES = 100_000_000
PEER = "sklearn load_svmlight_file"


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
