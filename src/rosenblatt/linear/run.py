"""A run of the perceptron learning algorithm on one problem, slice by slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.choices import Rule, Tie
from rosenblatt.errors import ParameterError
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.perceptron import first_mistake, learn
from rosenblatt.kernels.selection import (
    EPOCHS,
    NONE_LEFT,
    ORDER_OVER,
    ROOM_OVER,
    ROWS,
    SLICE_OVER,
    UPDATES,
)
from rosenblatt.kernels.small_weights import SmallWeights
from rosenblatt.linear.multiclass import ProblemBlock
from rosenblatt.linear.rules import IN_PASSES, N_DRAWS, NO_LIMIT, TIES, rule_over_all, scan
from rosenblatt.linear.small_weights import narrow, widen
from rosenblatt.progress import Reporter
from rosenblatt.rows import rows_per_slice
from rosenblatt.types import Array

POSITION, RIGHT, PASS = 0, 1, 2  # what `place` of a scan holds


class Run:
    """PLA on one problem: `go` runs one slice; the counters tell how far it is.

    An epoch is one pass over the examples for the rules that go through them in an order, and N
    updates, as many as a pass can make, for those that look at all of them before each update.
    The former go from block to block, wherever the rows are; the latter need all in memory.
    """

    def __init__(
        self,
        part: Blocks,
        h: Hypothesis,
        *,
        rule: Rule,
        tie: Tie,
        max_updates: int | None,
        max_epochs: int | None,
        random_state: np.random.RandomState,
    ) -> None:
        self.h, self.tie, self.passes = h, TIES[tie], rule in IN_PASSES
        self._part, self._rule_name, self._random = part, rule, random_state
        self._max_epochs = NO_LIMIT if max_epochs is None else max_epochs
        self._max_updates = NO_LIMIT if max_updates is None else max_updates
        if not self.passes and max_epochs is not None:
            self._max_updates = min(self._max_updates, max_epochs * len(part.whole.members))
        self.clock = np.array([0, self._max_updates, self._max_epochs], dtype=np.int64)
        self._n_visited = 0  # rows of the blocks of this pass
        self._in_use: Hypothesis | SmallWeights = h  # perhaps with a copy of its weights
        if self.passes:
            self._begin_pass()
        else:
            whole = part.whole
            self.rule, self.D = rule_over_all(rule, whole.D, whole.members, h, random_state)
            self._rows_per_slice = rows_per_slice(whole.rows, len(h.b))

    @property
    def whole(self) -> ProblemBlock:
        """All examples, which are in memory."""
        return self._part.whole  # type: ignore[no-any-return]

    @property
    def n_updates(self) -> int:
        """Updates made so far."""
        return int(self._max_updates - self.clock[UPDATES])

    @property
    def n_epochs(self) -> int:
        """Epochs begun so far."""
        if self.passes:
            return int(self._max_epochs - self.clock[EPOCHS]) + 1
        return max(1, -(-self.n_updates // max(1, len(self.whole.members))))

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
        if code == ORDER_OVER:
            return self._next_block() or self._next_pass()
        if self._rule_name == "random" and self.rule.used[0] == N_DRAWS:
            self.rule.draws[:] = self._random.random_sample(N_DRAWS)
            self.rule.used[0] = 0
        if code == ROOM_OVER:
            self._in_use = widen(self._in_use, self.h)
        return code in (SLICE_OVER, ROOM_OVER)

    def to_the_end(self, reporter: Reporter) -> bool:
        """Run until nothing is misclassified or the budget is used up; return which."""
        # a file that is read anew in each pass is not read just to count
        n_entries = None if self._part.n_members is None else self._part.n_entries
        self._in_use = narrow(self.D, self.h, n_entries)
        while self.goes_on(code := self.go()):
            reporter.tell(self.n_updates, self.n_epochs, self.share)
        self._in_use = widen(self._in_use, self.h)
        converged = code == NONE_LEFT or self.is_all_right()
        reporter.finish(self.n_updates, self.n_epochs)
        return converged

    def is_all_right(self) -> bool:
        """Look whether the weights classify every example right."""
        if self.passes and self.rule.place[RIGHT] >= self.rule.place[PASS]:
            return True  # all of a pass were, the last rows of it when the budget ended
        looks = self._part.fold(self._look, True, n_vectors=len(self.h.b))
        return all(looks)

    def _look(self, _: bool, part: ProblemBlock, piece: Array) -> bool:
        D = self.D if self._part.whole is not None else part.D
        return bool(first_mistake(D, piece, self.h, self.tie) < 0)

    def _begin_pass(self) -> None:
        draws = self._random if self._rule_name == "shuffled" else None
        self._blocks = self._part.one_pass(draws)
        n_rows = self._part.n_members
        self._take(next(self._blocks), NO_LIMIT if n_rows is None else n_rows)

    def _take(self, part: ProblemBlock, n_rows: int) -> None:
        """Scan the rows of a block."""
        self.D, self._n_visited = part.D, len(part.members)
        # one block is repeated inside of the kernel: small data has thousands of epochs
        repeats = self._rule_name == "cyclic" and self._part.whole is not None
        self.rule = scan(part.members, n_rows, repeats=repeats)
        self._rows_per_slice = rows_per_slice(part.rows, len(self.h.b))

    def _next_block(self) -> bool:
        part = next(self._blocks, None)
        if part is None:
            return False
        place, n_visited = self.rule.place, self._n_visited
        self._take(part, int(place[PASS]))
        self.rule.place[RIGHT] = place[RIGHT]
        self._n_visited += n_visited
        return True

    def _next_pass(self) -> bool:
        right, n_rows = int(self.rule.place[RIGHT]), self._n_visited
        self.rule.place[PASS] = n_rows
        if right >= n_rows or self.clock[EPOCHS] <= 1:
            return False
        self.clock[EPOCHS] -= 1
        self._begin_pass()
        self.rule.place[PASS] = n_rows
        # a new order begins to count anew: a row may come late in one and early in the next
        self.rule.place[RIGHT] = 0 if self._rule_name == "shuffled" else right
        return True


def check_in_passes(rule: str) -> None:
    """Refuse, for rows that are not all in memory, a rule that has to look at all of them."""
    if rule not in IN_PASSES:
        raise ParameterError(
            f"{rule!r} looks at all rows before each update and cannot be learned from blocks",
            about="rule",
            do="use {rule:cyclic} or {rule:shuffled}, or fit with all rows in memory",
            in_shell="use --rule cyclic or --rule shuffled, or leave out --memory",
        )
