"""Text lines, `label<TAB>text`: everything after the first tab is the text, quotes and all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.blocks.label_codes import settled
from rosenblatt.data.buffers import Bytes, count
from rosenblatt.data.formats.lines import blocks_of_lines, checked_blocks
from rosenblatt.data.source import (
    BLANK_LINES,
    BYTE_ORDER_MARK,
    FileSample,
    Opener,
    Source,
    check_text,
    is_utf_8,
)
from rosenblatt.data.table import Reading, Table, TableFile, line_place
from rosenblatt.data.target import USUAL_NAMES, labels_of, stay_as_written
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import BINARY, DONE, NO_TAB, Strings, split_lines, take_labels
from rosenblatt.kernels.ngrams import Texts
from rosenblatt.types import Array

LABEL, TEXT = "label", "text"
FIRST_FIELD = "labels are the first field of each line"
BLOCK = 1 << 20  # bytes of text in a block
SHOWN = 40  # letters of a line in a message
MAX_LABEL = 40  # letters of a label in front of a text
LEAST_LINE = 2  # bytes: a tab and a newline


def looks_like_texts(lines: list[str], named: str | None) -> bool:
    """Tell `label<TAB>text` lines from a table with tabs: few labels, then several words.

    If the name is that of a table, the first label comes again, so it is not the name of a column.
    """
    parts = [line.split("\t", 1) for line in lines]
    given = [part[0].strip().lower() for part in parts]
    labels = set(given)
    return (
        named != "csv"
        and (named != "tsv" or given.count(given[0]) > 1)
        and _share(lines, lambda line: line.count("\t") == 1) > 0.9
        and (given[0] not in USUAL_NAMES or given.count(given[0]) > 1)
        and max(len(label) for label in labels) <= MAX_LABEL
        and len(labels) <= max(2, len(lines) // 2)
        and _share([part[-1] for part in parts], lambda text: " " in text.strip()) > 0.5
    )


def most_have_tabs(lines: list[str]) -> bool:
    """Tell lines of `label<TAB>text` from texts alone, of which some may have a tab."""
    return _share(lines, lambda line: "\t" in line) > 0.5


def _share(lines: list[str], is_so: Callable[[str], bool]) -> float:
    return sum(map(is_so, lines)) / len(lines)


class TextFile(TableFile):
    r"""A file of lines, each a label and a text, or a text alone.

    Its table has the columns "label" and "text", or "text" alone. `labelled` is the short way for
    learners that want the words and not the texts: nothing is copied.

    Examples
    --------
    >>> file = TextFile.of_bytes(b'ham\tsee you "there"\n', "sms")
    >>> file.whole().columns.to_pydict()
    {'label': ['ham'], 'text': ['see you "there"']}
    """

    no_rows = BLANK_LINES
    is_read_again = False
    without_columns = "lines of text"

    def __init__(self, opened: Opener, name: str, sample: FileSample, how: Reading) -> None:
        super().__init__(opened, name, sample, how)
        self.target, self.kinds = how.names[0], {how.names[1]: "text"}
        self.notes += [FIRST_FIELD] if how.with_labels else []
        self.is_typed = not how.with_labels
        self._has_words = False  # labels are words, whole numbers in some blocks

    def blocks(self, source: Source) -> Iterator[Table]:
        """Yield labels and texts."""
        source.content.end_lines_at_returns()
        for line, content in checked_blocks(source, self.how.block_bytes):
            yield Table(self._columns(content, line), self.name, line_place(content, line))

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column: labels are whole numbers if all of them are."""
        import pyarrow as pa

        again = any(len(types) > 1 for types in found.values())
        self._has_words = self._has_words or again
        types = {name: next(iter(types)) for name, types in found.items()}
        return types | ({self.how.names[0]: pa.string()} if again else {}), again

    def labelled(self, labels: TextLabels) -> Iterator[Labelled]:
        """Yield the texts of each block with the numbers of their labels."""
        with self._open() as source:
            yield from labelled_texts(source, labels, self.how.block_bytes or BLOCK)

    def _columns(self, content: Bytes, first_line: int) -> Any:
        import pyarrow as pa

        text = np.frombuffer(b"".join([content, b"\n"]), dtype=np.uint8)
        n_lines = count(content, b"\n") + 1
        labels, texts = _room(len(text), n_lines), _room(len(text), n_lines)
        n_rows, wrong = split_lines(text, labels, texts, self.how.with_labels)
        if wrong >= 0:
            line = count(content[:wrong], b"\n") + first_line
            raise no_tab(self.name, line, bytes(content[wrong : wrong + SHOWN]))
        label, column = self.how.names
        columns = {column: _arrow(texts, n_rows)}
        if self.how.with_labels:
            strings = _arrow(labels, n_rows)
            found = strings if self._has_words else whole_numbers_if_possible(strings)
            columns = {label: found, **columns}
        return pa.table(columns)


