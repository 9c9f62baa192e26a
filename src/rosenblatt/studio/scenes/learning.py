"""One run: from what was chosen to the steps of a learner of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes, pooled_form
from rosenblatt.errors import OutOfTimeError, ProofError
from rosenblatt.linear.multiclass import n_vectors
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.progress import Deadline
from rosenblatt.proof.margin import max_margin, prove_joint
from rosenblatt.proof.prove import prove
from rosenblatt.studio.scenes.choices import Choice
from rosenblatt.tracing.steps import Steps, classes_of, coding_of, one_step, pairs
from rosenblatt.tracing.watching import survival_along, watch
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO, TABLE

RUN_SHARE = 0.5
N_CELLS = 10_000  # of the grid on which votes are shown
MOST_VOTES = 2_000_000_000  # some seconds


def learn_steps(X: Array, labels: Array, choice: Choice, deadline: Deadline) -> tuple[Steps, Any]:
    """Return the steps of a run on labels 0 ... k-1, and the model where it is no linear rule."""
    if IN_STUDIO[choice.algorithm].at_once:
        return _at_once(X, labels, choice, deadline), None
    learner = _chosen_learner(choice, two=int(labels.max()) == 1)
    # what is left is for counting errors and votes
    patience = deadline.within(RUN_SHARE * deadline.left)
    steps = watch(learner, X, labels, alive=patience.alive)
    model = _vote(learner, X, labels, steps, deadline)
    if model is not None:
        steps = replace(steps, survival=survival_along(model, steps))
    return steps, model


def _vote(learner: Any, X: Array, labels: Array, steps: Steps, deadline: Deadline) -> Any:
    """Fit a voted perceptron to be asked; None where its votes would take too long to count."""
    votes = int(steps.steps[-1]) * (len(X) + N_CELLS)
    if not isinstance(learner, VotedPerceptron) or votes > MOST_VOTES:
        return None
    try:
        return learner.fit(X, labels, callback=deadline.check)
    except OutOfTimeError:
        return None


def _chosen_learner(choice: Choice, two: bool) -> Any:
    """Return the learner that was chosen, unfitted, with its options as parameters."""
    learner = TABLE[choice.algorithm].make(choice.seed)
    options = IN_STUDIO[choice.algorithm].options
    chosen = {name: getattr(choice, name) for name in options if name in learner.get_params()}
    if not two:  # a line divides two classes, and the conventions for a tie are of two, too
        chosen = {name: value for name, value in chosen.items() if name not in ("init", "tie")}
    if "max_updates" in options:  # a step of the batch perceptron is a pass over all points
        chosen["max_epochs"] = None if "max_updates" in chosen else choice.max_updates
    return learner.set_params(**chosen)


def _at_once(X: Array, labels: Array, choice: Choice, deadline: Deadline) -> Steps:
    try:
        weights = _solution(X, labels, choice, deadline)
    except (ProofError, OutOfTimeError):  # whether there is a margin is not known
        return replace(_solved(None, X, labels, choice.way), converged=None)
    return _solved(weights, X, labels, choice.way)


def _solved(weights: Array | None, X: Array, labels: Array, way: str) -> Steps:
    """Return two rows, zero and the solution; one where there is no solution."""
    k = int(labels.max()) + 1
    start = np.zeros((n_vectors(k, way), X.shape[1] + 1))
    rows = [start] if weights is None else [start, weights]
    coding = coding_of(k, way)
    errors = np.array([(classes_of(w, X, coding, k) != labels).mean() for w in rows])
    return one_step(rows, coding, k, errors, bool(errors[-1] == 0))


def _solution(X: Array, labels: Array, choice: Choice, deadline: Deadline) -> Array | None:
    if choice.algorithm == "max-margin":
        return _max_margin(X, labels, choice.way, deadline)
    if choice.algorithm == "naive-bayes":
        return _naive_bayes(X, labels)
    return _rules_of(TABLE[choice.algorithm].make(choice.seed).fit(X, labels))


def _rules_of(model: Any) -> Array:
    return np.column_stack([model.intercept_, model.coef_])


def is_binary(X: Array) -> bool:
    """Whether points are corners of the unit square, as inputs of 0 and 1 are."""
    return bool(((X == 0) | (X == 1)).all())


def _naive_bayes(X: Array, labels: Array) -> Array | None:
    if is_binary(X):
        return _rules_of(BernoulliNaiveBayes().fit(X, labels))
    model = GaussianNaiveBayes().fit(X, labels)
    return pooled_form(model) if model.var_.all() else None  # all points are one


def _max_margin(X: Array, labels: Array, way: str, deadline: Deadline) -> Array | None:
    """Return the rules of largest margin; None where it is proved that there are none."""
    k = int(labels.max()) + 1
    if k > 2 and way == "joint":
        found = prove_joint(X, labels, k, time_limit=deadline.left, callback=deadline.check)
        return None if found.margin is None else found.weights(k)
    streets = [_street(*problem, deadline) for problem in _problems(X, labels, way)]
    there = [w for w in streets if w is not None]
    return np.stack(there) if len(there) == len(streets) else None


def _problems(X: Array, labels: Array, way: str) -> list[tuple[Array, Array]]:
    k = int(labels.max()) + 1
    if k == 2:
        return [(X, labels)]
    if way == "one-vs-rest":
        return [(X, labels == c) for c in range(k)]
    members = [(labels == low) | (labels == high) for low, high in pairs(k)]
    return [(X[there], labels[there]) for there in members]


def _street(X: Array, y: Array, deadline: Deadline) -> Array | None:
    proof = prove(X, y, time_limit=deadline.left, callback=deadline.check)
    if not proof.separable:
        return None
    found = max_margin(X, y, time_limit=deadline.left, callback=deadline.check)
    return found.geometric_w
