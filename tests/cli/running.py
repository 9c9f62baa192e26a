"""Run the command in this process, or as a user does, in one of its own."""

import contextlib
import io
import os
import subprocess
import sys
from typing import NamedTuple

from rosenblatt.cli.main import main

COMMAND = (sys.executable, "-c", "from rosenblatt.cli.main import main; main()")


class Answer(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments, stdin=b""):
    """Call `main` with standard output and error caught."""
    out, err = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main([str(argument) for argument in arguments])
    except SystemExit as end:
        return Answer(end.code, out.getvalue(), err.getvalue())
    finally:
        sys.stdin = before
    raise AssertionError("main returned, and did not exit")


def process(*arguments, command=COMMAND, environment=None, **options):
    """Run the command as a process."""
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    settings |= {"env": os.environ | (environment or {}), "check": False}
    return subprocess.run([*command, *map(str, arguments)], **(settings | options))
