"""What learns in the runs of the lab: by its name, or any classifier.

PLA with random picks and least squares learn from many data sets at once (`runs.py`). The others
fit one after the other: drawn points need no look at the door, so a fit is hardly more than its
kernel.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol, get_args

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from rosenblatt.bayes.base import CountingBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes
from rosenblatt.blocks import InMemory
from rosenblatt.checks import NO_WEIGHTS
from rosenblatt.checks.parameters import check_choice, check_count, did_you_mean
from rosenblatt.choices import Rule
from rosenblatt.errors import ParameterError
from rosenblatt.lab.hypotheses import weights_of
from rosenblatt.lab.runs import least_squares_of_runs, perceptron_runs
from rosenblatt.linear.arow import AROW
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.base import LinearClassifier
from rosenblatt.linear.batch import BatchPerceptron
from rosenblatt.linear.passive_aggressive import PassiveAggressive
from rosenblatt.linear.perceptron import Perceptron, SortedLabelsWarning
from rosenblatt.linear.pocket import PocketPerceptron
from rosenblatt.linear.rules import RULES
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.types import Array, Block

# The names are those of the table in `workflows/algorithms`, which is above the lab and says of
# each whether the lab has it
Learner = Literal[
    "averaged",
    "perceptron",
    "pocket",
    "voted",
    "batch",
    "passive-aggressive",
    "arow",
    "regression",
    "gaussian",
    "regression-perceptron",
]
LEARNERS: tuple[Learner, ...] = get_args(Learner)
BY_FITTING: dict[str, Callable[[], Any]] = {
    "averaged": AveragedPerceptron,
    "perceptron": Perceptron,
    "pocket": PocketPerceptron,
    "voted": VotedPerceptron,
    "batch": BatchPerceptron,
    "passive-aggressive": PassiveAggressive,
    "arow": AROW,
    "gaussian": GaussianNaiveBayes,
    "regression-perceptron": lambda: Perceptron(init="regression"),
}
WITH_A_RULE = ("perceptron", "pocket", "regression-perceptron")
# Budgets of PLA on data that it can learn, and on data that it goes round and round on
ENDS, NEVER_ENDS = 1_000_000, 10_000


class Classifier(Protocol):
    """Whatever can be fitted to labels and asked about points."""

    def fit(self, X: Any, y: Any, /) -> Any:
        """Learn."""

    def predict(self, X: Any, /) -> Any:
        """Return a label for each point."""


class ManyLearned(NamedTuple):
    """What came out of some runs, an entry for each."""

    weights: Array | None  # w0 first; None where g is not one linear rule
    updates: Array
    said: Array  # of the points of each run, where there are no weights
    said_of_fresh: Array


class RunLearner(NamedTuple):
    """A learner for many runs."""

    name: str
    model: Any  # None: many data sets at once
    max_updates: int

    @property
    def is_linear(self) -> bool:
        """Whether each run ends with the weights of one linear rule."""
        return self.model is None or (
            isinstance(self.model, LinearClassifier)
            and getattr(self.model, "_scores_are_sums", True)
        )

    def learn(
        self, Z: Array, y: Array, fresh: Array | None, random: np.random.RandomState
    ) -> ManyLearned:
        """Learn from points of shape (runs, N, d); `fresh` are asked about where g is no line."""
        if self.model is not None:
            return _fitted(clone(self.model), Z, y, fresh, random)
        start = None if self.name == "perceptron" else least_squares_of_runs(Z, y)
        if start is not None and self.name == "regression":
            return ManyLearned(start, np.zeros(len(Z), dtype=np.int64), NO_WEIGHTS, NO_WEIGHTS)
        done = perceptron_runs(Z, y, start=start, max_updates=self.max_updates, random_state=random)
        return ManyLearned(done.weights, done.n_updates, NO_WEIGHTS, NO_WEIGHTS)


def run_learner(
    learner: Learner | Classifier, rule: Rule | None, max_updates: int | None, *, may_end: bool
) -> RunLearner:
    """Return the learner of a name, or a classifier as it is; `may_end`: PLA can learn the data.

    Examples
    --------
    >>> run_learner("pocket", "worst", 500, may_end=False).model
    PocketPerceptron(max_updates=500, rule='worst')
    """
    budget = (ENDS if may_end else NEVER_ENDS) if max_updates is None else max_updates
    check_count(max_updates=budget)
    given = {"rule": rule, "max_updates": max_updates}
    if not isinstance(learner, str) and hasattr(learner, "fit") and hasattr(learner, "predict"):
        for name, value in given.items():
            if value is not None:
                raise ParameterError(
                    f"is for learners by name; give it to the {type(learner).__name__}", about=name
                )
        return RunLearner(type(learner).__name__, learner, budget)
    if not isinstance(learner, str) or learner not in LEARNERS:
        listed, hint = ", ".join(map(repr, LEARNERS)), did_you_mean(learner, LEARNERS)
        raise ParameterError(
            f"must be one of {listed}, got {learner!r}",
            about="learner",
            do=hint or "any classifier will do, too",
            in_shell=hint,
        )
    if rule is not None:
        check_choice(rule, "rule", RULES)
    for name, value in given.items():
        if value is not None and learner not in WITH_A_RULE:
            raise ParameterError(f"is for {', '.join(WITH_A_RULE)}; {learner} has none", about=name)
    at_once = learner != "pocket" and rule in (None, "random")
    if learner == "regression" or (at_once and learner in WITH_A_RULE):
        return RunLearner(learner, None, budget)
    model = BY_FITTING[learner]()
    if learner in WITH_A_RULE:
        most = budget if learner != "pocket" else max_updates or NEVER_ENDS
        model.set_params(max_epochs=None, max_updates=most)
        if rule is not None:
            model.set_params(rule=rule)
    return RunLearner(learner if rule is None else f"{learner}, {rule}", model, budget)


def _fitted(
    model: Any, Z: Array, y: Array, fresh: Array | None, random: np.random.RandomState
) -> ManyLearned:
    """Fit one data set after the other."""
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=random)
    n_runs, n_points, n_features = Z.shape
    ours = isinstance(model, LinearClassifier | CountingBayes)
    codes, members = (y > 0).astype(np.int32), np.arange(n_points)
    classes = np.array([-1, 1])
    updates = np.zeros(n_runs, dtype=np.int64)
    weights = np.empty((n_runs, n_features + 1))
    said = np.empty(y.shape, dtype=np.int64)
    of_fresh = np.empty((0, 0) if fresh is None else fresh.shape[:2], dtype=np.int64)
    with warnings.catch_warnings():
        # the table says of each run whether it converged
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", SortedLabelsWarning)
        for r in range(n_runs):
            answer: Any = None
            if ours:
                # both classes are known even where one of them was not drawn
                block = Block(
                    Z[r], n_points, codes[r], classes, NO_WEIGHTS, members, n_features, None
                )
                model.fit(InMemory(block))
            elif len(np.unique(y[r])) == 2:
                model.fit(Z[r], y[r])
            else:
                answer = y[r, 0]
            updates[r] = int(getattr(model, "n_updates_", 0))
            if fresh is None:
                found = weights_of(model)
                assert found is not None  # noqa: S101 - what a linear learner has, for mypy
                weights[r] = found
            else:
                said[r] = model.predict(Z[r]) if answer is None else answer
                of_fresh[r] = model.predict(fresh[r]) if answer is None else answer
    if fresh is None:
        return ManyLearned(weights, updates, NO_WEIGHTS, NO_WEIGHTS)
    return ManyLearned(None, updates, said, of_fresh)
