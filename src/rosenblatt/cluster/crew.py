"""Who does the work on parts of rows: Dask's workers, its threads, or this process.

A task is a pure function of its arguments, so Dask may do it again wherever it likes: when a worker
is lost, only what it held is made anew. What travels are functions of this library and arrays. The
key of a task says which part it is of, so that what goes wrong can be named. What is done to all
parts is one graph (`graph.py`).
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, count, islice, takewhile
from typing import Any
from uuid import uuid4

from rosenblatt.cluster.graph import (
    CUT_SMALLER,
    Box,
    Held,
    Key,
    Todo,
    do_task,
    graph_of,
    in_call,
    is_of_dask,
    parcel_of,
)
from rosenblatt.errors import ClusterError, ParameterError, RosenblattError
from rosenblatt.extras import check_extra

# weights travel with a task: Dask's advice, to load them on the workers, is for rows
ANY_SIZE = {"distributed.admin.large-graph-warning-threshold": "1 TiB"}
PREFIX = "rosenblatt_"  # of the keys of tasks
GLANCE = 2.0  # seconds between two looks at whether there are workers
PATIENCE = 30.0  # seconds without any
AT_ONCE = 8  # values that come here together
FAN = 4  # sums that a task merges, a power of 2
FEW_BYTES = 1 << 26  # sums of all parts that are merged here: a task takes longer than to fetch one


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
        return self.values([task])[0]

    def values(self, tasks: Iterable[Any]) -> list[Any]:
        """Return the values of tasks, which are small: all are asked for at once."""
        return list(tasks)

    def in_order(self, tasks: Iterable[Any], at_once: int = AT_ONCE) -> Iterator[Any]:
        """Yield the values of tasks in their order; so many of them come here at a time."""
        return iter(tasks)

    def one_by_one(self, start: Any, steps: Iterable[Callable[[Any], Any]]) -> Iterator[Any]:
        """Yield the value of each step, which makes a task of the one before it."""
        for step in steps:
            start = step(start)
            yield start

    def merged(self, tasks: Iterable[Any], merge: Callable[[Any, Any], Any]) -> Any:
        """Return the values of tasks, merged in a tree: neighbours first, then the pairs."""
        how, sums = self.constant(merge), list(tasks)
        while len(sums) > 1:
            groups = [sums[k : k + FAN] for k in range(0, len(sums), FAN)]
            sums = [
                self.task("a sum of parts", _joined, how, *group) if len(group) > 1 else group[0]
                for group in groups
            ]
        return self.value(sums[0])


def _joined(merge: Callable[[Any, Any], Any], *sums: Any) -> Any:
    """Merge pairs, then pairs of them, as if each were a task of its own."""
    level = list(sums)
    while len(level) > 1:
        pairs = [merge(a, b) for a, b in zip(level[::2], level[1::2], strict=False)]
        level = pairs + (level[-1:] if len(level) % 2 else [])
    return level[0]


class DaskCrew(Here):
    """Gives tasks to the workers of a client of Dask, or without one to Dask's threads."""

    def __init__(self, client: Any = None) -> None:
        check_extra("dask")
        self.client = _current_client() if client is None else checked_client(client)
        self._name, self._numbers = uuid4().hex, count()

    def task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return a task to be done later; `name` says of what, for messages."""
        needs = [a for a in arguments if isinstance(a, Todo) or is_of_dask(a)]
        call = (do_task, Box((name, function)), *map(in_call, arguments))
        return Todo(self._key(function.__name__.strip("_"), name), call, needs)

    def _key(self, what: str, name: str) -> Key:
        # What comes before the first - is what Dask's dashboard shows, and learns durations by.
        # The first item is another one for each task: of a group of tasks that need few others
        # Dask takes no notice where these are, and would move parts in each pass
        return f"{PREFIX}{what}-{self._name}-{next(self._numbers)}", name

    def constant(self, value: Any) -> Any:
        """Return a value that many tasks are given: workers pass it on if it is large."""
        if self.client is None:
            return Box(value)
        return parcel_of(value) or Todo(self._key("constant", "what is learned"), Box(value), [])

    def kept(self, tasks: Iterable[Any]) -> list[Any]:
        """Return tasks whose values stay with those who made them."""
        tasks = list(tasks)
        made = [task for task in tasks if isinstance(task, Todo)]
        done = dict(zip((task.key for task in made), self._stay(made), strict=True))
        return [done[task.key] if isinstance(task, Todo) else task for task in tasks]

    def _stay(self, tasks: list[Todo]) -> list[Any]:
        if self.client is None:
            return [Box(value) for value in self._by_threads(tasks)]
        return [Held(future) for future in self._begun(tasks)]

    def values(self, tasks: Iterable[Any]) -> list[Any]:
        """Return the values of tasks, which are small: all are asked for at once."""
        tasks = list(tasks)
        return list(self._in_slices(iter(tasks), len(tasks), len(tasks)))

    def in_order(self, tasks: Iterable[Any], at_once: int = AT_ONCE) -> Iterator[Any]:
        """Yield the values of tasks in their order; so many of them come here at a time."""
        if self.client is None:
            import dask
            from dask.system import CPU_COUNT

            n_threads = int(dask.config.get("num_workers", None) or CPU_COUNT)
        else:
            n_threads = sum(checked_client(self.client).nthreads().values())
        return self._in_slices(iter(tasks), max(at_once, 2 * n_threads), at_once)

    def one_by_one(self, start: Any, steps: Iterable[Callable[[Any], Any]]) -> Iterator[Any]:
        """Yield the value of each step; workers go on to the next ones by themselves."""
        if self.client is None:
            for step in steps:
                (start,) = self.kept([step(start)])
                yield start.value
            return
        tasks = list(accumulate(steps, lambda before, step: step(before), initial=start))[1:]
        yield from self._in_slices(iter(tasks), len(tasks), AT_ONCE)

    def _in_slices(self, tasks: Iterator[Any], n_begun: int, at_once: int) -> Iterator[Any]:
        """Begin with so many tasks, and with as many again while the first ones are waited for."""
        if self.client is None:
            while some := list(islice(tasks, n_begun)):
                yield from self._by_threads(some)
            return
        waiting: deque[Any] = deque()
        with self._cancelling(waiting):
            while some := list(islice(tasks, n_begun)):
                waiting.extend(self._begun(some))
                while len(waiting) > n_begun:
                    yield from self._next_results(waiting, at_once)
            while waiting:
                yield from self._next_results(waiting, at_once)

    def merged(self, tasks: Iterable[Any], merge: Callable[[Any, Any], Any]) -> Any:
        """Return the values of tasks, merged in the tree: by workers, unless all are small."""
        tasks = list(tasks)
        if self.client is None or len(tasks) == 1:
            return super().merged(tasks, merge)
        futures = self._begun(tasks)
        with self._cancelling(futures):
            with saying_what_went_wrong(futures, self.client):
                self._wait_for(futures)
                if failed := [future for future in futures if future.status == "error"]:
                    self.client.gather(failed)  # raises the error
                sizes = self.client.nbytes([future.key for future in futures], summary=False)
                if sum(sizes.values()) <= FEW_BYTES:
                    return _joined(merge, *self.client.gather(futures))
            return super().merged(map(Held, futures), merge)

    @contextmanager
    def _cancelling(self, futures: Collection[Any]) -> Iterator[None]:
        """Let nothing go on running after Ctrl-C, or an error."""
        try:
            yield
        except BaseException:
            if self.client.status == "running":
                self.client.cancel(list(futures))
            raise

    def _by_threads(self, tasks: Sequence[Todo]) -> Sequence[Any]:
        from dask import threaded

        with saying_what_went_wrong(tasks):
            found: Sequence[Any] = threaded.get(graph_of(tasks), [task.key for task in tasks])
        return found

    def _begun(self, tasks: Sequence[Todo]) -> list[Any]:
        """Give tasks to the workers; return their futures."""
        import dask

        client = checked_client(self.client)
        with dask.config.set(ANY_SIZE):
            return list(client.get(graph_of(tasks), [task.key for task in tasks], sync=False))

    def _next_results(self, waiting: deque[Any], n: int) -> list[Any]:
        """Wait for the first of the tasks; return its value, and those that are there by then."""
        with saying_what_went_wrong([waiting[0]], self.client):
            self._wait_for([waiting[0]])
        there = list(takewhile(lambda future: future.done(), islice(waiting, n)))
        with saying_what_went_wrong(there, self.client):
            found: list[Any] = self.client.gather(there)
        for _ in there:
            waiting.popleft()
        return found

    def _wait_for(self, futures: Sequence[Any]) -> None:
        """Wait until tasks are done, or one has failed; without workers not for ever."""
        from distributed import wait

        alone_since = None
        while True:
            try:
                with self.client.as_current():
                    wait(futures, timeout=GLANCE)
                return
            except TimeoutError:
                pass
            if any(future.status == "error" for future in futures):
                return
            if self.client.nthreads():
                alone_since = None
                continue
            now = time.monotonic()
            alone_since = now if alone_since is None else alone_since
            if now - alone_since > PATIENCE:
                part = _part_of(*(future.key for future in futures if not future.done()))
                raise ClusterError(
                    f"{part}: the cluster has had no worker for {PATIENCE:.0f} seconds",
                    do="start workers, and begin again",
                )


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
            failed = _first_to_fail(tasks, type(error), client)
            raise ClusterError(
                f"{_part_of(error.args[0], failed.key)}: the workers that had it were lost, "
                f"{error.args[2] + 1} one after the other, most often since their memory was used "
                "up",
                do=CUT_SMALLER,
            ) from error
        if client is not None and client.status != "running":
            raise _lost_scheduler() from error
        name = _part_of(_first_to_fail(tasks, type(error), client).key)
        raise ClusterError(f"{name} cannot be made: {type(error).__name__}: {error}") from error


def _first_to_fail(tasks: Sequence[Any], kind: type[Exception], client: Any) -> Any:
    """Return the first of several tasks that raises such an error, on threads when done alone."""
    from dask import threaded

    for task in tasks[:-1]:
        if client is not None:
            if task.status == "error":
                return task
            continue
        try:
            threaded.get(graph_of([task]), task.key)
        except kind:
            return task
    return tasks[-1]


def _part_of(*keys: Any) -> str:
    """Return the name of the part that a task is of: by the first key that is one of ours."""
    ours = (key[1] for key in keys if isinstance(key, tuple) and str(key[0]).startswith(PREFIX))
    return next(ours, "a part")


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
