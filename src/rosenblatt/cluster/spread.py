"""Rows in parts that stay where they are: on Dask's workers, or here to compare with.

    fold     the state goes from part to part; each task copies it, so that it can be done again
    total    each part is added up from nothing, and the sums are merged in a tree
    each     something of each part comes back, in order
    mix      each part folds from the same state, and what they make of it is merged in a tree

The tree joins neighbours: 1 with 2, 3 with 4, then the pairs, and so on. Its shape depends on the
number of parts alone, never on who is done first. A drawn order draws the order of the parts, and a
seed for each of them by which its rows are drawn: rows never leave their part.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rosenblatt.blocks import Blocks, Draws, InMemory, taken
from rosenblatt.blocks.joining import join_blocks
from rosenblatt.blocks.orders import draw_order
from rosenblatt.cluster.crew import Here
from rosenblatt.rows import as_others, rows_per_slice, slices
from rosenblatt.types import Array, Block, Integers, Labels

S = TypeVar("S")
T = TypeVar("T")


class Work(NamedTuple):
    """What is done to each part: how its block is seen, and what is made of it."""

    changes: tuple[Callable[[Any], Any], ...]
    act: Any


class Spread(Blocks):
    """Blocks whose parts are elsewhere; made by `rosenblatt.spread`.

    Attributes
    ----------
    n_parts : int
        The parts.
    recipe, notes, source
        Of files and tables: how columns become features, what was guessed, and their names.
    """

    recipe: Any = None
    notes: tuple[str, ...] = ()
    source: str = ""
    rounded: str = ""  # about whole numbers that a float does not hold, if there are any
    words: Any = None  # `Vocabularies` of the texts, where somebody asked for names

    def __init__(
        self,
        crew: Here,
        parts: Sequence[Any],
        lengths: Sequence[int],
        names: Sequence[str],
        *,
        classes: Array,
        n_features: int,
        feature_names: Labels | None = None,
        is_dense: bool = True,
        settle: Callable[[Block], Block] | None = None,
    ) -> None:
        self.classes, self.n_features, self.feature_names = classes, n_features, feature_names
        self._crew, self._parts, self._names = crew, list(parts), list(names)
        self._starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        self._is_dense = is_dense
        self._settled: tuple[Callable[[Any], Any], ...] = () if settle is None else (settle,)
        self._changes: tuple[Callable[[Any], Any], ...] = ()
        self._rows: list[Array] | None = None  # of each part those that are taken, None for all
        self._taken: list[Any] = [None] * len(self._parts)  # the same, with the workers
        self._n_members: int | None = None

    @property
    def n_parts(self) -> int:
        """How many parts there are."""
        return len(self._parts)

    @property
    def n_rows(self) -> int:  # type: ignore[override]  # follows from the parts
        """The rows of all parts."""
        return int(self._starts[-1])

    @property
    def cut(self) -> Integers:
        """Where parts begin and end: orders are drawn part by part."""
        return self._starts

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return self._is_dense

    @property
    def n_members(self) -> int:
        """How many rows a pass visits: those with a weight above 0."""
        if self._n_members is None:
            work = self._crew.constant(Work(self._settled, _n_members))
            self._n_members = sum(
                self._crew.values(self._task(k, _made, work) for k in self._there)
            )
        return self._n_members

    def near(self, most: int) -> Blocks:
        """Return rows of at most so many numbers in memory."""
        if self.n_rows > most or self.n_entries > most:
            return self
        return InMemory(usable(join_blocks(list(self.one_pass()))))

    def one_pass(self, draws: Draws = None) -> Iterator[Any]:
        """Yield the parts, which come here one after the other: what learns uses the verbs."""
        order, seeds = self._drawn(draws)
        (work,) = self._crew.kept([self._crew.constant(Work(self._settled + self._changes, None))])
        parts = (self._task(k, _brought, work, seed) for k, seed in zip(order, seeds, strict=True))
        return self._crew.in_order(parts, at_once=1)

    def changed(self, change: Callable[[Any], Any], *, is_dense: bool | None = None) -> Spread:
        """Return the rows seen otherwise; they are changed where they are, in each pass."""
        return self._with(
            _changes=(*self._changes, change),
            _is_dense=self._is_dense if is_dense is None else is_dense,
        )

    def take(self, rows: Array) -> Spread:
        """Return some of the rows, by their numbers in ascending order."""
        ends = np.searchsorted(rows, self._starts)
        pieces = [
            rows[low:high] - start
            for low, high, start in zip(ends[:-1], ends[1:], self._starts, strict=False)
        ]
        if self._rows is not None:
            pieces = [mine[piece] for mine, piece in zip(self._rows, pieces, strict=True)]
        here = self._crew.kept(self._crew.constant(piece) for piece in pieces)
        starts = np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])])
        return self._with(_rows=pieces, _taken=here, _starts=starts, _n_members=None)

    def of_classes(self, codes: Array) -> Spread:
        """Return blocks that visit the rows of some classes only, given by their places."""
        return self._with(_settled=(*self._settled, partial(_only_classes, codes)), _n_members=None)

    def among(self, classes: Array) -> Spread:
        """Return the rows with their labels among more classes than theirs."""
        places = np.searchsorted(classes, self.classes).astype(np.int32)
        move = partial(_moved_labels, places, classes)
        return self._with(_settled=(*self._settled, move), classes=classes)

    def fold(
        self,
        visit: Callable[[S, Any, Array], S],
        state: S,
        *,
        draws: Draws = None,
        n_vectors: int = 1,
        each_block: bool = False,
    ) -> Iterator[S]:
        """Carry the state from part to part; yield it when it has come through all of them.

        The arrays of the state that was given have then what was learned, as on one machine. With
        `each_block` the state comes here after each part, and is yielded.
        """
        order, seeds = self._drawn(draws)
        work = self._crew.constant(Work(self._settled + self._changes, visit))
        carried = self._crew.constant(state)
        steps = [
            partial(self._task, k, _folded, work, (seed, n_vectors))
            for k, seed in zip(order, seeds, strict=True)
        ]
        if each_block:
            return self._crew.one_by_one(carried, steps)
        for step in steps:
            carried = step(carried)
        return (written_back(state, self._crew.value(task)) for task in (carried,))

    def each(self, part: Callable[[Any], T]) -> Iterator[T]:
        """Yield something of each part, in the order of the parts."""
        (work,) = self._crew.kept([self._crew.constant(Work(self._settled + self._changes, part))])
        return self._crew.in_order(self._task(k, _made, work) for k in self._there)

    def total(self, add: Callable[[S | None, Any], S], merge: Callable[[S, S], S]) -> S:
        """Add up each part from nothing, and merge the sums in the tree."""
        work = self._crew.constant(Work(self._settled + self._changes, add))
        found: S = self._crew.merged((self._task(k, _added, work) for k in self._there), merge)
        return found

    def mix(
        self,
        visit: Callable[[S, Any, Array], S],
        state: S,
        weigh: Callable[[S, S], T],
        merge: Callable[[T, T], T],
        *,
        draws: Draws = None,
        n_vectors: int = 1,
    ) -> T:
        """Let each part fold from the same state; merge what `weigh` makes of each in the tree."""
        order, seeds = self._drawn(draws)
        work = self._crew.constant(Work(self._settled + self._changes, (visit, weigh)))
        start = self._crew.constant(state)
        hows = {k: (seed, n_vectors) for k, seed in zip(order, seeds, strict=True)}
        folded = [self._task(k, _mixed, work, hows[k], start) for k in self._there]
        found: T = self._crew.merged(folded, merge)
        return found

    def __reduce__(self) -> Any:
        """Give to workers what is known of the rows; the rows are there."""
        facts = self.classes, self.n_rows, self.n_features, self.feature_names, self._is_dense
        return SpreadFacts, facts

    @property
    def _there(self) -> list[int]:
        """The parts with rows; the first one, where nothing has any."""
        return np.flatnonzero(np.diff(self._starts)).tolist() or [0]

    def _drawn(self, draws: Draws) -> tuple[list[int], list[Any]]:
        """Return the order of the parts, and a seed for the rows of each, None for no draws."""
        there = self._there
        if draws is None:
            return there, [None] * len(there)
        order = draws.permutation(len(there))
        seeds = draws.randint(1 << 32, size=(len(there), 2), dtype=np.uint32).tolist()
        return [there[k] for k in order], [tuple(seeds[k]) for k in order]

    def _task(self, k: int, function: Callable[..., Any], work: Any, *more: Any) -> Any:
        name, first = self._names[k], int(self._starts[k])
        return self._crew.task(name, function, work, self._parts[k], self._taken[k], first, *more)

    def _with(self, **facts: Any) -> Spread:
        # not `copy`, which goes by `__reduce__`
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__ | facts)
        return other


class SpreadFacts(Blocks):
    """What workers know of all rows, without the rows."""

    def __init__(
        self,
        classes: Array,
        n_rows: int,
        n_features: int,
        feature_names: Labels | None,
        is_dense: bool,
    ) -> None:
        self.classes, self.n_rows, self.n_features = classes, n_rows, n_features
        self.feature_names, self._is_dense = feature_names, is_dense

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return self._is_dense


def written_back(given: Any, found: Any) -> Any:
    """Return what was found in the arrays that were given, wherever they are alike.

    A learner keeps the memory that its state is a view of, and looks there for what was learned.

    Examples
    --------
    >>> weights = np.zeros(2)
    >>> written_back((weights, 0), (np.array([1.0, 2.0]), 7))
    (array([1., 2.]), 7)
    >>> weights
    array([1., 2.])
    """
    if isinstance(given, np.ndarray) and isinstance(found, np.ndarray):
        if given.shape != found.shape or given.dtype != found.dtype:
            return found
        given[...] = found
        return given
    if isinstance(given, tuple) and type(given) is type(found) and len(given) == len(found):
        items = [written_back(a, b) for a, b in zip(given, found, strict=True)]
        return type(given)(*items) if hasattr(given, "_fields") else tuple(items)
    return found


def _seen(work: Work, part: Block, rows: Array | None, first: int) -> Any:
    """Return the block of a part as it is to be seen."""
    block: Any = usable(part)
    block = block if rows is None else taken(block, rows)
    block = block._replace(first=first)
    for change in work.changes:
        block = change(block)
    return block


def usable(block: Block) -> Block:
    """Return a block whose arrays are as kernels know them, wherever they have come from.

    What was sent may be read-only, and may begin at any byte: kernels would be compiled anew for
    that, and products of matrices have other last digits. Parts are made usable when they come.
    """
    rows = block.rows
    rows = _plain(rows) if isinstance(rows, np.ndarray) else type(rows)(*map(_plain, rows))
    labels, weights, members = map(_plain, (block.labels, block.weights, block.members))
    return block._replace(rows=rows, labels=labels, weights=weights, members=members)


def _plain(array: Array) -> Array:
    return as_others(array) if array.flags.aligned else array.copy()


def _arrived(*fields: Any) -> Block:
    return usable(Block(*fields))


def _sent(block: Block) -> tuple[Any, ...]:
    return _arrived, tuple(block)


copyreg.pickle(Block, _sent)


def _own(work: Work) -> Work:
    """Return a copy: kernels write into what a function has with it, and others read that, too."""
    return deepcopy(work)


def _added(work: Work, part: Block, rows: Array | None, first: int) -> Any:
    work = _own(work)
    return work.act(None, _seen(work, part, rows, first))


def _made(work: Work, part: Block, rows: Array | None, first: int) -> Any:
    work = _own(work)
    return work.act(_seen(work, part, rows, first))


def _brought(work: Work, part: Block, rows: Array | None, first: int, seed: Any) -> Any:
    work = _own(work)
    block = _seen(work, part, rows, first)
    return block if seed is None else block._replace(members=_order(block, seed))


def _folded(
    work: Work, part: Block, rows: Array | None, first: int, how: tuple[Any, int], state: Any
) -> Any:
    work = _own(work)
    return _fold_of(work.act, _seen(work, part, rows, first), how, state)


def _mixed(
    work: Work, part: Block, rows: Array | None, first: int, how: tuple[Any, int], state: Any
) -> Any:
    work = _own(work)
    visit, weigh = work.act
    return weigh(state, _fold_of(visit, _seen(work, part, rows, first), how, state))


def _fold_of(visit: Any, block: Any, how: tuple[Any, int], state: Any) -> Any:
    """Return a state of its own that has gone through a block."""
    (seed, n_vectors), state = how, deepcopy(state)
    order = block.members if seed is None else _order(block, seed)
    for piece in slices(order, rows_per_slice(block.rows, n_vectors)):
        state = visit(state, block, piece)
    return state


def _order(block: Any, seed: tuple[int, int]) -> Array:
    return draw_order(block.members, np.random.RandomState(list(seed)))


def _n_members(block: Block) -> int:
    return len(block.members)


def _only_classes(codes: Array, block: Block) -> Block:
    mine = np.isin(block.labels[block.members], codes)
    return block._replace(members=block.members[mine])


def _moved_labels(places: Array, classes: Array, block: Block) -> Block:
    return block._replace(labels=places[block.labels], classes=classes)
