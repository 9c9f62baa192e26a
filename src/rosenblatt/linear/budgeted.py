"""What the learners with a selection rule and a budget share: Perceptron and PocketPerceptron."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np

from rosenblatt.blocks import Blocks
from rosenblatt.checks.parameters import check_choice, check_count, check_flags, check_seed
from rosenblatt.choices import ClassWeight, Multiclass, Rule, Threshold, Tie
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.least_squares_solver import regression_start
from rosenblatt.linear.multiclass import WAYS, hypotheses, n_vectors, problems
from rosenblatt.linear.rules import RULES, TIES
from rosenblatt.linear.run import Run, RunInPasses, check_in_passes
from rosenblatt.types import Array, Numbers, Seed


class BudgetedPerceptron(LinearClassifier):
    """Parameters, their checks, the start vector and the runs."""

    _named_starts: ClassVar[tuple[str, ...]] = ("regression",)  # words that `init` may be

    def __init__(
        self,
        *,
        rule: Rule = "cyclic",
        tie: Tie = "mistake",
        init: Numbers | Literal["regression"] | None = None,
        max_epochs: int | None = 1000,
        max_updates: int | None = None,
        multiclass: Multiclass = "joint",
        warm_start: bool = False,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        probability: bool = False,
        threshold: Threshold = None,
        random_state: Seed = None,
    ) -> None:
        self.rule = rule
        self.tie = tie
        self.init = init
        self.max_epochs = max_epochs
        self.max_updates = max_updates
        self.multiclass = multiclass
        self.warm_start = warm_start
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.probability = probability
        self.threshold = threshold
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_choice(self.rule, "rule", RULES)
        check_choice(self.tie, "tie", tuple(TIES))
        check_choice(self.multiclass, "multiclass", WAYS)
        if isinstance(self.init, str):
            check_choice(self.init, "init", self._named_starts)
        check_flags(warm_start=self.warm_start, fit_intercept=self.fit_intercept)
        budgets = {"max_epochs": self.max_epochs, "max_updates": self.max_updates}
        check_count(**{name: value for name, value in budgets.items() if value is not None})
        if self.max_epochs is None and self.max_updates is None:
            raise ParameterError(
                "there is no budget: on data that is not separable the perceptron never stops",
                do="set {max_epochs} or {max_updates}, which are both None",
                in_shell="",
            )

    def _check_tie(self, classes: Array) -> None:
        if len(classes) > 2 and self.tie != "mistake":
            # from zero a joint learner has all classes equal: with a tie for right it stays there
            raise ParameterError(
                f"{self.tie!r} is a convention of two classes, got {len(classes)}",
                about="tie",
                do="set {tie:mistake}",
            )

    def _runs(self, blocks: Blocks) -> list[Any]:
        self._check_tie(blocks.classes)
        made: type[Run | RunInPasses] = Run
        if blocks.whole is None or getattr(self, "_milestones", None) is not None:
            check_in_passes(self.rule)
            made = RunInPasses
        random_state = check_seed(self.random_state)
        start = self._start(blocks)
        parts = problems(blocks, self.multiclass, self.fit_intercept)
        return [
            made(
                part,
                h,
                rule=self.rule,
                tie=self.tie,
                max_updates=self.max_updates,
                max_epochs=self.max_epochs,
                random_state=random_state,
            )
            for part, h in zip(parts, hypotheses(start, len(parts)), strict=True)
        ]

    def _start(self, data: Blocks) -> Array:
        """Return the weights to start from, a row (w0, w1, ... wd) for each vector."""
        shape = (n_vectors(len(data.classes), self.multiclass), data.n_features + 1)
        if self.warm_start and hasattr(self, "coef_"):
            self._check_goes_on()
            if not np.array_equal(self.classes_, data.classes) or self._weights().shape != shape:
                raise DataError(
                    f"warm_start needs the classes and features of the last fit, "
                    f"{self.classes_.tolist()} and {self.coef_.shape[1]}, got "
                    f"{data.classes.tolist()} and {data.n_features}",
                    do="set {warm_start:False}",
                    in_shell="",
                )
            return self._weights()
        if self.init is None:
            return np.zeros(shape)
        if isinstance(self.init, str):
            return self._named_start(data)
        try:
            start = np.atleast_2d(np.array(self.init, dtype=np.float64))
        except (TypeError, ValueError, OverflowError) as error:
            raise ParameterError(f"must be an array of numbers: {error}", about="init") from error
        if start.shape != shape or not np.isfinite(start).all():
            needed = f"{shape[1]} of them" if shape[0] == 1 else _rows_of(np.zeros(shape))
            raise ParameterError(
                f"must hold finite weights, {needed} with w0 first, got "
                + ("some that are not" if start.shape == shape else _rows_of(start)),
                about="init",
                in_shell="" if shape[0] == 1 else "use {init:regression}",
            )
        if not self.fit_intercept and start[:, 0].any():
            raise ParameterError(
                "has a threshold w0 that is not 0, and there is none without an intercept",
                about="init",
                do="make it 0, or set {fit_intercept:True}",
                in_shell="make it 0, or leave out --no-intercept",
            )
        return start

    def _named_start(self, data: Blocks) -> Array:
        """Return the weights that the word in `init` stands for."""
        return regression_start(data, self.multiclass, self.fit_intercept)

    def _weights(self) -> Array:
        return np.column_stack([self.intercept_, self.coef_])


def _rows_of(start: Array) -> str:
    """Return how many weights there are in how many rows, in words."""
    n_vectors, n = len(start), start[0].size
    return f"{n}" if n_vectors == 1 else f"{counted(n_vectors, 'row')} of {n}"
