"""Tasks as Dask's graphs have them: a call for each key, and what it is given.

Dask looks into tuples, lists and strings for tasks: what is none is given in a box, or as bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rosenblatt.errors import ClusterError, RosenblattError

Key = tuple[str, str]  # of a task: its own, and of which part it is
SMALL = 1 << 14  # bytes that travel with each task; what is larger travels once
CUT_SMALLER = "cut the data into more and smaller parts, or give the workers more memory"


class Todo(NamedTuple):
    """A task that is not done yet: a call as Dask's graphs have it, and the tasks that it needs."""

    key: Key
    call: Any
    needs: list[Any]


class Held(NamedTuple):
    """A task whose value a worker holds, or makes."""

    future: Any


class Opaque:
    """Something that Dask does not look into: not for tasks, nor to name a graph after it."""

    def __dask_tokenize__(self) -> int:
        """Return what tells it from the others of a graph, whose keys are all new."""
        return id(self)


class Box(Opaque):
    """A value as it is."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Parcel(Opaque):
    """A value as bytes: the scheduler need not know what is in it, and each task has its own."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    @property
    def value(self) -> Any:
        """The value, made anew."""
        import cloudpickle

        return cloudpickle.loads(self._content)


def parcel_of(value: Any) -> Parcel | None:
    """Return a small value as a parcel; None for one that is large."""
    import cloudpickle

    large: list[Any] = []  # arrays, which are not copied to know how large they are
    content = cloudpickle.dumps(value, protocol=5, buffer_callback=large.append)
    if len(content) + sum(array.raw().nbytes for array in large) > SMALL:
        return None
    return Parcel(cloudpickle.dumps(value) if large else content)


def is_of_dask(argument: Any) -> bool:
    """Whether something is a part of one of Dask's collections."""
    return hasattr(argument, "__dask_graph__")


def in_call(argument: Any) -> Any:
    """Return an argument as a call of a graph has it."""
    if isinstance(argument, Todo) or is_of_dask(argument):
        return argument.key
    if isinstance(argument, Held):
        return argument.future
    return argument if isinstance(argument, Box | Parcel) else Box(argument)


def graph_of(tasks: Sequence[Todo]) -> dict[Key, Any]:
    """Return the calls of tasks, and of all that they need, by their keys."""
    graph: dict[Key, Any] = {}
    theirs: dict[int, Any] = {}  # graphs that parts of Dask's collections come with
    waiting: list[Any] = list(tasks)
    while waiting:
        task = waiting.pop()
        if is_of_dask(task):
            found = task.__dask_graph__()
            theirs[id(found)] = found
        elif task.key not in graph:
            graph[task.key] = task.call
            waiting += task.needs
    if not theirs:
        return graph
    from dask.optimization import cull
    from dask.utils import ensure_dict

    for found in theirs.values():
        graph.update(ensure_dict(found))
    needed: dict[Key, Any] = cull(graph, [task.key for task in tasks])[0]
    return needed


def do_task(call: Box, *arguments: Any) -> Any:
    """Do a task; what goes wrong says of which part it is."""
    name, function = call.value
    given = [a.value if isinstance(a, Box | Parcel) else a for a in arguments]
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
