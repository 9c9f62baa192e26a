"""Files into a cache: read block by block, so that memory stays bounded."""

from __future__ import annotations

import os
from typing import NamedTuple

from rosenblatt._validation import check_choice
from rosenblatt.data.cache import Cache
from rosenblatt.data.cache_writer import CacheWriter
from rosenblatt.data.columns import Column
from rosenblatt.data.formats import guess_format
from rosenblatt.data.indexed import IndexedRecipe
from rosenblatt.data.line_blocks import blocks_of_lines
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.sample import take_sample
from rosenblatt.data.source import STANDARD_INPUT, Source, open_source
from rosenblatt.data.svmlight import Parser, whole_if_possible
from rosenblatt.data.table_blocks import DelimitedFile, check_complete
from rosenblatt.data.target import labels_of
from rosenblatt.data.text_blocks import rows_of_texts
from rosenblatt.data.text_labels import TextLabels, labelled_texts
from rosenblatt.data.text_lines import LABEL, TEXT
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.kernels.svmlight import MAX_INDEX
from rosenblatt.text.words import BagOfWords

MEGABYTE = 1 << 20
FIRST_FIELD = "labels are the first field of each line"
LEAST_MEMORY = 16 * MEGABYTE
# Arrow's reader keeps memory of its own: 37 MB were measured, whatever the size of the blocks
LEAST_FOR_TABLES = 64 * MEGABYTE
UNITS = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
ENOUGH = 4 * MEGABYTE  # bytes of a block for several threads, each with rooms of its own
SHARE = 32  # a block takes so small a part of the memory: reading one takes a dozen times its size


class CachedFile(NamedTuple):
    """A file that is in a cache now."""

    cache: Cache
    recipe: Recipe | IndexedRecipe
    notes: tuple[str, ...]


def n_bytes_of(memory: int | str) -> int:
    """Return a number of bytes, given as one or as "200MB".

    Examples
    --------
    >>> n_bytes_of("200MB")
    209715200
    """
    text = str(memory).strip().upper()
    unit = next((unit for unit in UNITS if text.endswith(unit)), "")
    try:
        found = int(float(text.removesuffix(unit)) * UNITS.get(unit, 1))
    except (ValueError, OverflowError):
        raise ParameterError(
            f"memory must be a number of bytes, or one with KB, MB or GB, got {memory!r}"
        ) from None
    if found < LEAST_MEMORY:
        raise ParameterError(
            f"memory must be at least {LEAST_MEMORY // MEGABYTE}MB, got {memory!r}"
        )
    return found


def write_cache(
    writer: CacheWriter,
    path: str | os.PathLike[str],
    *,
    memory: int,
    target: str | int | None = None,
    format: str | None = None,  # noqa: A002 - as users say it
    bits: int = 20,
    delimiter: str | None = None,
    header: bool | None = None,
    zero_based: bool | str = "auto",
    max_bytes: int | None = None,
) -> CachedFile:
    """Write a CSV or svmlight file, or one of `label<TAB>text` lines, to a cache."""
    check_choice(zero_based, "zero_based", ("auto", True, False))
    with open_source(path, max_bytes) as source:
        form, note = guess_format(source, take_sample(source), format)
        notes = [note] if note else []
        if form == "svmlight":
            return _from_svmlight(writer, source, zero_based, notes)
        if form == "text":
            return _from_texts(writer, source, bits, notes)
        if form not in ("csv", "tsv") or path == STANDARD_INPUT:
            raise DataError(
                f"{source.name} holds {form}; only files of CSV, svmlight and label<TAB>text lines "
                "can be larger than memory. Convert it, or read it without memory="
            )
    if memory < LEAST_FOR_TABLES:
        raise ParameterError(
            f"a table needs memory of at least {LEAST_FOR_TABLES // MEGABYTE}MB, got "
            f"{memory // MEGABYTE}MB"
        )
    delimiter = "\t" if form == "tsv" and delimiter is None else delimiter
    table = DelimitedFile(
        lambda: open_source(path, max_bytes), writer.block_bytes, delimiter, header
    )
    return _from_table(writer, table, target, bits, notes)


def _from_table(
    writer: CacheWriter,
    table: DelimitedFile,
    target: str | int | None,
    bits: int,
    notes: list[str],
) -> CachedFile:
    recipe = table.learn_recipe(target, bits)
    for block in table.tables():
        check_complete(block, recipe)
        writer.add(recipe.apply(block).X, labels_of(block.columns[recipe.target]))
    return CachedFile(writer.finish(), recipe, (*notes, *table.notes))


def _from_svmlight(
    writer: CacheWriter, source: Source, zero_based: bool | str, notes: list[str]
) -> CachedFile:
    parser = Parser(source.name, least=1 if zero_based is False else 0, n_bytes=None)
    n_rows = 0
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
    recipe = IndexedRecipe(parser.n_features(first), first)
    # the parser took 1 off
    cache = writer.finish(recipe.n_features, shift=1 - first, settle=whole_if_possible)
    return CachedFile(cache, recipe, tuple(notes))


def _from_texts(writer: CacheWriter, source: Source, bits: int, notes: list[str]) -> CachedFile:
    words = BagOfWords(bits=bits, n_jobs=-1 if writer.block_bytes >= ENOUGH else 1)
    labels = TextLabels()
    texts = labelled_texts(source, labels, writer.block_bytes)
    for rows, codes in rows_of_texts(texts, words):
        writer.add_rows(rows, words.n_columns, codes)
    recipe = Recipe((Column(TEXT, "text"),), LABEL, "error", bits, "float64")
    cache = writer.finish(words.n_columns, labels=labels.classes_and_ranks())
    return CachedFile(cache, recipe, (*notes, FIRST_FIELD))
