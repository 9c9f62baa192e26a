"""Examples with the features of training, block by block: predicting takes a block's memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.examples import Examples
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.missing import POLICIES, all_missing
from rosenblatt.data.opening import open_file
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.rounded import note_on_rounded
from rosenblatt.data.source import Paths
from rosenblatt.data.summary import settled_types
from rosenblatt.data.table import Notes, Reading, TableFile
from rosenblatt.data.target import labels_in
from rosenblatt.errors import DataError
from rosenblatt.types import Array

BLOCK = 2 << 20  # bytes of a file at a time; a smaller one is read as a whole
NO_LABELS: Array = np.empty(0, dtype=object)


class ExampleBlocks:
    """The examples of a file, which are gone through once; a block is good until the next one.

    `notes` are complete when all blocks were gone through. One block is what `read` gives.
    """

    def __init__(
        self,
        file: TableFile | SvmlightFile,
        recipe: Recipe | IndexedRecipe,
        missing: str | None = None,
    ) -> None:
        self.source, self.rounded = file.name, ""
        self._file, self._recipe, self._missing = file, recipe, missing
        self._notes = Notes()

    def __iter__(self) -> Iterator[Examples]:
        file, recipe = self._file, self._recipe
        if isinstance(file, TableFile) and isinstance(recipe, Recipe):
            return self._of_tables(file, recipe)
        if isinstance(file, SvmlightFile) and isinstance(recipe, IndexedRecipe):
            return self._of_rows(file, recipe)
        one, other = "an svmlight file", "a table"
        is_, was = (other, one) if isinstance(file, TableFile) else (one, other)
        raise DataError(f"{self.source} is {is_}, but the model learned from {was}")

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed and decided."""
        if isinstance(self._file, SvmlightFile):
            return (*self._file.notes, *self._notes, *self._file.remarks)
        return (*self._file.notes, *self._notes, *([self.rounded] if self.rounded else []))

    def _of_tables(self, file: TableFile, recipe: Recipe) -> Iterator[Examples]:
        is_part, n_rows = file.how.block_bytes is not None, 0
        if is_part and not file.is_typed:
            settled_types(file)  # so that a block has the types of the whole file
        for table in file.tables():
            self.rounded = self.rounded or note_on_rounded(table, recipe.kinds)
            table = replace(table, notes=self._notes)
            X, names, rows, texts, _ = recipe.apply(table, self._missing, is_part=is_part)
            y = NO_LABELS
            if recipe.target in table.names:
                kept = table if rows is None else table.only(rows)
                y, _ = labels_in(kept, str(recipe.target), as_written=recipe.labels_as_written)
            n_rows += X.shape[0]
            if X.shape[0]:
                yield self._examples(X, y, names, texts)
        if n_rows == 0:
            raise all_missing(file.name)

    def _of_rows(self, file: SvmlightFile, recipe: IndexedRecipe) -> Iterator[Examples]:
        for X, y in file.matrices(recipe.first):
            yield self._examples(recipe.apply(X, self._notes), y, recipe.feature_names, None)
        self.rounded = file.rounded

    def _examples(self, X: Any, y: Array, names: Any, texts: Any) -> Examples:
        return Examples(X, y, names, self.source, (), self._recipe, texts, self.rounded)


@contextmanager
def open_examples(
    path: Paths,
    recipe: Recipe | IndexedRecipe,
    *,
    missing: str | None = None,
    block_bytes: int = BLOCK,
    format: str | None = None,  # noqa: A002 - as users say it
    delimiter: str | None = None,
    header: bool | None = None,
    max_bytes: int | None = None,
) -> Iterator[ExampleBlocks]:
    r"""Give the examples of a file of any size, block by block, with the features of training.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "points.svm")
    ...     _ = path.write_text("-1 1:1\n-1 1:2\n1 1:7\n1 1:8\n")
    ...     with open_examples(path, IndexedRecipe(1, first=1), block_bytes=10) as blocks:
    ...         [block.y.tolist() for block in blocks]
    [[-1], [-1], [1], [1]]
    """
    if missing is not None:
        check_choice(missing, "missing", POLICIES)
    how = Reading(block_bytes, delimiter=delimiter, header=header)
    with open_file(path, how, {}, format=format, recipe=recipe, max_bytes=max_bytes) as file:
        yield ExampleBlocks(file, recipe, missing)
