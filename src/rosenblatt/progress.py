"""How far long work is, and when it stops.

A callback is told a `Progress`, whoever works: a learner, a proof, the search for a margin. Work
that may take a limited time has a `Deadline`. Both count seconds by a clock that is given to them;
that of the kernels, `rosenblatt.kernels.compiler.working_time`, stands still while they are
compiled. It is not named here: what reads mail needs this file, and no kernel.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from rosenblatt.counting import counted
from rosenblatt.errors import NoProofInTimeError, OutOfTimeError

T = TypeVar("T")
Clock = Callable[[], float]
GLANCE = 0.1  # seconds between two looks at long work
MOMENT = 0.01  # seconds that are always left: what is over is for `alive` to tell


class Progress(NamedTuple):
    """What a callback is told: how far long work is. What is not counted in it is None.

    Attributes
    ----------
    stage : str
        What is being done.
    share : float
        Of the budget that is used up, 0 to 1; 1 when a learner is done. Nobody knows how long a
        proof takes: it has the share of its time limit, and 0 without one.
    seconds : float
        Since the work began.
    n_updates, n_epochs : int
        Of a learner: corrections and passes over the rows.
    n_passes : int
        Of `max_margin`: passes over the rows; of a proof: over rows that are not in memory.
    n_working : int
        Of a proof and of `max_margin`: examples that are looked at closely.
    n_wrong : int
        Of a proof: examples that the last rule tried gets wrong; -1 when not counted.
    gap : float
        Of `max_margin`: between the bounds so far; 1 while no rule separates.
    lower, upper : int
        Of `fewest_mistakes`: the bounds so far.

    Examples
    --------
    >>> from rosenblatt import Perceptron, fewest_mistakes, max_margin, prove
    >>> reports = []
    >>> X, y = [[1], [2], [7], [8]], [0, 0, 1, 1]
    >>> _ = Perceptron().fit(X, y, callback=reports.append)
    >>> reports[-1].n_updates, reports[-1].share
    (10, 1.0)
    >>> _ = prove(X, y, callback=reports.append)
    >>> reports[-1].stage, reports[-1].n_working
    ('check', 4)
    >>> _ = max_margin(X, y, callback=reports.append)
    >>> reports[-1].n_working, reports[-1].gap < 1e-6
    (2, True)
    >>> _ = fewest_mistakes(X, [0, 1, 0, 1], callback=reports.append)
    >>> reports[-1].lower, reports[-1].upper
    (1, 1)
    """

    stage: str
    share: float
    seconds: float
    n_updates: int | None = None
    n_epochs: int | None = None
    n_passes: int | None = None
    n_working: int | None = None
    n_wrong: int | None = None
    gap: float | None = None
    lower: int | None = None
    upper: int | None = None


Callback = Callable[[Progress], Any]


class Deadline:
    """Knows when to stop: the time is over, or nobody waits for the answer any more.

    Without `seconds` there is time until it is cancelled.

    Examples
    --------
    >>> Deadline(10.0).alive(), Deadline(0.0).alive(), Deadline().alive()
    (True, False, True)
    """

    def __init__(self, seconds: float | None = None, clock: Clock = time.monotonic) -> None:
        self.limit = float("inf") if seconds is None else seconds
        self._clock, self._start = clock, clock()
        self._end = self._start + self.limit
        self._cancelled = threading.Event()

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return self._clock() - self._start

    @property
    def share(self) -> float:
        """Of the time that is spent, 0 to 1; 0 where there is no end of it."""
        return min(1.0, self.spent / self.limit) if self.limit > 0 else 1.0

    @property
    def left(self) -> float:
        """Seconds that are left, some milliseconds at least; infinity without a limit."""
        return max(MOMENT, self._end - self._clock())

    def progress(self, stage: str, **numbers: Any) -> Progress:
        """Return what there is to tell of work that has this time."""
        return Progress(stage, self.share, self.spent, **numbers)

    def cancel(self) -> None:
        """Say that nobody waits any more."""
        self._cancelled.set()

    def alive(self) -> bool:
        """Whether to go on."""
        return not self._cancelled.is_set() and self._clock() < self._end

    def check(self, *_: object) -> None:
        """Raise an OutOfTimeError when there is no reason to go on: a callback for long work."""
        if not self.alive():
            raise OutOfTimeError("the time for this work is over")

    def within(self, seconds: float, clock: Clock | None = None) -> Deadline:
        """Return a deadline that ends with this one, or sooner, perhaps by another clock."""
        sooner = Deadline(min(seconds, self._end - self._clock()), clock or self._clock)
        sooner._cancelled = self._cancelled
        return sooner

    def wait(self, work: Callable[[], T], look: Callable[[], Any] | None = None) -> T:
        """Do work that cannot be interrupted in a thread, so that Ctrl-C and the clock count.

        The thread is left to itself when either comes; it must change nothing that others see.
        `look` is called now and then instead of `check`, and ends the work by an error.

        Examples
        --------
        >>> Deadline(10.0).wait(lambda: 6 * 7)
        42
        """
        look = look or self.check
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
            look()
            thread.join(GLANCE)
        if errors:
            raise errors[0]
        return results[0]


class Reporter:
    """Adds up the progress of a learner on several problems and tells the callback."""

    def __init__(self, callback: Callback | None, n_problems: int) -> None:
        self._callback, self._n_problems, self._start = callback, n_problems, time.monotonic()
        self._n_done = self._n_updates = 0

    def tell(self, n_updates: int, n_epochs: int, share: float) -> None:
        """Report on the current problem."""
        if self._callback is not None:
            done = min(1.0, (self._n_done + share) / self._n_problems)
            seconds, n_updates = time.monotonic() - self._start, self._n_updates + n_updates
            self._callback(Progress("learning", done, seconds, n_updates, n_epochs))

    def finish(self, n_updates: int, n_epochs: int) -> None:
        """Report that the current problem is solved; the next one begins."""
        self.tell(n_updates, n_epochs, 1.0)
        self._n_done += 1
        self._n_updates += n_updates


class ProofReporter:
    """Tells the callback how a proof stands, and ends the proof when its time is over."""

    def __init__(self, deadline: Deadline, callback: Callback | None = None) -> None:
        self.deadline, self._callback = deadline, callback
        self.n_passes = 0  # over rows that are not in memory
        self._last: tuple[str, int] = ("search", 0)

    def glance(self) -> None:
        """Tell the same again, in the middle of a pass."""
        self.tell(*self._last)

    def tell(self, stage: str, n_working: int, n_wrong: int = -1) -> None:
        """Tell the callback; raise a NoProofInTimeError when the time is over."""
        deadline, self._last = self.deadline, (stage, n_working)
        if self._callback is not None:
            numbers = {"n_working": n_working, "n_wrong": n_wrong, "n_passes": self.n_passes}
            self._callback(deadline.progress(stage, **numbers))
        if not deadline.alive():
            raise NoProofInTimeError(
                f"no proof within the time limit of {deadline.limit:g} s "
                f"(at: {stage}, {counted(n_working, 'example')})",
                do="give it a longer {time_limit}",
            )

    def wait(self, work: Callable[[], T], stage: str, n_working: int, *, short: bool) -> T:
        """Do work that cannot be interrupted, telling of it; short work is done on the spot.

        HiGHS takes some milliseconds to settle in a new thread.
        """
        if short:
            return work()
        return self.deadline.wait(work, lambda: self.tell(stage, n_working))


class PassReporter:
    """Counts the passes of a search for a margin, and tells the callback of each."""

    def __init__(
        self, deadline: Deadline, callback: Callback | None = None, most: int | None = None
    ) -> None:
        self.deadline, self._callback, self._most = deadline, callback, most
        self._n_passes = 0

    def is_over(self) -> bool:
        """Tell whether the time, or the number of passes, is used up."""
        too_many = self._most is not None and self._n_passes >= self._most
        return too_many or not self.deadline.alive()

    def tell(self, n_working: int, gap: float) -> None:
        """Report one pass."""
        self._n_passes += 1
        if self._callback is not None:
            numbers = {"n_passes": self._n_passes, "n_working": n_working, "gap": gap}
            self._callback(self.deadline.progress("margin", **numbers))
