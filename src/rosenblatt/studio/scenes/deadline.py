"""The time that a scene may take, and the word to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

Clock = Callable[[], float]


class Deadline:
    """Knows when to stop: the time is over, or nobody waits for the answer any more.

    Examples
    --------
    >>> Deadline(10.0).alive(), Deadline(0.0).alive()
    (True, False)
    """

    def __init__(self, seconds: float, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._end = clock() + seconds
        self._cancelled = threading.Event()

    @property
    def left(self) -> float:
        """Seconds that are left, some milliseconds at least."""
        return max(0.005, self._end - self._clock())

    def cancel(self) -> None:
        """Say that nobody waits any more."""
        self._cancelled.set()

    def alive(self) -> bool:
        """Whether to go on."""
        return not self._cancelled.is_set() and self._clock() < self._end

    def check(self, *_: object) -> None:
        """Raise when there is no reason to go on: a callback for long work."""
        if not self.alive():
            raise TimeIsOverError

    def within(self, seconds: float, clock: Clock | None = None) -> Deadline:
        """Return a deadline that ends with this one, or sooner, perhaps by another clock."""
        sooner = Deadline(min(seconds, self._end - self._clock()), clock or self._clock)
        sooner._cancelled = self._cancelled
        return sooner


class TimeIsOverError(Exception):
    """Ends long work from inside of its callback."""
