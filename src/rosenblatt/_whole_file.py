"""Write a file so that the old one or the new one is there, never half of one."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def replace_file(path: Path, parts: Iterable[Any]) -> None:
    """Write parts of bytes to a file beside the old one, sync it, and put it in its place.

    After an error nothing new is there; the OSError goes on to the caller.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     replace_file(Path(folder) / "note", [b"one ", b"two"])
    ...     [(path.name, path.read_bytes()) for path in Path(folder).iterdir()]
    [('note', b'one two')]
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "it is there, and is no plain file", str(path))
    put_file(target.with_name(f".{target.name}.{secrets.token_hex(4)}.new"), target, parts)


def put_file(waiting: Path, target: Path, parts: Iterable[Any]) -> None:
    """Write a new file at one place, sync it, and rename it to another on the same disk.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     put_file(Path(folder) / "draft", Path(folder) / "note", [b"one"])
    ...     [path.name for path in Path(folder).iterdir()]
    ['note']
    """
    try:
        # not by `tempfile`: the file gets the rights that any new file gets
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with open(os.open(waiting, flags, 0o666), "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(waiting, target)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Let the new name outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