def no_tab(name: str, line: int, content: bytes) -> DataError:
    """Return the error for a line, which the content begins with, that has no tab."""
    shown = content[:SHOWN].split(b"\n")[0].decode(errors="replace")
    return DataError(f"{name}, line {line}: expected label<TAB>text, got no tab in {shown!r}")


def _room(n_bytes: int, n_lines: int) -> Strings:
    ends: Array = np.empty(n_lines + 1, dtype=np.int64)
    ends[0] = 0
    return Strings(np.empty(n_bytes, dtype=np.uint8), ends)


def _arrow(strings: Strings, n: int) -> Any:
    """Return the strings as an Arrow array, with 32-bit offsets if they fit."""
    import pyarrow as pa

    ends = strings.ends[: n + 1]
    data = pa.py_buffer(strings.data[: ends[-1]])
    if ends[-1] <= np.iinfo(np.int32).max:
        return pa.StringArray.from_buffers(n, pa.py_buffer(ends.astype(np.int32)), data)
    return pa.LargeStringArray.from_buffers(n, pa.py_buffer(ends), data)


def whole_numbers_if_possible(labels: Any) -> Any:
    """Return Arrow strings as numbers if all of them are whole numbers; 01 is none."""
    import pyarrow as pa

    if stay_as_written(labels.unique().to_pylist()):
        return labels
    try:
        return labels.cast(pa.int64())
    except pa.ArrowInvalid:
        return labels


class TextLabels:
    """The different labels met so far, numbered as they came."""

    def __init__(self) -> None:
        self._labels: list[bytes] = []
        self.known = Strings(np.empty(0, dtype=np.uint8), np.zeros(1, dtype=np.int64))

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, label: bytes) -> None:
        """Give a new label the next number."""
        self._labels.append(label)
        ends = np.cumsum([0, *map(len, self._labels)])
        data = np.frombuffer(b"".join(self._labels), dtype=np.uint8).copy()
        self.known = Strings(data, ends.astype(np.int64))

    def classes_and_ranks(self) -> tuple[Array, Array]:
        """Return the labels in order, and the place there of each number."""
        import pyarrow as pa

        strings = pa.array([label.decode() for label in self._labels], pa.string())
        return settled(labels_of(pa.chunked_array([whole_numbers_if_possible(strings)])))


class Labelled(NamedTuple):
    """The texts of a block and the numbers of their labels."""

    texts: Texts
    codes: Array


def labelled_texts(source: Source, labels: TextLabels, block_bytes: int) -> Iterator[Labelled]:
    """Yield the texts of each block that has any; labels that are new are added."""
    place = np.zeros(3, dtype=np.int64)
    source.content.end_lines_at_returns()
    for text, end in blocks_of_lines(source.content, block_bytes, one_buffer=False):
        block, first_line = text[:end], int(place[2]) + 1
        if not is_utf_8(block):
            check_text(block.tobytes(), source.name, first_line)
        if first_line == 1 and block[:3].tobytes() == BYTE_ORDER_MARK:
            block = block[3:]
        place[:2] = 0
        starts: Array = np.empty(len(block) // LEAST_LINE + 1, dtype=np.int64)
        codes: Array = np.empty(len(block) // LEAST_LINE + 1, dtype=np.int32)
        while (ended := take_labels(block, len(block), labels.known, starts, codes, place)) != DONE:
            line, rest = int(place[2]) + 1, block[place[0] :]
            if ended == BINARY:
                check_text(block.tobytes(), source.name)
            if ended == NO_TAB:
                raise no_tab(source.name, line, rest[:SHOWN].tobytes())
            labels.add(_label(rest, source.name, line))
        n = int(place[1])
        if n:
            starts[n] = len(block)
            block.flags.writeable = False  # kernels are compiled for such texts
            yield Labelled(Texts(block, starts[: n + 1].copy()), codes[:n].copy())


def _label(rest: Array, name: str, line: int) -> bytes:
    label = rest[: np.flatnonzero(rest == ord("\t"))[0]].tobytes()
    if not label.strip():
        raise DataError(f"{name}, line {line}: the label is missing; write one before the tab")
    return label
