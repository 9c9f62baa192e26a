"""A clock that goes on when a test says so: no result depends on how slow the machine is."""

from numba.core import event


class HandClock:
    """Stands in for the module `time` where `working_time` reads it."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now

    def let_pass(self, seconds):
        """Go on by so many seconds."""
        self.now += seconds

    def compile_for(self, seconds):
        """Go on by so many seconds in which Numba says that it compiles."""
        with event.trigger_event("numba:compile"):
            self.let_pass(seconds)
