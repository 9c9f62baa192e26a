"""Whole processes: from the start to the first prediction."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from benchmarks.timing import Row, by_turns, seconds

FIT = "from {module} import Perceptron; Perceptron().fit([[0], [1], [2]], [0, 0, 1]).predict([[3]])"


def process() -> Iterator[Row]:
    """Tiny data with a warm cache, ours against scikit-learn's."""
    ours, theirs = by_turns(
        lambda: run(FIT.format(module="rosenblatt")),
        lambda: run(FIT.format(module="sklearn.linear_model")),
        repeats=7,
    )
    yield Row("process start to first prediction", "the same with sklearn", ours, theirs, "0.77")


def cold() -> Iterator[Row]:
    """The very first fit, with nothing compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        work = FIT.format(module="rosenblatt")
        ours = seconds(lambda: run(work, NUMBA_CACHE_DIR=folder))
    yield Row("first fit with a cold cache", "none: at most 8 s", ours, 8.0, "1.0")


def run(code: str, **environment: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | environment)
