"""Predictions in a file, a row for each example: the old file or all of the new one is there.

.csv, .tsv, .parquet    label, score (of two classes), probability (of a model that has them)
.jsonl                  the lines of `predict --json`
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rosenblatt.errors import ParameterError
from rosenblatt.files import check_output, replace_file
from rosenblatt.model_file import Saved
from rosenblatt.workflows.apply import Prediction, is_of_amounts

DELIMITERS = {".csv": ",", ".tsv": "\t"}
ENDINGS = (*DELIMITERS, ".jsonl", ".parquet")
BATCH = 1 << 14  # rows at a time
COPIED = 1 << 20  # bytes at a time


def check_predictions_file(path: str) -> None:
    """Refuse a file that cannot be made, or whose name does not tell what it is to hold."""
    if Path(path).suffix.lower() not in ENDINGS:
        kinds = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise ParameterError(f"{path} must end with {kinds}, so that its kind is known")
    check_output(path)


def write_predictions(
    path: str, saved: Saved, found: Iterable[Prediction], line: Callable[[Prediction], str]
) -> int:
    """Write what a model says of each example; return how many there are.

    `line` is a prediction as JSON. After an error, of the data or of the disk, nothing is written.
    """
    ending, rows = Path(path).suffix.lower(), _Counted(found)
    if ending == ".parquet":
        parts = _as_parquet(saved, rows)
    elif ending == ".jsonl":
        parts = (f"{line(row)}\n".encode() for row in rows)
    else:
        parts = _as_lines(saved, rows, DELIMITERS[ending])
    try:
        replace_file(check_output(path), parts)
    except OSError as error:
        raise ParameterError(f"{path} cannot be written: {error.strerror or error}") from error
    return rows.n


class _Counted:
    """Predictions, counted while they are gone through."""

    def __init__(self, found: Iterable[Prediction]) -> None:
        self.n, self._found = 0, found

    def __iter__(self) -> Iterator[Prediction]:
        for one in self._found:
            self.n += 1
            yield one


def _columns(saved: Saved) -> list[str]:
    """Return what is told of each example in a table."""
    if is_of_amounts(saved):
        return ["label"]
    has_one_score, has_more = len(saved.classes) == 2, hasattr(saved.model, "predict_proba")
    return ["label", *["score"] * has_one_score, *["probability"] * has_more]


def _as_lines(saved: Saved, rows: Iterable[Prediction], delimiter: str) -> Iterator[bytes]:
    names, text = _columns(saved), io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(names)
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        writer.writerows([getattr(row, name) for name in names] for row in batch)
        yield text.getvalue().encode("utf-8", errors="surrogatepass")
        text.seek(0)
        text.truncate()


def _as_parquet(saved: Saved, rows: Iterable[Prediction]) -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    labels: Any = pa.float64()
    if not is_of_amounts(saved):
        labels = pa.array(saved.classes.tolist()).type
    types = {"label": labels, "score": pa.float64(), "probability": pa.float64()}
    schema = pa.schema([(name, types[name]) for name in _columns(saved)])
    with tempfile.TemporaryFile(prefix="rosenblatt-") as waiting:
        remaining = iter(rows)
        with parquet.ParquetWriter(waiting, schema) as writer:
            while batch := list(islice(remaining, BATCH)):
                columns = {name: [getattr(row, name) for row in batch] for name in schema.names}
                writer.write_table(pa.table(columns, schema=schema))
        waiting.seek(0)
        while part := waiting.read(COPIED):
            yield part
