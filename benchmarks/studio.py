"""The studio: time until it is ready, bytes of the page, and the answer to a drag.

There is no peer to take turns with; the second column is the limit that the studio is to keep.
"""

from __future__ import annotations

import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from benchmarks.timing import Row

STUDIO = "from rosenblatt.cli.main import main; main(['studio', '--no-browser'])"
N_STARTS, N_MOVES, N_POINTS = 5, 60, 100
READY, PAGE, DRAG = 2.0, 100.0, 0.060


class Running(NamedTuple):
    """A studio in a process of its own."""

    port: int
    ready: float  # seconds from the start of the process until the page was answered
    scene: float  # until the first scene was answered


def studio() -> Iterator[Row]:
    """Start it, load the page, drag a point."""
    starts = []
    for _ in range(N_STARTS):
        with running() as found:
            starts.append(found)
    ready, first = (
        statistics.median(getattr(s, name) for s in starts) for name in ("ready", "scene")
    )
    yield Row("studio: start until the page answers", "limit 2 s", ready, READY, "1x")
    yield Row("studio: start until the first scene", "limit of the page, 2 s", first, READY, "none")
    with running() as found:
        size = page_bytes(found.port) / 1000
        yield Row("studio: the page with all it loads, packed", "100 kB", size, PAGE, "1x", "kB")
        for preset in ("separable", "circles"):
            answer = statistics.median(drag(found.port, preset))
            work = f"studio: a drag at {N_POINTS} points, {preset}, round trip"
            yield Row(work, "limit 60 ms", answer, DRAG, "1x")


@contextmanager
def running() -> Iterator[Running]:
    """Start the studio; end it as Ctrl-C does."""
    start = time.perf_counter()
    command = [sys.executable, "-c", STUDIO]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - for mypy: it is a pipe
            found = re.search(r":(\d+)/", process.stdout.readline())
            port = int(found.group(1)) if found else 0
            get(port, "/")
            ready = time.perf_counter() - start
            post(port, {"data": {"preset": "separable"}, "runs": [{"algorithm": "perceptron"}]})
            yield Running(port, ready, time.perf_counter() - start)
        finally:
            process.terminate()


def get(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    body = connection.getresponse().read()
    connection.close()
    return body


def post(port: int, said: Any, connection: http.client.HTTPConnection | None = None) -> Any:
    connection = connection or http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/api/scene", json.dumps(said))
    return json.loads(connection.getresponse().read())


def page_bytes(port: int) -> int:
    """Add up the page, every file that it can load, and the presets."""
    from rosenblatt.studio.server import FOLDER, KINDS

    names = [path.name for path in FOLDER.iterdir() if path.suffix in KINDS]
    return sum(len(get(port, f"/static/{name}")) for name in names) + len(get(port, "/api/presets"))


def drag(port: int, preset: str) -> list[float]:
    """Move a point, as the page does; return the seconds of each answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    asked = {"data": {"preset": preset, "n": N_POINTS}, "runs": [{"algorithm": "perceptron"}]}
    said = asked | {"data": post(port, asked)["data"], "quick": True}
    times = []
    for _ in range(N_MOVES):
        said["data"]["points"][5][0] += 1 / 128
        start = time.perf_counter()
        post(port, said, connection)
        times.append(time.perf_counter() - start)
    connection.close()
    return times
