"""The examples as the margin sees them: y_i (1, x_i), of any kind of rows, wherever they are.

Passes over the blocks find the facts about all points and what a rule does to them; the rows of the
working set are fetched and kept.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.kernels.rows import CSR, Presence
from rosenblatt.proof.problem import AskedRows, WorstRows
from rosenblatt.proof.question import SignedRows
from rosenblatt.rows import join, lengths_of, longest_of, matrix, n_entries_of, scores_of, take
from rosenblatt.types import Array, Rows

# Beyond these, squares of values leave the range of a float64
SMALLEST, LARGEST = 2.0**-200, 2.0**200
EPS = float(np.finfo(np.float64).eps)
SAMPLE = 1000
NOBODY = (np.inf, -1)


class NotSeparableError(Exception):
    """Positive weights of some examples cancel each other out, as far as floats can tell."""


class LinearRule(NamedTuple):
    """sign(b + w . x)."""

    b: float
    w: Array
    w0: float  # what of b counts in the norm: b / x0, or 0 where the intercept is free

    @property
    def norm(self) -> float:
        """|(w0, w)|."""
        return float(np.hypot(np.linalg.norm(self.w), self.w0))


class PointBlock(NamedTuple):
    """Examples of a block, in units of a power of two."""

    rows: Rows
    y: Array  # float64: -1 and +1
    length: Array
    first: int
    numbers: Array | None  # of the examples, where other rows have been left out

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return len(self.y)

    def numbers_of(self, places: Array) -> Array:
        """Return the numbers of examples given by their places."""
        return places + self.first if self.numbers is None else self.numbers[places]

    def places_of(self, numbers: Array) -> Array:
        """Return the places of examples given by their numbers, as far as they are here."""
        if self.numbers is None:
            here = (numbers >= self.first) & (numbers < self.first + len(self.y))
            return numbers[here] - self.first
        places = np.searchsorted(self.numbers, numbers)
        here = places < len(self.numbers)
        here[here] = self.numbers[places[here]] == numbers[here]
        return places[here]

    def scores(self, w: Array) -> Array:
        """Return w . x_i of every row, in slices that Ctrl-C can end."""
        return scores_of(self.rows, len(self.y), w, np.zeros(1))

    def take(self, chosen: Array) -> PointBlock:
        """Return some of the examples, numbered anew."""
        arrays = self.y[chosen], self.length[chosen]
        return PointBlock(take(self.rows, chosen), *arrays, 0, None)


class RuleSeen(NamedTuple):
    """What a rule does to the examples, leaving out b: where classes end, and who is too near."""

    lowest: float  # w . x of the class +1; infinity without one
    highest: float  # of the class -1
    near: WorstRows


class _Facts(NamedTuple):
    """Of a block, or of all."""

    radius: float
    shortest: float
    longest: int  # numbers of a row
    used: Array | None  # how often each column of sparse rows is
    counts: Array  # of the classes -1 and +1
    n_entries: int
    first: int


class Points:
    """Rows in units of `unit`, a power of two; y is -1 and +1."""

    def __init__(self, problem: AskedRows) -> None:
        self.unit = _unit(max(problem.each(_largest)))
        self._blocks = problem.changed(partial(_points, unit=self.unit))
        self.n_features = problem.n_features
        parts = list(self._blocks.each(partial(_facts, n_features=self.n_features)))
        self.radius = max(part.radius for part in parts)
        self.shortest = min(part.shortest for part in parts)
        self.n_entries = sum(part.n_entries for part in parts)
        used = [part.used for part in parts if part.used is not None]
        # those that are not zero throughout
        self.columns = np.flatnonzero(sum(used)) if used else np.arange(self.n_features)
        # a sum of n products is off by at most this share of the product of the lengths
        self.rounding = EPS * (max(part.longest for part in parts) + 8)
        self._firsts = [part.first for part in parts]
        self._counts = np.array([part.counts for part in parts])  # of the classes in each block
        self._kept: PointBlock | None = None  # rows of the working set that are not in memory
        self._places: dict[int, int] = {}

    @property
    def n_points(self) -> int:
        """How many examples there are."""
        return int(self._counts.sum())

    def look(self, rule: LinearRule, enough: float, most: int, working: Array) -> RuleSeen:
        """Return what a rule does to all examples, and the nearest outside of the working set."""
        look = partial(_look, rule=rule, enough=enough, most=most, working=working)
        parts = list(self._blocks.each(look))
        near = WorstRows.among([part.near for part in parts], most)
        return RuleSeen(min(p.lowest for p in parts), max(p.highest for p in parts), near)

    def ends(self, w: Array) -> tuple[int, int, int]:
        """Return the examples of highest w . x in class -1, and lowest in class +1 and of all.

        The last is that of lowest y (w . x).
        """
        parts = list(self._blocks.each(partial(_ends, w=w)))
        low, high, least = (min(column) for column in zip(*parts, strict=True))
        return low[1], high[1], least[1]

    def sample(self, sign: int | None) -> Array:
        """Return every so many-th example of a class, or of all, a thousand at most."""
        kinds = slice(None) if sign is None else slice((sign + 1) // 2, (sign + 1) // 2 + 1)
        counts = self._counts[:, kinds].sum(axis=1)
        step = -(-int(counts.sum()) // SAMPLE)
        before = (np.cumsum(counts) - counts).tolist()
        look = partial(
            _sample, sign=sign, step=step, before=dict(zip(self._firsts, before, strict=True))
        )
        return np.concatenate(list(self._blocks.each(look)))

    def of(self, indices: Array) -> PointBlock:
        """Return some of the examples by number: kept ones, or those of the blocks."""
        whole = self._blocks.whole
        if whole is not None:
            found: PointBlock = whole.take(whole.places_of(indices))
            return found
        missing = np.array([i for i in indices.tolist() if i not in self._places], dtype=np.int64)
        if len(missing):
            self._keep(missing)
        places = np.array([self._places[i] for i in indices.tolist()], dtype=np.int64)
        kept: Any = self._kept
        return kept.take(places)  # type: ignore[no-any-return]

    def _keep(self, numbers: Array) -> None:
        new, old = self._blocks.take(numbers), self._kept
        for i in numbers.tolist():
            self._places[i] = len(self._places)
        if old is not None:
            rows = join([old.rows, new.rows])
            y, length = (np.concatenate([a, b]) for a, b in zip(old[1:3], new[1:3], strict=True))
            new = PointBlock(rows, y, length, 0, None)
        self._kept = new

    def y_of(self, indices: Array) -> Array:
        """Return the classes of some examples."""
        return self.of(indices).y

    def coordinates(self, indices: Array) -> Array:
        """Return y_i x_i of some rows as a float64 array of the `columns`."""
        chosen = self.take(indices)
        if sparse.issparse(chosen):
            chosen = chosen[:, self.columns].toarray()
        out: Array = chosen
        return out

    def take(self, indices: Array) -> Any:
        """Return y_i x_i of some rows in float64: an array or a CSR matrix."""
        return self.signed(self.of(indices))

    def signed(self, few: PointBlock) -> Any:
        """Return y_i x_i of the rows of a block in float64: an array or a CSR matrix."""
        chosen = matrix(few.rows, self.n_features, float).astype(np.float64)
        if sparse.issparse(chosen):
            return chosen.multiply(few.y[:, np.newaxis]).tocsr()
        return chosen * few.y[:, np.newaxis]


def _largest(block: SignedRows) -> float:
    """Return the largest size of a number that is stored, of rows that the question is about."""
    rows = _about(block)[0]
    if isinstance(rows, Presence):
        return 1.0
    values = rows.data if isinstance(rows, CSR) else rows
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))


def _unit(largest: float) -> float:
    """Return what to divide by so that squares neither overflow nor vanish."""
    if largest == 0.0 or SMALLEST <= largest <= LARGEST:
        return 1.0
    return float(2.0 ** (int(np.frexp(largest)[1]) - 1))  # 2^1024 is no float


def _about(block: SignedRows) -> tuple[Rows, Array, Array | None]:
    """Return the rows that the question is about, their signs, and their places unless all."""
    if np.count_nonzero(block.signs) == block.n_rows:
        return block.rows, block.signs, None
    about = np.flatnonzero(block.signs)
    return take(block.rows, about), block.signs[about], about


def _points(block: SignedRows, unit: float) -> PointBlock:
    """Return the examples of a block in units."""
    rows, signs, about = _about(block)
    if unit != 1.0 and not isinstance(rows, Presence):
        exponent = int(np.frexp(unit)[1]) - 1
        scaled = np.ldexp(rows.data if isinstance(rows, CSR) else rows, -exponent)
        rows = rows._replace(data=scaled) if isinstance(rows, CSR) else scaled
    length = lengths_of(rows, len(signs), 0.0)
    numbers = None if about is None else block.first + about
    return PointBlock(rows, signs.astype(np.float64), length, block.first, numbers)


def _facts(block: PointBlock, n_features: int) -> _Facts:
    used = None
    if not isinstance(block.rows, np.ndarray):
        used = np.bincount(block.rows.indices, minlength=n_features)
    return _Facts(
        float(block.length.max(initial=0.0)),
        float(block.length.min(initial=np.inf)),
        longest_of(block.rows),
        used,
        np.array([np.count_nonzero(block.y < 0), np.count_nonzero(block.y > 0)]),
        n_entries_of(block.rows),
        block.first,
    )


def _look(
    block: PointBlock, rule: LinearRule, enough: float, most: int, working: Array
) -> RuleSeen:
    scores = block.scores(rule.w)
    # through the origin all may be on one side
    lowest = float(scores[block.y > 0].min(initial=np.inf))
    highest = float(scores[block.y < 0].max(initial=-np.inf))
    margins = block.y * (scores + rule.b)
    margins[block.places_of(working)] = np.inf
    low = np.flatnonzero(margins < enough)
    return RuleSeen(lowest, highest, WorstRows.of(margins[low], block.numbers_of(low), most))


def _ends(block: PointBlock, w: Array) -> tuple[tuple[float, int], ...]:
    """Return the smallest of -w . x in class -1, w . x in class +1 and y (w . x), with numbers."""
    signed = block.y * block.scores(w)
    found = []
    for values in (
        np.where(block.y < 0, signed, np.inf),
        np.where(block.y > 0, signed, np.inf),
        signed,
    ):
        best = int(values.argmin()) if len(values) else -1
        value = float(values[best]) if best >= 0 else np.inf
        # without a row of the kind: behind all that have one
        found.append((value, int(block.numbers_of(np.array(best)))) if value < np.inf else NOBODY)
    return tuple(found)


def _sample(block: PointBlock, sign: int | None, step: int, before: dict[int, int]) -> Array:
    """Return every so many-th example of a class, given how many there are before the block."""
    members = np.arange(block.n_rows) if sign is None else np.flatnonzero(block.y == sign)
    return block.numbers_of(members[-before[block.first] % step :: step])
