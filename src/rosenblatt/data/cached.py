"""Files into a cache: read block by block, so that memory stays bounded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rosenblatt.blocks.label_codes import whole_if_possible
from rosenblatt.blocks.stored import Stored, StoreWriter
from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.block_recipe import TableFile, learn_recipe_of_blocks
from rosenblatt.data.builtin import BUILTIN
from rosenblatt.data.columns import Column, as_kinds, as_strings
from rosenblatt.data.formats import guess_format
from rosenblatt.data.formats.arrow import ArrowFile, ParquetFile
from rosenblatt.data.formats.csv import DelimitedFile
from rosenblatt.data.formats.json import JsonLinesFile
from rosenblatt.data.formats.lines import blocks_of_lines
from rosenblatt.data.formats.svmlight import IndexedRecipe, Parser
from rosenblatt.data.formats.text import LABEL, TEXT, Labelled, TextLabels, labelled_texts
from rosenblatt.data.guessing import as_written, check_asked, check_there
from rosenblatt.data.missing import all_missing, dropped, settle_missing
from rosenblatt.data.recipe import Recipe, check_options
from rosenblatt.data.rounded import note_on_rounded
from rosenblatt.data.source import Opener, Source, open_source, take_sample, to_be_read_again
from rosenblatt.data.table import Table
from rosenblatt.data.target import (
    check_number_of_classes,
    labels_from,
    labels_of,
    note_on_spelling,
    written_labels,
)
from rosenblatt.data.text_blocks import rows_of_texts
from rosenblatt.data.word_columns import Vocabularies
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.svmlight import MAX_INDEX
from rosenblatt.text.words import BagOfWords

MEGABYTE = 1 << 20
FIRST_FIELD = "labels are the first field of each line"
LEAST_MEMORY = 16 * MEGABYTE
# Arrow's reader keeps memory of its own: 37 MB were measured, whatever the size of the blocks
LEAST_FOR_TABLES = 64 * MEGABYTE
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
ENOUGH = 4 * MEGABYTE  # bytes of a block for several threads, each with rooms of its own
SHARE = 32  # a block takes so small a part of the memory: reading one takes a dozen times its size


class CachedFile(NamedTuple):
    """A file that is in a cache now."""

    cache: Stored
    recipe: Recipe | IndexedRecipe
    notes: tuple[str, ...]


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


def write_cache(
    writer: StoreWriter,
    path: str | os.PathLike[str],
    *,
    memory: int,
    target: str | int | None = None,
    format: str | None = None,  # noqa: A002 - as users say it
    missing: str | None = None,
    bits: int = 20,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | str = "auto",
    max_bytes: int | None = None,
    columns: Mapping[str, str] | None = None,
    words: Vocabularies | None = None,
) -> CachedFile:
    """Write a file to a cache; `words`, if given, learn the names of words."""
    check_choice(zero_based, "zero_based", ("auto", True, False))
    check_options(missing or "error", bits)
    asked = dict(columns or {})
    check_asked(asked)
    if isinstance(path, str) and path in BUILTIN:
        raise DataError(f"{path} is a built-in set, which is small", do="leave out {memory}")
    with open_source(path, max_bytes) as source:
        form, note = guess_format(source, take_sample(source), format)
        notes = [note] if note else []
        if form in ("svmlight", "text"):
            check_there(asked, (), source.name)
        if form == "svmlight":
            file = _from_svmlight(writer, source, zero_based, notes)
        elif form == "text":
            _check_target_of_texts(source.name, target)
            recipe = Recipe((Column(TEXT, "text"),), LABEL, missing or "error", bits, "float64")
            file = _from_texts(writer, source, recipe, words, notes)
        else:
            _check_memory_for_tables(memory)
            with to_be_read_again(source, any_place=form in ("parquet", "arrow")) as opened:
                delimiter = "\t" if form == "tsv" and delimiter is None else delimiter
                how = (delimiter, header, as_written(asked))
                table = _table_file(opened, source.name, form, writer, memory, how)
                recipe = learn_recipe_of_blocks(table, target, missing or "error", bits, asked)
                file = _from_table(writer, table, recipe, words, notes)
        column = getattr(file.recipe, "target", None)
        check_number_of_classes(len(file.cache.classes), file.cache.n_rows, column, source.name)
        return file


def _check_memory_for_tables(memory: int) -> None:
    if memory < LEAST_FOR_TABLES:
        raise ParameterError(
            f"must be at least {LEAST_FOR_TABLES // MEGABYTE}MB for a table, got "
            f"{memory // MEGABYTE}MB",
            about="memory",
        )


def _table_file(
    opened: Opener, name: str, form: str, writer: StoreWriter, memory: int, how: Any
) -> TableFile:
    block_bytes = writer.block_bytes
    if form == "parquet":
        return ParquetFile(opened, name, block_bytes, memory)
    if form == "arrow":
        return ArrowFile(opened, name, block_bytes, memory)
    if form == "jsonl":
        return JsonLinesFile(opened, name, block_bytes)
    return DelimitedFile(opened, block_bytes, *how)


def _from_table(
    writer: StoreWriter,
    file: TableFile,
    recipe: Recipe,
    words: Vocabularies | None,
    notes: list[str],
) -> CachedFile:
    n_rows = n_kept = 0
    target, decimal_point, is_written, rounded = str(recipe.target), ".", False, ""
    for table in file.tables():
        n_rows += table.columns.num_rows
        rounded = rounded or note_on_rounded(table, recipe.kinds)
        table = as_kinds(table, recipe.kinds)
        kept, _ = settle_missing(table, recipe.kinds, target, recipe.missing, is_part=True)
        if kept.columns.num_rows:
            n_kept += kept.columns.num_rows
            strings = None if recipe.labels_as_written else written_labels(kept, target)
            is_written, decimal_point = strings is not None, table.decimal_point
            labels = kept.columns[target] if strings is None else strings
            labels = as_strings(labels) if recipe.labels_as_written else labels
            writer.add(_features(recipe, kept, words), labels_of(labels))
    if n_kept == 0:
        raise all_missing(file.name)
    notes += [*file.notes, *([dropped(n_rows - n_kept, n_rows)] if n_kept < n_rows else [])]
    last = [rounded] if rounded else []
    if not is_written:
        return CachedFile(writer.finish(), recipe, (*notes, *last))
    known = writer.labels.known
    labels = labels_from(known, decimal_point)
    stays = bool(labels.dtype == known.dtype)
    notes += note_on_spelling(known.tolist(), labels, stays)
    recipe = replace(recipe, labels_as_written=stays)
    return CachedFile(writer.finish(settle=lambda _: labels), recipe, (*notes, *last))


def _features(recipe: Recipe, table: Table, words: Vocabularies | None) -> Any:
    """Return the rows of a block; learn its words."""
    if words is None:
        return recipe.apply(table).X
    texts = recipe.texts_of(table)
    for name, column in texts.items():
        words.learn(name, column)
    if recipe.has_texts_alone and words.ngrams != 1:
        (name,) = texts
        return words.bags[name].transform(texts[name])
    return recipe.apply(table).X


def _from_svmlight(
    writer: StoreWriter, source: Source, zero_based: bool | str, notes: list[str]
) -> CachedFile:
    parser = Parser(source.name, least=1 if zero_based is False else 0, n_bytes=None)
    n_rows = 0
    source.content.end_lines_at_returns()
    for text, end in blocks_of_lines(source.content, writer.block_bytes):
        parser.parse(text, end)
        rows, labels = parser.take()
        if len(labels):
            writer.add_rows(rows, MAX_INDEX, writer.labels.codes(labels))
        n_rows += len(labels)
    parser.check_not_empty(n_rows)
    first = parser.first(zero_based)
    notes.append(FIRST_FIELD)
    if zero_based == "auto":
        notes.append(f"indices start at {first} (guessed)")
    if parser.has_query_ids:
        notes.append("query ids (qid) are not used")
    notes += [parser.rounded] if parser.rounded else []
    recipe = IndexedRecipe(parser.n_features(first), first)
    # the parser took 1 off
    cache = writer.finish(recipe.n_features, shift=1 - first, settle=whole_if_possible)
    return CachedFile(cache, recipe, tuple(notes))


def _check_target_of_texts(name: str, target: str | int | None) -> None:
    if target not in (None, LABEL, 0, -2):
        raise DataError(f"the labels of {name} are the first field of each line, got {target!r}")


def _from_texts(
    writer: StoreWriter,
    source: Source,
    recipe: Recipe,
    words: Vocabularies | None,
    notes: list[str],
) -> CachedFile:
    n_jobs = -1 if writer.block_bytes >= ENOUGH else 1
    ngrams = 1 if words is None else words.ngrams
    bag, labels = BagOfWords(bits=recipe.bits, ngrams=ngrams, n_jobs=n_jobs), TextLabels()

    def texts() -> Iterator[Labelled]:
        for block in labelled_texts(source, labels, writer.block_bytes):
            if words is not None:
                words.learn(TEXT, block.texts)
            yield block

    for rows, codes in rows_of_texts(texts(), bag):
        writer.add_rows(rows, bag.n_columns, codes)
    cache = writer.finish(bag.n_columns, labels=labels.classes_and_ranks())
    return CachedFile(cache, recipe, (*notes, FIRST_FIELD))
