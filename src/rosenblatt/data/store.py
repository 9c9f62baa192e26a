"""The rows of a file as blocks on disk, read within a given memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from rosenblatt.blocks import Blocks
from rosenblatt.blocks.label_codes import whole_if_possible
from rosenblatt.blocks.stored import BLOCK_BYTES, StoreWriter
from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.beside import Beside
from rosenblatt.data.builtin import BUILTIN
from rosenblatt.data.columns import Column
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.formats.text import LABEL, TEXT, Labelled, TextFile, TextLabels
from rosenblatt.data.guessing import check_asked, check_there
from rosenblatt.data.joined import JoinedTables
from rosenblatt.data.missing import all_missing, dropped
from rosenblatt.data.opening import open_file
from rosenblatt.data.recipe import Recipe, check_options
from rosenblatt.data.rounded import note_on_rounded
from rosenblatt.data.source import Paths
from rosenblatt.data.table import Notes, Reading, Table, TableFile
from rosenblatt.data.target import LabelsInBlocks, check_number_of_classes
from rosenblatt.data.text_blocks import rows_of_texts
from rosenblatt.data.word_columns import Vocabularies
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.svmlight import MAX_INDEX
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array

MEGABYTE = 1 << 20
LEAST_MEMORY = 16 * MEGABYTE
# Arrow's reader keeps memory of its own: 37 MB were measured, whatever the size of the blocks
LEAST_FOR_TABLES = 64 * MEGABYTE
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
ENOUGH = 4 * MEGABYTE  # bytes of a block for several threads, each with rooms of its own
SHARE = 32  # a block takes so small a part of the memory: reading one takes a dozen times its size


@dataclass(frozen=True)
class FileBlocks:
    """The rows of a file in blocks, and what is known about the file."""

    blocks: Blocks
    recipe: Recipe | IndexedRecipe
    notes: tuple[str, ...]
    source: str
    rounded: str = ""  # about whole numbers that a float does not hold, if there are any
    groups: Array | None = None  # as in `Examples`
    times: Array | None = None


@contextmanager
def open_blocks(
    path: Paths,
    *,
    memory: int | str,
    words: Vocabularies | None = None,
    counts: bool = False,
    **how: Any,
) -> Iterator[FileBlocks]:
    r"""Give the rows of a file that may be larger than memory, in blocks.

    Parameters
    ----------
    path : str or path
        As for `read`.
    memory : int or str
        What reading may take: bytes, or a number with KB, MB or GB. The rows are on disk, in files
        that are gone at the end.
    words : Vocabularies or None, default=None
        Learn the names of the words of texts that are not kept in memory.
    counts : bool, default=False
        Count the words, where a column of texts is all there is.
    **how
        What `read` takes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "points.svm")
    ...     _ = path.write_text("-1 1:1\n-1 1:2\n1 1:7\n1 1:8\n")
    ...     with open_blocks(path, memory="100MB") as file:
    ...         (file.blocks.n_rows, file.blocks.classes, file.recipe.n_features)
    (4, array([-1,  1]), 1)
    """
    allowed = n_bytes_of(memory)
    with (
        StoreWriter(block_bytes=min(BLOCK_BYTES, allowed // SHARE)) as writer,
        _stored(writer, path, memory=allowed, words=words, counts=counts, **how) as file,
    ):
        yield file


def n_bytes_of(memory: int | str) -> int:
    """Return a number of bytes, given as one or as "200MB" or "200M".

    Examples
    --------
    >>> n_bytes_of("200MB")
    209715200
    """
    text = str(memory).strip().upper().removesuffix("B")
    unit = next((unit for unit in UNITS if text.endswith(unit)), "")
    try:
        found = int(float(text.removesuffix(unit)) * UNITS.get(unit, 1))
    except (ValueError, OverflowError):
        raise ParameterError(
            f"must be a number of bytes, or one with K, M or G as 500M, got {memory!r}",
            about="memory",
        ) from None
    if found < LEAST_MEMORY:
        raise ParameterError(
            f"must be at least {LEAST_MEMORY // MEGABYTE}MB, got {memory!r}", about="memory"
        )
    return found


@contextmanager
def _stored(
    writer: StoreWriter,
    path: Paths,
    *,
    memory: int,
    target: str | int | None = None,
    format: str | None = None,  # noqa: A002 - as users say it
    missing: str | None = None,
    bits: int = 20,
    symbols: bool = False,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | str = "auto",
    max_bytes: int | None = None,
    columns: Mapping[str, str] | None = None,
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    group: str | None = None,
    by_time: str | None = None,
    words: Vocabularies | None = None,
    counts: bool = False,
) -> Iterator[FileBlocks]:
    """Give the rows of a file on disk; `words`, if given, learn the names of words."""
    check_choice(zero_based, "zero_based", ("auto", True, False))
    check_options(missing or "error", bits, symbols)
    asked = dict(columns or {})
    check_asked(asked)
    beside = Beside.of(group, by_time, only, drop)
    if isinstance(path, str) and path in BUILTIN:
        raise DataError(f"{path} is a built-in set, which is small", do="leave out {memory}")
    how = Reading(writer.block_bytes, memory, delimiter, header, zero_based=zero_based)
    said = {**asked, **beside.as_written}
    with open_file(path, how, said, format=format, max_bytes=max_bytes) as file:
        beside.check_can_be(file)
        if isinstance(file, TextFile) or (isinstance(file, JoinedTables) and file.is_of_texts):
            check_there(asked, (), file.name)
            _check_target_of_texts(file.name, target)
            recipe = Recipe(
                *((Column(TEXT, "text"),), LABEL, missing or "error", bits, "float64"),
                symbols=symbols,
            )
            found = _from_texts(writer, file, recipe, words, counts)
        elif isinstance(file, TableFile):
            _check_memory_for_tables(memory)
            recipe = Recipe.learn(
                *(file, target, missing or "error", bits, asked, beside), symbols=symbols
            )
            found = _from_table(writer, file, recipe, words, counts)
        else:
            check_there(asked, (), file.name)
            found = _from_svmlight(writer, file)
        column = getattr(found.recipe, "target", None)
        check_number_of_classes(len(found.blocks.classes), found.blocks.n_rows, column, file.name)
        yield found


def _check_memory_for_tables(memory: int) -> None:
    if memory < LEAST_FOR_TABLES:
        raise ParameterError(
            f"must be at least {LEAST_FOR_TABLES // MEGABYTE}MB for a table, got "
            f"{memory // MEGABYTE}MB",
            about="memory",
        )


def _from_table(
    writer: StoreWriter, file: TableFile, recipe: Recipe, words: Vocabularies | None, counts: bool
) -> FileBlocks:
    labels = LabelsInBlocks(str(recipe.target), recipe.labels_as_written)
    notes, n_kept, rounded = Notes(file.notes), 0, ""
    groups, times = list[Array | None](), list[Array | None]()
    for table in file.tables():
        rounded = rounded or note_on_rounded(table, recipe.kinds)
        kept = recipe.rows_to_learn(table, is_part=True)
        n_rows, n = table.columns.num_rows, kept.columns.num_rows
        notes.count("dropped", dropped, n_rows - n, n_rows)
        n_kept += n
        if n:
            writer.add(rows_of_table(recipe, kept, words, counts), labels.of(kept))
            groups.append(recipe.beside.groups_of(kept))
            times.append(recipe.beside.times_of(kept))
    if n_kept == 0:
        raise all_missing(file.name)
    known = labels.settle(writer.labels.known, notes)
    recipe = replace(recipe, labels_as_written=labels.as_written)
    notes.extend([rounded] if rounded else [])
    blocks = writer.finish(settle=lambda _: known)
    return FileBlocks(
        blocks, recipe, tuple(notes), file.name, rounded, _joined(groups), _joined(times)
    )


def _joined(parts: list[Array | None]) -> Array | None:
    there = [part for part in parts if part is not None]
    return np.concatenate(there) if there else None


def rows_of_table(recipe: Recipe, table: Table, words: Vocabularies | None, counts: bool) -> Any:
    """Return the rows of a table; learn its words, if asked to, and count those of texts alone."""
    if words is None:
        return recipe.apply(table).X
    texts = recipe.texts_of(table)
    for name, column in texts.items():
        words.learn(name, column)
    if recipe.has_texts_alone and (words.ngrams != 1 or counts):
        (name,) = texts
        return clone(words.bags[name]).set_params(counts=counts).transform(texts[name])
    return recipe.apply(table).X


def _from_svmlight(writer: StoreWriter, file: SvmlightFile) -> FileBlocks:
    for rows, labels in file.rows():
        writer.add_rows(rows, MAX_INDEX, writer.labels.codes(labels))
    n_features = file.recipe.n_features
    blocks = writer.finish(n_features, shift=file.shift, settle=whole_if_possible)
    notes = (*file.notes, *file.remarks)
    return FileBlocks(blocks, file.recipe, notes, file.name, rounded=file.rounded)


def _check_target_of_texts(name: str, target: str | int | None) -> None:
    if target not in (None, LABEL, 0, -2):
        raise DataError(f"the labels of {name} are the first field of each line, got {target!r}")


def _from_texts(
    writer: StoreWriter,
    file: TextFile | JoinedTables,
    recipe: Recipe,
    words: Vocabularies | None,
    counts: bool,
) -> FileBlocks:
    n_jobs = -1 if writer.block_bytes >= ENOUGH else 1
    ngrams = 1 if words is None else words.ngrams
    bag = BagOfWords(**recipe.words, ngrams=ngrams, counts=counts, n_jobs=n_jobs)
    labels = TextLabels()

    def texts() -> Iterator[Labelled]:
        for block in file.labelled(labels):
            if words is not None:
                words.learn(TEXT, block.texts)
            yield block

    for rows, codes in rows_of_texts(texts(), bag):
        writer.add_rows(rows, bag.n_columns, codes)
    blocks = writer.finish(bag.n_columns, labels=labels.classes_and_ranks())
    return FileBlocks(blocks, recipe, tuple(file.notes), file.name)
