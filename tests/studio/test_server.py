"""`rosenblatt studio` as a user starts and ends it."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from rosenblatt.errors import ParameterError
from rosenblatt.studio.scenes.choices import PRESETS
from rosenblatt.studio.server import bind
from rosenblatt.studio.services import N_FIRST, warming_scenes
from tests.cli.running import COMMAND, run


def test_the_page_answers_before_anything_heavy_is_loaded():
    heavy = "numpy scipy sklearn numba matplotlib pyarrow"
    code = (
        "import sys, rosenblatt.studio.server; "
        f"print(*[m for m in {heavy.split()} if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == []


def test_a_port_in_use_is_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ParameterError, match=f"port {port} on 127.0.0.1 cannot be had"):
            bind(port)
        answer = run("studio", "--no-browser", "--port", port)
    assert answer.code == 2
    assert answer.err.startswith("rosenblatt: port")
    assert answer.err.count("\n") == 1


def test_without_a_port_a_free_one_is_found():
    with bind(None) as first, bind(None) as second:
        ports = {listener.getsockname()[1] for listener in (first, second)}
        assert len(ports) == 2
        assert all(listener.getsockname()[0] == "127.0.0.1" for listener in (first, second))


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere.csv"], "no file"),
        (["iris", "--features", "petal"], "no feature 'petal'"),
        (["iris", "--features", "a,b,c"], "two axes"),
        (["--features", "a,b"], "DATA"),
        (["--port", "99999"], "--port"),
        (["exercise-1.4", "-t", "nobody"], "no column 'nobody'"),
    ],
)
def test_what_cannot_be_opened_is_one_line(arguments, word):
    answer = run("studio", "--no-browser", *arguments)
    assert answer.code == 2
    assert word in answer.err
    assert answer.err.startswith("rosenblatt: ")
    assert answer.err.count("\n") == 1


def test_it_starts_on_a_file_answers_and_ends_by_ctrl_c(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a,b,label\n1,2,u\n2,1,u\n5,6,v\n")
    command = [*COMMAND, "studio", str(path), "--no-browser"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=os.environ, **pipes) as process:
        late = threading.Timer(300, process.kill)
        late.start()
        address = process.stdout.readline().split()[2]
        port = int(address.rstrip("/").rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/api/presets")
        opened = json.loads(connection.getresponse().read())["opened"]
        connection.close()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        late.cancel()
    assert process.returncode == 0
    assert opened["points"] == [[1, 2], [2, 1], [5, 6]]
    assert (opened["classes"], opened["names"]) == (["u", "v"], ["a", "b"])
    assert "Traceback" not in said


def test_presets_and_algorithms_are_listed(studio):
    said = studio.get("/api/presets").json
    assert said["opened"] is None
    names = [preset["name"] for preset in said["presets"]]
    assert names == list(PRESETS)
    for preset in said["presets"]:
        assert 4 <= len(preset["points"]) == len(preset["labels"]) <= 60
        assert set(preset["labels"]) == set(range(len(preset["classes"])))
    for algorithm in said["algorithms"]:
        assert algorithm["title"]
        assert set(algorithm["many"]) <= {"joint", "one-vs-rest", "one-vs-one"}


def test_kernels_are_warmed_with_requests_that_are_answered(studio):
    asked = list(warming_scenes())
    assert len(asked) > N_FIRST
    for said in asked[-3:]:
        assert studio.post("/api/scene", said).status == 200
