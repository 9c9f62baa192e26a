"""Text lines, `label<TAB>text`: everything after the first tab is the text, quotes and all.

Lines of `label<TAB>text`, block by block: labels are taken out, what is left is texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.blocks.label_codes import settled
from rosenblatt.data.buffers import Bytes, count
from rosenblatt.data.formats.lines import blocks_of_lines
from rosenblatt.data.source import BYTE_ORDER_MARK, Source, check_text, is_utf_8
from rosenblatt.data.table import Table, line_place
from rosenblatt.data.target import labels_of, stay_as_written
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import BINARY, DONE, NO_TAB, Strings, split_lines, take_labels
from rosenblatt.kernels.ngrams import Texts
from rosenblatt.types import Array

LABEL, TEXT = "label", "text"
SHOWN = 40
LEAST_LINE = 2  # bytes: a tab and a newline


def read_text_lines(content: Bytes, name: str, *, with_labels: bool = True) -> Table:
    r"""Return a table with the columns "label" and "text", or of texts alone: "text".

    Examples
    --------
    >>> read_text_lines(b'ham\tsee you "there"\n', "sms").columns.to_pydict()
    {'label': ['ham'], 'text': ['see you "there"']}
    """
    import pyarrow as pa

    content = check_text(content, name)
    text = np.frombuffer(b"".join([content, b"\n"]), dtype=np.uint8)
    n_lines = count(content, b"\n") + 1
    labels, texts = _room(len(text), n_lines), _room(len(text), n_lines)
    n_rows, wrong = split_lines(text, labels, texts, with_labels)
    if wrong >= 0:
        line = count(content[:wrong], b"\n") + 1
        raise no_tab(name, line, bytes(content[wrong : wrong + SHOWN]))
    if n_rows == 0:
        raise DataError(f"{name} has no rows, blank lines only")
    columns = {TEXT: _arrow(texts, n_rows)}
    if with_labels:
        columns = {LABEL: whole_numbers_if_possible(_arrow(labels, n_rows)), **columns}
    return Table(pa.table(columns), name, line_place(content), kinds={TEXT: "text"})


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
