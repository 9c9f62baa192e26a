"""What each column is taken for: as users say, as its type tells, or as nearly all cells read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

from rosenblatt.checks.parameters import check_choice
from rosenblatt.data.cells import MANY, NUMERIC, Cells, Misfits
from rosenblatt.data.columns import AS_WRITTEN, Column, known_kind, misfit, taken_for_missing
from rosenblatt.data.table import TableFile
from rosenblatt.data.target import nearest
from rosenblatt.errors import DataError

Asked = Literal["number", "date", "category", "text"]  # what users may say a column is
ASKED: tuple[Asked, ...] = get_args(Asked)
SHOWN = 8  # columns of one kind that are named


def check_asked(asked: Mapping[str, str]) -> None:
    """Refuse kinds that there are not."""
    for name, kind in asked.items():
        check_choice(kind, f"columns[{name!r}]", ASKED)


def check_there(asked: Iterable[str], names: Collection[str], source: str) -> None:
    """Refuse columns that a table does not have."""
    for name in asked:
        if name not in names:
            raise DataError(f"{source} has no column {name!r}{nearest(name, list(names))}")


def as_written(asked: Mapping[str, str]) -> tuple[str, ...]:
    """Return the columns that are to be read as strings, whatever they look like."""
    return tuple(name for name, kind in asked.items() if kind in AS_WRITTEN)


def settle_kinds(
    found: Mapping[str, Cells | Any], asked: Mapping[str, str], missing: str, file: TableFile
) -> dict[str, str]:
    """Return the kind of each column, given the cells of strings and the types of all others.

    Cells that are not what nearly all others of their column are, are refused, or counted as
    missing if that is not an error; a note says so.
    """
    kinds = {}
    for name, facts in found.items():
        if isinstance(facts, Cells):
            kinds[name] = _of_strings(name, facts, asked.get(name), missing, file)
        else:
            kinds[name] = _of_type(name, facts, asked.get(name), file.name)
    return kinds


def _of_strings(name: str, cells: Cells, asked: str | None, missing: str, file: TableFile) -> str:
    kind = asked or cells.kind
    if kind not in NUMERIC:
        if asked is None and 2 * cells.n_read("number") >= cells.n_filled > 0:
            file.notes.append(_half_numbers(name, kind, cells))
        return kind
    misfits = cells.misfits(kind)
    if misfits is not None and missing == "error":
        where = f"in {cells.n_read(kind)} of its {cells.n_filled} cells"
        raise misfit(file.name, name, kind, where, misfits)
    if misfits is not None:
        file.notes.append(taken_for_missing(name, kind, misfits))
    return kind


def _of_type(name: str, found: Any, asked: str | None, source: str) -> str:
    if asked in AS_WRITTEN:
        return str(asked)
    kind = known_kind(found, name, source)
    if asked in ("number", "date") and kind != asked and "date" in (kind, asked):
        raise DataError(
            f"{source}, column {name!r} holds {MANY.get(kind, 'categories')}, it cannot be "
            f"read as {MANY[asked]}"
        )
    return kind


def _half_numbers(name: str, kind: str, cells: Cells) -> str:
    what = "categories" if kind == "category" else "text"
    return (
        f"column {name!r} is read as {what}: {cells.n_read('number')} of its {cells.n_filled} "
        f"cells are numbers, {_first(cells.misfits('number'))} is not"
    )


def note_on_labels(name: str, cells: Cells) -> list[str]:
    """Say which label is a word where nearly all are numbers: it may be a typo."""
    misfits = cells.misfits("number")
    if cells.kind != "number" or misfits is None:
        return []
    return [
        f"labels, column {name!r}: {cells.n_read('number')} of {cells.n_filled} are numbers, "
        f"{_first(misfits)} is a class of its own"
    ]


def _first(misfits: Misfits | None) -> str:
    return "" if misfits is None else f"{misfits.value!r} ({misfits.place()})"


def said_of(columns: Sequence[Column]) -> list[str]:
    """Say what the columns were taken for, unless all are plain numbers.

    Examples
    --------
    >>> said_of([Column("size", "number"), Column("kind", "category", ("a", "b"))])
    ["columns read as numbers: 'size'; as categories: 'kind' (2 values)"]
    """
    if all(column.kind == "number" for column in columns):
        return []
    parts = [_said_of_kind(kind, columns) for kind in (*NUMERIC, "category", "text")]
    return ["columns read as " + "; as ".join(filter(None, parts))]


def _said_of_kind(kind: str, columns: Sequence[Column]) -> str:
    names = [_named(column) for column in columns if column.kind == kind]
    if not names:
        return ""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{what_is(kind)}: {', '.join(names[:SHOWN])}{more}"


def _named(column: Column) -> str:
    n = len(column.categories)
    values = f" ({n} {'value' if n == 1 else 'values'})" if column.kind == "category" else ""
    return f"{column.name!r}{values}"


def what_is(kind: str) -> str:
    """Return what cells of a kind are called."""
    return {
        **MANY,
        "date": "dates, in days since 1970",
        "boolean": "true and false",
        "category": "categories",
        "text": "text, by its words",
    }[kind]
