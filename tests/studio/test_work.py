"""Work in threads: what it returns, and when it is given up."""

import asyncio
import subprocess
import sys
import threading
import time

import pytest

from rosenblatt.studio.guards import RequestError, Workshop


class Reader:
    """Whoever waits for an answer; leaves when told."""

    def __init__(self, stays):
        self.stays = stays

    async def receive(self):
        if self.stays:
            await asyncio.Event().wait()  # for ever
        return {"type": "http.disconnect"}


def run(work, *, stays=True, warm=None, seconds=600.0):
    workshop = Workshop()
    try:
        return asyncio.run(workshop.run(Reader(stays), work, seconds, warm))
    finally:
        workshop.close()


def test_work_is_returned():
    assert run(lambda deadline: deadline.alive()) is True


def test_an_error_of_the_work_is_raised():
    with pytest.raises(ZeroDivisionError):
        run(lambda deadline: 1 // 0)


def test_work_that_notices_the_end_of_its_time_is_a_sentence():
    with pytest.raises(RequestError, match="longer than the 0 s") as caught:
        run(lambda deadline: deadline.check(), seconds=0.0)
    assert caught.value.status == 503


def test_when_the_reader_leaves_the_work_is_told():
    noticed = threading.Event()

    def work(deadline):
        while deadline.alive():
            time.sleep(0.005)
        noticed.set()

    with pytest.raises(RequestError):
        run(work, stays=False, seconds=60.0)
    assert noticed.wait(30)


def test_work_waits_until_the_kernels_are_warm():
    class Kernels(threading.Event):
        def wait(self, timeout=None):
            self.set()  # compiled while it is waited for
            return super().wait(timeout)

    warm = Kernels()
    assert run(lambda deadline: warm.is_set(), warm=warm)


def test_the_clock_stands_still_while_a_kernel_is_compiled(monkeypatch):
    from rosenblatt.kernels import compiler

    now = [100.0]
    monkeypatch.setattr(compiler.time, "monotonic", lambda: now[0])
    watch = compiler._Stopwatch()
    assert watch.working_time() == 100.0
    watch.on_start(None)
    watch.on_start(None)  # another thread compiles, too
    now[0] = 130.0
    assert watch.working_time() == 100.0
    watch.on_end(None)
    now[0] = 150.0
    assert watch.working_time() == 100.0
    watch.on_end(None)
    now[0] = 157.0
    assert watch.working_time() == 107.0


IN_A_NEW_PROCESS = """
import asyncio, sys, time
from rosenblatt.studio.guards import IMPORTS, Workshop
from tests.studio.test_work import Reader

async def ask():
    IMPORTS.acquire()  # the learners are being imported
    asked = asyncio.ensure_future(Workshop().run(Reader(True), lambda deadline: "done", 60.0))
    await asyncio.sleep(0.3)
    before = "numba" in sys.modules
    IMPORTS.release()
    print(before, await asked, "numba" in sys.modules)

asyncio.run(ask())
"""


def test_a_request_leaves_numba_alone_while_the_learners_import_it():
    # both at once, from different places, would be an ImportError about a circle
    command = [sys.executable, "-c", IN_A_NEW_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "done", "True"]
