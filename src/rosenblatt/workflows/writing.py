"""Files out: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from rosenblatt._whole_file import replace_file
from rosenblatt.data.builtin import BUILTIN
from rosenblatt.data.source import STANDARD_INPUT
from rosenblatt.errors import ParameterError


def check_output(path: str | os.PathLike[str]) -> Path:
    """Return the path if a file can be made there: known before the work, not after it."""
    path = Path(path)
    if os.fspath(path) == STANDARD_INPUT:
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


def check_apart(outputs: Mapping[str, str | None], inputs: Mapping[str, str | None]) -> None:
    """Refuse to write two things to one file, or over what is read, whatever its names are."""
    seen = {name: path for name, path in inputs.items() if path and path not in BUILTIN}
    for name, path in outputs.items():
        if path is None:
            continue
        check_output(path)
        for other, taken in seen.items():
            if _is_one_file(path, taken):
                raise ParameterError(f"{name} {path} is the same file as {other}; name another one")
        seen[name] = path


def _is_one_file(one: str, other: str) -> bool:
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


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
