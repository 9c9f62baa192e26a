"""A digest of the data that a proof is about, fine enough to say where other data differs.

The rows are cut into at most 256 runs; each has a digest of its rows and one of its signs, or, for
the joint question, of the numbers of its classes. The digest of a row depends on its numbers
alone: the same data gives the same digests as dense or sparse rows, as float32 or float64.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.errors import ProofError
from rosenblatt.proof.files import check_names, read_count, read_digest, read_list
from rosenblatt.proof.problem import DataBlocks
from rosenblatt.proof.question import OTHER_DATA, AnyQuestion, Data, JointProblem, SignedRows
from rosenblatt.rows import row_digests
from rosenblatt.types import Array

MOST_RUNS = 256


class Shaped(Protocol):
    """What has so many rows and features."""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""

    @property
    def n_features(self) -> int:
        """How many features."""


@dataclass(frozen=True)
class Fingerprint:
    """The shape of the data, and the digests of its runs of rows."""

    n_rows: int
    n_features: int
    rows: tuple[str, ...]
    signs: tuple[str, ...]

    @classmethod
    def of(cls, rows: SignedRows | JointProblem, digests: Array | None = None) -> Fingerprint:
        """Take the fingerprint of rows in memory."""
        marks = RunDigests(rows.n_rows), RunDigests(rows.n_rows)
        marks[0].add(row_digests(rows.rows, rows.n_rows) if digests is None else digests)
        marks[1].add(rows.marks)
        return cls(rows.n_rows, rows.n_features, *(mark.finish() for mark in marks))

    @classmethod
    def of_each(
        cls,
        data: DataBlocks,
        questions: Sequence[AnyQuestion],
        look: Callable[[], object] = lambda: None,
    ) -> list[Fingerprint]:
        """Take the fingerprints of all questions about the data, in one pass over it.

        `look` is called after each block, and may end the pass by an error.
        """
        rows, *marks = (RunDigests(data.n_rows) for _ in range(1 + len(questions)))
        for digests, part in data.each(_digested):
            look()
            rows.add(digests)
            for mark, question in zip(marks, questions, strict=True):
                mark.add(question.of(part).marks)
        shape, runs = (data.n_rows, data.n_features), rows.finish()
        return [cls(*shape, runs, mark.finish()) for mark in marks]

    @classmethod
    def read(cls, data: Any) -> Fingerprint:
        """Make one of what a file says of the data."""
        if not isinstance(data, dict):
            raise ProofError("this proof is damaged: nothing is said about the data")
        check_names(data, {"rows", "features", "digests", "signs"})
        return cls(
            read_count(data["rows"]),
            read_count(data["features"]),
            tuple(read_digest(text) for text in read_list(data["digests"])),
            tuple(read_digest(text) for text in read_list(data["signs"])),
        )

    def content(self) -> dict[str, Any]:
        """Return what a file says of the data."""
        return {
            "rows": self.n_rows,
            "features": self.n_features,
            "digests": list(self.rows),
            "signs": list(self.signs),
        }

    def compare_shape(self, data: Shaped) -> None:
        """Raise a ProofError if the data is of another shape."""
        shape = (data.n_rows, data.n_features)
        if shape != (self.n_rows, self.n_features):
            raise ProofError(
                f"{OTHER_DATA}{counted(self.n_rows, 'row')} of "
                f"{counted(self.n_features, 'feature')}, got {counted(shape[0], 'row')} of "
                f"{shape[1]}"
            )

    def compare(self, other: Fingerprint) -> None:
        """Raise a ProofError that says where other data differs."""
        self.compare_shape(other)
        for what, mine, theirs in (
            ("labels", self.signs, other.signs),
            ("numbers", self.rows, other.rows),
        ):
            if len(mine) != len(theirs):
                raise ProofError(
                    f"this proof is damaged: {len(mine)} digests of {what}, not {len(theirs)}"
                )
            if mine != theirs:
                raise ProofError(f"{OTHER_DATA}the {what} of {self._where(mine, theirs)} differ")

    def _where(self, mine: tuple[str, ...], theirs: tuple[str, ...]) -> str:
        pairs = zip(_runs(self.n_rows), mine, theirs, strict=True)
        different = [run for run, a, b in pairs if a != b]
        first, last = different[0].start, different[0].stop - 1
        more = f" and {len(different) - 1} other places" if len(different) > 1 else ""
        return (f"row {first}" if first == last else f"rows {first} to {last}") + more


class RunDigests:
    """Takes the digest of each run of rows while numbers of rows come, in any pieces.

    Examples
    --------
    >>> once, twice = RunDigests(3), RunDigests(3)
    >>> once.add(np.array([1, 2, 3]))
    >>> twice.add(np.array([1]))
    >>> twice.add(np.array([2, 3]))
    >>> once.finish() == twice.finish()
    True
    """

    def __init__(self, n_rows: int) -> None:
        self._ends = [run.stop for run in _runs(n_rows)]
        self._n, self._found, self._run = 0, list[str](), _hash()

    def add(self, numbers: Array) -> None:
        """Go on with the numbers of the next rows."""
        start, content = 0, np.ascontiguousarray(numbers).data
        while start < len(content):
            stop = min(len(content), start + self._ends[len(self._found)] - self._n)
            self._run.update(content[start:stop])
            self._n, start = self._n + stop - start, stop
            if self._n == self._ends[len(self._found)]:
                self._found.append(self._run.hexdigest())
                self._run = _hash()

    def finish(self) -> tuple[str, ...]:
        """Return the digests of all runs."""
        return tuple(self._found)


def _hash() -> Any:
    return hashlib.blake2b(digest_size=8)


def _digested(data: Data) -> tuple[Array, Data]:
    """Return the digests of a block, and the block without its rows: labels are enough."""
    digests = row_digests(data.rows, data.n_rows) if data.digests is None else data.digests
    nothing = np.empty((data.n_rows, 0))
    return digests.astype("<u8", copy=False), data._replace(rows=nothing, digests=None)


def _runs(n_rows: int) -> list[slice]:
    edges = np.linspace(0, n_rows, min(n_rows, MOST_RUNS) + 1).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(edges)]
