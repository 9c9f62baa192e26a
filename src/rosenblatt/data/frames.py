"""Frames in: pandas, polars, Arrow tables and all that has Arrow's stream, as our tables."""

from __future__ import annotations

import os
from typing import Any

from rosenblatt.data.columns import is_string
from rosenblatt.data.formats.arrow import without_index
from rosenblatt.data.table import KeptTable, Reading, Table
from rosenblatt.errors import DataError, ParameterError

STREAM = "__arrow_c_stream__"
NAME = "the frame"  # where a file has its path


def is_frame(data: Any) -> bool:
    """Tell whether something is a table in memory, with columns that have names.

    Examples
    --------
    >>> import pyarrow as pa
    >>> is_frame(pa.table({"x": [1, 2]})), is_frame([[1], [2]]), is_frame("table.csv")
    (True, False, False)
    """
    # one column of pandas, polars or Arrow is a stream, too
    is_table = hasattr(data, "columns") or hasattr(data, "column_names") or hasattr(data, "schema")
    return is_table and (hasattr(data, STREAM) or _is_of_pandas(data))


def frame_table(frame: Any) -> KeptTable:
    """Return a frame as a table to be read; the index of pandas is left out.

    Examples
    --------
    >>> import pyarrow as pa
    >>> frame_table(pa.table({"x": [1, 2], "y": ["a", "b"]})).whole().names
    ['x', 'y']
    """
    columns, notes = _as_arrow(frame), list[str]()
    if columns.num_columns == 0 or columns.num_rows == 0:
        raise DataError(f"{NAME} has no {'rows' if columns.num_columns else 'columns'}")
    file = KeptTable(without_index(Table(columns, NAME), notes))
    file.notes += notes
    return file


def check_takes_no_options(how: Reading, form: str | None) -> None:
    """Refuse to be told how a file is written, or kept on disk, where there is none."""
    given = {"format": form, "delimiter": how.delimiter, "header": how.header, "memory": how.memory}
    name = next((name for name, value in given.items() if value is not None), None)
    if name is not None:
        raise ParameterError(f"{NAME} is in memory and is no file", do=f"leave out {{{name}}}")


def check_is_path(data: Any) -> None:
    """Refuse what is neither the name of a file, nor several of them, nor a frame."""
    named = data if isinstance(data, list | tuple) else [data]
    if not all(isinstance(path, str | os.PathLike) for path in named):
        raise DataError(
            f"expected a file, the name of a built-in set, or a frame, got {type(data).__name__}",
            do="frames are those of pandas and polars, and Arrow tables; of arrays X and y learn "
            "with an estimator, as AveragedPerceptron().fit(X, y)",
            in_shell="",
        )


def _is_of_pandas(data: Any) -> bool:
    return hasattr(data, "iloc") and hasattr(data, "dtypes") and hasattr(data, "columns")


def _as_arrow(frame: Any) -> Any:
    import pyarrow as pa

    try:
        if _is_of_pandas(frame):  # not by its stream, which fails where objects are of many kinds
            return _of_pandas(frame)
        found = frame if isinstance(frame, pa.Table) else pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            f"{NAME} cannot be read as a table ({error})",
            do="make each of its columns one of numbers, booleans, dates or strings",
        ) from error
    columns = [_plain(values) for values in found.columns]
    table = pa.Table.from_arrays(columns, names=found.column_names)
    return table.replace_schema_metadata(found.schema.metadata)


def _of_pandas(frame: Any) -> Any:
    """Return a pandas frame as Arrow; a column with objects of several kinds as strings."""
    import pyarrow as pa

    columns = []
    for k in range(frame.shape[1]):
        values = frame.iloc[:, k]
        try:
            found = pa.chunked_array([pa.array(values, from_pandas=True)])
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            missing = values.isna()
            written = [None if gone else str(v) for v, gone in zip(values, missing, strict=True)]
            found = pa.chunked_array([pa.array(written, pa.string())])
        columns.append(_plain(found))
    return pa.Table.from_arrays(columns, names=[str(name) for name in frame.columns])


def _plain(values: Any) -> Any:
    """Return a column without the forms that Arrow's functions do not all know.

    Strings are views in polars, and numbers may be categories in pandas.
    """
    import pyarrow as pa

    if isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    kind = values.type
    if pa.types.is_dictionary(kind) and pa.types.is_string_view(kind.value_type):
        parts = [
            pa.DictionaryArray.from_arrays(part.indices, part.dictionary.cast(pa.string()))
            for part in values.chunks
        ]
        return pa.chunked_array(parts, pa.dictionary(kind.index_type, pa.string()))
    if pa.types.is_dictionary(kind) and not is_string(kind.value_type):
        return values.cast(kind.value_type)
    return values.cast(pa.large_string()) if pa.types.is_string_view(kind) else values
