"""The filter as a model file of the usual form (docs/model-files.md).

Reading it here needs the standard library only. The checksum of model files, XXH64, would need
Numba to be quick; so the file carries a CRC-32 too, of the same bytes, which `zlib` has.
`rosenblatt.load` reads the same file the long way, and checks both. The CRC-32 covers all that
decides about a message; who changes a filter checks every byte of it first (`made_of`).

One writer at a time, without a lock file beside the model.

The model file itself is locked. It is replaced by a new one while the lock is held, so whoever
waited looks again whether the file that it locked is still the one of that name. The system takes
the lock back when a process ends, be it by kill -9: there is no stale lock.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from math import prod
from pathlib import Path
from typing import Any
from zlib import crc32

from rosenblatt.errors import ModelFileError
from rosenblatt.files import open_regular
from rosenblatt.mail.filter.memory import Memory, Messages, Words, is_sound

CLASS = "MailFilter"
START = b'{"__metadata__":{"format":"rosenblatt model",'
NUMBERS = {"U8": ("B", 1), "I32": ("i", 4), "U32": ("I", 4), "I64": ("q", 8), "U64": ("Q", 8)}
NUMBERS["F64"] = ("d", 8)
KINDS = {
    "keys_": "U32",
    "ends_": "U32",
    "names_": "U8",
    "spam_": "I32",
    "ham_": "I32",
    "weights_": "I64",
    "digests_": "U64",
    "labels_": "U8",
    "text_steps_": "I64",
    "head_steps_": "I64",
    "scores_": "F64",
}
MOST_HEADER = 1 << 20
VERSION = 1


def read_memory(path: str | os.PathLike[str]) -> Memory:
    """Read a filter; a ModelFileError says what is wrong with the file."""
    try:
        with open_regular(path) as file:
            raw = file.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(
            f"{path} cannot be read: {reason}; `rosenblatt mail train` makes one"
        ) from error
    return memory_of(raw, path)


def memory_of(raw: bytes, path: Any) -> Memory:
    """Return what the bytes of a file say, if they are those of a filter and none was changed."""
    length = int.from_bytes(raw[:8], "little")
    if not raw[8:].startswith(START):
        raise ModelFileError(f"{path} is not a model file of rosenblatt")
    try:
        metadata, arrays, state = _parts(raw, length)
        is_sound = metadata["crc32"] == sum_of(metadata["model"], arrays)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"{path} is damaged or no mail filter: {str(error)[:80]}") from error
    if not is_sound:
        raise ModelFileError(f"{path} is damaged: its checksum is wrong")
    return _memory(arrays, state, path)


def write_memory(path: str | os.PathLike[str], memory: Memory, made: dict[str, Any]) -> None:
    """Write a filter: the old file or the new one is there, never half of one.

    Only the owner of a new file can read it.
    """
    import numpy as np

    import rosenblatt
    from rosenblatt.model_file.container import Content, write_file

    columns = zip(KINDS, (*memory.words, *memory.messages), strict=True)
    arrays = {name: np.asarray(column) for name, column in columns}
    attributes: dict[str, Any] = {name: {"array": name} for name in arrays}
    attributes |= {"spam_from_": memory.spam_from, "ham_below_": memory.ham_below}
    parameters = {"max_false_positives": memory.max_false_positives}
    model = _text({"class": CLASS, "parameters": parameters, "attributes": attributes})
    raw = {name: np.ascontiguousarray(a).view(np.uint8).data for name, a in arrays.items()}
    metadata = {
        "library": f"rosenblatt {rosenblatt.__version__}",
        "model": model,
        "made": _text(made),
        "crc32": sum_of(model, raw),
    }
    write_file(Path(path), Content(metadata, arrays), private=True)  # words of mail are in it


def made_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return how the filter in a file was made; a ModelFileError if any byte of it is damaged."""
    # not above: the checksum of the whole file needs Numba, as it does when the file is written
    from rosenblatt.model_file.container import read_file

    metadata = read_file(Path(path)).metadata
    try:
        made = json.loads(metadata["made"])
    except (ValueError, LookupError, RecursionError) as error:
        raise ModelFileError(f"{path} does not say how it was made: {str(error)[:80]}") from error
    if not isinstance(made, dict):
        raise ModelFileError(f"{path} does not say how it was made: {str(made)[:80]}")
    return made


def sum_of(model: str, arrays: dict[str, Any]) -> str:
    """Return the CRC-32 of the description of a filter and of its arrays, by their names."""
    total = crc32(model.encode())
    for name in sorted(arrays):
        total = crc32(arrays[name], crc32(name.encode(), total))
    return f"{total:08x}"


def _text(content: Any) -> str:
    return json.dumps(content, allow_nan=False, separators=(",", ":"))


def _parts(raw: bytes, length: int) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
    """Return metadata, arrays as views, and the state of the model."""
    if length > min(MOST_HEADER, len(raw) - 8):
        raise ValueError("it is cut off")
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__")
    if int(metadata["version"]) > VERSION:
        raise ValueError(f"it was written by a newer rosenblatt ({metadata['library'][:40]})")
    if int(metadata["bytes"]) != len(raw):
        raise ValueError(f"it has {len(raw)} of {int(metadata['bytes'])} bytes")
    state = json.loads(metadata["model"])
    if state["class"] != CLASS:
        raise ValueError(f"it holds a {str(state['class'])[:40]}; `mail train` makes a filter")
    data = memoryview(raw)[8 + length :]
    return metadata, {name: _view(header[name], KINDS[name], data) for name in KINDS}, state


def _view(entry: dict[str, Any], kind: str, data: Any) -> Any:
    begin, end = entry["data_offsets"]
    code, size = NUMBERS[kind]
    right = entry["dtype"] == kind and len(entry["shape"]) == 1 and 0 <= begin <= end <= len(data)
    if not right or prod(entry["shape"]) * size != end - begin:
        raise ValueError("its arrays are not in order")
    return data[begin:end].cast(code)


def _memory(arrays: dict[str, Any], state: dict[str, Any], path: Any) -> Memory:
    words = Words(*(arrays[name] for name in list(KINDS)[:6]))
    messages = Messages(*(arrays[name] for name in list(KINDS)[6:]))
    facts = state["attributes"]
    n_words, n_messages = len(words.keys), len(messages.digests)
    right = all(len(column) == n_words for column in (words.spam, words.ham, words.weights))
    right = right and len(words.ends) == n_words + 1 and words.ends[-1] == len(words.names)
    right = right and all(len(column) == n_messages for column in messages)
    if not right:
        raise ModelFileError(f"{path} is damaged: its columns differ in length")
    if not is_sound(words):
        # not above: it needs NumPy, and the files that this version writes do not need it
        from rosenblatt.mail.filter.correcting import healed

        words = healed(words)
    return Memory(
        words,
        messages,
        float(state["parameters"]["max_false_positives"]),
        float(facts["spam_from_"]),
        float(facts["ham_below_"]),
    )


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
