"""How every kernel is compiled, and a word when it is.

`_nrt=False` leaves out reference counting, and with it any allocation: a kernel works on the
arrays it is given. Counting costs two atomic operations for each array taken out of a tuple,
which made an epoch on 500,000 x 64 rows a third slower.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba import njit
from numba.core import event

kernel = njit(cache=True, nogil=True, _nrt=False)

# What kernels call for each row or update is made part of them: a call copies every word of the
# tuples it passes, some 25 ns.
INLINE = {"forceinline": True}
inlined = njit(cache=True, nogil=True, _nrt=False, **INLINE)


class _Teller(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell, self.told = tell, False

    def on_start(self, event: event.Event) -> None:
        if not self.told:
            self.told = True
            self.tell()

    def on_end(self, event: event.Event) -> None:
        pass


@contextmanager
def telling_of_compilation(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if a kernel has to be compiled, not found in the cache, in this context."""
    with event.install_listener("numba:compile", _Teller(tell)):
        yield
