"""The formats of files, and which one a file has: by its first bytes, its content and its name.

A new format is a file in this folder, with a class that yields blocks, and a line in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.formats.arrow import ArrowFile, ParquetFile
from rosenblatt.data.formats.csv import DelimitedFile, TabbedFile
from rosenblatt.data.formats.dialect import guess_delimiter
from rosenblatt.data.formats.json import JsonLinesFile, looks_like_json
from rosenblatt.data.formats.mail import MailFile
from rosenblatt.data.formats.svmlight import SvmlightFile, looks_like_svmlight
from rosenblatt.data.formats.text import TextFile, looks_like_texts, most_have_tabs
from rosenblatt.data.source import FileSample, Source
from rosenblatt.data.table import TableFile
from rosenblatt.errors import DataError
from rosenblatt.mail.message.boxes import begins_as_mail

SHOWN = 60

# as users say them, aliases included
FormatName = Literal[
    "csv",
    "tsv",
    "jsonl",
    "json",
    "parquet",
    "arrow",
    "feather",
    "svmlight",
    "libsvm",
    "text",
    "mail",
]
Looks = Callable[[list[str], str | None], bool]


class Format(NamedTuple):
    """What reads files of a format, and how they are known.

    `magic` is what such files begin with; a format with magic has no other files. `looks` tells
    whether lines are of the format, given which one the file is named as; where nothing looks like
    a format, the name decides among those without a `looks`.
    """

    file: type[TableFile | SvmlightFile]
    endings: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    looks: Looks | None = None


FORMATS: dict[str, Format] = {
    "csv": Format(DelimitedFile, (".csv",)),
    "tsv": Format(TabbedFile, (".tsv", ".tab")),
    "jsonl": Format(
        JsonLinesFile, (".jsonl", ".ndjson", ".json"), ("json",), looks=looks_like_json
    ),
    "parquet": Format(ParquetFile, (".parquet", ".pq"), magic=(b"PAR1",)),
    "arrow": Format(
        ArrowFile, (".arrow", ".feather"), ("feather",), magic=(b"ARROW1", b"\xff\xff\xff\xff")
    ),
    "svmlight": Format(
        SvmlightFile, (".svm", ".svmlight", ".libsvm"), ("libsvm",), looks=looks_like_svmlight
    ),
    "text": Format(TextFile, looks=looks_like_texts),
    "mail": Format(MailFile),
}


def guess_format(source: Source, sample: FileSample, asked: str | None = None) -> tuple[str, str]:
    """Return (one of FORMATS, a sentence when name and content disagree)."""
    if asked is not None:
        known = {alias: name for name, form in FORMATS.items() for alias in form.aliases}
        check_choice(asked, "format", (*FORMATS, *known))
        return known.get(asked, asked), ""
    binary = _by_magic(sample)
    if binary is not None:
        return binary, ""
    named = _named(source)
    if named is not None and FORMATS[named].magic:
        raise DataError(f"{source.name} is named as a {named} file but does not begin as one")
    found = _by_content(source, sample, named)
    if named in (None, found) or {named, found} == {"csv", "tsv"}:
        return found, ""
    return found, f"read as {found}, as its content looks, not as {named}, as its name says"


def guess_format_of_texts(source: Source, sample: FileSample, column: str) -> tuple[str, str]:
    """Return (one of FORMATS, a sentence about it) for a model that learned from texts alone.

    A file of the column it learned from is a table, and mail is mail; else each line is a text,
    perhaps with a label and a tab in front of it.
    """
    if _by_magic(sample) is not None:
        return guess_format(source, sample)
    if begins_as_mail(sample.head):
        return "mail", ""
    named = _named(source)
    if _has_column(sample, column) or named not in (None, "tsv"):
        return guess_format(source, sample)
    return "text", "" if most_have_tabs(sample.lines) else "each line is read as a text"


def _by_magic(sample: FileSample) -> str | None:
    found = (name for name, form in FORMATS.items() if sample.head.startswith(form.magic))
    return next(found, None)


def _named(source: Source) -> str | None:
    stem = source.stem.lower()
    return next((name for name, form in FORMATS.items() if stem.endswith(form.endings)), None)


def _by_content(source: Source, sample: FileSample, named: str | None) -> str:
    lines = sample.lines
    if lines[0].lstrip().startswith("["):
        raise DataError(
            f"{source.name} begins with '[': a JSON array cannot be read; "
            "write one JSON object per line"
        )
    for name, form in FORMATS.items():
        if form.looks is not None and form.looks(lines, named):
            return name
    if named is not None and FORMATS[named].looks is None:
        return named
    if guess_delimiter(sample) is None:
        raise DataError(
            f"{source.name}: cannot tell what it holds from its first line, {lines[0][:SHOWN]!r}",
            do="pass {format}, one of {formats}",
            formats=", ".join(FORMATS),
        )
    return "csv"


def _has_column(sample: FileSample, column: str) -> bool:
    """Tell whether the first line names a column: the names of a table, or an object of JSON."""
    first = sample.lines[0].strip()
    if first.startswith("{"):
        return f'"{column}"' in first
    delimiter = guess_delimiter(sample)
    return delimiter is not None and column in [name.strip('" ') for name in first.split(delimiter)]
