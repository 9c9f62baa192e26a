"""What users have, files or Dask's collections, as blocks on the workers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rosenblatt.checks.parameters import check_choice, check_count
from rosenblatt.cluster.collections import ARRAY, BAG, FRAME, collection_kind, spread_collection
from rosenblatt.cluster.crew import DaskCrew
from rosenblatt.cluster.files import FileAsked, as_the_first_file, cut_file, files_of, read_part
from rosenblatt.cluster.parts import part_names
from rosenblatt.cluster.spread import Spread
from rosenblatt.cluster.tables import spread_tables
from rosenblatt.data.beside import Beside
from rosenblatt.data.formats import FormatName
from rosenblatt.data.formats.json import JsonLinesFile
from rosenblatt.data.formats.text import TextFile
from rosenblatt.data.frames import frame_table
from rosenblatt.data.guessing import Asked, check_asked
from rosenblatt.data.missing import POLICIES, Missing
from rosenblatt.data.recipe import check_options
from rosenblatt.data.table import Reading, TableFile
from rosenblatt.errors import DataError

PART_BYTES = 64 << 20


def spread(
    data: Any,
    *,
    target: Any = None,
    client: Any = None,
    part_bytes: int = PART_BYTES,
    format: FormatName | None = None,  # noqa: A002 - as users say it
    missing: Missing | None = None,
    bits: int = 20,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | Literal["auto"] = "auto",
    max_bytes: int | None = None,
    columns: Mapping[str, Asked] | None = None,
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> Spread:
    r"""Return blocks of rows whose parts are held, and for files read, by Dask's workers.

    Every estimator learns from them, `fit(blocks)`, and from Dask's arrays and frames themselves,
    `fit(X, y)`. What is the same to the bit as on one machine: docs/cluster.md.

    Parameters
    ----------
    data : str, path, list of them, or collection of Dask
        Files as for `read`, that all workers can read; addresses such as "s3://logs/*.parquet" are
        fsspec's. Or a dask.dataframe with any columns, a dask.array of numbers (dense, or blocks of
        SciPy's sparse rows), or a dask.bag of dicts or of `label<TAB>text` lines.
    target : str, int, collection of Dask or None, default=None
        The column of the labels, as for `read`; of a dask.array the labels themselves.
    client : dask.distributed.Client or None, default=None
        Whose workers; None is the current client, and Dask's threads if there is none.
    part_bytes : int, default=67108864
        Files that are larger are cut at line ends, or between the row groups of Parquet; packed
        files and Arrow's are one part each.
    format : str or None, default=None
        As for `read`, and so are all that follow; mail is read on one machine.
    missing : {"error", "drop", "mean"} or None, default=None
        What to do about missing values; means are those of all parts.
    bits : int, default=20
        Text columns have 2^bits features each.
    delimiter : str or None, default=None
        What separates columns. None guesses.
    header : bool or None, default=None
        Whether the first line of CSV files holds names. None guesses from the first file.
    zero_based : bool or "auto", default="auto"
        Whether the indices of svmlight start at 0; "auto": if a 0 is there, in any part.
    max_bytes : int or None, default=None
        The most that a file may hold, unpacked.
    columns : dict or None, default=None
        What columns are, by their names, where the guess is wrong.
    only : list of str or None, default=None
        The columns to learn from. None: all but the labels.
    drop : list of str or None, default=None
        Columns that are not learned from.

    Returns
    -------
    Spread
        Blocks with `classes`, `n_rows`, `n_features`, `n_parts`; of files and frames also `recipe`,
        `notes` and `source`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from rosenblatt import BernoulliNaiveBayes, spread
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, lines in {"a.csv": "x,y\n0,no\n1,yes\n", "b.csv": "x,y\n0,no\n"}.items():
    ...         _ = pathlib.Path(folder, name).write_text(lines)
    ...     blocks = spread(folder + "/*.csv", target="y")
    ...     model = BernoulliNaiveBayes().fit(blocks)
    >>> blocks.n_parts, blocks.n_rows, model.predict([[1.0]])
    (2, 3, array(['yes'], dtype='<U3'))
    """
    kind = collection_kind(data)
    if kind == ARRAY:
        return spread_collection(data, target, client=client)
    check_choice(zero_based, "zero_based", ("auto", True, False))
    check_count(part_bytes=part_bytes)
    if missing is not None:
        check_choice(missing, "missing", POLICIES)
    check_options(missing or "error", bits)
    asked, beside = dict(columns or {}), Beside.of(only=only, drop=drop)
    check_asked(asked)
    crew, notes = DaskCrew(client), tuple[str, ...]()
    if kind in (FRAME, BAG):
        made = {FRAME: _table_of_frame, BAG: _table_of_items}[str(kind)]
        given = data.to_delayed()
        names = part_names(len(given))
        parts = [crew.task(name, made, part) for name, part in zip(names, given, strict=True)]
    else:
        paths = files_of(data)
        if max_bytes is not None:
            check_count(max_bytes=max_bytes)
        reading = Reading(delimiter=delimiter, header=header, zero_based=zero_based)
        how = FileAsked(reading, {**asked, **beside.as_written}, format, max_bytes)
        pieces = [part for path in paths for part in cut_file(path, part_bytes)]
        names = part_names(len(pieces), [part.name for part in pieces])
        how = as_the_first_file(paths[0], how)
        same, notes = crew.constant(how), how.notes
        parts = [
            crew.task(name, read_part, crew.constant(part), same)
            for name, part in zip(names, pieces, strict=True)
        ]
    return spread_tables(
        crew,
        parts,
        names,
        target=target,
        missing=missing or "error",
        bits=bits,
        asked=asked,
        beside=beside,
        notes=notes,
    )


def _table_of_frame(frame: Any) -> TableFile | None:
    return frame_table(frame) if len(frame) else None


def _table_of_items(items: Any) -> TableFile | None:
    """Return what a partition of a bag holds: dicts as JSON lines, strings as lines of text."""
    items = list(items)
    if not items:
        return None
    strange = next((item for item in items if not isinstance(item, type(items[0]))), None)
    if strange is not None or not isinstance(items[0], dict | str):
        found = type(items[0] if strange is None else strange).__name__
        raise DataError(
            f"a bag must hold dicts, or strings that are a label, a tab and a text; got {found}"
        )
    if isinstance(items[0], dict):
        lines = [json.dumps(item, default=str) for item in items]
        return JsonLinesFile.of_bytes("\n".join(lines).encode(), "the bag")
    if any("\n" in item for item in items):
        raise DataError(
            "a text of the bag has several lines",
            do="put a blank where a line ends: text.replace('\\n', ' ')",
        )
    return TextFile.of_bytes("\n".join(items).encode(), "the bag")
