"""A command that ends right after reading a table ends as it should.

Arrow's threads may outlive the call that started them. If one of them is the last to let go of
bytes that are Python's while Python ends, the process is aborted. That is rare; a shim that makes
such a thread wait for Python's lock makes it common.
"""

import gzip
import os
import shutil
import subprocess
import sys

import pyarrow as pa
import pytest

from rosenblatt import AveragedPerceptron
from rosenblatt.data.read import read
from rosenblatt.workflows.fit_file import fit_file

CSV = b"a,label\n1,2\n2,1\n3,2\n4,1\n"
JSON = b"".join(b'{"a": %d, "label": %d}\n' % (i, i % 2) for i in range(4))

SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
int PyGILState_Ensure(void) {
    int (*real)(void) = (int (*)(void))dlsym(RTLD_NEXT, "PyGILState_Ensure");
    if (getpid() != syscall(SYS_gettid)) usleep(40000);
    return real();
}
"""

# what a wrong column name does, again and again
OURS = """
import sys
from rosenblatt.data.read import read
from rosenblatt.errors import DataError
for _ in range(30):
    try:
        read(sys.argv[1], target="nope")
    except DataError:
        pass
sys.exit(2)
"""
BYTES_OF_PYTHON = """
import sys
import pyarrow, pyarrow.csv
for _ in range(30):
    pyarrow.csv.read_csv(pyarrow.BufferReader(b"a,label\\n1,2\\n"))
sys.exit(2)
"""


@pytest.fixture
def files(tmp_path):
    contents = {"a.csv": CSV, "a.csv.gz": gzip.compress(CSV), "a.jsonl": JSON}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return [str(tmp_path / name) for name in contents]


@pytest.fixture
def given(monkeypatch):
    """What Arrow's readers are given to read from."""
    seen, reader = [], pa.BufferReader
    monkeypatch.setattr(pa, "BufferReader", lambda content: seen.append(content) or reader(content))
    return seen


def test_tables_are_read_from_buffers_of_arrow(files, given, monkeypatch):
    for path in files:
        read(path)
        fit_file(AveragedPerceptron(epochs=1), path)
    with open(files[0], "rb") as stdin:
        monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": stdin}))
        read("-")
    assert len(given) > 2 * len(files)
    assert {type(content) for content in given} == {pa.Buffer}


@pytest.mark.soak
def test_a_command_that_ends_after_reading_is_not_aborted(files, tmp_path):
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("the shim needs a compiler, and Linux")
    shim = tmp_path / "shim.c"
    shim.write_text(SHIM)
    library = str(tmp_path / "shim.so")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, str(shim), "-ldl"], check=True)

    def ends(program, path):
        environment = {**os.environ, "LD_PRELOAD": library}
        command = [sys.executable, "-c", program, path]
        return subprocess.run(command, env=environment, capture_output=True).returncode

    # the shim does its work: with bytes of Python's half of the runs or more were aborted
    assert any(ends(BYTES_OF_PYTHON, "") != 2 for _ in range(40))
    assert [ends(OURS, files[k % len(files)]) for k in range(150)] == [2] * 150
