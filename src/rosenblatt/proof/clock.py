"""The time that is left, and who is told how far it went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rosenblatt.kernels.compiler import working_time


class MarginProgress(NamedTuple):
    """What `max_margin` tells its callback after each pass over the rows.

    Examples
    --------
    >>> from rosenblatt import max_margin
    >>> told = []
    >>> _ = max_margin([[1], [2], [7], [8]], [0, 0, 1, 1], callback=told.append)
    >>> told[-1].n_working, told[-1].gap < 1e-6
    (2, True)
    """

    n_passes: int
    n_working: int  # examples in the working set
    gap: float  # between the bounds so far; 1 while no rule separates


class Clock:
    """Knows when the time is over, and tells the callback of each pass.

    While kernels are compiled its time stands still: that is not the fault of the data.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        callback: Callable[[MarginProgress], Any] | None = None,
        most_passes: int | None = None,
    ) -> None:
        self.limit, self._callback, self._most_passes = time_limit, callback, most_passes
        self._start, self._n_passes = working_time(), 0

    @property
    def left(self) -> float | None:
        """The seconds that are left, some milliseconds at least; None without a limit."""
        if self.limit is None:
            return None
        return max(0.01, self.limit - (working_time() - self._start))

    def is_over(self) -> bool:
        """Tell whether the time, or the number of passes, is used up."""
        if self._most_passes is not None and self._n_passes >= self._most_passes:
            return True
        return self.limit is not None and working_time() - self._start >= self.limit

    def tell(self, n_working: int, gap: float) -> None:
        """Report one pass."""
        self._n_passes += 1
        if self._callback is not None:
            self._callback(MarginProgress(self._n_passes, n_working, gap))
