"""Rows on Dask's workers: against our threads, one worker, dask-ml; the driver's memory.

Two cores for either side: two workers of one thread each, as `--cluster 2` starts them, or two
threads of Dask in this process; BLAS and Arrow have one thread (`__main__`). What is timed begins
with the files, which the system has in its cache, and ends with the model.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import Row, by_turns
from rosenblatt import (
    AveragedPerceptron,
    BernoulliNaiveBayes,
    GaussianNaiveBayes,
    LeastSquaresClassifier,
    fit_blocks,
    spread,
)
from rosenblatt.cluster.connecting import connected

N_FILES, N_ROWS, N_COLUMNS = 16, 500_000, 32  # 2 GB of numbers as they are in memory
N_TURNS = 5
MEGABYTE = 10**6
LIKE_OURS, TWICE, THRICE, SMALL = "0.77 (1.3x the time)", "1.7", "3", "10"


def cluster() -> Iterator[Row]:
    """Naive Bayes, least squares and a mixing epoch on two workers of one thread, from Parquet."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(folder)
        with connected(2) as two, connected(1) as one:
            for name, fit in FITS.items():
                there, here = fitting(fit, files, two), fitting(fit, files, None)
                times = by_turns(there, here, N_TURNS)
                yield Row(f"{name}, 2 workers", "our 2 threads", *times, LIKE_OURS)
                times = by_turns(there, fitting(fit, files, one), N_TURNS)
                yield Row(f"{name}, 2 workers", "1 worker", *times, TWICE)
        yield from against_dask_ml(files)
        yield driver(files)


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


def against_dask_ml(files: str) -> Iterator[Row]:
    """Time what dask-ml has of both, from the same files; nothing where it does not run."""
    try:
        from dask_ml.linear_model import LogisticRegression
        from dask_ml.naive_bayes import GaussianNB
        from dask_ml.wrappers import Incremental
        from sklearn.linear_model import SGDClassifier
    except Exception as error:  # it is not kept up to date: any of its imports may fail
        print(f"dask-ml does not run here: {type(error).__name__}: {error}", file=sys.stderr)
        return

    def naive_bayes(X: Any, y: Any) -> None:
        import dask

        model = GaussianNB(classes=[0, 1]).fit(X, y)  # which is lazy
        dask.compute(model.theta_, model.sigma_, model.class_prior_)

    def one_pass(X: Any, y: Any) -> None:
        learner = Incremental(SGDClassifier(), shuffle_blocks=False)
        learner.fit(X, y, classes=[0, 1])

    def logistic(X: Any, y: Any) -> None:
        import dask

        LogisticRegression(solver="lbfgs", max_iter=20).fit(*dask.persist(X, y))

    some = files.replace("*", "00")
    ours = FITS | {"Gaussian naive Bayes": lambda blocks: GaussianNaiveBayes().fit(blocks)}
    rows: list[tuple[str, str, Callable[[Any, Any], None], str, int]] = [
        ("Gaussian naive Bayes", "dask-ml GaussianNB", naive_bayes, files, 5),
        ("Bernoulli naive Bayes", "dask-ml GaussianNB", naive_bayes, files, 5),
        ("a mixing epoch", "dask-ml Incremental(SGD)", one_pass, files, 5),
        ("least squares, 1 of the files", "dask-ml LogisticRegression", logistic, some, 1),
    ]
    # each side has workers of its own: what one leaves in their memory is not the other's
    with connected(2) as mine_there, connected(2) as client, client.as_current():
        for name, peer, fit, of, repeats in rows:
            learner = name.partition(",")[0]
            mine = fitting(ours[learner], of, mine_there)
            times = by_turns(mine, lambda fit=fit, of=of: fit(*arrays(of)), repeats)
            target = THRICE if learner in FITS else "none"  # Gaussian is there as their like
            yield Row(f"{name}, 2 workers", peer, *times, target)


def arrays(files: str) -> tuple[Any, Any]:
    """Return the files as dask-ml wants them: arrays whose lengths are known."""
    import dask.dataframe as dd

    # of the labels alone Dask would put the parts of two files together
    table = dd.read_parquet(sorted(glob(files))).to_dask_array(lengths=True)
    return table[:, :-1], table[:, -1].astype(np.int64)


DRIVER = """
import sys
from benchmarks.cluster import driver_growth
print(driver_growth(sys.argv[1]))
"""


def driver(files: str) -> Row:
    """Return by how much the driver grows, beside what the rows take in memory."""
    there = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, files], cwd=there, capture_output=True, text=True, check=True
    )
    rows = 8 * N_FILES * N_ROWS * N_COLUMNS / 1e6
    return Row("driver's growth", "the rows", float(done.stdout.split()[-1]), rows, SMALL, "MB")


def driver_growth(files: str) -> float:
    """Return the megabytes that this process grows by while two workers learn from files.

    It is not allowed more addresses than for a quarter of the rows.
    """
    with connected(2) as client:
        FITS["least squares"](spread(files.replace("*", "00"), target="label", client=client))
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
        before, addresses = _megabytes("VmHWM"), _megabytes("VmSize") * MEGABYTE
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        allowed = int(addresses) + 2 * N_FILES * N_ROWS * N_COLUMNS
        resource.setrlimit(resource.RLIMIT_AS, (allowed, most))
        for fit in FITS.values():
            fit(spread(files, target="label", client=client))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        return max(_megabytes("VmHWM") - before, 1.0)  # a ratio needs a number


def _megabytes(what: str) -> float:
    """Return what the system says of the memory of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (found,) = (line for line in lines if line.startswith(f"{what}:"))
    return int(found.split()[1]) * 1024 / MEGABYTE
