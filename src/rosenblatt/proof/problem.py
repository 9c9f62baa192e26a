"""A question put to rows, wherever they are: what the search and the check are written against.

The rows are in blocks (`rosenblatt.blocks`): one in memory, many on disk or on other machines. A
working set of rows is all that is fetched; everything else is asked of each block:

    each      something of each block: its worst rows, its smallest score
    fold      a state that goes through all rows in their order: the perceptron's weights
    take      some rows by number, which are then in memory

What comes back is put together so that it does not depend on where blocks end. Rows in memory are
the case of one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from rosenblatt.blocks import Blocks, InMemory
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ProofError
from rosenblatt.progress import ProofReporter
from rosenblatt.proof.question import (
    AnyQuestion,
    Data,
    JointProblem,
    SignedRows,
    check_exact_block,
    plain_labels,
)
from rosenblatt.rows import join, row_digests
from rosenblatt.types import Array, Block, Labels

S = TypeVar("S")
T = TypeVar("T")
OneBlock = SignedRows | JointProblem
MOST_HELD = 1 << 25  # numbers, or presences, of rows that are fetched: 400 MB
# The same of rows on other machines that are all fetched at the start: 8 MB, which takes a moment,
# where tens of passes take seconds however few the rows
FEW = 1 << 20
NO_LABELS = np.zeros(0, dtype=np.int32)


class AskedRows:
    """The examples of a question in blocks, each a `SignedRows` or a `JointProblem`.

    Examples
    --------
    >>> rows = SignedRows(np.array([[1.0], [2.0], [7.0]]), np.array([-1, -1, 1]), 1.0, 1)
    >>> problem = AskedRows.of(rows)
    >>> list(problem.each(lambda block: block.n_rows)), problem.take(np.array([2])).rows
    ([3], array([[7.]]))
    """

    def __init__(
        self,
        blocks: Blocks,
        view: Callable[[Any], Any],
        x0: float,
        n_classes: int = 2,
        reporter: ProofReporter | None = None,
    ) -> None:
        self._blocks, self._view, self._reporter = blocks, view, reporter
        self._seen = blocks.changed(view)  # in memory once, elsewhere in each pass
        self.x0, self.n_classes = x0, n_classes
        self.n_rows, self.n_features = blocks.n_rows, blocks.n_features
        self.known: dict[str, Any] = {}  # what a pass found out, and need not find out again

    @classmethod
    def of(cls, rows: AskedRows | OneBlock) -> AskedRows:
        """Return rows in memory as a problem of one block, and a problem as it is."""
        if isinstance(rows, AskedRows):
            return rows
        facts: Any = _Facts(NO_LABELS, rows.n_rows, rows.n_features)
        return cls(InMemory(rows, facts), _as_it_is, rows.x0, getattr(rows, "n_classes", 2))

    @property
    def whole(self) -> Any:
        """The one block, where all rows are in memory; else None."""
        return self._seen.whole

    @property
    def n_entries(self) -> int:
        """How many numbers, or presences, all rows have."""
        return self._blocks.n_entries

    def changed(self, change: Callable[[Any], Any]) -> AskedRows:
        """Return the same rows seen otherwise, in blocks of any class with `rows`."""
        return AskedRows(self._seen, change, self.x0, self.n_classes, self._reporter)

    @cached_property
    def positive(self) -> AskedRows:
        """The rows of a joint problem alone, each with the sign +1."""
        return self.changed(_positive)

    def each(self, part: Callable[[Any], T]) -> Iterator[T]:
        """Yield something of each block in order; in between, the time may be over."""
        for found in self._seen.each(part):
            self._glance()
            yield found
        self._passed()

    def fold(self, visit: Callable[[S, Any, Array], S], state: S) -> Iterator[S]:
        """Carry a state through all rows; yield it after each slice, or each block at least."""
        yield from self._seen.fold(visit, state, each_block=True)
        self._passed()

    def take(self, numbers: Array) -> Any:
        """Return some of the rows by number, in this order, as one block in memory."""
        if self.whole is not None:
            return self.whole.take(numbers)
        if len(numbers) == 0:
            return self.take(np.array([0])).take(numbers)
        if len(numbers) * self.n_entries / self.n_rows > MOST_HELD:
            raise ProofError(
                f"{counted(len(numbers), 'row', ',')} would have to be looked at together, too "
                "many for rows that are not in memory",
                do="leave out {memory}, or {cluster}",
            )
        ascending, places = np.unique(numbers, return_inverse=True)
        rows = _joined(list(self._blocks.take(ascending).each(self._view)))
        return rows.take(places)

    def gathered(self) -> AskedRows:
        """Return a problem of all rows in memory: for few of them."""
        if self.whole is not None:
            return self
        return AskedRows.of(self.take(np.arange(self.n_rows)))

    def _glance(self) -> None:
        if self._reporter is not None and self.whole is None:
            self._reporter.glance()

    def _passed(self) -> None:
        if self._reporter is not None and self.whole is None:
            self._reporter.n_passes += 1


class WorstRows(NamedTuple):
    """The examples with the smallest values, and how many there were to choose from."""

    values: Array
    numbers: Array
    n: int

    @classmethod
    def of(cls, values: Array, numbers: Array, most: int, n: int | None = None) -> WorstRows:
        """Choose; what is not a number comes last, of equal values the first examples.

        Examples
        --------
        >>> WorstRows.of(np.array([0.0, -1.0, 0.0, -2.0]), np.array([3, 5, 6, 7]), 3).numbers
        array([3, 5, 7])
        """
        n = len(values) if n is None else n
        if len(values) > most:
            keys = np.where(np.isnan(values), np.inf, values)
            near = np.flatnonzero(keys <= np.partition(keys, most - 1)[most - 1])
            near = near[np.lexsort((numbers[near], keys[near]))[:most]]
            values, numbers = values[near], numbers[near]
        order = np.argsort(numbers)
        return cls(values[order], numbers[order], n)

    @classmethod
    def among(cls, parts: list[WorstRows], most: int) -> WorstRows:
        """Choose from what was chosen from each block."""
        values, numbers = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
        return cls.of(values, numbers, most, sum(part.n for part in parts))


class _Facts(NamedTuple):
    """What a place says of its rows."""

    classes: Array
    n_rows: int
    n_features: int
    feature_names: Labels | None = None


def _as_it_is(block: Any) -> Any:
    return block


def _positive(block: JointProblem) -> SignedRows:
    return block.positive


def _joined(parts: list[Any]) -> Any:
    """Return blocks of one class as one block."""
    first = parts[0]
    arrays = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in first._fields
        if name in ("signs", "labels", "y", "length")
    }
    rows = join([part.rows for part in parts])
    return first._replace(rows=rows, first=0, **arrays)


class DataBlocks:
    """What a user passed, checked, wherever it is; each block is a `Data`."""

    def __init__(self, blocks: Blocks) -> None:
        classes = plain_labels(blocks.classes)
        in_memory = blocks.whole is not None

        def view(block: Block) -> Data:
            # in memory the digests are taken once, elsewhere in the passes that ask for them
            digests = row_digests(block.rows, block.n_rows) if in_memory else None
            first = block.first if block.numbers is None else int(block.numbers[0])
            return Data(block.rows, block.labels, classes, block.n_features, digests, first)

        self.blocks, self._seen, self.classes = blocks, blocks.changed(view), classes
        self.n_rows, self.n_features = blocks.n_rows, blocks.n_features
        self._known: dict[AnyQuestion, dict[str, Any]] = {}

    def each(self, part: Callable[[Data], T]) -> Iterator[T]:
        """Yield something of each block."""
        return self._seen.each(part)

    def put(self, question: AnyQuestion, reporter: ProofReporter | None = None) -> AskedRows:
        """Put a question to the data; labels that it does not have are a ProofError."""
        nothing = np.empty((0, self.n_features))
        question.of(Data(nothing, NO_LABELS, self.classes, self.n_features))
        x0, k = float(question.fit_intercept), len(self.classes)
        problem = AskedRows(self._seen, question.of, x0, k, reporter)
        problem.known = self._known.setdefault(question, {})
        return problem


def check_data(X: Any, y: Any = None, asked_by: str = "a proof") -> DataBlocks:
    """Check rows and labels, or take blocks, which have been checked when they were made."""
    if not isinstance(X, Blocks):
        return DataBlocks(InMemory(check_exact_block(X, y, asked_by)))
    if y is not None:
        raise DataError("blocks of rows have their labels with them; leave out y")
    X.look_for_labels()
    if len(X.classes) < 2:
        raise DataError(f"y has {len(X.classes)} class, and {asked_by} needs at least two")
    return DataBlocks(X.near(FEW))
