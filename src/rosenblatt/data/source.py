"""What a user names, opened: a file or standard input; and its first lines, to guess from.

A name that is no file gets a word about what is accepted, and a file that is no text one about
what it is.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from difflib import get_close_matches
from glob import glob
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from rosenblatt.data.buffers import Bytes, count, first_place
from rosenblatt.data.builtin import BUILTIN
from rosenblatt.data.compression import ByteStream, without_ending
from rosenblatt.errors import DataError, DataFileError
from rosenblatt.mail.message.boxes import said_of_address

STANDARD_INPUT = "-"
WILDCARDS = frozenset("*?[")
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
COPIED = 1 << 20  # bytes at a time
ACCEPTED = (
    "a file (CSV, TSV, JSON lines, Parquet, Arrow, svmlight or label<TAB>text lines, also packed "
    "as .gz, .xz, .zst or .bz2), - for standard input, or a built-in set"
)
BLANK_LINES = "no rows, blank lines only"
HEAD = 1 << 16  # bytes to guess from
MAX_LINES = 500
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_BINARY_STARTS = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")


class Source(NamedTuple):
    """A file that is open, and what its name says."""

    name: str
    stem: str  # the name without the ending of a compression
    content: ByteStream
    n_bytes: int | None  # how many there are to come, when that is known
    path: Path | None  # where a file that is not packed can be opened again
    max_bytes: int | None
    file: BinaryIO | None = None  # the file itself, if any place of it can be read

    def read_all(self) -> Any:
        """Return all bytes that are left, in a buffer of Arrow's."""
        return self.content.read_all(self.n_bytes)


# What a user names: a file, a pattern, or several of them
Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
# Opens a source anew, from its beginning
Opener = Callable[[], AbstractContextManager[Source]]


def paths_of(given: Paths) -> list[str | os.PathLike[str]]:
    """Return the files that are named, those of a pattern sorted by their names.

    Examples
    --------
    >>> paths_of("iris"), paths_of(["a.csv", "-"])
    (['iris'], ['a.csv', '-'])
    """
    named = [given] if isinstance(given, str | os.PathLike) else list(given)
    if not named:
        raise DataFileError(f"no file is named; expected {ACCEPTED}: {', '.join(BUILTIN)}")
    return [path for name in named for path in _fitting(name)]


def has_wildcards(name: str) -> bool:
    """Tell whether a name is a pattern; one that is the name of a file is none."""
    return bool(WILDCARDS.intersection(name)) and not os.path.lexists(name)


def _fitting(path: str | os.PathLike[str]) -> list[str | os.PathLike[str]]:
    name = os.fspath(path)
    if not has_wildcards(name) or ADDRESS.match(name):
        return [path]
    found = sorted(glob(name, recursive=True))
    if not found:
        raise DataFileError(_not_found(name))
    return [*found]


@contextmanager
def open_source(path: str | os.PathLike[str], max_bytes: int | None = None) -> Iterator[Source]:
    """Open a file, or standard input for "-"; packed files are unpacked while they are read."""
    if path == STANDARD_INPUT:
        name = "standard input"
        content = ByteStream(sys.stdin.buffer, name, max_bytes)
        yield Source(name, name, content, None, None, max_bytes)
        return
    name = os.fspath(path)
    try:
        with _open(name) as file:
            content = ByteStream(file, name, max_bytes)
            facts = os.fstat(file.fileno())
            # a pipe has no size, and what was read from it does not come again
            plain = stat.S_ISREG(facts.st_mode) and not content.is_packed
            n_bytes, again = (facts.st_size, Path(name)) if plain else (None, None)
            yield Source(name, without_ending(name), content, n_bytes, again, max_bytes)
    except OSError as error:
        raise DataFileError(f"{name} cannot be read: {error.strerror or error}") from error


def source_of_bytes(content: bytes, name: str) -> Source:
    """Return bytes that are in memory, and not packed, as a source."""
    stream = ByteStream(io.BytesIO(content), name, may_be_packed=False)
    return Source(name, name, stream, len(content), None, None)


def no_source() -> AbstractContextManager[Source]:
    """Open nothing: what is read comes from elsewhere."""
    return nullcontext(source_of_bytes(b"", ""))


def first_as_it_is(source: Source) -> Opener:
    """Return a function that gives the source, which is open, and later opens its file again."""
    waiting = [source]

    def opened() -> AbstractContextManager[Source]:
        if waiting:
            return nullcontext(waiting.pop())
        return open_source(source.name, source.max_bytes)

    return opened


@contextmanager
def to_be_read_again(source: Source, *, any_place: bool = False) -> Iterator[Opener]:
    """Give a function that opens the source again, as often as one likes.

    What cannot be opened again is copied, unpacked, to a file without a name: standard input,
    pipes, and packed files of which any place is to be read.
    """
    name, is_file = source.name, os.path.isfile(source.name)
    if is_file and not (any_place and source.content.is_packed):
        yield lambda: open_source(name, source.max_bytes)
        return
    with tempfile.TemporaryFile(prefix="rosenblatt-") as copy:
        try:
            shutil.copyfileobj(source.content, copy, COPIED)
        except OSError as error:
            raise DataFileError(
                f"{name} cannot be copied: {error.strerror or error}; set TMPDIR to a folder with "
                "more room"
            ) from error
        yield lambda: _copied(source, copy)


