"""Which examples are learned from and which are tested, so that no tested one was seen.

Rows that are copies of each other, or belong to one group, are dealt to the folds as one unit;
what is connected by either stays together. Small data is cross-validated, of large data a fifth is
held out. By time, later rows are foretold from earlier ones.

A class is never tested by a model that has not met it, unless it is new in time: a unit with all
rows of a class is always learned from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rosenblatt.counting import counted
from rosenblatt.types import Array
from rosenblatt.workflows.task import Task

LARGE = 20_000  # examples
N_FOLDS = 5
NEARLY = 0.02  # of what is held out
ALONE = 0.9  # of all rows
SHOWN = 8  # classes, by name
STAY = "copies stay in one fold"
BYTES_TO_DEAL = 96  # a row, to draw the examples that are held out
LEARNED_ALWAYS = -1  # the fold of a unit that is not tested

Split = tuple[Array, Array]  # examples to learn from, and to test on


class Folds(NamedTuple):
    """How examples are parted to validate, in words and by their numbers."""

    way: str
    parts: list[Split]
    notes: tuple[str, ...] = ()
    why_none: str = ""  # why there is nothing to test, if so
    units: Any = None  # of each row: rows of one unit stay together

    @property
    def are_alone(self) -> bool:
        """Whether nearly every row is a unit of its own."""
        return self.units is None or len(np.unique(self.units)) >= ALONE * len(self.units)


def folds_of(task: Task, seed: int = 0, rows: Array | None = None, n_folds: int = N_FOLDS) -> Folds:
    """Return the folds for the rows of a task, wherever they are, or for some of its rows.

    Examples
    --------
    >>> from rosenblatt import read
    >>> from rosenblatt.workflows.task import make_task
    >>> folds = folds_of(make_task(read("iris")))
    >>> folds.way, sum(len(test) for _, test in folds.parts)
    ('5-fold', 150)
    >>> folds.notes
    ('1 of 150 examples is a copy of another; copies stay in one fold',)
    """
    if task.memory is not None and BYTES_TO_DEAL * task.blocks.n_rows > task.memory // 4:
        reason = "the memory is too small to draw the examples that are held out"
        return Folds("", [], why_none=reason)
    some = slice(None) if rows is None else rows
    labels, digests = task.labels[some], task.digests[some]
    groups = None if task.groups is None else task.groups[some]
    units, n_copies = units_of(digests, groups)
    by_time = task.times is not None
    if task.times is None:
        found = dealt(labels, units, seed, n_folds)
    else:
        found = forward(labels, units, task.times[some], n_folds)
    if rows is not None:
        found = found._replace(parts=[(rows[train], rows[test]) for train, test in found.parts])
    notes = _said_of_copies(n_copies, len(units), by_time)
    if groups is not None:
        notes += [_said_of_groups(len(np.unique(groups)), by_time)]
    if not by_time:
        notes += _said_of_rare(labels, units, task.blocks.classes)
    return found._replace(notes=tuple(notes), units=units)


def units_of(digests: Array, groups: Array | None = None) -> tuple[Array, int]:
    """Return the unit that each row belongs to, and how many rows are copies of an earlier one.

    Examples
    --------
    >>> units_of(np.array([7, 8, 7, 9]), np.array(["a", "b", "c", "c"]))
    (array([0, 1, 0, 0]), 1)
    """
    different, units = np.unique(digests, return_inverse=True)
    n_copies = len(digests) - len(different)
    if groups is None:
        return units, n_copies
    names, of_group = np.unique(groups, return_inverse=True)
    n = len(different) + len(names)
    edges = coo_array((np.ones(len(units), bool), (units, len(different) + of_group)), (n, n))
    joined: Array = connected_components(edges, directed=False)[1][units].astype(np.int64)
    return joined, n_copies


def dealt(labels: Array, units: Array, seed: int = 0, n_folds: int = N_FOLDS) -> Folds:
    """Deal the units to folds, the rows of each class as evenly as they go."""
    n = len(labels)
    fold_of_unit = _deal(labels, units, seed, n_folds)
    fold_of = fold_of_unit[units]
    _spare(labels, units, fold_of_unit, fold_of, n_folds)
    tested = [fold for fold in range(n_folds) if (fold_of == fold).any()]
    if not tested:
        return Folds("", [], why_none="each class has a single example, or group of examples")
    way = f"{len(tested)}-fold"
    if n > LARGE or len(tested) == 1:
        sizes = np.bincount(fold_of[fold_of >= 0])
        off, chosen = min((abs(sizes[fold] / n - 1 / n_folds), fold) for fold in tested)
        is_fifth = n_folds == N_FOLDS and off < NEARLY
        held = "a fifth" if is_fifth else f"{sizes[chosen] / n:.0%}"
        way, tested = f"{held} held out", [chosen]
    # in the order of the rows: that is how a file is read
    parts = [(np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)) for fold in tested]
    return Folds(way, parts)


def _deal(labels: Array, units: Array, seed: int, n_folds: int) -> Array:
    """Return the fold of each unit.

    Within a class the largest units are dealt first, forwards and backwards in turns, as children
    choose teams; then the single rows in turn. A unit of several classes counts as one of the
    rarest of them.
    """
    sizes = np.bincount(units)
    n_units, n_folds = len(sizes), min(n_folds, len(sizes))
    counts = np.bincount(labels)
    rarity = np.empty(len(counts), dtype=np.int64)
    rarity[np.argsort(counts, kind="stable")] = np.arange(len(counts))
    rarest = np.full(n_units, len(counts))
    np.minimum.at(rarest, units, rarity[labels])
    order = np.lexsort((np.random.default_rng(seed).permutation(n_units), -sizes, rarest))
    rarest = rarest[order]
    first = np.searchsorted(rarest, rarest)  # where the units of a class begin
    turn, place = np.divmod(np.arange(n_units) - first, n_folds)
    place = np.where((turn % 2 == 1) & (sizes[order] > 1), n_folds - 1 - place, place)
    folds: Array = np.empty(n_units, dtype=np.int64)
    folds[order] = (first + place) % n_folds
    return folds


def _spare(labels: Array, units: Array, fold_of_unit: Array, fold_of: Array, n_folds: int) -> None:
    """Take from the tests a unit of each class that would be in one fold alone, in place."""
    counts = np.bincount(labels)
    for fold in range(n_folds):
        inside = np.flatnonzero(fold_of == fold)
        lost = np.bincount(labels[inside], minlength=len(counts)) == counts
        rows = inside[lost[labels[inside]]]
        first = np.unique(labels[rows], return_index=True)[1]
        fold_of_unit[units[rows[first]]] = LEARNED_ALWAYS
    fold_of[:] = fold_of_unit[units]


def forward(labels: Array, units: Array, times: Array, n_blocks: int = N_FOLDS) -> Folds:
    """Test later blocks of rows by models that learned from all rows before them.

    Rows of one time stay together. An earlier row that is a copy of a tested one, or of its group,
    is not learned from then.
    """
    moments, when, counts = np.unique(times, return_inverse=True, return_counts=True)
    # a moment belongs to the block in which its middle row is
    middle = np.cumsum(counts) - (counts + 1) / 2
    block_of = np.minimum(n_blocks * middle // len(times), n_blocks - 1).astype(np.int64)[when]
    last = range(n_blocks - 1, n_blocks) if len(times) > LARGE else range(1, n_blocks)
    parts = []
    for block in last:
        test = np.flatnonzero(block_of == block)
        train = np.flatnonzero(block_of < block)
        train = train[~np.isin(units[train], units[test])]
        if len(test) and len(np.unique(labels[train])) > 1:
            parts.append((train, test))
    if not parts:
        reason = (
            "the rows have one time" if len(moments) == 1 else "the earlier rows are of one class"
        )
        return Folds("", [], why_none=reason)
    if len(times) > LARGE:
        fifth = "fifth" if n_blocks == N_FOLDS else f"part of {n_blocks}"
        return Folds(f"the latest {fifth} held out", parts)
    return Folds(f"{len(parts)} forward {'cut' if len(parts) == 1 else 'cuts'} in time", parts)


def _said_of_copies(n_copies: int, n: int, by_time: bool) -> list[str]:
    if not n_copies:
        return []
    are = "is a copy" if n_copies == 1 else "are copies"
    fate = "earlier copies of a tested one are not learned from" if by_time else STAY
    said = f"{n_copies:,} of {n:,} examples {are} of another; {fate}"
    if 2 * n_copies > n:  # as tables of a few categories are
        said += "; where rows repeat by nature the validated error is too high"
    return [said]


def _said_of_groups(n_groups: int, by_time: bool) -> str:
    fate = "what is tested is not learned from earlier" if by_time else "each stays in one fold"
    return f"{counted(n_groups, 'group', ',')} of examples; {fate}"


def _said_of_rare(labels: Array, units: Array, classes: Array) -> list[str]:
    """Name the classes that are not tested, and those that hardly are."""
    n = int(units.max()) + 1
    pairs = np.unique(labels.astype(np.int64) * n + units)
    n_units = np.bincount(pairs // n, minlength=len(classes))
    counts = np.bincount(labels, minlength=len(classes))
    single, together = counts == 1, (n_units == 1) & (counts > 1)
    said = [
        _named(classes[single], "with a single example", "learned from, but not tested"),
        _named(classes[together], "in one group, or of one row", "learned from, but not tested"),
        _named(
            classes[(n_units > 1) & (counts == 2)],
            "with two examples",
            "tested on each of them, learned from the other",
        ),
    ]
    return [sentence for sentence in said if sentence]


def _named(classes: Array, what: str, fate: str) -> str:
    n = len(classes)
    shown = ", ".join(repr(label) for label in classes[:SHOWN].tolist())
    more = f" and {n - SHOWN} more" if n > SHOWN else ""
    return f"{counted(n, 'class')} {what}: {shown}{more}; {fate}" if n else ""
