"""Files in: what a user names becomes rows, labels and a recipe for more of the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypedDict

from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.beside import Beside, check_nothing_beside
from rosenblatt.data.example_blocks import ExampleBlocks
from rosenblatt.data.examples import Examples
from rosenblatt.data.formats import FormatName
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.guessing import Asked, check_asked, check_there
from rosenblatt.data.missing import POLICIES, Missing
from rosenblatt.data.opening import open_file
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.rounded import note_on_rounded
from rosenblatt.data.source import Paths
from rosenblatt.data.table import Reading, TableFile
from rosenblatt.data.target import check_classes_of, labels_in
from rosenblatt.errors import ParameterError
from rosenblatt.types import ArrowStream


class HowToRead(TypedDict, total=False):
    """What `read` takes beside the data, and `text` and `category`: see `with_kinds`."""

    target: str | int | None
    format: FormatName | None
    missing: Missing | None
    bits: int
    symbols: bool
    delimiter: str | None
    header: bool | None
    zero_based: bool | Literal["auto"]
    max_bytes: int | None
    columns: Mapping[str, Asked] | None
    only: Sequence[str] | None
    drop: Sequence[str] | None
    group: str | None
    by_time: str | None
    recipe: Recipe | IndexedRecipe | None
    text: Sequence[str] | None
    category: Sequence[str] | None


def read(
    path: Paths | ArrowStream,
    *,
    target: str | int | None = None,
    format: FormatName | None = None,  # noqa: A002 - as users say it
    missing: Missing | None = None,
    bits: int = 20,
    symbols: bool = False,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | Literal["auto"] = "auto",
    max_bytes: int | None = None,
    columns: Mapping[str, Asked] | None = None,
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    group: str | None = None,
    by_time: str | None = None,
    amounts: bool = False,
    recipe: Recipe | IndexedRecipe | None = None,
) -> Examples:
    """Read `Examples` from a file, from standard input, a built-in set, or a frame.

    Numbers stay, booleans become 0 and 1, dates become days since 1970. A column in which nine of
    ten cells (or all but one) are such is one of them, and the other cells are an error. Another
    column of strings becomes one feature per value (`column=value`) when at most half of its
    values are different ones and there are at most 1000 of them, and words otherwise. What was
    guessed is said in `notes`. The index of a pandas frame is not read.

    Parameters
    ----------
    path : str, path, list of them, or frame
        A file: CSV, TSV, JSON lines, Parquet, Arrow (Feather), svmlight, or lines of
        `label<TAB>text`; also packed as .gz, .xz, .zst or .bz2. A folder is mail: the folders and
        mailboxes in it are the labels (docs/mail.md). "-" is standard input; "iris" and the like
        are built-in sets (a file of that name is "./iris"). A pattern such as "logs/*.csv" is all
        files that fit it, sorted. The rows of several files follow each other; their columns have
        the same names. Or a frame of pandas or polars, an Arrow table, or whatever else has
        `__arrow_c_stream__`.
    target : str, int or None, default=None
        The column of the labels, by name or by position (0 is the first, -1 the last). None: a
        column with a usual name (label, target, class, y, spam, ...), else the last one, or the
        first if the last is text.
    format : str or None, default=None
        "csv", "tsv", "jsonl", "parquet", "arrow", "svmlight", "text" or "mail"; None guesses from
        content and name.
    missing : {"error", "drop", "mean"} or None, default=None
        What to do about missing values, and about single cells that are no numbers in a column
        of numbers: refuse them, drop their rows, or put the column's mean (a category then has
        none of its features). None is "error", or as the recipe says.
    bits : int, default=20
        Text columns have 2^bits features each.
    symbols : bool, default=False
        Whether "$", "!" and other symbols in texts are words, each character by itself.
    delimiter : str or None, default=None
        What separates columns; " " is any run of blanks. None guesses.
    header : bool or None, default=None
        Whether the first line of a CSV file holds names. None guesses; without names the columns
        are called x1, x2, ...
    zero_based : bool or "auto", default="auto"
        Whether the indices of an svmlight file start at 0; "auto": if a 0 is there.
    max_bytes : int or None, default=None
        The most that a file may hold, unpacked. None: packed files may grow to 100 times their
        size and to 4 GiB.
    columns : dict or None, default=None
        What columns are, by their names, where the guess is wrong: "number", "date", "category"
        or "text". For the labels "text" means that they are taken as written (01 is not 1).
    only : list of str or None, default=None
        The columns to learn from. None: all but the labels.
    drop : list of str or None, default=None
        Columns that are not learned from.
    group : str or None, default=None
        A column that is not learned from: rows with the same value in it stay in one fold.
    by_time : str or None, default=None
        A column of dates, timestamps or numbers that is not learned from: validation learns from
        the earlier rows and tests on the later ones.
    amounts : bool, default=False
        The labels are amounts, for `LeastSquares`, and each may be another number.
    recipe : Recipe or IndexedRecipe or None, default=None
        `recipe` of the examples that a model learned from, to make the same features again; labels
        may then be left out.

    Returns
    -------
    examples : Examples
        With `X`, `y`, `feature_names`, `source`, `notes` and `recipe`.

    Examples
    --------
    >>> import rosenblatt
    >>> rosenblatt.read("xor").y
    array([-1,  1,  1, -1])
    >>> import pyarrow
    >>> rosenblatt.read(pyarrow.table({"x": [1.0, 7.0], "y": ["low", "high"]})).y
    array(['low', 'high'], dtype='<U4')
    """
    if missing is not None:
        check_choice(missing, "missing", POLICIES)
    asked = dict(columns or {})
    check_asked(asked)
    beside = Beside.of(group, by_time, only, drop)
    if recipe is not None:
        check_nothing_asked(asked)
        check_nothing_beside(vars(beside))
    how = Reading(delimiter=delimiter, header=header, zero_based=zero_based)
    said = {**asked, **beside.as_written}
    with open_file(path, how, said, format=format, recipe=recipe, max_bytes=max_bytes) as file:
        if recipe is not None:
            blocks = ExampleBlocks(file, recipe, missing)
            (examples,) = blocks
            return examples._replace(notes=blocks.notes, rounded=blocks.rounded)
        if isinstance(file, TableFile):
            found = _learned_from(file, target, missing or "error", bits, asked, beside, symbols)
            is_guessed = target is None and file.target is None and not amounts
            if is_guessed and found.y.dtype.kind != "f":  # amounts are for LeastSquares
                check_classes_of(found.y, str(found.recipe.target), file.name)  # type: ignore[union-attr]  # of a table
            return found
        beside.check_can_be(file)
        check_there(asked, (), file.name)
        return _from_svmlight(file)


def with_kinds(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return what `read` takes; `text` and `category`, lists of columns, become its `columns`.

    Examples
    --------
    >>> with_kinds({"target": "y", "text": ["title"]})
    {'target': 'y', 'columns': {'title': 'text'}}
    """
    found = dict(reading)
    kinds = {kind: found.pop(kind, None) or () for kind in ("text", "category")}
    twice = [name for name in kinds["text"] if name in kinds["category"]]
    if twice:
        raise ParameterError(
            f"{twice[0]!r} is to be read as text and as categories", do="say one of them"
        )
    said = {name: kind for kind, names in kinds.items() for name in names}
    return {**found, "columns": {**(found.get("columns") or {}), **said}} if said else found


