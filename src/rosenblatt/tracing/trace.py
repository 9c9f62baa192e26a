"""A trace: what a learner did, step by step, in arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._parameters import check_count
from rosenblatt._validation import Array

if TYPE_CHECKING:
    import pyarrow
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Trace:
    """Every kept step of a fit; row 0 is the start.

    Examples
    --------
    >>> import rosenblatt
    >>> trace = rosenblatt.trace(
    ...     rosenblatt.Perceptron(rule="first"), [[1], [2], [7], [8]], [-1, -1, 1, 1]
    ... )
    >>> trace.picked
    array([0, 2, 0, 0, 0, 0, 1, 2, 0, 0, 1])
    >>> trace.weights[-1], len(trace.picked) <= trace.bound
    (array([-7.,  3.]), True)
    """

    weights: Array  # (T+1, d+1), w0 first
    picked: Array  # (T,): the example corrected in each step, -1 for a whole batch
    steps: Array  # (T+1,): the number of updates (epochs for a batch) made before each row
    errors: Array  # (T+1,): E_in of each row
    pocket_errors: Array  # (T+1,): the smallest so far
    final: Array  # (d+1,): the weights that `fit` ends with
    cosine: Array | None  # (T+1,): to the direction of largest margin; None when there is none
    cosine_bound: Array | None  # (T+1,): sqrt(T) / (B R)
    bound: int | None  # (R B)^2 rounded down, the most updates from a start at zero
    X: Any
    y: Array  # -1 and +1
    no_bound: str = ""  # why there is no bound

    def thin(self, every: int) -> Trace:
        """Return a trace with every `every`-th row, the first and the last."""
        check_count(every=every)
        last = len(self.steps) - 1
        keep = np.unique(np.append(np.arange(0, last + 1, every), last))
        rows: dict[str, Any] = {
            name: None if getattr(self, name) is None else getattr(self, name)[keep]
            for name in ("weights", "steps", "errors", "pocket_errors", "cosine", "cosine_bound")
        }
        return replace(self, picked=self.picked[keep[1:] - 1], **rows)

    def to_arrow(self) -> pyarrow.Table:
        """Return an Arrow table, a row for each step; `picked` is empty in the first."""
        import pyarrow

        columns: dict[str, Any] = {
            "step": self.steps,
            "picked": pyarrow.array([None, *self.picked.tolist()], type=pyarrow.int64()),
            "error": self.errors,
            "pocket_error": self.pocket_errors,
        }
        columns |= {f"w{j}": self.weights[:, j] for j in range(self.weights.shape[1])}
        for name in ("cosine", "cosine_bound"):
            if getattr(self, name) is not None:
                columns[name] = getattr(self, name)
        return pyarrow.table(columns)

    def to_json(self) -> str:
        """Return a JSON object of lists; what is not a number is null."""
        facts = {
            name: _plain(getattr(self, name))
            for name in (
                "weights",
                "picked",
                "steps",
                "errors",
                "pocket_errors",
                "final",
                "cosine",
                "cosine_bound",
                "bound",
                "no_bound",
            )
        }
        return json.dumps(facts, allow_nan=False)

    def plot(self) -> Figure:
        """Return a figure of the points, the last line and the curves of the errors."""
        from rosenblatt.plot.traces import plot_trace

        return plot_trace(self)

    def animate(self, path: Any, most_frames: int = 120) -> None:
        """Write the lines one after the other as a GIF; long traces are thinned."""
        from rosenblatt.plot.traces import animate_trace

        animate_trace(self.thin(max(1, -(-len(self.steps) // most_frames))), path)


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        return [v if np.isfinite(v) else None for v in value.tolist()]
    return value.tolist()
