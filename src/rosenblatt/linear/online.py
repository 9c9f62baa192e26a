"""What the learners share that visit one row after the other, for a number of passes.

A learner says what its memory is before the first row (`_blank`), what each problem carries along
of it (`_states`), what a visit does to that (`_visit`, one call of a kernel), and what it keeps at
the end (`_finish`); to go on it gives its memory to more classes (`_grown`). Where the rows are is
the business of `Blocks`.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.checks.parameters import (
    check_callback,
    check_choice,
    check_count,
    check_flags,
    check_seed,
)
from rosenblatt.linear.base import NOT_A_COPY, LinearClassifier
from rosenblatt.linear.mixing import cannot_mix, keep_mixed, mixed_pass
from rosenblatt.linear.multiclass import WAYS, problems
from rosenblatt.linear.stream import OneByOne
from rosenblatt.progress import Callback, Reporter
from rosenblatt.types import Array, Seed

# Checks of scikit-learn that fail even where a weight is meant as so many copies in succession
VISITED_ONCE = dict.fromkeys(
    NOT_A_COPY,
    "a row that comes twice has two places in the drawn order, and one of weight 2 has one",
)


class Begun(NamedTuple):
    """How far a problem is: its state, and the updates before the last pass."""

    state: Any
    n_before: int


class EpochClassifier(LinearClassifier):
    """A number of passes over the rows, problem by problem."""

    epochs: int
    shuffle: bool
    fit_intercept: bool
    random_state: Seed

    _milestones: Any = None  # where a fit writes down how far it is: a `Checkpoint`
    _mixture: ClassVar[Any] = None  # how states of several parts are put together, if they can be

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        callback: Callback | None = None,
        mixing: bool = False,
    ) -> Self:
        """Make `epochs` passes over the rows; return self.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), blocks, or Dask's
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Scales the update (where the class says nothing else) and the time that weights
            count for, or their vote, which is not the same as the example twice; 0 leaves it
            out.
        callback : callable or None, default=None
            Called with a `Progress` now and then.
        mixing : bool, default=False
            Let the blocks learn at once, each for one pass from the same weights, and mix what
            they learned (linear/mixing.py): for rows on many machines. Otherwise the weights go
            from block to block, and are those of one machine to the bit.

        Returns
        -------
        self
            The same object.
        """
        check_flags(mixing=mixing)
        if mixing and self._mixture is None:
            raise cannot_mix(self, "it keeps every one of its hypotheses, in their order")
        self._check_parameters()
        blocks = self._check(X, y, sample_weight)
        decision = self._decision(X, y, sample_weight)
        draws = check_seed(self.random_state) if self.shuffle else None
        self._learn(blocks, self._blank(blocks), self.epochs, draws, callback, mixing=mixing)
        self._keep_decision(decision)
        keep_mixed(self, mixing)
        return self

    def _check_parameters(self) -> None:
        check_count(epochs=self.epochs)
        check_choice(self.multiclass, "multiclass", WAYS)
        check_flags(shuffle=self.shuffle, fit_intercept=self.fit_intercept)

    def _learn(
        self,
        blocks: Blocks,
        memory: Any,
        epochs: int,
        draws: np.random.RandomState | None,
        callback: Any,
        *,
        mixing: bool = False,
    ) -> Self:
        """Learn in `memory`, which becomes a part of the model at the end."""
        parts = problems(blocks, self.multiclass, self.fit_intercept)
        reporter, states = Reporter(check_callback(callback), len(parts)), []
        begun = [Begun(state, 0) for state in self._states(memory, len(parts))]
        problem, done = 0, 0
        if self._milestones is not None:
            problem, done, begun = self._milestones.resume(begun, draws)
        # a row may be multiplied with so many weight vectors
        n_vectors = len(blocks.classes) if len(blocks.classes) > 2 else 1
        for k, part in enumerate(parts):
            state, first = begun[k].state, 1 + (done if k == problem else 0)
            for epoch in range(first, epochs + 1) if k >= problem else ():
                n_before = state.n_updates
                if mixing:
                    state = mixed_pass(part, self._visit, state, self._mixture, draws, n_vectors)
                    reporter.tell(state.n_updates, epoch, epoch / epochs)
                else:
                    for after in part.fold(self._visit, state, draws=draws, n_vectors=n_vectors):
                        state = after
                        reporter.tell(state.n_updates, epoch, (epoch - 1) / epochs)
                begun[k] = Begun(state, n_before)
                if self._milestones is not None:
                    self._milestones.passed(k, epoch, begun, draws)
            reporter.finish(state.n_updates, epochs)
            states.append(state)
        converged = all(one.state.n_updates == one.n_before for one in begun)
        self._finish(blocks, memory, states)
        self.n_updates_ = sum(state.n_updates for state in states)
        self.n_epochs_ = epochs
        self.converged_ = converged
        return self

    def _blank(self, blocks: Blocks) -> Any:
        """Return the memory of all problems before the first row; each learner has its own."""
        raise NotImplementedError

    def _states(self, memory: Any, n_problems: int) -> list[Any]:
        """Return what each problem carries along, with `n_updates`: views of the memory."""
        raise NotImplementedError

    @staticmethod
    def _visit(state: Any, part: Any, piece: Array) -> Any:
        """Return the state after the rows of a piece; each learner has its own kernel."""
        raise NotImplementedError

    def _finish(self, blocks: Blocks, memory: Any, states: list[Any]) -> None:
        """Write what was learned."""
        raise NotImplementedError


class OnlineClassifier(EpochClassifier, OneByOne):
    """An `EpochClassifier` that can go on from where it ended, also row by row."""

    mixed_: bool = False  # whether parts of the rows learned at once, and were mixed

    def partial_fit(
        self, X: Any, y: Any = None, classes: Any = None, *, sample_weight: Any = None
    ) -> Self:
        """Visit the rows once, in order, and go on from where the last pass ended.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_examples, n_features), or blocks
            The examples; blocks of rows have their labels with them.
        y : array-like of shape (n_examples,) or None, default=None
            Their labels; None with blocks.
        classes : array-like or None, default=None
            Labels to come; a label that was not named becomes a new class.
        sample_weight : array-like of shape (n_examples,) or None, default=None
            Scales the update, which is not the same as the example twice; 0 leaves it out.

        Returns
        -------
        self
            The same object.
        """
        self._check_parameters()
        if hasattr(self, "classes_"):
            self._check_goes_on()
        blocks, before = self._check_more(X, y, classes, sample_weight)
        memory, n_updates, n_epochs = self._blank(blocks), 0, 0
        if before is not None:
            memory = self._grown(memory, before, blocks.classes)
            n_updates, n_epochs = self.n_updates_, self.n_epochs_
        self._learn(blocks, memory, 1, None, None)
        self.n_updates_ += n_updates
        self.n_epochs_ += n_epochs
        return self

    def _grown(self, blank: Any, before: Array, classes: Array) -> Any:
        """Return what was learned of the classes before in the memory of more of them."""
        raise NotImplementedError
