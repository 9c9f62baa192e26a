"""Dask for the tests of this room: clients in this process, and one of real processes."""

import multiprocessing
import warnings
from multiprocessing import forkserver

import pytest

pytest.importorskip("dask", reason="Dask is not installed: pip install 'rosenblatt[dask]'")
pytest.importorskip("distributed", reason="Dask is not installed: pip install 'rosenblatt[dask]'")

# what a worker would load for itself, one after the other, is loaded once: they are forked from it
LOADED = [
    "distributed",
    "numba",
    "sklearn.base",
    "rosenblatt.cluster.spreading",
    "rosenblatt.bayes",
]
SETTINGS = {
    "distributed.worker.multiprocessing-method": "forkserver",
    # Dask gives up a worker that is not there so long after it was killed, even if it is for the
    # second time
    "distributed.deploy.lost-worker-timeout": "1 hour",
}


@pytest.fixture(scope="session")
def processes():
    """A client of two workers, each a process of one thread; shared by all tests."""
    import dask
    from distributed import Client, LocalCluster

    multiprocessing.get_context("forkserver").set_forkserver_preload(LOADED)
    forkserver.ensure_running()
    with dask.config.set(SETTINGS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cluster = LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
            )
        with cluster, Client(cluster, set_as_default=False) as client:
            yield client


@pytest.fixture(scope="session")
def in_process():
    """Return clients of so many workers, which are threads of this process."""
    from distributed import Client, LocalCluster

    opened = {}

    def client(n_workers):
        if n_workers not in opened:
            cluster = LocalCluster(
                n_workers=n_workers, threads_per_worker=1, processes=False, dashboard_address=":0"
            )
            opened[n_workers] = cluster, Client(cluster, set_as_default=False)
        return opened[n_workers][1]

    yield client
    for cluster, made in opened.values():
        made.close()
        cluster.close()
