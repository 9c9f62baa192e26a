"""From parts that were read apart from each other to blocks of one kind: labels united, checked.

A raw part is a block whose classes are the labels that it has itself; None is a part without rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np

from rosenblatt.blocks import nobody_yet
from rosenblatt.blocks.label_codes import Settle, as_they_are, settled
from rosenblatt.checks import check_block
from rosenblatt.checks.labels import union
from rosenblatt.cluster.crew import Here
from rosenblatt.cluster.spread import Spread, usable
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, LabelError
from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.rows import values_of
from rosenblatt.types import Array, Block, Rows

SHOWN = 3  # columns in a message


class PartFacts(NamedTuple):
    """What the others have to know of a part."""

    n_rows: int
    n_features: int
    names: tuple[str, ...] | None
    kind: str
    dtype: str  # of the numbers; "" of presences
    labels: Array
    first: int = 0  # what svmlight's indices start at


def raw_part(X: Any, y: Any, sample_weight: Any = None) -> Block | None:
    """Send the rows of a part through the door; None if there are none."""
    shape = getattr(X, "shape", None)
    if (len(X) if shape is None else shape[0]) == 0:
        return None
    return usable(check_block(None, X, y, sample_weight, known_classes=nobody_yet(X, y)))


def facts_of(block: Block | None) -> PartFacts | None:
    """Return what the others have to know of a part."""
    if block is None:
        return None
    rows, names = block.rows, block.feature_names
    kind, values = "dense" if isinstance(rows, np.ndarray) else "sparse", values_of(rows)
    dtype = "" if values is None else str(values.dtype)
    named = None if names is None else tuple(map(str, names))
    return PartFacts(block.n_rows, block.n_features, named, kind, dtype, block.classes)


def part_names(n: int, sources: Sequence[str] | None = None) -> list[str]:
    """Return how parts are called in messages.

    Examples
    --------
    >>> part_names(2), part_names(2, ["a.csv", "b.csv"])
    (['part 1 of 2', 'part 2 of 2'], ['part 1 of 2 (a.csv)', 'part 2 of 2 (b.csv)'])
    """
    if sources is None:
        return [f"part {k} of {n}" for k in range(1, n + 1)]
    return [f"part {k} of {n} ({source})" for k, source in enumerate(sources, 1)]


def spread_parts(
    crew: Here,
    raw: Iterable[Any],
    names: Sequence[str],
    *,
    settle: Settle = as_they_are,
    found: Sequence[PartFacts | None] | None = None,
) -> Spread:
    """Return raw parts as blocks; refuse parts that are unlike each other.

    `settle` says what the labels are, now that all are known; `found` is what is known of each.
    """
    parts = crew.kept(raw)
    if found is None:
        tasks = (crew.task(name, facts_of, part) for part, name in zip(parts, names, strict=True))
        found = crew.values(tasks)
    there = [k for k, fact in enumerate(found) if fact is not None]
    if not there:
        raise DataError(f"none of {counted(len(parts), 'part')} has any rows")
    known = [(names[k], fact) for k, fact in enumerate(found) if fact is not None]
    _check_alike(known)
    labels = _united(known)
    classes, ranks = settled(settle(labels))
    first_facts = known[0][1]
    dtype = max(fact.dtype for _, fact in known)  # "" of presences, if all are
    n_features = max(fact.n_features for _, fact in known)
    block = partial(_settled, labels, classes, ranks, n_features, dtype)
    columns = None if first_facts.names is None else np.array(first_facts.names, dtype=object)
    return Spread(
        crew,
        [parts[k] for k in there],
        [fact.n_rows for _, fact in known],
        [name for name, _ in known],
        classes=classes,
        n_features=n_features,
        feature_names=columns,
        is_dense=first_facts.kind == "dense",
        settle=block,
    )


def _check_alike(known: Sequence[tuple[str, PartFacts]]) -> None:
    """Refuse a part whose columns are not those of the first, or of other types."""
    first_name, first = known[0]
    numbers = next((f for f in known if f[1].dtype), known[0])
    for name, fact in known[1:]:
        if (fact.kind == "dense") != (first.kind == "dense"):
            raise DataError(
                f"{name} has {fact.kind} rows, but {first_name} {first.kind} ones",
                do="make all parts dense, or all of them sparse",
            )
        if fact.names != first.names:
            raise DataError(f"{name} {_other_columns(fact, first)}, but {first_name} has")
        if fact.kind == "dense" and fact.n_features != first.n_features:
            raise DataError(
                f"{name} has {counted(fact.n_features, 'column')}, but {first_name} "
                f"{first.n_features}",
                do="give all parts the same columns",
            )
        if fact.dtype and fact.dtype != numbers[1].dtype:
            raise DataError(
                f"{name} has numbers of type {fact.dtype}, but {numbers[0]} {numbers[1].dtype}",
                do="make them of one type",
            )


def _other_columns(fact: PartFacts, first: PartFacts) -> str:
    mine, theirs = fact.names or (), first.names or ()
    gone = [name for name in theirs if name not in mine]
    if gone:
        return f"has no column {', '.join(map(repr, gone[:SHOWN]))}"
    new = [name for name in mine if name not in theirs]
    if new:
        return f"has the column {', '.join(map(repr, new[:SHOWN]))}, which the first has not"
    return "has its columns in another order"


def _united(known: Sequence[tuple[str, PartFacts]]) -> Array:
    """Return the labels of all parts in order; name the part whose labels are of another type."""

    def with_more(labels: Array, part: tuple[str, PartFacts]) -> Array:
        try:
            return union(labels, part[1].labels)
        except LabelError as error:
            error.problem = f"{part[0]}: {error.problem}"
            raise

    return reduce(with_more, known, known[0][1].labels)


def _settled(
    labels: Array, classes: Array, ranks: Array, n_features: int, dtype: str, block: Block
) -> Block:
    """Return a raw part as a block among all of them."""
    places = ranks[np.searchsorted(labels, block.classes)].astype(np.int32)
    return block._replace(
        rows=_with_values(block.rows, dtype),
        labels=places[block.labels],
        classes=classes,
        n_features=n_features,
    )


def _with_values(rows: Rows, dtype: str) -> Rows:
    """Return rows as numbers where the others are: presences are ones."""
    if not dtype or not isinstance(rows, Presence):
        return rows
    return CSR(np.ones(len(rows.indices), dtype=dtype), *rows)
