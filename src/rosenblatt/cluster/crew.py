"""Who does the work on parts of rows: Dask's workers, its threads, or this process.

A task is a pure function of its arguments, so Dask may do it again wherever it likes: when a worker
is lost, only what it held is made anew. What travels are functions of this library and arrays. The
key of a task says which part it is of, so that what goes wrong can be named.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any
from uuid import uuid4

from rosenblatt.errors import ClusterError, ParameterError, RosenblattError
from rosenblatt.extras import check_extra

# weights travel with a task: Dask's advice, to load them on the workers, is for rows
ANY_SIZE = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}
PREFIX = "rosenblatt_"  # of the keys of tasks
GLANCE = 2.0  # seconds between two looks at whether there are workers
PATIENCE = 30.0  # seconds without any
CUT_SMALLER = "cut the data into more and smaller parts, or give the workers more memory"


class Here:
    """Does each task at once, in this process: what a cluster is compared with.

    Examples
    --------
    >>> crew = Here()
    >>> crew.value(crew.task("part 1", max, 3, 7))
    7
    """

    def task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function makes of arguments, which may be tasks."""
        return function(*arguments)

    def constant(self, value: Any) -> Any:
        """Return a value that many tasks are given: it travels once."""
        return value

    def kept(self, tasks: Iterable[Any]) -> list[Any]:
        """Return tasks whose values stay with those who made them."""
        return list(tasks)

    def value(self, task: Any) -> Any:
        """Return the value of a task."""
        return task

    def in_order(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """Yield the values of tasks in their order, only a few of them at a time."""
        return iter(tasks)

    def merged(self, tasks: Iterable[Any], merge: Callable[[Any, Any], Any]) -> Any:
        """Return the values of tasks, merged in a tree: neighbours first, then the pairs."""
        how, sums = self.constant(merge), list(tasks)
        while len(sums) > 1:
            pairs = zip(sums[::2], sums[1::2], strict=False)
            joined = [self.task("a sum of parts", _joined, how, a, b) for a, b in pairs]
            sums = joined + (sums[-1:] if len(sums) % 2 else [])
        return self.value(sums[0])


def _joined(merge: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    return merge(a, b)


class DaskCrew(Here):
    """Gives tasks to the workers of a client of Dask, or without one to Dask's threads."""

    def __init__(self, client: Any = None) -> None:
        check_extra("dask")
        self.client = _current_client() if client is None else checked_client(client)

    def task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return a task to be done later; `name` says of what, for messages."""
        from dask import delayed

        # what comes before the first - is what Dask's dashboard shows, and learns durations by
        key = f"{PREFIX}{function.__name__.strip('_')}-{uuid4().hex} {name}"
        return delayed(_done, pure=False)(name, function, *arguments, dask_key_name=key)

    def constant(self, value: Any) -> Any:
        """Return a value that many tasks are given: workers pass it on among themselves."""
        from dask import delayed

        # in a box: Dask would look into tuples, lists and strings for tasks
        return delayed(_Box(value), pure=False, traverse=False)

    def kept(self, tasks: Iterable[Any]) -> list[Any]:
        """Return tasks whose values stay with those who made them."""
        import dask

        tasks = list(tasks)
        if self.client is not None:
            checked_client(self.client)
            with dask.config.set(ANY_SIZE):
                return list(self.client.persist(tasks, optimize_graph=False))
        with saying_what_went_wrong(tasks):
            return list(dask.persist(*tasks, scheduler="threads", optimize_graph=False))

    def value(self, task: Any) -> Any:
        """Return the value of a task."""
        return next(self.in_order([task]))

    def in_order(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """Yield the values of tasks in their order, only a few of them at a time."""
        if self.client is None:
            return self._by_threads(iter(tasks))
        return self._by_workers(iter(tasks))

    def _by_threads(self, tasks: Iterator[Any]) -> Iterator[Any]:
        import dask
        from dask.system import CPU_COUNT

        n_threads = int(dask.config.get("num_workers", None) or CPU_COUNT)
        while some := list(islice(tasks, 2 * n_threads)):
            with saying_what_went_wrong(some):
                found = dask.compute(*some, scheduler="threads", optimize_graph=False)
            yield from found

    def _by_workers(self, tasks: Iterator[Any]) -> Iterator[Any]:
        import dask

        client = checked_client(self.client)
        n_ahead = 2 * max(1, sum(client.nthreads().values()))
        waiting: deque[Any] = deque()
        try:
            for task in tasks:
                with dask.config.set(ANY_SIZE):
                    waiting.append(client.compute(task, optimize_graph=False))
                if len(waiting) > n_ahead:
                    yield self._result(waiting)
            while waiting:
                yield self._result(waiting)
        finally:  # Ctrl-C, or an error: nothing goes on running
            if waiting and client.status == "running":
                client.cancel(list(waiting))

    def _result(self, waiting: deque[Any]) -> Any:
        with saying_what_went_wrong([waiting[0]], self.client):
            self._wait_for(waiting[0])
            found = waiting[0].result()
        waiting.popleft()
        return found

    def _wait_for(self, future: Any) -> None:
        """Wait until a task is done; where all workers are gone, not for ever."""
        from distributed import wait

        alone_since = None
        while True:
            try:
                with self.client.as_current():
                    wait([future], timeout=GLANCE)
                return
            except TimeoutError:
                pass
            if self.client.nthreads():
                alone_since = None
                continue
            now = time.monotonic()
            alone_since = now if alone_since is None else alone_since
            if now - alone_since > PATIENCE:
                part = _part_of(future.key)
                raise ClusterError(
                    f"{part}: the cluster has had no worker for {PATIENCE:.0f} seconds",
                    do="start workers, and begin again",
                )


class _Box:
    """A value that Dask does not look into."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _done(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Do a task; what goes wrong says of which part it is."""
    given = [a.value if isinstance(a, _Box) else a for a in arguments]
    try:
        return function(*given)
    except MemoryError as error:
        raise ClusterError(f"{name} does not fit into memory", do=CUT_SMALLER) from error
    except RosenblattError as error:
        if name and error.about is None:
            error.problem = f"{name}: {error.problem}"
        raise
    except Exception as error:  # of any library that reads a part: the part is to be named
        where = f"{name} failed" if name else "a task failed"
        raise ClusterError(f"{where} with {type(error).__name__}: {error}") from error


@contextmanager
def saying_what_went_wrong(tasks: Sequence[Any], client: Any = None) -> Iterator[None]:
    """Say in a sentence which part failed, or was lost with its workers, and what to do."""
    from concurrent.futures import CancelledError

    try:
        yield
    except RosenblattError:
        raise
    except CancelledError as error:
        if client is not None:
            checked_client(client)
        raise _lost_scheduler() from error
    except Exception as error:  # of any library that makes the parts of a collection
        if type(error).__name__ == "KilledWorker":
            raise ClusterError(
                f"{_part_of(error.args[0], tasks[0].key)}: the workers that had it were lost, "
                f"{error.args[2] + 1} one after the other, most often since their memory was used "
                "up",
                do=CUT_SMALLER,
            ) from error
        if client is not None and client.status != "running":
            raise _lost_scheduler() from error
        name = _part_of(_first_to_fail(tasks, type(error)).key)
        raise ClusterError(f"{name} cannot be made: {type(error).__name__}: {error}") from error


def _first_to_fail(tasks: Sequence[Any], kind: type[Exception]) -> Any:
    """Return the first task of several that raises such an error when it is done alone."""
    for task in tasks[:-1]:
        try:
            task.compute(scheduler="threads")
        except kind:
            return task
    return tasks[-1]


def _part_of(*keys: Any) -> str:
    """Return the name of the part that a task is of: by the first key that is one of ours."""
    ours = (str(key) for key in keys if str(key).startswith(PREFIX))
    return next(ours, "").partition(" ")[2] or "a part"


def _lost_scheduler() -> ClusterError:
    return ClusterError(
        "the work was cancelled, or the scheduler was lost",
        do="see whether the scheduler runs, and begin again",
    )


def _current_client() -> Any:
    """Return the client of Dask that is in use, None if there is none."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return checked_client(distributed.default_client())
    except ValueError:
        return None


def checked_client(client: Any) -> Any:
    """Return a client of Dask; refuse what is none, and one that is closed."""
    status = getattr(client, "status", None)
    if not hasattr(client, "persist") or status is None:
        raise ParameterError(
            f"must be a client of Dask or None, got {type(client).__name__}",
            about="client",
            do="make one with dask.distributed.Client(address)",
            in_shell="",
        )
    if status in ("closed", "closing"):
        raise ClusterError(
            "the client of Dask is closed",
            do="make another one with dask.distributed.Client(address)",
            in_shell="see whether the scheduler runs",
        )
    return client
