"""The few types that every room speaks of: arrays, rows, and a block of labelled rows.

`Array` is for use inside. What a user is given says what is in it: `Floats`, `Integers`, `Flags`,
`Labels`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:  # kernels load Numba, and not all who speak of rows need it
    from rosenblatt.kernels.rows import CSR, Presence

    Rows = np.ndarray[Any, Any] | CSR | Presence
else:
    Rows = Any

Array = np.ndarray[Any, Any]
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
Integers = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Flags = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Labels = np.ndarray[tuple[int, ...], np.dtype[np.generic]]  # of the type they were given in
Dense = np.ndarray[tuple[int, ...], np.dtype[np.float32 | np.float64]]
Label = str | int | float  # one of them, as Python's own
Numbers = Sequence[float] | Sequence[Sequence[float]] | Array

Seed = int | np.random.RandomState | np.random.Generator | None


class SparseRows(Protocol):
    """What SciPy's sparse rows, which have no types of their own, are to whoever gets some."""

    data: Array
    indices: Array
    indptr: Array

    @property
    def shape(self) -> tuple[int, int]:
        """How many rows and columns there are."""

    @property
    def nnz(self) -> int:
        """How many numbers are kept."""

    def toarray(self) -> Floats:
        """Return the rows with their zeros."""

    def __getitem__(self, rows: object, /) -> SparseRows:
        """Return some of the rows."""

    def __matmul__(self, weights: Array, /) -> Floats:
        """Return the products of the rows with weights."""


class ArrowStream(Protocol):
    """A table in memory that other libraries can read: of pandas, polars, Arrow and others."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return a capsule with a stream of Arrow's."""


class Block(NamedTuple):
    """Some rows of the training data D as the kernels want them, and what to remember of them."""

    rows: Rows
    n_rows: int
    labels: Array  # int32: the index of the class of each row
    classes: Array
    weights: Array  # float64; empty when every weight is 1
    members: Array  # int64: the rows with a weight above 0, in the order to visit them
    n_features: int
    feature_names: Labels | None
    first: int = 0  # the number of its first row among the rows of all blocks
    numbers: Array | None = None  # of each row, when they were drawn from all over
