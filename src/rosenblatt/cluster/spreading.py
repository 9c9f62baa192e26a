"""What users have, files or Dask's collections, as blocks on the workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from rosenblatt.checks.parameters import check_choice, check_count
from rosenblatt.cluster.collections import ARRAY, BAG, FRAME, collection_kind, spread_collection
from rosenblatt.cluster.crew import DaskCrew, Here
from rosenblatt.cluster.files import FileAsked, as_the_first_file, cut_file, files_of, read_part
from rosenblatt.cluster.parts import part_names
from rosenblatt.cluster.spread import Spread
from rosenblatt.cluster.tables import spread_tables
from rosenblatt.data.beside import Beside
from rosenblatt.data.example_blocks import ExampleBlocks
from rosenblatt.data.formats import FormatName
from rosenblatt.data.formats.json import JsonLinesFile
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.formats.text import TextFile
from rosenblatt.data.frames import frame_table
from rosenblatt.data.guessing import Asked, check_asked
from rosenblatt.data.missing import POLICIES, Missing
from rosenblatt.data.recipe import Recipe, check_options
from rosenblatt.data.table import Reading, TableFile
from rosenblatt.errors import DataError

PART_BYTES = 64 << 20
T = TypeVar("T")


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
    if collection_kind(data) == ARRAY:
        return spread_collection(data, target, client=client)
    return spread_examples(
        data,
        target=target,
        client=client,
        part_bytes=part_bytes,
        format=format,
        missing=missing,
        bits=bits,
        delimiter=delimiter,
        header=header,
        zero_based=zero_based,
        max_bytes=max_bytes,
        columns=columns,
        only=only,
        drop=drop,
    )


def spread_examples(
    data: Any,
    *,
    target: Any = None,
    client: Any = None,
    part_bytes: int = PART_BYTES,
    format: str | None = None,  # noqa: A002 - as users say it
    missing: str | None = None,
    bits: int = 20,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | str = "auto",
    max_bytes: int | None = None,
    columns: Mapping[str, str] | None = None,
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    ngrams: int | None = None,
    symbols: bool = False,
) -> Spread:
    """Return files, or a frame or bag of Dask, as blocks; `ngrams` as for `spread_tables`."""
    kind = collection_kind(data)
    check_choice(zero_based, "zero_based", ("auto", True, False))
    check_count(part_bytes=part_bytes)
    if missing is not None:
        check_choice(missing, "missing", POLICIES)
    check_options(missing or "error", bits, symbols)
    asked, beside = dict(columns or {}), Beside.of(only=only, drop=drop)
    check_asked(asked)
    crew, notes = DaskCrew(client), tuple[str, ...]()
    if kind in (FRAME, BAG):
        made = {FRAME: _table_of_frame, BAG: _table_of_items}[str(kind)]
        given = data.to_delayed()
        names = part_names(len(given))
        parts = [crew.task(name, made, part) for name, part in zip(names, given, strict=True)]
    else:
        if max_bytes is not None:
            check_count(max_bytes=max_bytes)
        reading = Reading(delimiter=delimiter, header=header, zero_based=zero_based)
        how = FileAsked(reading, {**asked, **beside.as_written}, format, max_bytes)
        parts, names, notes = file_parts(crew, data, how, part_bytes)
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
        ngrams=ngrams,
        symbols=symbols,
    )


def file_parts(
    crew: Here, data: Any, how: FileAsked, part_bytes: int = PART_BYTES
) -> tuple[list[Any], list[str], tuple[str, ...]]:
    """Return files as parts that are opened where they are read, their names, and what to note."""
    paths = files_of(data)
    pieces = [part for path in paths for part in cut_file(path, part_bytes)]
    names = part_names(len(pieces), [part.name for part in pieces])
    how = as_the_first_file(paths[0], how)
    same = crew.constant(how)
    parts = [
        crew.task(name, read_part, part, same) for name, part in zip(names, pieces, strict=True)
    ]
    return parts, names, how.notes


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


def each_part(
    data: Any,
    recipe: Recipe | IndexedRecipe,
    answer: Callable[[ExampleBlocks], T],
    client: Any,
    notes: list[str],
    *,
    missing: str | None = None,
    format: str | None = None,  # noqa: A002 - as users say it
    delimiter: str | None = None,
) -> Iterator[T]:
    """Yield what `answer` makes of the examples of each part; `notes` grow on the way.

    What `answer` returns has to be whole: the examples are gone when the part is done.
    """
    if missing is not None:
        check_choice(missing, "missing", POLICIES)
    crew = DaskCrew(client)
    asked = FileAsked(Reading(delimiter=delimiter), {}, format, None, recipe=recipe)
    parts, names, said = file_parts(crew, data, asked)
    notes += said
    (how,) = crew.kept([crew.constant((recipe, missing, answer))])
    tasks = (crew.task(name, _asked, part, how) for part, name in zip(parts, names, strict=True))
    for found, said in crew.in_order(tasks):
        notes += [note for note in said if note not in notes]
        if found is not None:
            yield found


def _asked(file: TableFile | SvmlightFile | None, how: Any) -> tuple[Any, tuple[str, ...]]:
    if file is None:
        return None, ()
    recipe, missing, answer = how
    blocks = ExampleBlocks(file, recipe, missing)
    found = answer(blocks)
    return found, blocks.notes
