"""How the columns of a table become features, learned from one file and used on others.

Features stand in this order: numbers (with booleans and dates), categories, words; in each group
in the order of the columns. The rows are

    presence (CSR of bool)    when all features are of categories and words
    CSR of floats             with words and numbers, or when fewer than one in 8 features is set
    dense                     otherwise
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.checks.parameters import check_choice, check_count, check_flags
from rosenblatt.counting import counted
from rosenblatt.data.beside import NOTHING_BESIDE, Beside
from rosenblatt.data.cells import NUMERIC
from rosenblatt.data.columns import (
    AS_WRITTEN,
    KINDS,
    Column,
    as_kinds,
    as_numbers,
    as_strings,
    conform,
    known_kind,
)
from rosenblatt.data.examples import Joined
from rosenblatt.data.guessing import check_there, note_on_labels, said_of, settle_kinds
from rosenblatt.data.missing import POLICIES, dropped, settle_missing
from rosenblatt.data.row_names import notes_on_row_names
from rosenblatt.data.summary import ColumnSummary, summarize
from rosenblatt.data.table import Notes, Table, TableFile
from rosenblatt.data.target import choose_target, nearest
from rosenblatt.data.word_columns import WordNames, hashed_words
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.markup import shortened
from rosenblatt.types import Array

LEAST_DENSITY = 1 / 8
ROWS_AT_A_TIME = 2048  # so that a block of a dense matrix stays in the cache
MAX_BITS = 31
SHOWN = 8  # columns that are not used, by name


class TableFeatures(NamedTuple):
    """What a recipe makes of a table."""

    X: Any
    feature_names: Sequence[str]
    rows: Array | None  # the rows of the table that were kept; None for all
    texts: Any  # the column of texts, if there is just one
    notes: Notes


@dataclass(frozen=True, repr=False)
class Recipe:
    """The columns, kinds, categories and means of the training data.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from rosenblatt.data.table import KeptTable
    >>> columns = {"size": [1, 2, 4, 5], "kind": ["a", "b", "a", "b"], "y": [1, 0, 0, 1]}
    >>> table = Table(pa.table(columns), "toys")
    >>> recipe = Recipe.learn(KeptTable(table))
    >>> list(recipe.apply(table).feature_names)
    ['size', 'kind=a', 'kind=b']
    >>> Recipe.from_dict(recipe.to_dict()) == recipe
    True
    """

    columns: tuple[Column, ...]
    target: str | None = None
    missing: str = "error"
    bits: int = 20
    dtype: str = "float64"
    labels_as_written: bool = False  # "01" is not 1
    symbols: bool = False  # are words of texts, too
    # of the file that is learned from, no part of what is learned
    beside: Beside = field(default=NOTHING_BESIDE, compare=False, repr=False)

    @property
    def words(self) -> dict[str, Any]:
        """How texts become rows, as `BagOfWords` takes it."""
        return {"bits": self.bits, "symbols": self.symbols}

    def __repr__(self) -> str:
        names = shortened(", ".join(column.name for column in self.columns))
        return f"<Recipe of {counted(len(self.columns), 'column')}: {names}>"

    @classmethod
    def learn(
        cls,
        file: TableFile,
        target: str | int | None = None,
        missing: str = "error",
        bits: int = 20,
        asked: Mapping[str, str] | None = None,
        beside: Beside = NOTHING_BESIDE,
        *,
        symbols: bool = False,
    ) -> Recipe:
        """Look at all blocks of a table; what was guessed is added to its notes.

        `asked` says what columns are, whatever they look like; those `beside` are not learned from,
        nor guessed to be the labels. The blocks are looked at once to know types and kinds, and
        once more for the categories and means of rows that are left when others are dropped, and of
        strings that turned out to be numbers.
        """
        check_options(missing, bits, symbols)
        beside.check_can_be(file)
        asked = {**file.kinds, **(asked or {}), **beside.as_written}
        seen, types = _look(file, asked, is_learned=missing != "drop")
        check_there([*asked, *beside.named], seen, file.name)

        def kind(name: str) -> str:
            cells = seen[name].cells
            known = asked.get(name) or (cells and cells.kind)
            return known or known_kind(types[name], name, file.name)

        target = file.target if target is None else target
        taken = () if target is not None else (*beside.kinds, *beside.drop)
        free = [name for name in seen if name not in taken]
        chosen, note = choose_target(free, target, kind, file.name)
        file.notes += [note] if note else []
        beside = beside.settled(seen, chosen, kind, file.name)
        learned = beside.learned(seen, chosen)
        found = {name: seen[name].cells or types[name] for name in learned}
        kinds = settle_kinds(found, asked, missing, file)
        # dates that are written as strings are no ids
        doubtful = [n for n, kind in kinds.items() if kind == "text" or not seen[n].cells]
        file.notes += notes_on_row_names({n: seen[n].row_names for n in doubtful})
        labels = seen[chosen].cells
        if labels is not None and chosen not in asked:
            file.notes += note_on_labels(chosen, labels)
        dtype = dtype_of(types[name] for name, kind in kinds.items() if kind in NUMERIC)
        plan = tuple(Column(name, kind) for name, kind in kinds.items())
        as_written = asked.get(chosen) in AS_WRITTEN
        recipe = cls(plan, chosen, missing, bits, dtype, as_written, symbols, beside)
        columns = recipe._learned_columns(file, seen)
        if not file.kinds:  # otherwise the format of the file says what they are
            file.notes += said_of(columns)
        return replace(recipe, columns=columns)

    def _learned_columns(
        self, file: TableFile, seen: Mapping[str, ColumnSummary]
    ) -> tuple[Column, ...]:
        """Return the columns with their categories and means; look again where they are unknown."""
        kinds, drops = self.kinds, self.missing == "drop"
        later = {n for n, kind in kinds.items() if drops or (seen[n].cells and kind in NUMERIC)}

        def change(table: Table) -> Table:
            return self.rows_to_learn(table, is_part=True) if drops else as_kinds(table, kinds)

        if later:
            again = summarize(
                file, lambda n: ColumnSummary(kinds[n]) if n in later else None, change
            )
            seen = {**seen, **again}
        return tuple(seen[name].column(name, kind) for name, kind in kinds.items())

    def rows_to_learn(self, table: Table, *, is_part: bool = False) -> Table:
        """Return the rows of a table that are learned from, with cells as what their columns are.

        `is_part`: there are more rows elsewhere, so none of these need to be kept.
        """
        kinds = {**self.kinds, **self.beside.kinds}
        needed = {**({self.target: "the label"} if self.target else {}), **self.beside.needed}
        table = as_kinds(table, kinds)
        return settle_missing(table, kinds, needed, self.missing, is_part=is_part)[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data that JSON can hold."""
        facts = {f.name: getattr(self, f.name) for f in fields(self) if f.compare}
        facts["columns"] = [
            {**asdict(column), "categories": list(column.categories)} for column in self.columns
        ]
        if not self.labels_as_written:
            del facts["labels_as_written"]  # as in files of models from before there were such
        if not self.symbols:
            del facts["symbols"]
        return {"kind": "table", **facts}

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> Recipe:
        """Return the recipe that `to_dict` wrote."""
        facts = {name: value for name, value in facts.items() if name != "kind"}
        columns = [
            Column(c["name"], c["kind"], tuple(c["categories"]), c["mean"])
            for c in facts.pop("columns")
        ]
        for column in columns:
            check_choice(column.kind, "kind", KINDS)
        return cls(columns=tuple(columns), **facts)

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns to be read as strings, whatever a file has in them."""
        names = [column.name for column in self.columns if column.kind not in NUMERIC]
        return (*names, *([self.target] if self.target and self.labels_as_written else []))

    def apply(
        self, table: Table, missing: str | None = None, *, is_part: bool = False
    ) -> TableFeatures:
        """Make the features of a table that has the columns learned from.

        A value that a category did not have in training has none of its features, and a note
        says so; so does a column that is not used. A column that is missing, or text where
        numbers belong, is an error. `is_part`: there are more rows elsewhere, with the same notes.
        """
        missing = missing or self.missing
        table, n_rows = self._conformed(table, missing, is_part), table.columns.num_rows
        table, rows = settle_missing(table, self.kinds, {}, missing, is_part=is_part)
        if is_part and missing == "drop":
            table.notes.count("dropped", dropped, n_rows - table.columns.num_rows, n_rows)
        self._check_means(table)
        numeric = [column for column in self.columns if column.kind in NUMERIC]
        categories = [column for column in self.columns if column.kind == "category"]
        texts = self.texts_of(table)
        words = {name: hashed_words(column, **self.words) for name, column in texts.items()}
        parts = [_one_hot(table, column) for column in categories] + list(words.values())
        X = self._stacked(_dense(table, numeric, np.dtype(self.dtype)), parts, bool(words))
        known = [name for c in (*numeric, *categories) for name in c.feature_names]
        alone = len(self.columns) == 1
        named = [
            WordNames(texts[name], words[name], self.words, "" if alone else f"{name}:")
            for name in texts
        ]
        only = next(iter(texts.values())) if len(texts) == 1 else None
        names = Joined([known, *named]) if named else known
        return TableFeatures(X, names, rows, only, table.notes)

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each column."""
        return {column.name: column.kind for column in self.columns}

    def texts_of(self, table: Table) -> dict[str, Any]:
        """Return the columns of texts, those that are missing as empty."""
        return {
            c.name: as_strings(table.columns[c.name]).fill_null("")
            for c in self.columns
            if c.kind == "text"
        }

    @property
    def has_texts_alone(self) -> bool:
        """Whether a single column of texts is all there is."""
        return [column.kind for column in self.columns] == ["text"]

    def _conformed(self, table: Table, missing: str, is_part: bool) -> Table:
        """Return the table with the columns of the recipe alone, each of its kind."""
        import pyarrow as pa

        self._check_columns_of(table)
        known = {column.name for column in self.columns} | {self.target}
        left = [name for name in table.names if name not in known]
        unused = self.beside.learned(left, None)
        if unused:
            more = f" and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
            table.notes.append(f"columns not used: {', '.join(unused[:SHOWN])}{more}")
        columns = {
            column.name: conform(
                table.columns[column.name], column, table, missing, is_part=is_part
            )
            for column in self.columns
        }
        return Table(pa.table(columns), table.name, table.place, table.notes)

    def _check_columns_of(self, table: Table) -> None:
        """Refuse a table without all columns that were learned from, and name those."""
        there = set(table.names)
        gone = [column.name for column in self.columns if column.name not in there]
        if not gone:
            return
        more = f" and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
        others = f", nor {', '.join(map(repr, gone[1:SHOWN]))}{more}" if len(gone) > 1 else ""
        hint = nearest(gone[0], table.names)
        raise DataError(f"{table.name} has no column {gone[0]!r}, as in training{others}{hint}")

    def _check_means(self, table: Table) -> None:
        for column in self.columns:
            if column.kind in NUMERIC and column.mean is None:
                raise DataError(
                    f"{table.name}, column {column.name!r} has no value at all; "
                    "leave it out of the file"
                )

    def _stacked(self, numbers: Array, parts: list[Any], has_words: bool) -> Any:
        """Put numbers and presence rows side by side."""
        if not parts:
            return numbers
        if numbers.shape[1] == 0:
            return parts[0] if len(parts) == 1 else sparse.hstack(parts, format="csr")
        width = numbers.shape[1] + sum(part.shape[1] for part in parts)
        n_set = numbers.shape[1] + len(parts)
        if has_words or n_set < LEAST_DENSITY * width:
            kept = [sparse.csr_array(numbers), *(part.astype(self.dtype) for part in parts)]
            return sparse.hstack(kept, format="csr")
        return np.hstack([numbers, *(part.toarray() for part in parts)], dtype=self.dtype)


