"""Files in: what a user names becomes rows, labels and a recipe for more of the same."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.checks.parameters import check_choice, check_count
from rosenblatt.data.builtin import BUILTIN, load_builtin
from rosenblatt.data.examples import Examples
from rosenblatt.data.formats import guess_format, guess_format_of_texts, most_have_tabs
from rosenblatt.data.formats.arrow import read_arrow, read_parquet, without_index
from rosenblatt.data.formats.csv import read_delimited
from rosenblatt.data.formats.json import read_json_lines
from rosenblatt.data.formats.mail import is_named_as_mail, read_mail, table_of_messages
from rosenblatt.data.formats.svmlight import IndexedRecipe, read_svmlight
from rosenblatt.data.formats.text import LABEL, TEXT, read_text_lines
from rosenblatt.data.guessing import as_written, check_asked, check_there
from rosenblatt.data.missing import POLICIES
from rosenblatt.data.recipe import Features, Recipe, learn_recipe
from rosenblatt.data.rounded import note_on_rounded
from rosenblatt.data.source import Sample, Source, open_source, take_sample
from rosenblatt.data.table import Table
from rosenblatt.data.target import check_classes_of, choose_target, labels_in
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.mail.message.boxes import read_stream
from rosenblatt.types import Array

NO_LABELS: Array = np.empty(0, dtype=object)


def read(
    path: str | os.PathLike[str],
    *,
    target: str | int | None = None,
    format: str | None = None,  # noqa: A002 - as users say it
    missing: str | None = None,
    bits: int = 20,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | str = "auto",
    max_bytes: int | None = None,
    columns: Mapping[str, str] | None = None,
    recipe: Recipe | IndexedRecipe | None = None,
) -> Examples:
    """Read `Examples` from a file, from standard input, or a built-in set.

    Numbers stay, booleans become 0 and 1, dates become days since 1970. A column in which nine of
    ten cells (or all but one) are such is one of them, and the other cells are an error. Another
    column of strings becomes one feature per value (`column=value`) when at most half of its
    values are different ones and there are at most 1000 of them, and words otherwise. What was
    guessed is said in `notes`. The index of a pandas frame is not read.

    Parameters
    ----------
    path : str or path
        A file: CSV, TSV, JSON lines, Parquet, Arrow (Feather), svmlight, or lines of
        `label<TAB>text`; also packed as .gz, .xz, .zst or .bz2. A folder is mail: the folders and
        mailboxes in it are the labels (docs/mail.md). "-" is standard input; "iris" and the like
        are built-in sets (a file of that name is "./iris").
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
    """
    if missing is not None:
        check_choice(missing, "missing", POLICIES)
    if max_bytes is not None:
        check_count(max_bytes=max_bytes)
    asked = dict(columns or {})
    check_asked(asked)
    if asked and recipe is not None:
        raise ParameterError(
            "what each column is, is known from training",
            do="leave out {columns}",
            in_shell="leave out --text and --category",
        )
    if isinstance(path, str) and path in BUILTIN:
        if format is not None or delimiter is not None:
            name = "delimiter" if format is None else "format"
            raise ParameterError(
                f"{path} is a built-in set",
                do=f"it takes no {{{name}}}; for a file of that name say ./{{path}}",
                path=path,
            )
        table = _builtin_table(path)
        return _from_table(table, target or "target", missing, bits, asked, recipe)
    if format == "mail" or (format is None and is_named_as_mail(path)):
        table = _named_as_learned(read_mail(path, labels_needed=recipe is None), recipe)
        return _from_table(table, target or LABEL, missing, bits, asked, recipe)
    with open_source(path, max_bytes) as source:
        sample = take_sample(source)
        form, note = _format(source, sample, format, recipe)
        notes = [note] if note else []
        if form == "svmlight":
            check_there(asked, (), source.name)
            return _from_svmlight(source, zero_based, notes, recipe)
        as_text = recipe.text_columns if isinstance(recipe, Recipe) else as_written(asked)
        with_labels = form == "text" and (recipe is None or most_have_tabs(sample.lines))
        table = _read_table(source, sample, form, delimiter, header, as_text, with_labels)
        table.notes[:0] = notes
        if with_labels:
            target = LABEL if target is None else target
            table.notes.append("labels are the first field of each line")
        if form in ("text", "mail"):
            table = _named_as_learned(table, recipe)
        return _from_table(table, target, missing, bits, asked, recipe)


def _format(
    source: Source,
    sample: Sample,
    asked: str | None,
    recipe: Recipe | IndexedRecipe | None,
) -> tuple[str, str]:
    """Return what a file is, and a sentence about it; a model of texts reads texts."""
    if asked is None and isinstance(recipe, Recipe) and recipe.has_texts_alone:
        return guess_format_of_texts(source, sample, recipe.columns[0].name)
    return guess_format(source, sample, asked)


def _named_as_learned(table: Table, recipe: Recipe | IndexedRecipe | None) -> Table:
    """Return lines of text or mail with the names of the columns that a model of texts knows."""
    if not isinstance(recipe, Recipe) or not recipe.has_texts_alone:
        return table
    names = {TEXT: recipe.columns[0].name, LABEL: recipe.target or LABEL}
    columns = table.columns.rename_columns([names[name] for name in table.names])
    return replace(table, columns=columns, kinds={names[TEXT]: "text"})


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


def _builtin_table(name: str) -> Table:
    import pyarrow as pa

    X, y, names, source, *_ = load_builtin(name)
    columns = dict(zip(names, np.ascontiguousarray(X.T), strict=True))
    return Table(pa.table({**columns, "target": pa.array(y)}), source)


def _read_table(
    source: Source,
    sample: Sample,
    form: str,
    delimiter: str | None,
    header: bool | None,
    as_text: tuple[str, ...],
    with_labels: bool,
) -> Table:
    if form in ("parquet", "arrow"):
        table = read_parquet(source) if form == "parquet" else read_arrow(source)
        return without_index(table, table.notes)
    if form == "mail":
        return table_of_messages(read_stream(source.content.read, source.name), source.name)
    if form == "text":
        source.content.end_lines_at_returns()
    content = source.read_all()
    if form == "jsonl":
        return read_json_lines(content, source.name)
    if form == "text":
        return read_text_lines(content, source.name, with_labels=with_labels)
    if form == "tsv" and delimiter is None:
        delimiter = "\t"
    return read_delimited(
        content, source.name, sample, delimiter=delimiter, header=header, as_text=as_text
    )


def _from_table(
    table: Table,
    target: str | int | None,
    missing: str | None,
    bits: int,
    asked: Mapping[str, str],
    recipe: Recipe | IndexedRecipe | None,
) -> Examples:
    if isinstance(recipe, IndexedRecipe):
        raise DataError(f"{table.name} is a table, but the model learned from an svmlight file")
    if recipe is None:
        return _learned_from(table, target, missing or "error", bits, asked)
    rounded = note_on_rounded(table, recipe.kinds)
    features = recipe.apply(table, missing)
    y = NO_LABELS
    if recipe.target in table.names:
        kept = table if features.rows is None else table.only(features.rows)
        y, _ = labels_in(kept, str(recipe.target), as_written=recipe.labels_as_written)
    return _examples(features, y, table.name, recipe, rounded)


def _learned_from(
    table: Table, target: str | int | None, missing: str, bits: int, asked: Mapping[str, str]
) -> Examples:
    chosen, note = choose_target(table, target, {**table.kinds, **asked})
    if note:
        table.notes.append(note)
    found = table
    recipe, table, _ = learn_recipe(found, chosen, missing, bits, asked)
    y, written = labels_in(table, chosen, as_written=chosen in as_written(asked))
    if note and y.dtype.kind != "f":  # amounts are for LeastSquares; whole numbers may be either
        check_classes_of(y, chosen, table.name)
    recipe = replace(recipe, labels_as_written=written)
    rounded = note_on_rounded(found, recipe.kinds)
    return _examples(recipe.apply(table), y, table.name, recipe, rounded)


def _examples(features: Features, y: Array, name: str, recipe: Recipe, rounded: str) -> Examples:
    X, names, _, texts, notes = features
    said = (*notes, *([rounded] if rounded else []))
    return Examples(X, y, names, name, said, recipe, texts, rounded)


def _from_svmlight(
    source: Source,
    zero_based: bool | str,
    notes: list[str],
    recipe: Recipe | IndexedRecipe | None,
) -> Examples:
    if isinstance(recipe, Recipe):
        raise DataError(f"{source.name} is an svmlight file, but the model learned from a table")
    if recipe is not None:
        zero_based = recipe.first == 0
    rows = read_svmlight(source.content, source.name, zero_based, source.n_bytes)
    if recipe is None:
        recipe = IndexedRecipe(rows.X.shape[1], rows.first)
        notes.append("labels are the first field of each line")
        if zero_based == "auto":
            notes.append(f"indices start at {rows.first} (guessed)")
    X, more = recipe.apply(rows)
    if X.dtype == bool:
        more.append("every value is 1: read as presence rows (a matrix of bool)")
    if rows.has_query_ids:
        more.append("query ids (qid) are not used")
    said = (*notes, *more, *([rows.rounded] if rows.rounded else []))
    names = recipe.feature_names
    return Examples(X, rows.y, names, source.name, said, recipe, rounded=rows.rounded)
