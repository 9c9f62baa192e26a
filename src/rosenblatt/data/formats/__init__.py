"""Tell what a file is from its name and its first bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.formats.dialect import guess_delimiter
from rosenblatt.data.source import Sample, Source
from rosenblatt.data.target import USUAL_NAMES
from rosenblatt.errors import DataError
from rosenblatt.mail.message.boxes import begins_as_mail

FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "svmlight", "text", "mail")
ALIASES = {"json": "jsonl", "feather": "arrow", "libsvm": "svmlight"}
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".svm": "svmlight",
    ".svmlight": "svmlight",
    ".libsvm": "svmlight",
}
BINARY = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\xff\xff\xff\xff": "arrow"}

# possessive (++): a line of many digits has one reading, tried once
_NUMBER = r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"
_PAIRS = r"(?:\s++qid:\S*+)?(?:\s++\d++:\S++)++"
_SVMLIGHT_ROW = re.compile(rf"\s*+{_NUMBER}(?:,{_NUMBER})*+{_PAIRS}\s*+(?:#.*)?")
MAX_LABEL = 40  # letters of a label in front of a text
SHOWN = 60


def guess_format(source: Source, sample: Sample, format: str | None = None) -> tuple[str, str]:  # noqa: A002 - as users say it
    """Return (one of FORMATS, a sentence when name and content disagree)."""
    if format is not None:
        check_choice(format, "format", (*FORMATS, *ALIASES))
        return ALIASES.get(format, format), ""
    for magic, binary in BINARY.items():
        if sample.head.startswith(magic):
            return binary, ""
    named = _named(source)
    if named in ("parquet", "arrow"):
        raise DataError(f"{source.name} is named as a {named} file but does not begin as one")
    found = _by_content(source, sample, named)
    if named in (None, found) or {named, found} == {"csv", "tsv"}:
        return found, ""
    return found, f"read as {found}, as its content looks, not as {named}, as its name says"


def guess_format_of_texts(source: Source, sample: Sample, column: str) -> tuple[str, str]:
    """Return (one of FORMATS, a sentence about it) for a model that learned from texts alone.

    A file of the column it learned from is a table, and mail is mail; else each line is a text,
    perhaps with a label and a tab in front of it.
    """
    if sample.head.startswith(tuple(BINARY)):
        return guess_format(source, sample)
    if begins_as_mail(sample.head):
        return "mail", ""
    named = _named(source)
    if _has_column(sample, column) or named not in (None, "tsv"):
        return guess_format(source, sample)
    return "text", "" if most_have_tabs(sample.lines) else "each line is read as a text"


def _has_column(sample: Sample, column: str) -> bool:
    """Tell whether the first line names a column: the names of a table, or an object of JSON."""
    first = sample.lines[0].strip()
    if first.startswith("{"):
        return f'"{column}"' in first
    delimiter = guess_delimiter(sample)
    return delimiter is not None and column in [name.strip('" ') for name in first.split(delimiter)]


def most_have_tabs(lines: list[str]) -> bool:
    """Tell lines of `label<TAB>text` from texts alone, of which some may have a tab."""
    return _share(lines, lambda line: "\t" in line) > 0.5


def _named(source: Source) -> str | None:
    return next((f for end, f in ENDINGS.items() if source.stem.lower().endswith(end)), None)


def _by_content(source: Source, sample: Sample, named: str | None) -> str:
    lines = sample.lines
    if lines[0].lstrip().startswith("{"):
        return "jsonl"
    if lines[0].lstrip().startswith("["):
        raise DataError(
            f"{source.name} begins with '[': a JSON array cannot be read; "
            "write one JSON object per line"
        )
    if _share(lines, lambda line: _SVMLIGHT_ROW.fullmatch(line) is not None) >= 0.5:
        return "svmlight"
    if named in ("csv", "svmlight"):
        return named
    if _are_labelled_texts(lines, surely=named == "tsv"):
        return "text"
    if named == "tsv":
        return named
    if guess_delimiter(sample) is None:
        raise DataError(
            f"{source.name}: cannot tell what it holds from its first line, {lines[0][:SHOWN]!r}",
            do="pass {format}, one of {formats}",
            formats=", ".join(FORMATS),
        )
    return "csv"


def _are_labelled_texts(lines: list[str], surely: bool = False) -> bool:
    """Tell `label<TAB>text` lines from a table with tabs: few labels, then several words.

    `surely`: the first label comes again, so it is not the name of a column.
    """
    parts = [line.split("\t", 1) for line in lines]
    given = [part[0].strip().lower() for part in parts]
    labels = set(given)
    return (
        (not surely or given.count(given[0]) > 1)
        and _share(lines, lambda line: line.count("\t") == 1) > 0.9
        and (given[0] not in USUAL_NAMES or given.count(given[0]) > 1)
        and max(len(label) for label in labels) <= MAX_LABEL
        and len(labels) <= max(2, len(lines) // 2)
        and _share([part[-1] for part in parts], lambda text: " " in text.strip()) > 0.5
    )


def _share(lines: list[str], is_so: Callable[[str], bool]) -> float:
    return sum(map(is_so, lines)) / len(lines)