@contextmanager
def _copied(source: Source, copy: BinaryIO) -> Iterator[Source]:
    n_bytes = copy.seek(0, os.SEEK_END)
    copy.seek(0)
    content = ByteStream(copy, source.name, source.max_bytes)
    yield source._replace(content=content, n_bytes=n_bytes, path=None, file=copy)


def _open(name: str) -> BinaryIO:
    if "\0" in name or not name:
        raise DataFileError(f"{name!r} is not the name of a file; expected {ACCEPTED}")
    try:
        return open(name, "rb", buffering=0)
    except FileNotFoundError:
        raise DataFileError(_not_found(name)) from None
    except IsADirectoryError:
        raise DataFileError(f"{name} is a folder; expected {ACCEPTED}") from None
    except PermissionError:
        raise DataFileError(f"{name} cannot be read: permission denied") from None


def _not_found(name: str) -> str:
    if name.lower().startswith(("imap://", "imaps://")):
        return said_of_address(name)
    if ADDRESS.match(name):
        return (
            f"{name} is an address, and data is read from this computer only; download it first, "
            "or pipe it in: curl -s ADDRESS | rosenblatt COMMAND -"
        )
    if has_wildcards(name):
        return f"{name!r} is a pattern, and no file fits it here"
    if os.path.islink(name):
        return f"{name!r} is a link to {os.readlink(name)!r}, which is not there"
    sets = get_close_matches(name.lower().replace("_", "-"), BUILTIN, n=1)
    if sets:
        return f"there is no file {name!r}; did you mean the built-in set {sets[0]!r}?"
    folder, base = os.path.split(name)
    files = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    near = get_close_matches(base, files, n=1)
    hint = f"; did you mean {os.path.join(folder, near[0])!r}?" if near else ""
    return f"there is no file {name!r}{hint or f'; expected {ACCEPTED}: ' + ', '.join(BUILTIN)}"


class FileSample(NamedTuple):
    """The first bytes of a file and the whole lines in them that are not blank."""

    head: bytes
    lines: list[str]

    @property
    def text(self) -> bytes:
        """The bytes of the lines that are not cut off."""
        return self.head if len(self.head) < HEAD else self.head[: self.head.rfind(b"\n") + 1]

    @property
    def is_of_old_lines(self) -> bool:
        """Whether lines end with a carriage return alone, as in the oldest files."""
        return bool(self.lines) and b"\r" in self.head and b"\n" not in self.head


def take_sample(source: Source) -> FileSample:
    """Look at the first bytes; nothing is used up."""
    return sample_of(source.content.peek(HEAD), source.name)


def sample_of(head: bytes, name: str) -> FileSample:
    """Return the sample that the first bytes of a file make."""
    if not head:
        raise DataError(f"{name} is empty")
    if head.startswith(_BINARY_STARTS):
        return FileSample(head, [])
    refuse_binary(head, name)
    text = head.removeprefix(BYTE_ORDER_MARK).decode("utf-8", errors="replace")
    lines = text.splitlines()
    if len(head) >= HEAD and len(lines) > 1:
        lines.pop()  # cut off
    lines = [line for line in lines[:MAX_LINES] if line.strip()]
    if not lines:
        raise DataError(f"{name} has {BLANK_LINES}")
    return FileSample(head, lines)


def refuse_binary(content: Bytes, name: str) -> None:
    """Refuse bytes that no text has."""
    if bytes(content[:4]).startswith(_UTF_16_OR_32):
        raise DataError(
            f"{name} is not UTF-8 but UTF-16 or UTF-32",
            do="convert it first: iconv -f UTF-16 -t UTF-8 FILE > NEW",
            on_page="save it as UTF-8 in the program that it comes from",
        )
    at = first_place(content, b"\0")
    if at >= 0:
        raise DataError(f"{name} is a binary file (byte {at + 1} is 0), expected text or a table")


def check_text(content: Bytes, name: str, first_line: int = 1) -> Bytes:
    """Return the content of a text file without its byte order mark; refuse what is not UTF-8."""
    refuse_binary(content, name)
    if bytes(content[: len(BYTE_ORDER_MARK)]) == BYTE_ORDER_MARK:
        content = content[len(BYTE_ORDER_MARK) :]
    if not is_utf_8(content):
        try:
            str(content, "utf-8")
        except UnicodeDecodeError as error:
            line = count(content[: error.start], b"\n") + first_line
            raise DataError(
                f"{name}, line {line}: byte 0x{content[error.start]:02x} is not UTF-8",
                do="convert the file first, for example: iconv -f LATIN1 -t UTF-8 FILE > NEW",
                on_page="save it as UTF-8 in the program that it comes from",
            ) from None
    return content


def is_utf_8(content: Any) -> bool:
    """Tell whether bytes are UTF-8."""
    import numpy as np
    import pyarrow as pa

    # Arrow looks at several bytes at a time and makes no string of them
    offsets = np.array([0, len(content)], dtype=np.int64)
    whole = pa.LargeStringArray.from_buffers(1, pa.py_buffer(offsets), pa.py_buffer(content))
    try:
        whole.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True
