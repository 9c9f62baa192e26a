"""Computing in threads, with a time limit, for as long as somebody waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from rosenblatt.errors import OutOfTimeError
from rosenblatt.progress import Deadline
from rosenblatt.studio.guards import RequestError

T = TypeVar("T")
THREADS = 2
PATIENCE = 120.0  # seconds: where nothing is compiled yet every kernel takes its time
TOO_LONG = "This takes longer than the {seconds:g} s that the studio gives it; take fewer points."
GRACE = 3.0  # seconds for work to notice that its time is over


class Workshop:
    """Two threads: a long computation does not keep the next one waiting."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="studio")

    async def run(
        self,
        request: Any,
        work: Callable[[Deadline], T],
        seconds: float,
        warm: threading.Event | None = None,
    ) -> T:
        """Run work in a thread; give up when the time is over or the reader has left.

        The time counts from when the kernels are `warm`, and not while others are compiled: that is
        not the fault of the data.
        """
        whole = Deadline(seconds + PATIENCE)

        def wait_and_work() -> T:
            from rosenblatt.kernels.compiler import working_time

            if warm is not None:
                warm.wait(PATIENCE)
            return work(whole.within(seconds, working_time))

        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.run_in_executor(self._threads, wait_and_work)
        reader: asyncio.Future[Any] = asyncio.ensure_future(_until_gone(request))
        limit = seconds + PATIENCE + GRACE
        try:
            await asyncio.wait({answer, reader}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                raise RequestError(TOO_LONG.format(seconds=seconds), 503)
            found: T = answer.result()
            return found
        except OutOfTimeError:
            raise RequestError(TOO_LONG.format(seconds=seconds), 503) from None
        finally:
            whole.cancel()
            reader.cancel()

    def close(self) -> None:
        """Let the threads end; what they are at is not waited for."""
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _until_gone(request: Any) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
