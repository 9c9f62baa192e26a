"""What breaks while a fit runs: workers, files, the scheduler, this process itself.

With a real cluster of processes. ROSENBLATT_KILLS is how many workers `make soak` kills, at moments
that ROSENBLATT_SEED draws.
"""

import os
import platform
import resource
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
import pytest
from sklearn.base import clone

from rosenblatt import AveragedPerceptron, ClusterError, LeastSquaresClassifier, fit_blocks, save
from rosenblatt.cluster import crew as crews
from rosenblatt.cluster.connecting import connected
from rosenblatt.cluster.crew import DaskCrew, Here
from rosenblatt.cluster.spreading import spread
from rosenblatt.errors import DataFileError
from tests.cluster.samples import in_parts, sample

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
KILLS = int(os.environ.get("ROSENBLATT_KILLS", "200"))
SEED = int(os.environ.get("ROSENBLATT_SEED", "0"))
X, y = sample(n_rows=200, n_classes=3)
CUTS = [30, 80, 81, 150]
LEARNERS = [AveragedPerceptron(epochs=6, random_state=5), LeastSquaresClassifier(alpha=0.5)]


def bytes_of(model, folder):
    save(model, folder / "model")
    return (folder / "model").read_bytes()


def pids(client):
    """Return the processes of two workers; one that was just killed is waited for."""
    deadline = time.monotonic() + 120
    while len(found := list(client.run(os.getpid, on_error="ignore").values())) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found


def fit_while(client, model, disturb, seconds):
    """Let a model learn, with something happening after some seconds.

    Return it, and how long it learned: from the parts that are sent to the workers on.
    """
    timer, start = threading.Timer(seconds, disturb), time.monotonic()
    timer.start()
    try:
        fitted = fit_blocks(model, in_parts(X, y, CUTS, DaskCrew(client)))
        return fitted, time.monotonic() - start
    finally:
        timer.join()


def test_a_killed_worker_costs_its_tasks_and_nothing_else(processes, tmp_path):
    (model, _), victim = LEARNERS, pids(processes)[0]
    whole = fit_blocks(clone(model), in_parts(X, y, CUTS, Here()))

    def kill(progress):
        if progress.n_epochs == 2:
            with suppress(ProcessLookupError):  # it is told of each problem
                os.kill(victim, signal.SIGKILL)

    found = fit_blocks(clone(model), in_parts(X, y, CUTS, DaskCrew(processes)), kill)
    assert victim not in pids(processes)
    assert bytes_of(found, tmp_path) == bytes_of(whole, tmp_path)


def test_a_file_that_vanishes_is_named(processes, tmp_path):
    for k in range(3):
        (tmp_path / f"{k}.csv").write_text("x,y\n0,no\n1,yes\n2,yes\n")
    blocks = spread(f"{tmp_path}/*.csv", target="y", client=processes)
    (tmp_path / "1.csv").unlink()
    for pid in pids(processes):  # what they have read is gone with them
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(DataFileError, match=r"^part 2 of 3 \(.*1\.csv\)?.*1\.csv cannot be read"):
        LeastSquaresClassifier().fit(blocks)


def _last(_):
    os._exit(1)


def _allow(n, dask_scheduler):
    before, dask_scheduler.allowed_failures = dask_scheduler.allowed_failures, n
    return before


def test_a_part_that_costs_its_workers_is_named(processes):
    before = processes.run_on_scheduler(_allow, 0)
    try:
        crew = DaskCrew(processes)
        with pytest.raises(ClusterError, match=r"^part 3 of 7: the workers that had it were lost"):
            crew.value(crew.task("part 3 of 7", _last, 0))
    finally:
        processes.run_on_scheduler(_allow, before)


SCHEDULER = """
import time
from distributed import LocalCluster
cluster = LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=":0")
print(cluster.scheduler_address, flush=True)
time.sleep(600)
"""


def nap(seconds):
    time.sleep(seconds)


def test_a_lost_scheduler_is_an_error():
    with subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE) as there:
        try:
            with connected(there.stdout.readline().decode().strip()) as client:
                crew = DaskCrew(client)
                threading.Timer(0.3, there.kill).start()
                with pytest.raises(ClusterError, match="the scheduler was lost"):
                    crew.value(crew.task("part 1 of 1", nap, 60))
        finally:
            there.kill()


def test_a_cluster_without_workers_is_not_waited_for(in_process, monkeypatch):
    from distributed import Client, LocalCluster

    monkeypatch.setattr(crews, "GLANCE", 0.1)
    monkeypatch.setattr(crews, "PATIENCE", 0.3)
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        crew = DaskCrew(client)
        with pytest.raises(ClusterError, match=r"^part 1 of 2: the cluster has had no worker for"):
            crew.value(crew.task("part 1 of 2", max, 1, 2))


