"""Labelled examples of a file that is gone through once, as they come: what is learned online.

How columns become features is learned from the first block, and stays: later rows are read as
`predict` reads them. So a file may be of any size, and standard input may never end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from rosenblatt.blocks.label_codes import whole_if_possible
from rosenblatt.counting import counted
from rosenblatt.data.beside import Beside
from rosenblatt.data.examples import Examples
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile, matrix_of
from rosenblatt.data.guessing import check_asked, check_there
from rosenblatt.data.missing import all_missing, dropped, settle_missing
from rosenblatt.data.opening import open_file
from rosenblatt.data.recipe import Recipe, check_options
from rosenblatt.data.source import Paths
from rosenblatt.data.table import KeptTable, Notes, ReadAgainError, Reading, Table, TableFile
from rosenblatt.data.target import labels_in
from rosenblatt.errors import DataError

FIRST_BLOCK = 1 << 18  # bytes of a file from which the features are learned


class ExampleStream:
    """The examples of a file, which are gone through once; a block is good until the next one.

    `recipe`, `notes` and `n_rows_about`, if it can be told, are known from the first block on.
    """

    recipe: Any = None
    n_rows_about: int | None = None

    def __init__(
        self,
        file: TableFile | SvmlightFile,
        n_bytes: int | None,
        how: dict[str, Any],
        asked: Mapping[str, str],
    ) -> None:
        self.source = file.name
        self._file, self._n_bytes, self._how, self._asked = file, n_bytes, how, asked
        self._notes = Notes()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed and decided so far."""
        return (*self._file.notes, *self._notes, *getattr(self._file, "remarks", ()))

    def __iter__(self) -> Iterator[Examples]:
        if isinstance(self._file, SvmlightFile):
            check_there(self._asked, (), self._file.name)
            return self._of_rows(self._file)
        return self._of_tables(self._file)

    def _of_tables(self, file: TableFile) -> Iterator[Examples]:
        n_kept, as_written = 0, False
        try:
            for table in file.tables():
                if self.recipe is None:
                    self._begin(file, table)
                examples, as_written = self._of_table(table, as_written)
                n_kept += len(examples.y)
                if len(examples.y):
                    yield examples
        except ReadAgainError as error:
            raise DataError(
                f"{file.name}: quotes mean another thing in later rows than in the first ones, so "
                "it has to be read twice; use `rosenblatt fit --memory 500M`"
            ) from error
        if n_kept == 0:
            raise all_missing(file.name)

    def _begin(self, file: TableFile, table: Table) -> None:
        """Learn from the first block how columns become features."""
        n_rows = table.columns.num_rows
        first = KeptTable(table, file.target)
        first.kinds, first.notes = file.kinds, file.notes
        self.recipe = Recipe.learn(first, asked=self._asked, **self._how)
        file.read_as_text(self.recipe.text_columns)
        if isinstance(file, KeptTable):
            self.n_rows_about = n_rows
        else:
            self._estimate(n_rows)
            if not self.recipe.has_texts_alone:
                self._notes.append(
                    "how columns become features is learned from the first "
                    f"{counted(n_rows, 'row')}, and stays"
                )

    def _of_table(self, table: Table, as_written: bool) -> tuple[Examples, bool]:
        """Return the examples of a block, and whether labels are taken as they are written."""
        recipe, target, n_rows = self.recipe, str(self.recipe.target), table.columns.num_rows
        if target not in table.names:
            raise DataError(f"{self.source} has no column {target!r}, as in its first rows")
        table = replace(table, notes=self._notes)
        table, _ = settle_missing(table, {}, {target: "the label"}, recipe.missing, is_part=True)
        n_lost = n_rows - table.columns.num_rows
        self._notes.count("dropped", dropped, n_lost, n_lost)  # `apply` counts the others
        X, names, rows, texts, _ = recipe.apply(table, is_part=True)
        kept = table if rows is None else table.only(rows)
        y, as_written = labels_in(kept, target, as_written=as_written or recipe.labels_as_written)
        self.recipe = recipe = replace(recipe, labels_as_written=as_written)
        return Examples(X, y, names, self.source, (), recipe, texts), as_written

    def _of_rows(self, file: SvmlightFile) -> Iterator[Examples]:
        n_features, first = 0, None
        for rows, labels in file.rows():
            lowest = int(rows.indices.min(initial=0))  # indices are less by 1 here
            if first is None:
                first = 0 if lowest < 0 else 1
                self._estimate(len(labels))
            if lowest < 0 and first == 1:
                raise DataError(
                    f"{self.source}: an index is 0, but the first rows have indices from 1 on"
                )
            X = matrix_of(rows, len(labels), 1 - first)
            n_features = max(n_features, X.shape[1])
            self.recipe = IndexedRecipe(n_features, first)
            X = self.recipe.apply(X, self._notes)
            y = whole_if_possible(labels)
            yield Examples(X, y, self.recipe.feature_names, self.source, (), self.recipe)

    def _estimate(self, n_rows: int) -> None:
        """Estimate how many rows there are from how many the first block has."""
        if self._n_bytes is not None:
            share = min(1.0, FIRST_BLOCK / max(1, self._n_bytes))
            self.n_rows_about = round(n_rows / share)


@contextmanager
def stream_examples(
    path: Paths,
    *,
    target: str | int | None = None,
    format: str | None = None,  # noqa: A002 - as users say it
    missing: str | None = None,
    bits: int = 20,
    symbols: bool = False,
    delimiter: str | None = None,
    columns: Mapping[str, str] | None = None,
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> Iterator[ExampleStream]:
    r"""Give the labelled examples of a file, or of standard input, as they come.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "points.svm")
    ...     _ = path.write_text("-1 1:1\n-1 1:2\n1 1:7\n1 1:8\n")
    ...     with stream_examples(path) as examples:
    ...         [(block.X.shape, block.y.tolist()) for block in examples]
    [((4, 1), [-1, -1, 1, 1])]
    """
    check_options(missing or "error", bits, symbols)
    asked = dict(columns or {})
    check_asked(asked)
    how = Reading(FIRST_BLOCK, delimiter=delimiter, as_it_comes=True)
    beside = Beside.of(only=only, drop=drop)
    with open_file(path, how, asked, format=format) as file:
        beside.check_can_be(file)
        learned = {"target": target, "missing": missing or "error", "bits": bits, "beside": beside}
        learned["symbols"] = symbols
        yield ExampleStream(file, file.n_bytes, learned, asked)
