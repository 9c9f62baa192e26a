"""Tables in parts: the recipe is learned where they are, by summaries that are merged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from rosenblatt.blocks.label_codes import whole_if_possible
from rosenblatt.cluster.crew import Here
from rosenblatt.cluster.parts import PartFacts, facts_of, raw_part, spread_parts
from rosenblatt.cluster.spread import Spread
from rosenblatt.data.beside import Beside
from rosenblatt.data.columns import is_string
from rosenblatt.data.formats.svmlight import IndexedRecipe, SvmlightFile
from rosenblatt.data.joined import as_the_first, common_type, may_leave_out, said_of_files
from rosenblatt.data.missing import all_missing, dropped
from rosenblatt.data.recipe import Recipe
from rosenblatt.data.rounded import note_on_rounded
from rosenblatt.data.source import FileSample, no_source
from rosenblatt.data.store import rows_of_table
from rosenblatt.data.table import Notes, Reading, Table, TableFile
from rosenblatt.data.target import LabelsInBlocks, check_number_of_classes
from rosenblatt.data.word_columns import Vocabularies
from rosenblatt.errors import DataError
from rosenblatt.types import Block

T = TypeVar("T")


class PartHead(NamedTuple):
    """What is known of a part that was opened."""

    name: str
    is_table: bool
    columns: list[str]
    notes: list[str]
    kinds: dict[str, str]
    target: str | None
    without_columns: str
    is_open: bool


class Aligned(NamedTuple):
    """The columns that all parts have, with types that are common to all."""

    names: tuple[str, ...]
    types: Mapping[str, Any]
    first: str  # what the part is called that the names come from

    def table_of(self, file: TableFile) -> Table:
        """Return the rows of a part with these columns."""
        table = file.whole()
        return as_the_first(table, self.names, self.types, self.first, may_leave_out(file))


class TablePart(NamedTuple):
    """The rows of a part, and what there is to say about them."""

    block: Block | None
    n_rows: int
    n_dropped: int
    rounded: str
    labels: LabelsInBlocks
    words: Vocabularies | None  # that the part has, if their names are wanted


class SpreadTable(TableFile):
    """A table whose parts are elsewhere."""

    def __init__(self, crew: Here, parts: Sequence[Any], heads: Sequence[PartHead]) -> None:
        super().__init__(no_source, _said_of(heads), FileSample(b"", []), Reading())
        first = heads[0]
        self.kinds, self.target, self.without_columns = (
            first.kinds,
            first.target,
            first.without_columns,
        )
        self.aligned = Aligned(() if first.is_open else tuple(first.columns), {}, first.name)
        self.notes = list(dict.fromkeys(note for head in heads for note in head.notes))
        self._crew, self._parts, self._heads = crew, parts, heads

    def looked_at(self, look: Callable[[Iterable[Table]], T], merge: Callable[[T, T], T]) -> T:
        """Return what is found where the parts are, merged in the tree."""
        how = self._crew.constant((look, self.aligned))
        found: T = self._crew.merged(self.tasks(_looked, how), merge)
        return found

    def settle_types(self, found: Mapping[str, set[Any]]) -> tuple[dict[str, Any], bool]:
        """Return the type of each column, given those in its parts; True: look again."""
        types = {name: common_type(different) for name, different in found.items()}
        again = any(len(found[name]) > 1 and is_string(kind) for name, kind in types.items())
        self.aligned = self.aligned._replace(types=types)
        return types, again

    def let_go(self) -> None:
        """Forget the parts: what was made of them is all that is needed."""
        self._parts = []

    def tasks(self, function: Callable[..., Any], how: Any) -> list[Any]:
        """Return what a function makes of each part."""
        return [
            self._crew.task(head.name, function, how, part)
            for part, head in zip(self._parts, self._heads, strict=True)
        ]


def spread_tables(
    crew: Here,
    parts: Sequence[Any],
    names: Sequence[str],
    *,
    target: str | int | None,
    missing: str,
    bits: int,
    asked: Mapping[str, str],
    beside: Beside,
    notes: Sequence[str] = (),
    ngrams: int | None = None,
    symbols: bool = False,
) -> Spread:
    """Return the rows of tables, or of svmlight, that were opened where they are.

    `notes` is what was guessed of all of them. `ngrams` asks for the names of words, and to count
    those of a single column of texts: so many in a row are a feature.
    """
    parts = crew.kept(parts)
    found = crew.values(_with_names(crew, _head_of, parts, names))
    there = [k for k, head in enumerate(found) if head is not None]
    if not there:
        raise DataError("there are no rows in any part")
    heads = [found[k]._replace(name=names[k]) for k in there]
    heads[0] = heads[0]._replace(notes=[*notes, *heads[0].notes])
    parts = [parts[k] for k in there]
    _check_of_one_kind(heads)
    if not heads[0].is_table:
        return _spread_indexed(crew, parts, heads)
    file = SpreadTable(crew, parts, heads)
    del parts  # `file` lets them go when there are rows of them
    recipe = Recipe.learn(file, target, missing, bits, asked, beside, symbols=symbols)
    return _spread_rows(crew, file, recipe, [head.name for head in heads], ngrams)


def _spread_rows(
    crew: Here, file: SpreadTable, recipe: Recipe, names: list[str], ngrams: int | None
) -> Spread:
    how = crew.constant((recipe, file.aligned, ngrams))
    made = crew.kept(file.tasks(_rows_of, how))
    file.let_go()
    about, facts = zip(*crew.values(_with_names(crew, _about, made, names)), strict=True)
    notes, rounded = Notes(file.notes), next((part.rounded for part in about if part.rounded), "")
    for part in about:
        notes.count("dropped", dropped, part.n_dropped, part.n_rows)
    if all(part.n_rows == part.n_dropped for part in about):
        raise all_missing(file.name)
    labels = next(part.labels for part in about if part.n_rows > part.n_dropped)
    settle = partial(labels.settle, notes=notes)
    raw = _with_names(crew, _block_of, made, names)
    blocks = spread_parts(crew, raw, names, settle=settle, found=facts)
    notes.extend([rounded] if rounded else [])
    check_number_of_classes(len(blocks.classes), blocks.n_rows, recipe.target, file.name)
    blocks.recipe = replace(recipe, labels_as_written=labels.as_written)
    blocks.notes, blocks.source, blocks.rounded = tuple(notes), file.name, rounded
    if ngrams is not None:
        blocks.words = crew.merged(_with_names(crew, _words_of, made, names), Vocabularies.plus)
    return blocks


def _spread_indexed(crew: Here, parts: Sequence[Any], heads: Sequence[PartHead]) -> Spread:
    names = [head.name for head in heads]
    read = crew.kept(_with_names(crew, _indexed, parts, names))
    about = crew.values(_with_names(crew, _said_of_indexed, read, names))
    first = min(recipe.first for recipe, _, _ in about)
    raw = [
        crew.task(name, _shifted, part, recipe.first - first)
        for name, part, (recipe, _, _) in zip(names, read, about, strict=True)
    ]
    blocks = spread_parts(crew, raw, names, settle=whole_if_possible)
    blocks.recipe = IndexedRecipe(blocks.n_features, first)
    said = list(dict.fromkeys(note for _, notes, _ in about for note in notes))
    blocks.notes, blocks.source = tuple(said), _said_of(heads)
    blocks.rounded = next((rounded for _, _, rounded in about if rounded), "")
    check_number_of_classes(len(blocks.classes), blocks.n_rows, None, blocks.source)
    return blocks


def _with_names(
    crew: Here, function: Callable[..., Any], parts: Sequence[Any], names: Sequence[str]
) -> list[Any]:
    return [crew.task(name, function, part) for part, name in zip(parts, names, strict=True)]


def _said_of(heads: Sequence[PartHead]) -> str:
    """Return the names of what was read, in a few words."""
    return heads[0].name if len(heads) == 1 else said_of_files([head.name for head in heads])


def _check_of_one_kind(heads: Sequence[PartHead]) -> None:
    for head in heads:
        if head.is_table != heads[0].is_table:
            one, other = (heads[0], head) if head.is_table else (head, heads[0])
            raise DataError(
                f"{one.name} is an svmlight file, but {other.name} is a table; files that are "
                "read together are of one kind"
            )


def _head_of(file: TableFile | SvmlightFile | None) -> PartHead | None:
    if file is None:
        return None
    if isinstance(file, SvmlightFile):
        return PartHead(file.name, False, [], [], {}, None, file.without_columns, False)
    return PartHead(
        file.name,
        True,
        file.whole().names,
        file.notes,
        file.kinds,
        file.target,
        file.without_columns,
        may_leave_out(file),
    )


def _looked(how: tuple[Any, Aligned], file: TableFile) -> Any:
    look, aligned = how
    seen = look([aligned.table_of(file)])
    return {name: summary.without_blocks() for name, summary in seen.items()}


def _rows_of(how: tuple[Recipe, Aligned, int | None], file: TableFile) -> TablePart:
    recipe, aligned, ngrams = how
    table = aligned.table_of(file).without(file.left_out)
    rounded = note_on_rounded(table, recipe.kinds)
    kept = recipe.rows_to_learn(table, is_part=True)
    n_rows, n = table.columns.num_rows, kept.columns.num_rows
    labels = LabelsInBlocks(str(recipe.target), recipe.labels_as_written)
    words = None if ngrams is None else Vocabularies(recipe.bits, ngrams, symbols=recipe.symbols)
    block = raw_part(rows_of_table(recipe, kept, words, True), labels.of(kept)) if n else None
    return TablePart(block, n_rows, n_rows - n, rounded, labels, words)


def _about(part: TablePart) -> tuple[TablePart, PartFacts | None]:
    """Return what there is to say of a part, without its rows."""
    return part._replace(block=None, words=None), facts_of(part.block)


def _words_of(part: TablePart) -> Vocabularies:
    return part.words  # type: ignore[return-value]  # they were asked for


def _block_of(part: TablePart) -> Block | None:
    return part.block


class _Indexed(NamedTuple):
    """The rows of svmlight, whose indices start as they seem to in this part."""

    block: Block | None
    recipe: IndexedRecipe
    notes: tuple[str, ...]
    rounded: str


def _indexed(file: SvmlightFile) -> _Indexed:
    X, y = file.whole()
    return _Indexed(raw_part(X, y), file.recipe, (*file.notes, *file.remarks), file.rounded)


def _said_of_indexed(part: _Indexed) -> tuple[IndexedRecipe, tuple[str, ...], str]:
    return part.recipe, part.notes, part.rounded


def _shifted(part: _Indexed, shift: int) -> Block | None:
    block = part.block
    if block is None or not shift:
        return block
    rows: Any = block.rows
    moved = rows._replace(indices=rows.indices + rows.indices.dtype.type(shift))
    return block._replace(rows=moved, n_features=block.n_features + shift)
