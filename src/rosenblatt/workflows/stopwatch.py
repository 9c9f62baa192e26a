"""Seconds of work, without those in which kernels are compiled: that happens once on a machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event


class Stopwatch(event.Listener):
    """Counts from when it is made."""

    def __init__(self) -> None:
        self._start, self._compiling, self._depth = time.perf_counter(), 0.0, 0
        self._since = 0.0

    @property
    def seconds(self) -> float:
        """Seconds of work so far."""
        return time.perf_counter() - self._start - self._compiling

    def on_start(self, event: event.Event) -> None:
        """A kernel is being compiled, perhaps for another one that is."""
        if self._depth == 0:
            self._since = time.perf_counter()
        self._depth += 1

    def on_end(self, event: event.Event) -> None:
        """It is compiled."""
        self._depth -= 1
        if self._depth == 0:
            self._compiling += time.perf_counter() - self._since


@contextmanager
def stopwatch() -> Iterator[Stopwatch]:
    """Give a watch that is running.

    Examples
    --------
    >>> with stopwatch() as watch:
    ...     watch.seconds < 60
    True
    """
    watch = Stopwatch()
    with event.install_listener("numba:compile", watch):
        yield watch
