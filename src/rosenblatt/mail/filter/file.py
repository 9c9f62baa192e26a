"""The file of a filter: a model file of the usual form (docs/model-files.md), one writer at a time.

It is read without NumPy, into views of its bytes. Besides the checksum that every model file has
it carries a CRC-32 of all that decides about a message, which versions without `xxhash` read; both
are checked.

Who changes a filter locks the file itself, so there is no lock file beside it. It is replaced by a
new one while the lock is held, so whoever waited looks again whether the file that it locked is
still the one of that name. The system takes the lock back when a process ends, be it by kill -9:
there is no stale lock.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from glob import escape
from pathlib import Path
from struct import calcsize
from typing import Any
from zlib import crc32

from rosenblatt.errors import ModelFileError
from rosenblatt.mail.filter.memory import (
    LEAST_ODDS,
    PLACES,
    FilterMemory,
    Judged,
    Letters,
    Messages,
    Words,
    is_sound,
)
from rosenblatt.model_file.container import Content, StoredArray, read_content

CLASS = "MailFilter"
NUMBERS: dict[str, Any] = {"U8": "B", "I32": "i", "U32": "I", "I64": "q", "U64": "Q", "F64": "d"}
WORDS = {
    "keys_": "U32",
    "ends_": "U32",
    "names_": "U8",
    "spam_": "I32",
    "ham_": "I32",
    "weights_": "I64",
}
MESSAGES = {
    "digests_": "U64",
    "labels_": "U8",
    "text_steps_": "I64",
    "head_steps_": "I64",
    "scores_": "F64",
    "letter_steps_": "I64",
    "arrivals_": "U64",
    "times_": "U32",
}
LETTERS = {"letter_spam_": "I32", "letter_ham_": "I32", "letter_weights_": "I64"}
JUDGED = {
    "judged_arrivals_": "U64",
    "judged_scores_": "F64",
    "judged_labels_": "U8",
    "judged_times_": "U32",
}
LATER = ("letter_steps_", "arrivals_", "times_")  # of messages; earlier versions had none
KINDS = WORDS | MESSAGES | LETTERS | JUDGED


def read_memory(path: str | os.PathLike[str]) -> FilterMemory:
    """Read a filter; a ModelFileError says what is wrong with the file."""
    metadata, stored = _content(path)
    try:
        state = json.loads(metadata["model"])
        if state["class"] != CLASS:
            raise ValueError(f"it holds a {str(state['class'])[:40]}; `mail train` makes a filter")
        arrays = {name: _view(stored[name], kind) for name, kind in _kinds(stored).items()}
        # that which `rosenblatt.save` writes has none
        is_right = metadata.get("crc32") in (None, sum_of(metadata["model"], arrays))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"{path} is damaged or no mail filter: {str(error)[:80]}") from error
    if not is_right:
        raise ModelFileError(f"{path} is damaged: its checksum is wrong")
    try:
        return memory_of(state["attributes"] | arrays, state["parameters"])
    except (ValueError, LookupError, TypeError) as error:
        raise ModelFileError(f"{path} is damaged: {str(error)[:80]}") from error


def made_of(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return how the filter in a file was made."""
    metadata = _content(path).metadata
    try:
        made = json.loads(metadata["made"])
    except (ValueError, LookupError, RecursionError) as error:
        raise ModelFileError(f"{path} does not say how it was made: {str(error)[:80]}") from error
    if not isinstance(made, dict):
        raise ModelFileError(f"{path} does not say how it was made: {str(made)[:80]}")
    return made


def write_memory(path: str | os.PathLike[str], memory: FilterMemory, made: dict[str, Any]) -> None:
    """Write a filter: the old file or the new one is there, never half of one.

    Only the owner of a new file can read it.
    """
    import numpy as np

    import rosenblatt
    from rosenblatt.model_file.arrays import write_arrays

    arrays = {name: np.asarray(column) for name, column in columns_of(memory).items()}
    attributes: dict[str, Any] = {name: {"array": name} for name in arrays}
    attributes |= filter_facts(memory)
    parameters = {
        "max_false_positives": memory.max_false_positives,
        "least_odds": memory.least_odds,
    }
    model = _text({"class": CLASS, "parameters": parameters, "attributes": attributes})
    raw = {name: np.ascontiguousarray(a).view(np.uint8).data for name, a in arrays.items()}
    metadata = {
        "library": f"rosenblatt {rosenblatt.__version__}",
        "model": model,
        "made": _text(made),
        "crc32": sum_of(model, raw),
    }
    write_arrays(Path(path), metadata, arrays, private=True)  # words of mail are in it


