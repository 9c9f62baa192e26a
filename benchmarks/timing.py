"""Measure two pieces of work by turns, so that a busy machine is unfair to neither."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    peer: str
    ours: float  # seconds
    theirs: float
    target: str  # the ratio to reach, in words
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def by_turns(
    ours: Callable[[], object], theirs: Callable[[], object], repeats: int = 5
) -> tuple[float, float]:
    """Return the medians of both, after one unmeasured turn each (compiling, first touch)."""
    ours()
    theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(repeats)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and those that it starts, on one core where the system can do that.

    A tool that reads its file in a thread of its own would use two.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
