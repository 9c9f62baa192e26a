"""One writer at a time, without a lock file beside the model.

The model file itself is locked. It is replaced by a new one while the lock is held, so whoever
waited looks again whether the file that it locked is still the one of that name. The system takes
the lock back when a process ends, be it by kill -9: there is no stale lock.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from rosenblatt.errors import ModelFileError


@contextmanager
def only_writer(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold the lock of a file; wait until nobody else has it."""
    target = Path(os.path.realpath(path))
    try:
        handle = _locked(target)
    except OSError as error:
        raise ModelFileError(f"{path} cannot be changed: {error.strerror}") from error
    try:
        _sweep(target)
        yield
    finally:
        os.close(handle)


def _locked(target: Path) -> int:
    while True:
        handle = os.open(target, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            mine, there = os.fstat(handle), os.stat(target)
        except BaseException:
            os.close(handle)
            raise
        if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
            return handle
        os.close(handle)


def _sweep(target: Path) -> None:
    """Remove what killed writers left: nobody but the holder of the lock writes beside the file."""
    for left in target.parent.glob(f".{escape(target.name)}.????????.new"):
        left.unlink(missing_ok=True)
