"""A digest of the data that a proof is about, fine enough to say where other data differs.

The rows are cut into at most 256 runs; each has a digest of its rows and one of its signs, or, for
the joint question, of the numbers of its classes. The digest of a row depends on its numbers
alone: the same data gives the same digests as dense or sparse rows, as float32 or float64.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.errors import ProofError
from rosenblatt.proof.files import check_names, read_count, read_digest, read_list
from rosenblatt.proof.question import OTHER_DATA, Data, JointProblem, SignedRows
from rosenblatt.rows import row_digests
from rosenblatt.types import Array

MOST_RUNS = 256


@dataclass(frozen=True)
class Fingerprint:
    """The shape of the data, and the digests of its runs of rows."""

    n_rows: int
    n_features: int
    rows: tuple[str, ...]
    signs: tuple[str, ...]

    @classmethod
    def of(cls, problem: SignedRows | JointProblem, digests: Array | None = None) -> Fingerprint:
        """Take the fingerprint of a problem."""
        if digests is None:
            digests = row_digests(problem.rows, problem.n_rows)
        runs = _runs(problem.n_rows)
        return cls(
            problem.n_rows,
            problem.n_features,
            tuple(_digest(digests[run].astype("<u8", copy=False)) for run in runs),
            tuple(_digest(problem.marks[run]) for run in runs),
        )

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

    def compare_shape(self, data: Data | SignedRows | JointProblem) -> None:
        """Raise a ProofError if the data is of another shape."""
        shape = (data.n_rows, data.n_features)
        if shape != (self.n_rows, self.n_features):
            raise ProofError(
                f"{OTHER_DATA}{counted(self.n_rows, 'row')} of "
                f"{counted(self.n_features, 'feature')}, got {counted(shape[0], 'row')} of "
                f"{shape[1]}"
            )

    def compare(self, problem: SignedRows | JointProblem, digests: Array | None = None) -> None:
        """Raise a ProofError that says where the problem differs."""
        self.compare_shape(problem)
        other = Fingerprint.of(problem, digests)
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


def _runs(n_rows: int) -> list[slice]:
    edges = np.linspace(0, n_rows, min(n_rows, MOST_RUNS) + 1).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(edges)]


def _digest(numbers: Array) -> str:
    return hashlib.blake2b(np.ascontiguousarray(numbers).tobytes(), digest_size=8).hexdigest()
