"""Lines of `label<TAB>text`, block by block: labels are taken out, what is left is texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.data.label_codes import settled
from rosenblatt.data.line_blocks import blocks_of_lines
from rosenblatt.data.sample import BYTE_ORDER_MARK, check_text, is_utf_8
from rosenblatt.data.source import Source
from rosenblatt.data.target import labels_of
from rosenblatt.data.text_lines import SHOWN, no_tab, whole_numbers_if_possible
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import BINARY, DONE, NO_TAB, Strings, take_labels
from rosenblatt.kernels.ngrams import Texts

LEAST_LINE = 2  # bytes: a tab and a newline


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