def _learned_from(
    file: TableFile,
    target: str | int | None,
    missing: str,
    bits: int,
    asked: Mapping[str, str],
    beside: Beside,
    symbols: bool,
) -> Examples:
    recipe = Recipe.learn(file, target, missing, bits, asked, beside, symbols=symbols)
    found, chosen = file.whole(), str(recipe.target)
    table = recipe.rows_to_learn(found)
    y, written = labels_in(table, chosen, as_written=recipe.labels_as_written)
    recipe = replace(recipe, labels_as_written=written)
    X, names, _, texts, notes = recipe.apply(table)
    rounded = note_on_rounded(found, recipe.kinds)
    said = (*file.notes, *notes, *([rounded] if rounded else []))
    beside = recipe.beside
    groups, times = beside.groups_of(table), beside.times_of(table)
    return Examples(X, y, names, file.name, said, recipe, texts, rounded, groups, times)


def _from_svmlight(file: SvmlightFile) -> Examples:
    X, y = file.whole()
    said, names = (*file.notes, *file.remarks), file.recipe.feature_names
    return Examples(X, y, names, file.name, said, file.recipe, rounded=file.rounded)


def check_nothing_asked(columns: Mapping[str, str] | None) -> None:
    """Refuse to be told what columns are where a recipe knows it."""
    if columns:
        raise ParameterError(
            "what each column is, is known from training",
            do="leave out {columns}",
            in_shell="leave out --text and --category",
        )


def recipe_from_dict(facts: dict[str, Any]) -> Recipe | IndexedRecipe:
    """Return the recipe whose `to_dict` gave these facts.

    Examples
    --------
    >>> recipe_from_dict({"kind": "svmlight", "n_features": 3, "first": 1})
    IndexedRecipe(n_features=3, first=1)
    """
    kinds: dict[str, Any] = {"table": Recipe, "svmlight": IndexedRecipe}
    check_choice(facts.get("kind"), "kind", tuple(kinds))
    made: Recipe | IndexedRecipe = kinds[facts["kind"]].from_dict(facts)
    return made
