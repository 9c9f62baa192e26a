"""One run: from what was chosen to the steps of a learner of the library."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes, pooled_form
from rosenblatt.errors import ProofError
from rosenblatt.linear.averaged import AveragedPerceptron
from rosenblatt.linear.batch import BatchPerceptron
from rosenblatt.linear.least_squares_classifier import LeastSquaresClassifier
from rosenblatt.linear.multiclass import n_vectors
from rosenblatt.linear.perceptron import Perceptron
from rosenblatt.linear.pocket import PocketPerceptron
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.proof.joint import prove_joint
from rosenblatt.proof.margin import max_margin
from rosenblatt.proof.prove import prove
from rosenblatt.studio.scenes.choices import Choice
from rosenblatt.studio.scenes.deadline import Deadline, TimeIsOverError
from rosenblatt.tracing.steps import Steps, classes_of, coding_of, one_step, pairs
from rosenblatt.tracing.watching import survival_along, watch
from rosenblatt.types import Array

RUN_SHARE = 0.5
N_CELLS = 10_000  # of the grid on which votes are shown
MOST_VOTES = 2_000_000_000  # some seconds


def learn(X: Array, labels: Array, choice: Choice, deadline: Deadline) -> tuple[Steps, Any]:
    """Return the steps of a run on labels 0 ... k-1, and the model where it is no linear rule."""
    if choice.algorithm in AT_ONCE:
        return _at_once(X, labels, choice, deadline), None
    learner = make_learner(choice, two=int(labels.max()) == 1)
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
    except TimeIsOverError:
        return None


def make_learner(choice: Choice, two: bool) -> Any:
    """Return the learner of the perceptron family that was chosen, unfitted."""
    name, way = choice.algorithm, choice.way
    if name == "batch":
        eta, epsilon, budget = choice.eta, choice.epsilon, choice.max_updates
        return BatchPerceptron(eta=eta, epsilon=epsilon, max_epochs=budget, multiclass=way)
    if name == "voted":
        return VotedPerceptron(epochs=choice.epochs, multiclass=way)
    if name == "averaged":
        epochs, seed = choice.epochs, choice.seed
        return AveragedPerceptron(epochs=epochs, multiclass=way, random_state=seed)
    start: Any = choice.init if two else None  # a line divides two classes
    tie = choice.tie if two else "mistake"  # the other conventions are of two classes, too
    kind = PocketPerceptron if name == "pocket" else Perceptron
    return kind(
        rule=choice.rule,
        tie=tie,
        init="regression" if name == "regression-perceptron" else start,
        max_epochs=None,
        max_updates=choice.max_updates,
        multiclass=way,
        random_state=choice.seed,
    )


def _at_once(X: Array, labels: Array, choice: Choice, deadline: Deadline) -> Steps:
    try:
        weights = AT_ONCE[choice.algorithm](X, labels, choice.way, deadline)
    except (ProofError, TimeIsOverError):  # whether there is a margin is not known
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


def _regression(X: Array, labels: Array, way: str, deadline: Deadline) -> Array:
    model = LeastSquaresClassifier().fit(X, labels)
    return np.column_stack([model.intercept_, model.coef_])


def is_binary(X: Array) -> bool:
    """Whether points are corners of the unit square, as inputs of 0 and 1 are."""
    return bool(((X == 0) | (X == 1)).all())


def _naive_bayes(X: Array, labels: Array, way: str, deadline: Deadline) -> Array | None:
    if is_binary(X):
        model = BernoulliNaiveBayes().fit(X, labels)
        return np.column_stack([model.intercept_, model.coef_])
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


AT_ONCE = {"regression": _regression, "naive-bayes": _naive_bayes, "max-margin": _max_margin}
