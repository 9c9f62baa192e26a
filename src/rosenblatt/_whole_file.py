"""Write a file so that the old one or the new one is there, never half of one.

A file that is replaced keeps its rights and its owner. A new one gets the rights that any new file
gets, or, if it is private, those of its owner alone. While it is written nobody else can read it
who may not read it afterwards.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

OWNER_ONLY, BY_UMASK = 0o600, 0o666


def replace_file(path: Path, parts: Iterable[Any], *, private: bool = False) -> None:
    """Write parts of bytes to a file beside the old one, sync it, and put it in its place.

    A new file that is private can be read by its owner only. After an error nothing new is there;
    the OSError goes on to the caller.

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
    waiting = target.with_name(f".{target.name}.{secrets.token_hex(4)}.new")
    put_file(waiting, target, parts, private=private)


def put_file(waiting: Path, target: Path, parts: Iterable[Any], *, private: bool = False) -> None:
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
        # not by `tempfile`: a file that is not private gets the rights that any new file gets
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        mode = OWNER_ONLY if private or target.exists() else BY_UMASK
        with open(os.open(waiting, flags, mode), "wb") as file:
            file.writelines(parts)
            file.flush()
            if os.name == "posix":
                _take_rights(file.fileno(), target)
            os.fsync(file.fileno())
        os.replace(waiting, target)
    except BaseException:
        waiting.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        _sync_folder(target.parent)


def _take_rights(handle: int, target: Path) -> None:
    """Give an open file the owner and the rights of the file that it will replace, if there is one.

    They are looked up when all is written: who takes rights away meanwhile is heeded.
    """
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return
    mode = stat.S_IMODE(old.st_mode) & 0o777
    if not _take_owner(handle, old):
        # another group than before: its members get no more than everybody has
        mode &= ~0o070 | (mode & 0o007) << 3
    if stat.S_IMODE(os.fstat(handle).st_mode) != mode:
        os.fchmod(handle, mode)


def _take_owner(handle: int, old: os.stat_result) -> bool:
    """Give a file owner and group of another, as far as we may; return whether the group is its."""
    for owner in (old.st_uid, -1):
        new = os.fstat(handle)
        if new.st_gid == old.st_gid and owner in (new.st_uid, -1):
            return True
        try:
            os.fchown(handle, owner, old.st_gid)
        except OSError:  # not ours to give away, or unknown to this file system
            continue
        return True
    return False


def _sync_folder(folder: Path) -> None:
    """Let the new name outlast a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
