"""A run of the perceptron learning algorithm on one problem, slice by slice.

`Run` is of rows in memory, and `RunInPasses` of rows anywhere: what it has to remember goes through
the rows as the state of a fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

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
from rosenblatt.rows import rows_per_slice, slices
from rosenblatt.types import Array

POSITION, RIGHT, PASS = 0, 1, 2  # what `place` of a scan holds
VISITED, CODE, TRIED = 0, 3, 4  # what `place` of a pass holds beside RIGHT and PASS


class Run:
    """PLA on one problem in memory: `go` runs one slice; the counters tell how far it is.

    An epoch is one pass over the examples for the rules that go through them in an order, and N
    updates, as many as a pass can make, for those that look at all of them before each update.
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
            return self._next_pass()
        if self._rule_name == "random" and self.rule.used[0] == N_DRAWS:
            self.rule.draws[:] = self._random.random_sample(N_DRAWS)
            self.rule.used[0] = 0
        if code == ROOM_OVER:
            self._in_use = widen(self._in_use, self.h)
        return code in (SLICE_OVER, ROOM_OVER)

    def to_the_end(self, reporter: Reporter) -> bool:
        """Run until nothing is misclassified or the budget is used up; return which."""
        self._in_use = narrow(self.D, self.h, self._part.n_entries)
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
        return all(
            first_mistake(self.D, piece, self.h, self.tie) < 0
            for piece in slices(self.whole.members, self._rows_per_slice)
        )

    def _begin_pass(self) -> None:
        draws = self._random if self._rule_name == "shuffled" else None
        (part,) = self._part.one_pass(draws)
        self.D = part.D
        # repeated inside of the kernel: small data has thousands of epochs
        self.rule = scan(part.members, len(part.members), repeats=self._rule_name == "cyclic")
        self._rows_per_slice = rows_per_slice(part.rows, len(self.h.b))

    def _next_pass(self) -> bool:
        right, n_rows = int(self.rule.place[RIGHT]), len(self.whole.members)
        if right >= n_rows or self.clock[EPOCHS] <= 1:
            return False
        self.clock[EPOCHS] -= 1
        self._begin_pass()
        # a new order begins to count anew: a row may come late in one and early in the next
        self.rule.place[RIGHT] = 0 if self._rule_name == "shuffled" else right
        return True


class Scanned(NamedTuple):
    """What a run remembers on its way through the rows."""

    h: Hypothesis
    small: SmallWeights | None  # the weights in bytes, while they are in use
    clock: Array
    place: Array  # rows visited in this pass, right in a row, rows of a pass, the last code, ...


