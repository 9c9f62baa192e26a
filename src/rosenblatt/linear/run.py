"""A run of the perceptron learning algorithm on one problem, slice by slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.blocks.orders import draw_order
from rosenblatt.kernels.hypothesis import Hypothesis, LabelledRows
from rosenblatt.kernels.odometer import Odometer
from rosenblatt.kernels.perceptron import first_mistake, learn
from rosenblatt.kernels.random_rule import MOST_TO_LIST, Lottery
from rosenblatt.kernels.rows import BLOCK, CSR, Columns, Presence
from rosenblatt.kernels.selection import (
    EPOCHS,
    NONE_LEFT,
    ORDER_OVER,
    ROOM_OVER,
    ROWS,
    SLICE_OVER,
    UPDATES,
    LazyScan,
    Scan,
    Worst,
)
from rosenblatt.kernels.small_weights import SmallWeights
from rosenblatt.linear.multiclass import Problem
from rosenblatt.linear.small_weights import narrow, widen
from rosenblatt.progress import Reporter
from rosenblatt.rows import lengths_of, rows_per_slice, slices
from rosenblatt.types import Array

RULES = ("first", "cyclic", "random", "shuffled", "worst")
TIES = {"mistake": 0, "+1": 1, "-1": -1}
NO_LIMIT = np.iinfo(np.int64).max
N_DRAWS = 4096
# Above this many features the rows of a block no longer share a cache line to advantage
MOST_COLUMNS = 64
# At a time into blocks of columns: few enough to be near, and not to be asked of the system anew
NUMBERS_TO_TURN = 1 << 15
# The squares of numbers below this are lost, and with them the length of a row
SHORTEST = 1e-150
NO_ODOMETER = Odometer(np.empty(0), np.empty(0), np.empty(0))


class Run:
    """PLA on one problem: `go` runs one slice; the counters tell how far it is.

    An epoch is one pass over the examples for the rules that go through them in an order, and N
    updates, as many as a pass can make, for those that look at all of them before each update.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        rule: str,
        tie: str,
        max_updates: int | None,
        max_epochs: int | None,
        random_state: np.random.RandomState,
    ) -> None:
        self.rows, self.members, self.h = problem
        self.D = self.rows  # as the rule wants them: perhaps as Columns
        self.tie, self._rule_name, self._random = TIES[tie], rule, random_state
        n = len(self.members)
        self.passes = rule in ("cyclic", "shuffled")
        self._max_epochs = NO_LIMIT if max_epochs is None else max_epochs
        self._max_updates = NO_LIMIT if max_updates is None else max_updates
        if not self.passes and max_epochs is not None:
            self._max_updates = min(self._max_updates, max_epochs * n)
        self.clock = np.array([0, self._max_updates, self._max_epochs], dtype=np.int64)
        self._rows_per_slice = rows_per_slice(self.D.X, len(self.h.b))
        self.rule = self._make_rule()
        self._in_use: Hypothesis | SmallWeights = self.h  # perhaps with a copy of its weights

    @property
    def n_updates(self) -> int:
        """Updates made so far."""
        return int(self._max_updates - self.clock[UPDATES])

    @property
    def n_epochs(self) -> int:
        """Epochs begun so far."""
        if self.passes:
            return int(self._max_epochs - self.clock[EPOCHS]) + 1
        return max(1, -(-self.n_updates // max(1, len(self.members))))

    @property
    def share(self) -> float:
        """The share of the budget that is used up."""
        return max(self.n_updates / self._max_updates, (self.n_epochs - 1) / self._max_epochs)

    def go(self, kernel: Any = learn, *arguments: Any) -> Any:
        """Run one slice of a kernel; return what it returns."""
        self.clock[ROWS] = self._rows_per_slice
        return kernel(self.rule, self.D, self._in_use, self.tie, self.clock, *arguments)

    def goes_on(self, code: int) -> bool:
        """Prepare the next slice after `code`; False when the run is over."""
        if code == ORDER_OVER and self._rule_name == "shuffled" and self.clock[EPOCHS] > 1:
            self.clock[EPOCHS] -= 1
            self.rule.order[:] = draw_order(self.members, self._random)
            self.rule.place[:] = 0
            return True
        if self._rule_name == "random" and self.rule.used[0] == N_DRAWS:
            self.rule.draws[:] = self._random.random_sample(N_DRAWS)
            self.rule.used[0] = 0
        if code == ROOM_OVER:
            self._in_use = widen(self._in_use, self.h)
        return code in (SLICE_OVER, ROOM_OVER)

    def to_the_end(self, reporter: Reporter) -> bool:
        """Run until nothing is misclassified or the budget is used up; return which."""
        self._in_use = narrow(self.D, self.h)
        while self.goes_on(code := self.go()):
            reporter.tell(self.n_updates, self.n_epochs, self.share)
        self._in_use = widen(self._in_use, self.h)
        converged = code == NONE_LEFT or self.is_all_right()
        reporter.finish(self.n_updates, self.n_epochs)
        return converged

    def is_all_right(self) -> bool:
        """Look whether the weights classify every example right."""
        pieces = slices(self.members, self._rows_per_slice)
        return all(first_mistake(self.D, piece, self.h, self.tie) < 0 for piece in pieces)

    def _make_rule(self) -> Any:
        order, place = self.members, np.zeros(2, dtype=np.int64)
        if self._rule_name == "cyclic":
            return Scan(order, place, True, False)
        if self._rule_name == "first":
            if self._fits_columns():
                self.D = self.D._replace(X=columns(self.D.X))
                return Scan(order, place, True, True)
            # measured on 20,000 x 200: 1.6 times faster than looking at every row again; for
            # `cyclic`, which sees each row once an epoch, there was next to nothing to gain
            return LazyScan(order, place, True, True, make_odometer(self.D, self.h))
        if self._rule_name == "shuffled":
            return Scan(draw_order(order, self._random), place, False, False)
        if self._rule_name == "worst":
            return Worst(order, np.array([0, NONE_LEFT, 0]), np.zeros(1))
        if self._fits_columns(MOST_TO_LIST):
            self.D = self.D._replace(X=columns(self.D.X))
            return make_lottery(order, NO_ODOMETER, self._random.random_sample(N_DRAWS))
        odometer = make_odometer(self.D, self.h)
        return make_lottery(order, odometer, self._random.random_sample(N_DRAWS))

    def _fits_columns(self, most_rows: int = NO_LIMIT) -> bool:
        X = self.D.X
        return (
            isinstance(X, np.ndarray)
            and self.h.w.ndim == 1
            and BLOCK < len(self.members) == len(X) <= most_rows
            and X.shape[1] <= MOST_COLUMNS
        )


def columns(X: Array, order: Array | None = None, dtype: Any = None) -> Columns:
    """Copy dense rows into blocks, column by column; the last block is filled up with zeros.

    A few blocks at a time, so that Ctrl-C is answered and what is turned stays in the cache: one
    by one, 1.2 GB took 9 s.
    """
    n_rows, n_features = len(X) if order is None else len(order), X.shape[1]
    n_blocks = -(-n_rows // BLOCK)
    blocks = np.zeros((n_blocks, n_features, BLOCK), dtype=dtype or X.dtype)
    at_a_time = BLOCK * max(1, NUMBERS_TO_TURN // (BLOCK * n_features))
    for start in range(0, n_rows, at_a_time):
        which = slice(start, start + at_a_time)
        rows = X[which if order is None else order[which]]
        whole, first = len(rows) // BLOCK, start // BLOCK
        turned = rows[: whole * BLOCK].reshape(whole, BLOCK, n_features).transpose(0, 2, 1)
        blocks[first : first + whole] = turned
        if len(rows) % BLOCK:
            blocks[-1, :, : len(rows) % BLOCK] = rows[whole * BLOCK :].T
    return Columns(blocks, np.zeros(BLOCK, dtype=dtype))


def make_lottery(members: Array, odometer: Odometer, draws: Array) -> Lottery:
    """Return a lottery among the members that begins with a scan."""
    mistakes = np.zeros(len(members) + 1, dtype=np.int64)
    rivals = np.zeros(len(members) + 1, dtype=np.int32)
    place, used = np.zeros(4, dtype=np.int64), np.zeros(1, dtype=np.int64)
    return Lottery(members, odometer, mistakes, rivals, place, draws, used)


def make_odometer(D: LabelledRows, h: Any) -> Odometer:
    """Return an odometer at 0 for the weights h: every example is due."""
    length = np.maximum(lengths_of(D.X, len(D.y), D.x0), SHORTEST)
    if isinstance(D.X, (CSR, Presence)):
        longest = int(np.diff(D.X.indptr).max(initial=0))
    else:
        longest = D.X.shape[1]
    with np.errstate(over="ignore"):
        start = float(np.sqrt((h.w**2).sum() + (h.b**2).sum()))
    rounding = 4 * np.finfo(np.float64).eps * (longest + 8)
    return Odometer(np.array([0.0, start, rounding]), length, np.zeros(len(length)))
