"""A run of the perceptron learning algorithm over blocks of rows that are not all in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from rosenblatt.errors import ParameterError
from rosenblatt.kernels.hypothesis import Hypothesis
from rosenblatt.kernels.perceptron import first_mistake, learn
from rosenblatt.kernels.selection import BUDGET_OVER, UPDATES, Scan
from rosenblatt.linear.passes import Pass
from rosenblatt.linear.run import NO_LIMIT, TIES
from rosenblatt.progress import Reporter

RULES = ("cyclic", "shuffled")


def check_runs_on_blocks(rule: str, init: Any) -> None:
    """Refuse what has to look at all rows at once."""
    if rule not in RULES:
        raise ParameterError(
            f"{rule!r} looks at all rows before each update and cannot be learned from blocks",
            about="rule",
            do="use {rule:cyclic} or {rule:shuffled}, or fit with all rows in memory",
            in_shell="",
        )
    if isinstance(init, str):
        raise ParameterError(
            f"{init!r} needs all rows at once and cannot be learned from blocks",
            about="init",
            do="pass {init:None} or an array",
            in_shell="",
        )


class BlockRun:
    """PLA on one problem, the same updates as those of a `Run` with all rows in memory.

    `one_pass` visits the rows in the order of the rule, `in_order` to see whether all are right.
    """

    def __init__(
        self,
        one_pass: Pass,
        in_order: Pass,
        h: Hypothesis,
        *,
        shuffled: bool,
        tie: str,
        max_updates: int | None,
        max_epochs: int | None,
    ) -> None:
        self.h = h
        self.n_updates = self.n_epochs = 0
        self._one_pass, self._in_order = one_pass, in_order
        self._shuffled, self._tie = shuffled, TIES[tie]
        self._max_updates = NO_LIMIT if max_updates is None else max_updates
        self._max_epochs = NO_LIMIT if max_epochs is None else max_epochs
        self._n_right = 0  # visited since the last mistake

    def to_the_end(self, reporter: Reporter) -> bool:
        """Run until nothing is misclassified or the budget is used up; return which."""
        n_rows = NO_LIMIT  # known after the first pass
        done = None
        while done is None and self.n_epochs < self._max_epochs:
            self.n_epochs += 1
            # a new order begins to count anew: a row may come late in one and early in the next
            self._n_right = 0 if self._shuffled else self._n_right
            n_visited = 0
            for D, piece in self._one_pass():
                n_visited += len(piece)
                done = self._visit(D, piece, n_rows)
                reporter.tell(self.n_updates, self.n_epochs, self._share)
                if done is not None:
                    break
            else:
                n_rows = n_visited
                done = True if self._n_right >= n_rows else None
        converged = bool(done) or self._is_all_right()
        reporter.finish(self.n_updates, self.n_epochs)
        return converged

    def _visit(self, D: Any, piece: Any, n_rows: int) -> bool | None:
        """Correct the mistakes of a piece; True: none is left, False: no update is left."""
        place, clock = np.zeros(2, dtype=np.int64), np.array([NO_LIMIT, 0, 1])
        clock[UPDATES] = self._max_updates - self.n_updates
        code = learn(Scan(piece, place, False, False), D, self.h, self._tie, clock)
        self.n_updates = int(self._max_updates - clock[UPDATES])
        if code == BUDGET_OVER:
            return False
        before = self._n_right if place[1] == len(piece) else 0
        self._n_right = before + int(place[1])
        return True if self._n_right >= n_rows else None

    @property
    def _share(self) -> float:
        return max(self.n_updates / self._max_updates, (self.n_epochs - 1) / self._max_epochs)

    def _is_all_right(self) -> bool:
        return all(first_mistake(D, piece, self.h, self._tie) < 0 for D, piece in self._in_order())
