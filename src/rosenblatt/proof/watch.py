"""What long proofs tell while they work, and when they stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from rosenblatt.checks.parameters import check_positive
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError, ProofError
from rosenblatt.kernels.compiler import working_time

T = TypeVar("T")
GLANCE = 0.1  # seconds between two looks at long work


class ProofProgress(NamedTuple):
    """What a proof tells its callback: what it does, on how many examples, and how it stands.

    Examples
    --------
    >>> from rosenblatt import prove
    >>> told = []
    >>> proof = prove([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1], callback=told.append)
    >>> told[-1].stage, told[-1].n_working
    ('check', 4)
    """

    stage: str
    n_working: int  # examples that are looked at closely
    n_wrong: int  # examples that the last rule tried gets wrong; -1 when not counted
    seconds: float


class OutOfTimeError(ProofError):
    """The time limit came before the proof."""


class Watch:
    """Looks at the clock, which stands still while kernels are compiled, and tells the callback."""

    def __init__(self, time_limit: Any = None, callback: Any = None) -> None:
        if time_limit is not None:
            check_positive(time_limit=time_limit)
        if callback is not None and not callable(callback):
            raise ParameterError(f"callback must be callable or None, got {callback!r}")
        self.time_limit: float | None = time_limit
        self._callback: Callable[[ProofProgress], Any] | None = callback
        self._start = working_time()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return working_time() - self._start

    @property
    def left(self) -> float:
        """Seconds until the limit; infinity without one."""
        return float("inf") if self.time_limit is None else self.time_limit - self.seconds

    def tell(self, stage: str, n_working: int, n_wrong: int = -1) -> None:
        """Tell the callback; raise an error when the time is over."""
        if self._callback is not None:
            self._callback(ProofProgress(stage, n_working, n_wrong, self.seconds))
        if self.left <= 0:
            raise OutOfTimeError(
                f"no proof within the time limit of {self.time_limit:g} s "
                f"(at: {stage}, {counted(n_working, 'example')})",
                do="give it a longer {time_limit}",
            )

    def wait(self, work: Callable[[], T], stage: str, n_working: int, *, short: bool) -> T:
        """Do work that cannot be interrupted in a thread, so that Ctrl-C and the clock count.

        The thread is left to itself when either comes; it changes nothing that others see. Short
        work is done on the spot: HiGHS takes some milliseconds to settle in a new thread.
        """
        if short:
            return work()
        results: list[T] = []
        errors: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as error:  # raised again below
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(GLANCE)
        while thread.is_alive():
            self.tell(stage, n_working)
            thread.join(GLANCE)
        if errors:
            raise errors[0]
        return results[0]
