"""Text lines, `label<TAB>text`: everything after the first tab is the text, quotes and all."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.data.buffers import Bytes, count
from rosenblatt.data.sample import check_text
from rosenblatt.data.table import Table, line_place
from rosenblatt.data.target import stay_as_written
from rosenblatt.errors import DataError
from rosenblatt.kernels.lines import Strings, split_lines

LABEL, TEXT = "label", "text"
SHOWN = 40


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