class RunInPasses:
    """PLA on one problem, whose rows are gone through in an order, wherever they are."""

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
        self.h, self._part, self._tie = h, part, TIES[tie]
        self._draws = random_state if rule == "shuffled" else None
        self._max_epochs = NO_LIMIT if max_epochs is None else max_epochs
        self._max_updates = NO_LIMIT if max_updates is None else max_updates
        # a file that is read anew in each pass is not read just to count
        n_rows, n_entries = part.n_members, None
        if n_rows is not None:
            n_entries = part.n_entries
        place = np.array([0, 0, NO_LIMIT if n_rows is None else n_rows, ORDER_OVER, 0])
        clock = np.array([0, self._max_updates, self._max_epochs], dtype=np.int64)
        self._visit = partial(_scan_piece, self._tie, n_entries)
        self._state = Scanned(h, None, clock, place)
        self._pass = self._begun()

    @property
    def n_updates(self) -> int:
        """Updates made so far."""
        return int(self._max_updates - self._state.clock[UPDATES])

    @property
    def n_epochs(self) -> int:
        """Epochs begun so far."""
        return int(self._max_epochs - self._state.clock[EPOCHS]) + 1

    @property
    def share(self) -> float:
        """The share of the budget that is used up."""
        return max(self.n_updates / self._max_updates, (self.n_epochs - 1) / self._max_epochs)

    @property
    def draws(self) -> np.random.RandomState | None:
        """What draws the orders."""
        return self._draws

    @property
    def begun(self) -> tuple[Any, ...]:
        """How far the run is, with the weights as they are."""
        if self._state.small is not None:
            widen(self._state.small, self.h)  # a copy: the bytes stay in use
        return self.h, self._state.clock, self._state.place

    def resume(self) -> bool:
        """Go on after a pass, `begun` having what it ended with; return whether there is more."""
        # with wide weights, which are as exact: those in bytes are tried before the first row
        return bool(self._state.place[CODE] == ORDER_OVER) and self._next_pass()

    def to_the_end(
        self, reporter: Reporter, passed: Callable[[], None] | None = None, goes_on: bool = True
    ) -> bool:
        """Run until nothing is misclassified or the budget is used up; return which.

        `passed` is called after each pass; `goes_on` is False for a run that is over.
        """
        while goes_on:
            goes_on = self._one_pass(reporter) == ORDER_OVER
            if passed is not None:
                passed()
            goes_on = goes_on and self._next_pass()
        if self._state.small is not None:
            widen(self._state.small, self.h)
        converged = self._state.place[CODE] == NONE_LEFT or self.is_all_right()
        reporter.finish(self.n_updates, self.n_epochs)
        return converged

    def is_all_right(self) -> bool:
        """Look whether the weights classify every example right."""
        if self._state.place[RIGHT] >= self._state.place[PASS]:
            return True  # all of a pass were, the last rows of it when the budget ended
        look = partial(_look, self.h, self._tie)
        return all(self._part.fold(look, True, n_vectors=len(self.h.b)))

    def _begun(self) -> Iterator[Scanned]:
        return self._part.fold(self._visit, self._state, draws=self._draws, n_vectors=len(self.h.b))

    def _one_pass(self, reporter: Reporter) -> int:
        """Go through the rows; return why that ended."""
        for state in self._pass:
            self._state = state
            if state.place[CODE] != ORDER_OVER:
                break
            reporter.tell(self.n_updates, self.n_epochs, self.share)
        return int(self._state.place[CODE])

    def _next_pass(self) -> bool:
        place, clock = self._state.place, self._state.clock
        place[PASS], place[VISITED] = place[VISITED], 0
        if place[RIGHT] >= place[PASS] or clock[EPOCHS] <= 1:
            return False
        clock[EPOCHS] -= 1
        if self._draws is not None:
            place[RIGHT] = 0  # a row may come late in one order and early in the next
        self._pass = self._begun()
        return True


def go_on(runs: Sequence[Any], reporter: Reporter, milestones: Any) -> list[bool]:
    """Take runs to their ends from where a checkpoint has them; return which converged."""
    draws = runs[0].draws
    problem, done, _ = milestones.resume([run.begun for run in runs], draws)  # in their arrays
    converged = []
    for k, run in enumerate(runs):

        def passed(k: int = k, run: Any = run) -> None:
            milestones.passed(k, run.n_epochs, [other.begun for other in runs], draws)

        is_begun = k < problem or (k == problem and done > 0)
        converged.append(run.to_the_end(reporter, passed, run.resume() if is_begun else True))
    return converged


def _scan_piece(
    tie: int, n_entries: int | None, state: Scanned, part: ProblemBlock, piece: Array
) -> Scanned:
    """Correct the mistakes of a piece, until nothing is left to do."""
    h, small, clock, place = state
    if place[CODE] != ORDER_OVER:
        return state  # it was over before these rows
    if not place[TRIED]:
        place[TRIED] = 1
        narrowed = narrow(part.D, h, n_entries)
        small = narrowed if isinstance(narrowed, SmallWeights) else None
    rule = scan(piece, int(place[PASS]))
    rule.place[RIGHT] = place[RIGHT]
    clock[ROWS] = len(piece) + 1  # more than there are: a piece is a slice already
    while (code := learn(rule, part.D, h if small is None else small, tie, clock)) == ROOM_OVER:
        widen(small, h)  # type: ignore[arg-type]  # it was small
        small = None
    if small is not None:
        h.b[:] = small.b  # the same array, unless the state came from elsewhere
    place[VISITED] += len(piece)
    place[RIGHT], place[CODE] = rule.place[RIGHT], code
    return state._replace(small=small)


def _look(h: Hypothesis, tie: int, so_far: bool, part: ProblemBlock, piece: Array) -> bool:
    return so_far and bool(first_mistake(part.D, piece, h, tie) < 0)


def check_in_passes(rule: str) -> None:
    """Refuse, for rows that are not all in memory, a rule that has to look at all of them."""
    if rule not in IN_PASSES:
        raise ParameterError(
            f"{rule!r} looks at all rows before each update and cannot be learned from blocks",
            about="rule",
            do="use {rule:cyclic} or {rule:shuffled}, or fit with all rows in memory",
            in_shell="use --rule cyclic or --rule shuffled, or leave out --memory",
        )
