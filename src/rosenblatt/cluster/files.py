"""Files as parts: whole ones, row groups of Parquet, lines of text; read by whoever has the part.

A line is of the part in which its first byte is. A row of CSV whose quoted values go over several
lines would be cut in two: that is looked for in each part, and refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from rosenblatt.data.builtin import BUILTIN
from rosenblatt.data.compression import MAGIC, ByteStream, without_ending
from rosenblatt.data.formats import FORMATS
from rosenblatt.data.formats.arrow import ParquetFile
from rosenblatt.data.formats.csv import DelimitedFile
from rosenblatt.data.formats.svmlight import SvmlightFile
from rosenblatt.data.opening import file_of
from rosenblatt.data.source import (
    ADDRESS,
    STANDARD_INPUT,
    Source,
    has_wildcards,
    no_source,
    paths_of,
    source_of_bytes,
)
from rosenblatt.data.table import Reading, TableFile
from rosenblatt.errors import DataError, DataFileError

STEP = 1 << 16  # bytes read at a time to find the end of a line


class FilePart(NamedTuple):
    """Some of a file, or all of it."""

    path: str
    start: int = 0  # of the bytes in which its lines begin
    end: int | None = None  # None: the whole file
    groups: tuple[int, ...] | None = None  # the row groups of a Parquet file

    @property
    def name(self) -> str:
        """How the part is called in messages."""
        if self.groups is not None:
            last = self.groups[-1]
            return f"{self.path}, row groups {self.groups[0]} to {last}"
        return self.path if not self.start else f"{self.path} from byte {self.start}"


class FileAsked(NamedTuple):
    """What is asked of each file; it travels to those who read."""

    how: Reading
    columns: dict[str, str]  # what columns are, where users say so
    format: str | None
    max_bytes: int | None
    ending: str | None = None  # of files of that format; None: all of them
    notes: tuple[str, ...] = ()  # what was guessed from the first file
    recipe: Any = None  # of a model that is asked about them

    def format_of(self, path: str) -> str | None:
        """Return the format that a file is known to have."""
        return self.format if self.ending in (None, os.path.splitext(path)[1]) else None


def as_the_first_file(path: str, asked: FileAsked) -> FileAsked:
    """Return how all files are read: those with the ending of the first are of its format."""
    with _whole(path, asked.max_bytes) as source:
        first = file_of(
            source, no_source, asked.how, asked.columns, format=asked.format, recipe=asked.recipe
        )
    how = asked.how
    if how.header is None and isinstance(first, DelimitedFile):
        how = how._replace(
            header=first.dialect.header
        )  # all have names in their first row, or none
    if asked.format is not None:
        return asked._replace(how=how, notes=tuple(first.notes))
    form = next((name for name, form in FORMATS.items() if form.file is type(first)), None)
    ending = os.path.splitext(path)[1]
    return asked._replace(how=how, format=form, ending=ending, notes=tuple(first.notes))


def files_of(given: Any) -> list[str]:
    """Return the files that are named, those of a pattern sorted; addresses are fsspec's."""
    named = [given] if isinstance(given, str | os.PathLike) else list(given)
    found: list[str] = []
    for given_name in named:
        name = str(os.fspath(given_name))
        if name in BUILTIN or name == STANDARD_INPUT or os.path.isdir(name):
            what = "a folder, which is mail" if os.path.isdir(name) else "not a file on disk"
            raise DataError(
                f"{name} is {what}: workers read files of tables and texts",
                do="read it on one machine with rosenblatt.read",
                in_shell="leave out --cluster",
            )
        if not ADDRESS.match(name):
            found += [str(os.fspath(path)) for path in paths_of(name)]
        elif has_wildcards(name):
            found += _fitting(name)
        else:
            found.append(name)
    if not found:
        paths_of([])  # says that nothing is named
    return found


