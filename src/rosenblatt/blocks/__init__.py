"""Rows in blocks that can be gone through again and again, and the verbs over them.

Learners are written against these verbs and do not know where the rows are:

    fold      the state of an online learner goes through the rows, in their order or a drawn one
    total     one sum over all rows: counts, means, mistakes
    each      something of each block, in order: predictions, scores, digests
    mix       each block folds from the same state, and what they make of it is merged

A place is a class with `one_pass`, `take`, `of_classes` and `among`: `InMemory` here, one block,
the arrays as they were given; `Stored` in `stored.py`, memory maps of files without a name;
`data.text_blocks.TextBlocks`, whose rows are made anew in each pass; and `cluster.spread.Spread`,
whose rows stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, TypeVar

import numpy as np

from rosenblatt.blocks.orders import draw_order
from rosenblatt.checks import check_block
from rosenblatt.checks.labels import union
from rosenblatt.elsewhere import home_of, is_elsewhere
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.rows import n_entries_of, rows_per_slice, slices, take
from rosenblatt.types import Array, Block, Integers, Labels

Draws = np.random.RandomState | None
S = TypeVar("S")
T = TypeVar("T")


class UnknownLabelError(Exception):
    """A label was met that is not among the classes; they are known after `look_for_labels`."""


class Blocks:
    """An ordered sequence of blocks of labelled rows.

    A learner sees the blocks of `changed`, which may be of any class with `rows` and `members`.
    """

    classes: Array  # the labels, in order
    n_rows: int  # of all blocks
    n_features: int
    feature_names: Labels | None = None

    @property
    def whole(self) -> Any:
        """The one block, where all rows are in memory; else None."""
        return None

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return False

    @property
    def n_members(self) -> int | None:
        """How many rows a pass visits; None while nobody knows."""
        return self.n_rows

    @property
    def cut(self) -> Integers:
        """Where parts begin and end, if that has a say in what is learned; else nothing."""
        return np.empty(0, dtype=np.int64)

    @property
    def n_entries(self) -> int:
        """How many numbers, or presences, all rows have."""
        return sum(self.each(lambda block: n_entries_of(block.rows)))

    def look_for_labels(self) -> None:
        """Make sure that `classes` has all labels; most places know them from the start."""

    def near(self, most: int) -> Blocks:
        """Return rows of at most so many numbers in memory, if each pass goes to other machines."""
        return self

    def one_pass(self, draws: Draws = None) -> Iterator[Any]:
        """Yield all rows, block by block; `members` of a block is the order to visit.

        A random order is drawn when this is called, not when the first block is asked for. Blocks
        stay as they are when the next one is read.
        """
        raise NotImplementedError

    def changed(self, change: Callable[[Any], Any], *, is_dense: bool | None = None) -> Blocks:
        """Return the rows seen otherwise: scaled, or as one problem of two classes.

        `is_dense`: whether the rows are dense then; None: as before.
        """
        return _Changed(self, change, is_dense)

    def take(self, rows: Array) -> Blocks:
        """Return some of the rows, by their numbers in ascending order."""
        raise NotImplementedError

    def of_classes(self, codes: Array) -> Blocks:
        """Return blocks that visit the rows of some classes only, given by their places."""
        raise NotImplementedError

    def among(self, classes: Array) -> Blocks:
        """Return the rows with their labels among more classes than theirs."""
        raise NotImplementedError

    def fold(
        self,
        visit: Callable[[S, Any, Array], S],
        state: S,
        *,
        draws: Draws = None,
        n_vectors: int = 1,
        each_block: bool = False,
    ) -> Iterator[S]:
        """Carry the state through one pass; yield it after each slice.

        `visit(state, block, piece)` returns the state after the rows in `piece`, with all that it
        changed, arrays in place. An order is drawn when this is called. Between slices the caller
        tells how far it is. A place elsewhere yields at the end alone, or after `each_block`.
        """
        return _folded(visit, state, self.one_pass(draws), n_vectors)

    def each(self, part: Callable[[Any], T]) -> Iterator[T]:
        """Yield something of each block, in the order of the blocks."""
        return map(part, self.one_pass())

    def total(self, add: Callable[[S | None, Any], S], merge: Callable[[S, S], S]) -> S:
        """Add up all blocks: `add(None, block)` begins a sum, `add(sum, block)` goes on with it.

        On one machine all is added into one sum, so that counts have the same bits in blocks of
        any size. `merge` is for a place whose blocks are added up apart, `cluster.spread.Spread`.
        """
        state: Any = None
        for block in self.one_pass():
            state = add(state, block)
        return state  # type: ignore[no-any-return]  # there is a block at least

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
        """Let each block fold from the same state, and return what they make of it, merged.

        `weigh(before, after)` is what a block has to say; `merge` puts two of these together.
        """
        found: Any = None
        for block in self.one_pass(draws):
            after = deepcopy(state)
            for last in _folded(visit, after, iter((block,)), n_vectors):
                after = last
            found = weigh(state, after) if found is None else merge(found, weigh(state, after))
        return found  # type: ignore[no-any-return]  # there is a block at least


class InMemory(Blocks):
    """One block, which is all there is: nothing is copied.

    Examples
    --------
    >>> blocks = as_blocks([[1.0], [2.0], [7.0]], ["low", "low", "high"])
    >>> [block.rows.tolist() for block in blocks.one_pass()]
    [[[1.0], [2.0], [7.0]]]
    """

    def __init__(self, block: Any, facts: Blocks | Block | None = None) -> None:
        facts = block if facts is None else facts
        self.classes, self.n_rows = facts.classes, facts.n_rows
        self.n_features, self.feature_names = facts.n_features, facts.feature_names
        self._block = block
        self._drawn: Array | None = None

    @property
    def whole(self) -> Any:
        """The one block."""
        return self._block

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return isinstance(self._block.rows, np.ndarray)

    @property
    def n_members(self) -> int:
        """How many rows a pass visits: those with a weight above 0."""
        return len(self._block.members)

    def one_pass(self, draws: Draws = None) -> Iterator[Any]:
        """Yield the one block."""
        if draws is None:
            return iter((self._block,))
        # kept until the next is drawn: what is given back to the system has to be asked for anew,
        # which takes as long as drawing (1 ms for 200,000 rows)
        self._drawn = draw_order(self._block.members, draws)
        return iter((self._block._replace(members=self._drawn),))

    def changed(self, change: Callable[[Any], Any], *, is_dense: bool | None = None) -> InMemory:
        """Return the rows seen otherwise: they are changed once."""
        return InMemory(change(self._block), self)

    def take(self, rows: Array) -> InMemory:
        """Return a copy of some of the rows."""
        return InMemory(taken(self._block, rows))

    def of_classes(self, codes: Array) -> InMemory:
        """Return blocks that visit the rows of some classes only."""
        members = self._block.members
        chosen = members[np.isin(self._block.labels[members], codes)]
        return InMemory(self._block._replace(members=chosen))

    def among(self, classes: Array) -> InMemory:
        """Return the rows with their labels among more classes than theirs."""
        places = np.searchsorted(classes, self.classes).astype(np.int32)
        labels = places[self._block.labels]
        return InMemory(self._block._replace(labels=labels, classes=classes))


class _Changed(Blocks):
    """The blocks of another place, each changed when it is read."""

    def __init__(self, blocks: Blocks, change: Callable[[Any], Any], is_dense: bool | None) -> None:
        self.classes, self.n_features = blocks.classes, blocks.n_features
        self.feature_names = blocks.feature_names
        self._blocks, self._change = blocks, change
        self._is_dense = blocks.is_dense if is_dense is None else is_dense

    @property
    def n_rows(self) -> int:  # type: ignore[override]  # a file of texts counts when asked
        """The rows of all blocks."""
        return self._blocks.n_rows

    @property
    def is_dense(self) -> bool:
        """Whether the rows are dense."""
        return self._is_dense

    @property
    def n_members(self) -> int | None:
        """How many rows a pass visits."""
        return self._blocks.n_members

    @property
    def n_entries(self) -> int:
        """How many numbers all rows have."""
        if self._is_dense and not self._blocks.is_dense:
            return self.n_rows * self.n_features
        return self._blocks.n_entries

    def look_for_labels(self) -> None:
        """Make sure that `classes` has all labels."""
        self._blocks.look_for_labels()
        self.classes = self._blocks.classes

    def one_pass(self, draws: Draws = None) -> Iterator[Any]:
        """Yield all rows, block by block."""
        return map(self._change, self._blocks.one_pass(draws))

    def take(self, rows: Array) -> Blocks:
        """Return some of the rows."""
        return _Changed(self._blocks.take(rows), self._change, self._is_dense)

    def of_classes(self, codes: Array) -> Blocks:
        """Return blocks that visit the rows of some classes only."""
        return _Changed(self._blocks.of_classes(codes), self._change, self._is_dense)

    def among(self, classes: Array) -> Blocks:
        """Return the rows with their labels among more classes than theirs."""
        return _Changed(self._blocks.among(classes), self._change, self._is_dense)


def _folded(
    visit: Callable[[S, Any, Array], S], state: S, blocks: Iterator[Any], n_vectors: int
) -> Iterator[S]:
    for block in blocks:
        for piece in slices(block.members, rows_per_slice(block.rows, n_vectors)):
            state = visit(state, block, piece)
            yield state


def as_blocks(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    estimator: Any = None,
    known_classes: Array | None = None,
    reset: bool = True,
) -> Blocks:
    """Return blocks as they are, those of Dask's collections, and all else as one in memory."""
    if is_elsewhere(X):
        X, y, sample_weight = home_of(X).spread_collection(X, y, sample_weight), None, None
    if isinstance(X, Blocks):
        if y is not None or sample_weight is not None:
            raise DataError("blocks of rows have their labels with them; leave out y and weights")
        if not reset and X.n_features != estimator.n_features_in_:
            raise DataError(
                f"X has {X.n_features} features, but {type(estimator).__name__} is expecting "
                f"{estimator.n_features_in_} features as input"
            )
        return X if known_classes is None else X.among(union(known_classes, X.classes))
    return InMemory(
        check_block(estimator, X, y, sample_weight, known_classes=known_classes, reset=reset)
    )


