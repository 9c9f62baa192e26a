"""Rows on Dask's workers: against our threads, one worker against two, and the driver's memory."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import Row, by_turns
from rosenblatt import (
    AveragedPerceptron,
    BernoulliNaiveBayes,
    LeastSquaresClassifier,
    fit_blocks,
    spread,
)
from rosenblatt.cluster.connecting import connected

N_FILES, N_ROWS, N_COLUMNS = 16, 250_000, 32  # 1 GB of numbers as they are in memory
LIKE_OURS, TWICE, SMALL = "0.77 (1.3x the time)", "1.7", "10"


def cluster() -> Iterator[Row]:
    """Naive Bayes, least squares and a mixing epoch on two workers of one thread, from Parquet."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(folder)
        with connected(2) as two, connected(1) as one:
            for name, fit in FITS.items():
                there, here = fitting(fit, files, two), fitting(fit, files, None)
                times = by_turns(there, here, 3)
                yield Row(f"{name}, 2 workers", "our 2 threads", *times, LIKE_OURS)
                times = by_turns(there, fitting(fit, files, one), 3)
                yield Row(f"{name}, 2 workers", "1 worker", *times, TWICE)
        yield from against_dask_ml(folder)
        yield driver(folder)


def write_files(folder: str) -> str:
    """Write tables of numbers with a label; return their pattern."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    random = np.random.default_rng(0)
    rule = random.standard_normal(N_COLUMNS)
    for k in range(N_FILES):
        X = random.standard_normal((N_ROWS, N_COLUMNS))
        y = X @ rule + random.standard_normal(N_ROWS) > 0
        columns = {f"x{j}": X[:, j] for j in range(N_COLUMNS)} | {"label": y.astype(np.int64)}
        parquet.write_table(pa.table(columns), f"{folder}/{k:02d}.parquet")
    return f"{folder}/*.parquet"


def fitting(fit: Callable[[Any], Any], files: str, client: Any) -> Callable[[], None]:
    """Return a fit from the files to the model; without a client on two threads of Dask."""

    def work() -> None:
        import dask

        with dask.config.set(num_workers=2):
            fit(spread(files, target="label", client=client))

    return work


FITS: dict[str, Callable[[Any], Any]] = {
    "Bernoulli naive Bayes": lambda blocks: BernoulliNaiveBayes(binarize=0.0).fit(blocks),
    "least squares": lambda blocks: LeastSquaresClassifier(alpha=1.0).fit(blocks),
    "a mixing epoch": lambda blocks: fit_blocks(
        AveragedPerceptron(epochs=1, shuffle=False), blocks, mixing=True
    ),
}


def against_dask_ml(folder: str) -> Iterator[Row]:
    """Gaussian naive Bayes of dask-ml, from the same files; nothing where it does not run."""
    try:
        from dask_ml.naive_bayes import GaussianNB
    except Exception as error:  # it is not kept up to date: any of its imports may fail
        print(f"dask-ml does not run here: {type(error).__name__}: {error}", file=sys.stderr)
        return
    import dask.dataframe as dd

    from rosenblatt import GaussianNaiveBayes

    files = f"{folder}/*.parquet"
    names = [f"x{j}" for j in range(N_COLUMNS)]

    def theirs() -> None:
        table = dd.read_parquet(files)
        X, y = table[names].to_dask_array(lengths=True), table["label"].to_dask_array(lengths=True)
        GaussianNB(classes=[0, 1]).fit(X, y)

    with connected(2) as client, client.as_current():
        ours = fitting(lambda blocks: GaussianNaiveBayes().fit(blocks), files, client)
        yield Row("Gaussian naive Bayes, 2 workers", "dask-ml", *by_turns(ours, theirs, 3), "3")


DRIVER = """
import sys
from benchmarks.cluster import driver_growth
print(driver_growth(sys.argv[1]))
"""


def driver(folder: str) -> Row:
    """Return by how much the driver grows, beside what the rows take in memory."""
    there = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, f"{folder}/*.parquet"],
        cwd=there,
        capture_output=True,
        text=True,
        check=True,
    )
    rows = 8 * N_FILES * N_ROWS * N_COLUMNS / 1e6
    return Row("driver's growth", "the rows", float(done.stdout.split()[-1]), rows, SMALL, "MB")


def driver_growth(files: str) -> float:
    """Return the megabytes that this process grows by while two workers learn from files."""
    with connected(2) as client:
        FITS["least squares"](spread(files.replace("*", "00"), target="label", client=client))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for fit in FITS.values():
            fit(spread(files, target="label", client=client))
    growth = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return max(growth, 1.0)  # of few rows the peak stays where it was, and a ratio needs a number
