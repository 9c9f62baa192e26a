"""Answers go to standard output; notes, bars and errors to standard error."""

from __future__ import annotations

import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Self

import typer

from rosenblatt.as_json import json_line
from rosenblatt.cli.options import QUIET
from rosenblatt.errors import SHELL, said_in

if TYPE_CHECKING:
    from rich.progress import Progress

SPOOL = 1 << 20  # letters that are kept in memory
A_LITTLE = 1 << 13
PATIENCE = 0.7  # seconds before a bar is shown


def tell_notes(notes: Iterable[str]) -> None:
    """Write each note once, a line for each; with `-q` none."""
    if QUIET.get():
        return
    for note in dict.fromkeys(notes):
        typer.echo("note: " + " ".join(note.split()), err=True)


def say_json(facts: Any, err: bool = False) -> None:
    """Write one line of JSON."""
    typer.echo(json_line(facts), err=err)


class Spool:
    """Lines that are said when all is well, kept on disk when there are many."""

    def __init__(self) -> None:
        self._file: IO[str] = tempfile.SpooledTemporaryFile(  # noqa: SIM115 - closed by the `with`
            SPOOL, "w+", encoding="utf-8", errors="surrogatepass", newline="\n"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, line: Any) -> None:
        """Keep one line."""
        self._file.write(f"{line}\n")

    def say(self) -> None:
        """Write all lines to standard output."""
        self._file.seek(0)
        # a little at a time: Python keeps silent when nobody reads the rest of a long write
        while part := self._file.read(A_LITTLE):
            typer.echo(part, nl=False)


@contextmanager
def long_work() -> Iterator[Callable[[str, float], None]]:
    """Give a function to tell how far the work is; on a terminal a bar shows it.

    Warnings become notes; so does, on a terminal, that the kernels are being compiled.
    """
    from rosenblatt.kernels.compiler import telling_of_compilation

    def compiling() -> None:
        if sys.stderr.isatty():
            tell_notes(["compiling the kernels, once; the next start is faster"])

    bar = _Bar()
    with warnings.catch_warnings(record=True) as caught, telling_of_compilation(compiling):
        warnings.simplefilter("always")
        try:
            yield bar.tell
        finally:
            bar.close()
    tell_notes(said_in(SHELL, warning.message) for warning in caught)


class _Bar:
    """A bar of rich, made when the work turns out to be long and somebody looks.

    A timer opens it: what takes long may be a single step that tells nothing in between.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._now = ("reading", 0.0)
        self._closed = False
        self._timer = threading.Timer(PATIENCE, self._open)
        self._timer.daemon = True
        if sys.stderr.isatty() and not QUIET.get():
            self._timer.start()

    def tell(self, stage: str, share: float) -> None:
        with self._lock:
            self._now = stage, share
            self._show()

    def close(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()

    def _open(self) -> None:
        with self._lock:
            if not self._closed:
                self._bar = _open_bar()
                self._show()

    def _show(self) -> None:
        if self._bar is not None:
            stage, share = self._now
            # without a share of the work that is known to be done, the bar just moves
            total = 1.0 if share > 0 else None
            self._bar.update(
                self._bar.task_ids[0], description=stage, total=total, completed=min(1.0, share)
            )


def _open_bar() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.add_task("", total=None)
    bar.start()
    return bar
