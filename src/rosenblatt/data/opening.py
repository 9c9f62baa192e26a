"""The file that a user names, with its format: opened, and ready to be read in some way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np

from rosenblatt.checks.parameters import check_count
from rosenblatt.data.builtin import BUILTIN, load_builtin
from rosenblatt.data.formats import FORMATS, guess_format, guess_format_of_texts
from rosenblatt.data.formats.mail import MailFolder, is_named_as_mail
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.formats.text import LABEL, most_have_tabs
from rosenblatt.data.frames import check_is_path, check_takes_no_options, frame_table, is_frame
from rosenblatt.data.guessing import as_written
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.source import (
    FileSample,
    Opener,
    Source,
    first_as_it_is,
    open_source,
    take_sample,
    to_be_read_again,
)
from rosenblatt.data.table import KeptTable, Reading, Table, TableFile
from rosenblatt.errors import ParameterError


@contextmanager
def open_file(
    path: Any,
    how: Reading,
    asked: Mapping[str, str],
    *,
    format: str | None = None,  # noqa: A002 - as users say it
    recipe: Recipe | IndexedRecipe | None = None,
    max_bytes: int | None = None,
) -> Iterator[TableFile | SvmlightFile]:
    """Give what a user names, with a format, ready to be read as `how` says: a file or a frame."""
    if is_frame(path):
        check_takes_no_options(how, format)
        yield frame_table(path)
        return
    check_is_path(path)
    if max_bytes is not None:
        check_count(max_bytes=max_bytes)
    how = _as_known(how, asked, recipe)
    if isinstance(path, str) and path in BUILTIN:
        if format is not None or how.delimiter is not None:
            name = "delimiter" if format is None else "format"
            raise ParameterError(
                f"{path} is a built-in set",
                do=f"it takes no {{{name}}}; for a file of that name say ./{{path}}",
                path=path,
            )
        yield _builtin(path)
        return
    if format == "mail" or (format is None and is_named_as_mail(path)):
        yield MailFolder(path, how)
        return
    with open_source(path, max_bytes) as source:
        sample = take_sample(source)
        form, note = _format(source, sample, format, recipe)
        made = FORMATS[form].file
        if how.has_recipe and source.n_bytes and source.n_bytes < (how.block_bytes or 0):
            how = how._replace(block_bytes=None)  # nothing is read twice
        if form == "text" and recipe is not None:
            how = how._replace(with_labels=most_have_tabs(sample.lines))
        again = made.is_read_again or (how.has_recipe and issubclass(made, TableFile))
        once = how.as_it_comes and not made.any_place
        if once and source.n_bytes is None and not source.content.is_packed:
            source.content.do_not_wait()
        if how.block_bytes is None or not again or once:
            opened: AbstractContextManager[Opener] = nullcontext(first_as_it_is(source))
        else:
            opened = to_be_read_again(source, any_place=made.any_place)
        with opened as opener:
            file = made(opener, source.name, sample, how)
            file.notes[:0] = [note] if note else []
            file.n_bytes = None if made.any_place else source.n_bytes
            yield file


def _as_known(
    how: Reading, asked: Mapping[str, str], recipe: Recipe | IndexedRecipe | None
) -> Reading:
    """Return how a file is to be read, with what is asked and what is known from training."""
    if isinstance(recipe, IndexedRecipe):
        return how._replace(has_recipe=True, zero_based=recipe.first == 0)
    if recipe is None:
        return how._replace(as_text=as_written(asked))
    how = how._replace(has_recipe=True, as_text=recipe.text_columns)
    if recipe.has_texts_alone:  # lines of text and mail have the names that the model knows
        how = how._replace(names=(recipe.target or LABEL, recipe.columns[0].name))
    return how


def _format(
    source: Source,
    sample: FileSample,
    asked: str | None,
    recipe: Recipe | IndexedRecipe | None,
) -> tuple[str, str]:
    """Return what a file is, and a sentence about it; a model of texts reads texts."""
    if asked is None and isinstance(recipe, Recipe) and recipe.has_texts_alone:
        return guess_format_of_texts(source, sample, recipe.columns[0].name)
    return guess_format(source, sample, asked)


def _builtin(name: str) -> KeptTable:
    import pyarrow as pa

    X, y, names, source, *_ = load_builtin(name)
    columns = dict(zip(names, np.asarray(X).T.copy(), strict=True))
    table = Table(pa.table({**columns, "target": pa.array(y)}), source)
    return KeptTable(table, target="target")
