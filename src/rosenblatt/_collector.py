"""Let the garbage collector rest while much is made that is no garbage."""

from __future__ import annotations

import gc
from types import TracebackType


class CollectorAtRest:
    """A context in which no cycles are looked for; what nobody refers to is freed as ever.

    Examples
    --------
    >>> with CollectorAtRest():
    ...     gc.isenabled()
    False
    """

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._was_on:
            gc.enable()
