"""The files that a user names, with their format: opened, and ready to be read in some way."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.checks.parameters import check_count
from rosenblatt.data.builtin import BUILTIN, load_builtin
from rosenblatt.data.formats import FORMATS, guess_format, guess_format_of_texts
from rosenblatt.data.formats.csv import DelimitedFile
from rosenblatt.data.formats.mail import MailFolder, is_named_as_mail
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.formats.text import LABEL, most_have_tabs
from rosenblatt.data.frames import check_is_path, check_takes_no_options, frame_table, is_frame
from rosenblatt.data.guessing import as_written
from rosenblatt.data.joined import join_files
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.source import (
    FileSample,
    Opener,
    Source,
    first_as_it_is,
    open_source,
    paths_of,
    take_sample,
    to_be_read_again,
)
from rosenblatt.data.table import KeptTable, Reading, Table, TableFile
from rosenblatt.errors import ParameterError


class _Asked(NamedTuple):
    """What is asked of each file."""

    format: str | None
    recipe: Recipe | IndexedRecipe | None
    max_bytes: int | None


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
    """Give what a user names, with a format, ready to be read as `how` says: files or a frame."""
    if is_frame(path):
        check_takes_no_options(how, format)
        yield frame_table(path)
        return
    check_is_path(path)
    if max_bytes is not None:
        check_count(max_bytes=max_bytes)
    how, each = _as_known(how, asked, recipe), _Asked(format, recipe, max_bytes)
    first, *others = paths_of(path)
    if not others:
        with _open_alone(first, how, each) as file:
            yield file
        return
    with ExitStack() as stack:
        files = [_open_among(first, how, each, stack)]
        like_first = _as_in_first(files[0], how)
        for other in others:
            same = os.path.splitext(other)[1] == os.path.splitext(first)[1]
            form = _name_of(files[0]) if same and format is None else format
            files.append(_open_among(other, like_first, each._replace(format=form), stack))
        yield join_files(files, how)


def file_of(
    source: Source,
    opener: Opener,
    how: Reading,
    asked: Mapping[str, str],
    *,
    format: str | None = None,  # noqa: A002 - as users say it
    recipe: Recipe | IndexedRecipe | None = None,
) -> TableFile | SvmlightFile:
    """Return the file whose first bytes a source has, and whose rows are those of `opener`."""
    how = _as_known(how, asked, recipe)
    return _look_at(source, how, _Asked(format, recipe, source.max_bytes)).file(opener, source)


def _as_in_first(first: TableFile | SvmlightFile, how: Reading) -> Reading:
    """Return how later files are read: all of them have names in their first row, or none has."""
    if how.header is not None or not isinstance(first, DelimitedFile):
        return how
    return how._replace(header=first.dialect.header)


def _name_of(file: TableFile | SvmlightFile) -> str | None:
    return next((name for name, form in FORMATS.items() if form.file is type(file)), None)


@contextmanager
def _open_alone(
    path: str | os.PathLike[str], how: Reading, each: _Asked
) -> Iterator[TableFile | SvmlightFile]:
    file = _without_opening(path, how, each)
    if file is not None:
        yield file
        return
    with open_source(path, each.max_bytes) as source:
        known = _look_at(source, how, each)
        made, how = known.made, known.how
        if how.has_recipe and source.n_bytes and source.n_bytes < (how.block_bytes or 0):
            how = how._replace(block_bytes=None)  # nothing is read twice
        again = made.is_read_again or (how.has_recipe and issubclass(made, TableFile))
        once = how.as_it_comes and not made.any_place
        if once and source.n_bytes is None and not source.content.is_packed:
            source.content.do_not_wait()
        if how.block_bytes is None or not again or once:
            opened: AbstractContextManager[Opener] = nullcontext(first_as_it_is(source))
        else:
            opened = to_be_read_again(source, any_place=made.any_place)
        with opened as opener:
            yield known._replace(how=how).file(opener, source)


def _open_among(
    path: str | os.PathLike[str], how: Reading, each: _Asked, stack: ExitStack
) -> TableFile | SvmlightFile:
    """Return one of several files, which is opened when its turn comes: there may be thousands."""
    file = _without_opening(path, how, each)
    if file is not None:
        return file
    name = os.fspath(path)
    if not os.path.isfile(name):  # standard input, a pipe, or nothing
        source = stack.enter_context(open_source(path, each.max_bytes))
        known = _look_at(source, how, each)
        return known.file(stack.enter_context(to_be_read_again(source, any_place=True)), source)
    with open_source(path, each.max_bytes) as source:
        known = _look_at(source, how, each)
        again = partial(_opened_again, name, each.max_bytes, any_place=known.made.any_place)
        return known.file(again, source)


@contextmanager
def _opened_again(name: str, max_bytes: int | None, any_place: bool) -> Iterator[Source]:
    with open_source(name, max_bytes) as source:
        if not any_place:
            yield source
            return
        with to_be_read_again(source, any_place=True) as opener, opener() as again:
            yield again


def _without_opening(
    path: str | os.PathLike[str], how: Reading, each: _Asked
) -> TableFile | SvmlightFile | None:
    """Return a built-in set, or mail, which is in many files."""
    if isinstance(path, str) and path in BUILTIN:
        if each.format is not None or how.delimiter is not None:
            name = "delimiter" if each.format is None else "format"
            raise ParameterError(
                f"{path} is a built-in set",
                do=f"it takes no {{{name}}}; for a file of that name say ./{{path}}",
                path=path,
            )
        return _builtin(path)
    if each.format == "mail" or (each.format is None and is_named_as_mail(path)):
        return MailFolder(path, how)
    return None


class _Known(NamedTuple):
    """What the first bytes of a file tell."""

    made: type[TableFile | SvmlightFile]
    sample: FileSample
    how: Reading
    note: str

    def file(self, opener: Opener, source: Source) -> TableFile | SvmlightFile:
        """Return the file, which `opener` opens."""
        file = self.made(opener, source.name, self.sample, self.how)
        file.notes[:0] = [self.note] if self.note else []
        file.n_bytes = None if self.made.any_place else source.n_bytes
        return file


def _look_at(source: Source, how: Reading, each: _Asked) -> _Known:
    sample = take_sample(source)
    form, note = _format(source, sample, each.format, each.recipe)
    if form == "text" and each.recipe is not None:
        how = how._replace(with_labels=most_have_tabs(sample.lines))
    return _Known(FORMATS[form].file, sample, how, note)


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

    found = load_builtin(name)
    is_numbers = found.texts is None
    columns: Any = {"text": found.texts}
    if is_numbers:
        columns = dict(zip(found.feature_names, np.asarray(found.X).T.copy(), strict=True))
    table = Table(pa.table({**columns, "target": pa.array(found.y)}), found.source)
    file = KeptTable(table, target="target")
    file.kinds = {} if is_numbers else {"text": "text"}
    return file
