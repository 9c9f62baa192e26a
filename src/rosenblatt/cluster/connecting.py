"""Whose workers do the work: a cluster that is named, or workers on this machine, started for it.

What is started here ends here, however the work ends. A cluster of others is left as it is: when
the client goes, Dask forgets its tasks, and what is not begun yet is not begun.
"""

from __future__ import annotations

import logging
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rosenblatt.cluster.crew import checked_client
from rosenblatt.errors import ParameterError
from rosenblatt.extras import check_extra

SECONDS_TO_ANSWER = 10  # of a scheduler
MOST_WORKERS = 1024  # on one machine: more is a slip of the finger
# Workers keep memory that is free: to ask the system for it anew, page by page, takes longer than
# what is done with it. Dask has them give it back at once, the C library that of every large array,
# and Arrow that of every table
NEVER = 1 << 40  # bytes
KEEPING = {
    "MALLOC_ARENA_MAX": 1,  # others hold no large arrays; a worker has one thread
    "MALLOC_MMAP_THRESHOLD_": NEVER,
    "MALLOC_TRIM_THRESHOLD_": NEVER,
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
# For clusters that are started here; docs/cluster.md names them for those of others. A worker that
# is silent is given up after one to two times `worker-ttl`, and its tasks go to the others. One
# that was killed may take longer to come back, on a busy machine, than the 15 s that Dask waits
SETTINGS = {
    "distributed.scheduler.worker-ttl": "30s",
    "distributed.deploy.lost-worker-timeout": "5 minutes",
    "distributed.worker.preload": [__name__],
    # looks at what workers do, a hundred times a second, for a dashboard that there is none of
    "distributed.worker.profile.enabled": False,
    # a worker that keeps memory would not go on again
    "distributed.worker.memory.pause": False,
}


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """Give a client of a cluster: an address, a number of workers to start, or a client.

    A client is used as it is, and stays open.
    """
    n_workers, address = _asked(cluster)
    if n_workers is None and address is None:
        yield checked_client(cluster)
        return
    check_extra("dask")
    with _quiet():
        if address is not None:
            with _client_of(address) as client:
                yield client
            return
        with _started(n_workers) as client:
            yield client


def check_cluster(cluster: Any) -> None:
    """Refuse what names no cluster, before anything is read."""
    check_extra("dask")
    if _asked(cluster) == (None, None):
        checked_client(cluster)


def _asked(cluster: Any) -> tuple[int | None, str | None]:
    """Return a number of workers, or an address; neither for what may be a client."""
    if isinstance(cluster, str) and not cluster.strip().lstrip("+-").isdecimal():
        if "://" not in cluster:
            raise _no_cluster(cluster)
        return None, cluster.strip()
    if isinstance(cluster, bool) or not isinstance(cluster, int | str):
        if not hasattr(cluster, "persist"):
            raise _no_cluster(cluster)
        return None, None
    n_workers = int(cluster)
    if not 1 <= n_workers <= MOST_WORKERS:
        raise ParameterError(
            f"must be from 1 to {MOST_WORKERS} workers on this machine, got {n_workers}",
            about="cluster",
        )
    return n_workers, None


def _no_cluster(cluster: Any) -> ParameterError:
    return ParameterError(
        "must be the address of a scheduler as tcp://HOST:8786, or a number of workers to start "
        f"here, got {cluster!r}",
        about="cluster",
    )


@contextmanager
def _client_of(address: str) -> Iterator[Any]:
    from distributed import Client

    try:
        client = Client(address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:  # a time-out is an OSError
        raise ParameterError(
            f"{address} does not answer as a scheduler of Dask in {SECONDS_TO_ANSWER} seconds",
            about="cluster",
            do="see whether it runs there, and can be reached from here",
        ) from error
    with client:
        if not client.nthreads():
            raise ParameterError(
                f"{address} has no workers",
                about="cluster",
                do="start some: dask worker {address}",
                address=address,
            )
        yield client


@contextmanager
def _started(n_workers: int | None) -> Iterator[Any]:
    """Give a client of workers on this machine, each a process of one thread."""
    import dask
    from distributed import Client, LocalCluster

    environment = dask.config.get("distributed.nanny.pre-spawn-environ") | KEEPING
    settings = SETTINGS | {"distributed.nanny.pre-spawn-environ": environment}
    with dask.config.set(settings), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a port is taken
        cluster = LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        with cluster, Client(cluster, set_as_default=False) as client:
            yield client


def dask_setup(_: Any) -> None:
    """Leave Ctrl-C to the driver: Dask calls this in each worker that was started here."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask keep what it says about lost workers to itself: what matters becomes an error."""
    log = logging.getLogger("distributed")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)
