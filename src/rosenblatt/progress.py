"""Long work can be watched: what a learner tells its callback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypedDict

from rosenblatt.errors import ParameterError


class Progress(NamedTuple):
    """What a learner tells its callback: how far it is.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> told = []
    >>> _ = Perceptron().fit([[1], [2], [7], [8]], [0, 0, 1, 1], callback=told.append)
    >>> told[-1].n_updates, told[-1].share
    (10, 1.0)
    """

    n_updates: int
    n_epochs: int
    share: float  # of the budget that is used up, 0 to 1; 1 when done


Callback = Callable[[Progress], Any]


class FitOptions(TypedDict, total=False):
    """What `fit` takes beside X and y, by keyword."""

    sample_weight: Any
    callback: Callback | None


class Reporter:
    """Adds up the progress of several problems and tells the callback."""

    def __init__(self, callback: Callback | None, n_problems: int) -> None:
        if callback is not None and not callable(callback):
            raise ParameterError(f"callback must be callable or None, got {callback!r}")
        self._callback, self._n_problems = callback, n_problems
        self._n_done = self._n_updates = 0

    def tell(self, n_updates: int, n_epochs: int, share: float) -> None:
        """Report on the current problem."""
        if self._callback is not None:
            done = min(1.0, (self._n_done + share) / self._n_problems)
            self._callback(Progress(self._n_updates + n_updates, n_epochs, done))

    def finish(self, n_updates: int, n_epochs: int) -> None:
        """Report that the current problem is solved; the next one begins."""
        self.tell(n_updates, n_epochs, 1.0)
        self._n_done += 1
        self._n_updates += n_updates
