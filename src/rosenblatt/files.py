"""Whole files: one is written so that the old one or the new one is there, never half of one.

A file that is replaced keeps its rights and its owner. A new one gets the rights that any new file
gets, or, if it is private, those of its owner alone. While it is written nobody else can read it
who may not read it afterwards. One that is read whole is opened without waiting for what is none: a
pipe, a device.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rosenblatt.errors import ParameterError

OWNER_ONLY, BY_UMASK = 0o600, 0o666
KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


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
    waiting = target.with_name(f".{target.name}.{os.urandom(4).hex()}.new")
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


def check_output(path: str | os.PathLike[str]) -> Path:
    """Return the path if a file can be made there: known before the work, not after it."""
    path = Path(path)
    if os.fspath(path) == "-":
        raise ParameterError("- cannot be written: expected the name of a file")
    if path.is_dir():
        raise ParameterError(f"{path} is a folder; expected the name of a file to write")
    if path.exists() and not path.is_file():
        raise ParameterError(f"{path} cannot be written: it is there, and is no plain file")
    if not path.parent.is_dir():
        raise ParameterError(f"{path} cannot be written: there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise ParameterError(f"{path} cannot be written: permission denied in {path.parent}")
    return path


def write_whole(path: str | os.PathLike[str], content: bytes, *, private: bool = False) -> None:
    """Write a file: the old one or the new one is there, never half of one.

    A new file that is private can be read by its owner only.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(f"{folder}/a.txt", b"done")
    ...     os.listdir(folder)
    ['a.txt']
    """
    try:
        replace_file(check_output(path), [content], private=private)
    except OSError as error:
        raise ParameterError(f"{path} cannot be written: {error.strerror or error}") from error