def _look(
    file: TableFile, asked: Mapping[str, str], is_learned: bool
) -> tuple[dict[str, ColumnSummary], dict[str, Any]]:
    """Return what is known of each column after a look at all blocks, and its type."""

    def look() -> dict[str, ColumnSummary]:
        return summarize(file, lambda name: ColumnSummary(asked.get(name), is_learned=is_learned))

    seen = look()
    types, again = file.settle_types({name: found.types for name, found in seen.items()})
    if again:
        seen = look()
    return {name: found for name, found in seen.items() if name not in file.left_out}, types


def check_options(missing: str, bits: int, symbols: bool = False) -> None:
    """Refuse what no recipe can have."""
    check_choice(missing, "missing", POLICIES)
    check_count(bits=bits)
    check_flags(symbols=symbols)
    if bits > MAX_BITS:
        raise ParameterError(f"must be from 1 to {MAX_BITS}, got {bits}", about="bits")


def dtype_of(types: Iterable[Any]) -> str:
    """Return the type of features, given the Arrow types of all columns of numbers."""
    different = {str(kind) for kind in types}
    return "float32" if different == {"float"} else "float64"


def _dense(table: Table, columns: list[Column], dtype: Any) -> Array:
    values = [_filled(as_numbers(table.columns[c.name]), c) for c in columns]
    X: Array = np.empty((table.columns.num_rows, len(columns)), dtype=dtype)
    for start in range(0, len(X), ROWS_AT_A_TIME):
        block = X[start : start + ROWS_AT_A_TIME]
        for j, column in enumerate(values):
            block[:, j] = column[start : start + ROWS_AT_A_TIME]
    return X


