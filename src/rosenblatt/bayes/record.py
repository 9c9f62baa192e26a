"""Which examples a model has learned, and how often: only those can be forgotten.

An example, that is a row with its label and weight, is kept as a key of 64 bits. The keys are in
blocks, each more than twice as long as the next: to learn or to forget a few examples touches the
short blocks only, and never more than log2(n) of them have to be searched.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple, Self

import numpy as np

from rosenblatt.bayes.tally import find
from rosenblatt.errors import DataError
from rosenblatt.kernels.digest import digest_examples
from rosenblatt.rows import row_digests
from rosenblatt.types import Array, Block

NONE = np.empty(0, dtype=np.uint64)


class Keys(NamedTuple):
    """Keys in order, and how often each was learned; below 0 where it was forgotten since."""

    keys: Array  # uint64
    times: Array  # int64

    @classmethod
    def of(cls, keys: Array, times: Array) -> Self:
        """Add up the times of equal keys; drop those of sum 0."""
        if not len(keys):
            return cls(keys, times)
        order = np.argsort(keys, kind="stable")  # quick where two sorted blocks meet
        keys = keys[order]
        starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
        sums = np.add.reduceat(times[order], starts)
        return cls(keys[starts[sums != 0]], sums[sums != 0])

    def plus(self, more: Self) -> Self:
        """Return the block of both."""
        return self.of(*(np.concatenate(pair) for pair in zip(self, more, strict=True)))


class Record(NamedTuple):
    """A multiset of keys; nothing is changed in place."""

    blocks: tuple[Keys, ...] = ()
    # The keys learned first, as they came: many models are fitted once and never forget, and
    # sorting takes a tenth of the time of a fit
    first: Array = NONE

    @classmethod
    def of_arrays(cls, keys: Array, times: Array) -> Self:
        """Build a record from what `arrays` returned."""
        right = keys.dtype == np.uint64 and times.dtype == np.int64
        right = right and keys.ndim == 1 and keys.shape == times.shape
        if not (right and (keys[1:] > keys[:-1]).all() and (times > 0).all()):
            raise DataError(
                "a record of learned rows must be keys (uint64) in order and as many times "
                "(int64) above 0; the file is damaged or not ours"
            )
        return cls()._with(Keys(keys, times))

    def arrays(self) -> tuple[Array, Array]:
        """Return (keys, times): each key once, in order, and how often it is there."""
        whole = Keys(NONE, np.empty(0, dtype=np.int64))
        for block in reversed(self.sorted().blocks):
            whole = whole.plus(block)
        return whole.keys, whole.times

    def plus(self, keys: Array) -> Self:
        """Return the record with these keys, each once more."""
        if not self.blocks and not len(self.first):
            return self._replace(first=keys)
        return self.sorted()._with(Keys.of(keys, np.ones(len(keys), dtype=np.int64)))

    def minus(self, keys: Array) -> Self:
        """Return the record with these keys, which it must hold, each once less."""
        return self.sorted()._with(Keys.of(keys, np.full(len(keys), -1)))

    def lacking(self, keys: Array) -> tuple[int, int] | None:
        """Return the place of the first key that is not there often enough, and its times."""
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        earlier = np.arange(len(keys)) - np.searchsorted(keys, keys)
        times = self._times(keys)
        short = np.flatnonzero(earlier >= times)
        if not len(short):
            return None
        first = short[order[short].argmin()]
        return int(order[first]), int(times[first])

    def sorted(self) -> Self:
        """Return the same, ready to be searched."""
        if not len(self.first):
            return self
        times = np.ones(len(self.first), dtype=np.int64)
        return self._replace(first=NONE)._with(Keys.of(self.first, times))

    def _times(self, keys: Array) -> Array:
        total = np.zeros(len(keys), dtype=np.int64)
        for block in self.sorted().blocks:
            places = find(block.keys, keys)
            there = places >= 0
            total[there] += block.times[places[there]]
        return total

    def _with(self, block: Keys) -> Self:
        blocks = list(self.blocks)
        while blocks and len(blocks[-1].keys) <= 2 * len(block.keys):
            block = blocks.pop().plus(block)
        return self._replace(blocks=(*blocks, block) if len(block.keys) else tuple(blocks))


def example_keys(data: Block) -> Array:
    """Return a key for each row of a weight above 0: a digest of row, label and weight."""
    names = np.array([_name(label) for label in data.classes.tolist()], dtype=np.uint64)
    digests, keys = row_digests(data.rows, data.n_rows), np.empty_like(data.members, np.uint64)
    digest_examples(digests, data.members, data.labels, names, data.weights, keys)
    return keys


def check_learned(record: Record, data: Block, keys: Array) -> None:
    """Refuse examples that the record does not hold."""
    found = record.lacking(keys)
    if found is None:
        return
    place, times = found
    row = int(data.members[place])
    what = f"row {row} with the label {data.classes[data.labels[row]]}"
    if len(data.weights):
        what += f" and the weight {data.weights[row]}"
    if times == 0:
        raise DataError(f"{what} was never learned; forget rows as they were learned")
    often = "once" if times == 1 else f"{times} times"
    raise DataError(f"{what} was learned {often}, and cannot be forgotten more often")


def _name(label: Any) -> int:
    """Return a digest of a label, the same for labels that are equal: 1, 1.0 and True."""
    if isinstance(label, bool) or (isinstance(label, float) and label.is_integer()):
        label = int(label)
    code = hashlib.blake2b(str(label).encode("utf-8", "surrogatepass"), digest_size=8)
    return int.from_bytes(code.digest(), "little")
