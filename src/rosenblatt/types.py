"""The few types that every room speaks of: arrays, rows, and a block of labelled rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:  # kernels load Numba, and not all who speak of rows need it
    from rosenblatt.kernels.rows import CSR, Presence

    Rows = np.ndarray[Any, Any] | CSR | Presence
else:
    Rows = Any

Array = np.ndarray[Any, Any]


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
    feature_names: Array | None
    first: int = 0  # the number of its first row among the rows of all blocks
    numbers: Array | None = None  # of each row, when they were drawn from all over