@pytest.mark.soak
def test_any_kills_give_the_same_bytes(processes, tmp_path):
    """Each kill is at a moment that is drawn from the time which the fit took last."""
    wholes = [fit_blocks(clone(model), in_parts(X, y, CUTS, Here())) for model in LEARNERS]
    expected, rng = [bytes_of(whole, tmp_path) for whole in wholes], np.random.default_rng(SEED)
    n_kills, lasted = 0, [0.5] * len(LEARNERS)
    while n_kills < KILLS:
        k, victim = n_kills % len(LEARNERS), int(rng.choice(pids(processes)))
        moment = rng.uniform(0.0, lasted[k])
        found, seconds = fit_while(
            *(processes, clone(LEARNERS[k])),
            *(lambda victim=victim: os.kill(victim, signal.SIGKILL), moment),
        )
        assert bytes_of(found, tmp_path) == expected[k], f"kill {n_kills}"
        if moment < seconds:  # else the fit was done before
            n_kills += 1
        else:
            lasted[k] = seconds


@pytest.mark.soak
def test_a_worker_that_stands_still_for_a_minute_is_waited_for_or_done_without(tmp_path):
    (model, _) = LEARNERS
    expected = bytes_of(fit_blocks(clone(model), in_parts(X, y, CUTS, Here())), tmp_path)
    with connected(2) as client:
        victim, start = pids(client)[0], time.monotonic()

        def stop():
            os.kill(victim, signal.SIGSTOP)
            threading.Timer(60, wake).start()

        def wake():
            with suppress(ProcessLookupError):  # Dask may have given it up, and ended it
                os.kill(victim, signal.SIGCONT)

        found, _ = fit_while(client, clone(model), stop, 0.2)
        assert bytes_of(found, tmp_path) == expected
        # a time-out of Dask's, `worker-ttl`, is noticed after 60 seconds at most
        assert time.monotonic() - start < 60 + 30 + 30


@pytest.mark.soak
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries do as they like")
def test_workers_that_are_started_here_keep_the_memory_of_large_arrays():
    def new_pages():
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        np.ones(10_000_000)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    with connected(1) as client:
        first, second = (client.submit(new_pages, pure=False).result() for _ in range(2))
    assert first >= 80_000_000 / (1 << 21)  # huge pages, where there are some
    assert second < first / 20


DRIVER = """
import os, signal, sys
import numpy as np
from rosenblatt import AveragedPerceptron, fit_blocks, save
from rosenblatt.cluster.crew import DaskCrew
from rosenblatt.cluster.connecting import connected
from tests.cluster.samples import in_parts, sample

def tell(progress):
    if progress.n_epochs == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)

X, y = sample(n_rows=60, n_classes=3)
with connected(sys.argv[4]) as client:
    blocks = in_parts(X, y, [20, 41], DaskCrew(client))
    model = AveragedPerceptron(epochs=20, random_state=5)
    save(fit_blocks(model, blocks, tell, checkpoint=sys.argv[2]), sys.argv[3])
"""


@pytest.mark.soak
def test_a_driver_that_is_killed_at_each_epoch_goes_on(processes, tmp_path):
    rows, labels = sample(n_rows=60, n_classes=3)
    model = AveragedPerceptron(epochs=20, random_state=5)
    whole = fit_blocks(model, in_parts(rows, labels, [20, 41], Here()))
    kept, model = tmp_path / "checkpoint", tmp_path / "found"
    for epoch in [*range(1, 21), 99]:
        # the callback of an epoch comes after it, and before it is written down
        arguments = [str(epoch), kept, model, processes.scheduler.address]
        done = subprocess.run([sys.executable, "-c", DRIVER, *arguments], check=False)
        assert done.returncode == (0 if epoch == 99 else -signal.SIGKILL)
        assert kept.exists() == (1 < epoch < 99)
    assert model.read_bytes() == bytes_of(whole, tmp_path)


@pytest.mark.soak
def test_ctrl_c_leaves_nothing_running(tmp_path):
    rng = np.random.default_rng(0)
    for k in range(4):
        rows = np.hstack([rng.standard_normal((20_000, 20)), rng.integers(0, 2, (20_000, 1))])
        np.savetxt(tmp_path / f"{k}.csv", rows, delimiter=",", fmt="%.3f")
    code = "from rosenblatt.cli.main import main; main()"
    arguments = ["fit", f"{tmp_path}/*.csv", "-t", "20", "--cluster", "2", "--epochs", "500"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # as a shell does it: Ctrl-C goes to all processes of the job
    ) as command:
        time.sleep(25)
        assert command.poll() is None
        os.killpg(command.pid, signal.SIGINT)
        _, said = command.communicate(timeout=60)
    assert command.returncode == 130
    assert said == "rosenblatt: interrupted\n"
    deadline = time.monotonic() + 10
    while _is_there(command.pid) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not _is_there(command.pid)


def _is_there(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