def nobody_yet(X: Any, y: Any) -> Array:
    """Return no labels, of the type of those that are to be learned."""
    if is_elsewhere(X):
        return np.empty(0)  # the type is known when the labels are
    return X.classes[:0] if isinstance(X, Blocks) else np.atleast_1d(np.asarray(y))[:0]


def needs_all_rows(learner: Any, why: str) -> ParameterError:
    """Return the error for a learner that cannot learn from rows that are not all in memory."""
    return ParameterError(
        f"{type(learner).__name__} cannot learn from blocks of rows, it needs all of them in "
        f"memory: it {why}",
        do="fit with all rows in memory, or take another learner, such as AveragedPerceptron",
        in_shell="take another learner, such as -a averaged",
    )


def taken(block: Block, rows: Array) -> Block:
    """Return a block of some of the rows of a block, copied."""
    weights = block.weights[rows] if len(block.weights) else block.weights
    return block._replace(
        rows=take(block.rows, rows),
        n_rows=len(rows),
        labels=block.labels[rows],
        weights=weights,
        members=np.flatnonzero(weights) if len(weights) else np.arange(len(rows)),
        first=0,
        numbers=None,
    )


def numbers_of(block: Block, places: Array) -> Array:
    """Return the numbers, among all rows, of rows that are given by their places in a block."""
    return places + block.first if block.numbers is None else block.numbers[places]