def _filled(values: Array, column: Column) -> Array:
    missing = np.isnan(values)
    if missing.any():
        values = np.where(missing, np.float64(column.mean or 0.0), values)
    return values


def _one_hot(table: Table, column: Column) -> Any:
    """Return a CSR array of bool with a 1 for the category of each row, if it is a known one."""
    import pyarrow as pa
    import pyarrow.compute as compute

    values = table.columns[column.name]
    values = as_strings(values).cast(pa.string())
    codes = compute.index_in(values, value_set=pa.array(column.categories, pa.string()))
    known: Array = codes.is_valid().to_numpy()
    new = np.flatnonzero(~known & values.is_valid().to_numpy())
    if len(new):
        row = int(new[0])
        value, place = values[row].as_py(), table.place

        def say(n: int) -> str:
            return (
                f"column {column.name!r}: {counted(n, 'value')} without a feature, since not "
                f"there in training, the first {value!r} ({place(row)})"
            )

        table.notes.count(("new", column.name), say, len(new))
    starts = np.concatenate([[0], np.cumsum(known)]).astype(np.int32)
    indices = codes.drop_null().to_numpy().astype(np.int32)
    shape = (len(known), len(column.categories))
    return sparse.csr_array((np.ones(len(indices), dtype=bool), indices, starts), shape=shape)