def sum_of(model: str, arrays: Mapping[str, Any]) -> str:
    """Return the CRC-32 of the description of a filter and of its arrays, by their names."""
    total = crc32(model.encode())
    for name in sorted(arrays):
        total = crc32(arrays[name], crc32(name.encode(), total))
    return f"{total:08x}"


def _content(path: str | os.PathLike[str]) -> Content:
    try:
        return read_content(path)
    except ModelFileError as error:
        # instead of what to do about models of other kinds
        raise ModelFileError(error.problem, do="`rosenblatt mail train` makes one") from error


def _text(content: Any) -> str:
    return json.dumps(content, allow_nan=False, separators=(",", ":"))


def _view(stored: StoredArray, kind: str) -> Any:
    if stored.dtype != kind or len(stored.shape) != 1:
        raise ValueError("its arrays are not in order")
    return stored.data.cast(NUMBERS[kind])


def _kinds(stored: Mapping[str, Any]) -> dict[str, str]:
    """Return the arrays that must be there: those that some filters lack belong together."""
    groups: list[dict[str, str]] = [{name: KINDS[name] for name in LATER}, LETTERS, JUDGED]
    missing = {name for group in groups if not group.keys() & stored.keys() for name in group}
    return {name: kind for name, kind in KINDS.items() if name not in missing}


def memory_of(found: Mapping[str, Any], parameters: Mapping[str, Any]) -> FilterMemory:
    """Return what a filter knows, by the names of columns and other facts.

    Filters of earlier versions have neither letters nor times; a ValueError if columns do not
    belong together.
    """
    words = Words(*(found[name] for name in WORDS))
    n_words, n_messages = len(words.keys), len(found["digests_"])
    columns = [
        found[name] if name in found else _zeros(n_messages, kind)
        for name, kind in MESSAGES.items()
    ]
    judged = Judged(*(found[name] if name in found else _zeros(0, JUDGED[name]) for name in JUDGED))
    letters = None
    if "letter_spam_" in found:
        letters = Letters(int(found["secret_"]), *(found[name] for name in LETTERS))
    right = all(len(column) == n_words for column in (words.spam, words.ham, words.weights))
    right = right and len(words.ends) == n_words + 1 and words.ends[-1] == len(words.names)
    right = right and all(len(column) == n_messages for column in columns)
    right = right and all(len(column) == len(judged.arrivals) for column in judged)
    right = right and (not letters or all(len(column) == PLACES for column in letters[1:]))
    if not right:
        raise ValueError("its columns differ in length")
    if not is_sound(words):
        # not above: it needs NumPy, and the files that this version writes do not need it
        from rosenblatt.mail.filter.correcting import healed

        words = healed(words)
    return FilterMemory(
        words,
        letters,
        Messages(*columns),
        judged,
        float(parameters["max_false_positives"]),
        float(parameters.get("least_odds", LEAST_ODDS)),
        float(found["spam_from_"]),
        float(found["ham_below_"]),
    )


def columns_of(memory: FilterMemory) -> dict[str, Any]:
    """Return the columns of what a filter knows by their names."""
    found = dict(zip(WORDS, memory.words, strict=True))
    found |= zip(MESSAGES, memory.messages, strict=True)
    if memory.letters:
        found |= zip(LETTERS, memory.letters[1:], strict=True)
    if len(memory.judged.arrivals):
        found |= zip(JUDGED, memory.judged, strict=True)
    return found


def filter_facts(memory: FilterMemory) -> dict[str, Any]:
    """Return the other facts of what a filter knows by their names."""
    found: dict[str, Any] = {"spam_from_": memory.spam_from, "ham_below_": memory.ham_below}
    return found | ({"secret_": memory.letters.secret} if memory.letters else {})


def _zeros(n: int, kind: str) -> Any:
    code = NUMBERS[kind]
    return memoryview(bytes(n * calcsize(code))).cast(code)


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