def cut_file(path: str, part_bytes: int) -> list[FilePart]:
    """Cut a file into parts of about so many bytes, where its format can be cut."""
    n_bytes = _size(path)
    if n_bytes <= part_bytes:
        return [FilePart(path)]
    with opened(path) as file:
        head = file.read(8)
        if head.startswith(FORMATS["parquet"].magic):
            file.seek(0)
            return _by_row_groups(path, file, part_bytes)
        if head.startswith((*MAGIC.values(), *FORMATS["arrow"].magic)):
            return [FilePart(path)]
    n_parts = -(-n_bytes // part_bytes)
    ends = [n_bytes * k // n_parts for k in range(n_parts + 1)]
    return [FilePart(path, start, end) for start, end in pairwise(ends)]


def read_part(part: FilePart, asked: FileAsked) -> TableFile | SvmlightFile | None:
    """Open a part, and read it if it is a table; None if no line begins in it."""
    opener = _Opener(part, asked.max_bytes)
    with _whole(part.path, asked.max_bytes) as source:
        form, recipe = asked.format_of(part.path), asked.recipe
        file = file_of(source, opener, asked.how, asked.columns, format=form, recipe=recipe)
    file.name = part.name
    if part.groups is not None and isinstance(file, ParquetFile):
        file.groups = part.groups
    if part.end is None:
        return _read(file)
    with opened(part.path) as stream:
        begin, stop = (_line_start(stream, place) for place in (part.start, part.end))
        stream.seek(begin)
        content = stream.read(stop - begin)
        if not content.strip():
            return None
        if isinstance(file, DelimitedFile):
            if file.dialect.quoted:
                _check_rows_are_lines(content, part)
            if file.dialect.header:
                names = _first_line(stream)
                content = names + content if part.start else content
                if not content.partition(names)[2].strip():
                    return None  # names alone: the rows are in the next part
    opener.content = content
    return _read(file)


def _read(file: TableFile | SvmlightFile) -> TableFile | SvmlightFile:
    """Return a file that keeps its rows: what is wrong with them is said now."""
    if isinstance(file, TableFile):
        try:
            file.whole()
        except DataError as error:
            error.advise("mend the file, or leave it out")
            raise
    return file


class _Opener:
    """Opens a file, or gives the lines that were read of it."""

    def __init__(self, part: FilePart, max_bytes: int | None) -> None:
        self.part, self.max_bytes = part, max_bytes
        self.content: bytes | None = None

    @contextmanager
    def __call__(self) -> Iterator[Source]:
        if self.content is not None:
            yield source_of_bytes(self.content, self.part.name)
            return
        with _whole(self.part.path, self.max_bytes) as source:
            yield source


@contextmanager
def _whole(path: str, max_bytes: int | None) -> Iterator[Source]:
    with opened(path) as file, opened(path) as again:
        content = ByteStream(file, path, max_bytes)
        n_bytes, there = (None, None) if content.is_packed else (_size(path), again)
        yield Source(path, without_ending(path), content, n_bytes, None, max_bytes, there)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file here, or wherever fsspec says."""
    try:
        if not ADDRESS.match(path):
            with open(path, "rb") as file:
                yield file
            return
        filesystem, name = _filesystem(path)
        with filesystem.open(name, "rb") as file:
            yield file
    except OSError as error:
        said = error.strerror or str(error) or type(error).__name__
        raise DataFileError(
            f"{path} cannot be read: {said}",
            do="every worker must be able to read it: put it where all of them can, under the same "
            "name",
        ) from error


def _filesystem(path: str) -> tuple[Any, str]:
    import fsspec

    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(path)
        return found
    except (ImportError, ValueError) as error:
        raise DataFileError(f"{path}: {error}") from error


def _fitting(address: str) -> list[str]:
    filesystem, pattern = _filesystem(address)
    found = sorted(filesystem.glob(pattern))
    if not found:
        raise DataFileError(f"no file fits {address}")
    return [filesystem.unstrip_protocol(name) for name in found]


def _size(path: str) -> int:
    if not ADDRESS.match(path):
        try:
            return os.path.getsize(path)
        except OSError as error:
            raise DataFileError(f"{path} cannot be read: {error.strerror or error}") from error
    filesystem, name = _filesystem(path)
    try:
        return int(filesystem.size(name) or 0)
    except OSError as error:
        raise DataFileError(f"{path} cannot be read: {error.strerror or error}") from error


def _by_row_groups(path: str, file: BinaryIO, part_bytes: int) -> list[FilePart]:
    import pyarrow.parquet as parquet

    facts = parquet.read_metadata(file)
    sizes = [
        sum(group.column(j).total_compressed_size for j in range(group.num_columns))
        for group in (facts.row_group(k) for k in range(facts.num_row_groups))
    ]
    runs: list[list[int]] = []
    n_bytes = part_bytes
    for k, size in enumerate(sizes):
        if n_bytes + size > part_bytes:
            runs.append([])
            n_bytes = 0
        runs[-1].append(k)
        n_bytes += size
    if len(runs) < 2:
        return [FilePart(path)]
    return [FilePart(path, groups=tuple(run)) for run in runs]


def _line_start(file: BinaryIO, place: int) -> int:
    """Return where the first line begins at or behind a place."""
    if place == 0:
        return 0
    at = file.seek(place - 1)
    while block := file.read(STEP):
        found = block.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(block)
    return at


def _first_line(file: BinaryIO) -> bytes:
    """Return the first line that is not blank: the names of columns."""
    file.seek(0)
    head = b""
    while block := file.read(STEP):
        head += block
        lines = head.splitlines(keepends=True)
        named = next((line for line in lines[:-1] if line.strip()), None)
        if named is not None:
            return named
    return head


def _check_rows_are_lines(content: bytes, part: FilePart) -> None:
    """Refuse lines of CSV with an odd number of quotes: a row goes on in the next line."""
    if b'"' not in content:
        return
    text = np.frombuffer(content, dtype=np.uint8)
    n_quotes = np.cumsum(text == ord('"'), dtype=np.uint8)  # modulo 256: odd stays odd
    if (n_quotes[text == ord("\n")] % 2).any():
        raise DataError(
            f"{part.name}: a value in quotes goes over several lines, so the file cannot be cut "
            "into parts",
            do="write it as several files, or as Parquet; or read it as one part with a larger "
            "{part_bytes}",
            in_shell="write it as several files, or as Parquet",
        )
