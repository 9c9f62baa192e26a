"""Open a file that is read whole, without waiting for what is none: a pipe, a device."""

from __future__ import annotations

import errno
import io
import os
import stat

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def open_regular(path: str | os.PathLike[str]) -> io.FileIO:
    """Open a regular file to read its bytes; an OSError says what else is at that place.

    Nobody is waited for: who opens a named pipe waits until somebody writes to it.

    Examples
    --------
    >>> try:
    ...     open_regular(os.curdir)
    ... except OSError as error:
    ...     print(error.strerror)
    it is a folder, not a file
    """
    _check(os.stat(path), path)  # to open a device can do something
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = io.FileIO(os.open(path, flags))
    try:
        _check(os.fstat(file.fileno()), path)  # it may be another one by now
    except OSError:
        file.close()
        raise
    return file


def _check(status: os.stat_result, path: str | os.PathLike[str]) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for is_kind, name in KINDS if is_kind(status.st_mode)), "a device")
        raise OSError(errno.EINVAL, f"it is {kind}, not a file", os.fspath(path))
