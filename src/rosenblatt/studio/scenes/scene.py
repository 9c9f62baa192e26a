"""A scene: points, the verdict on them, and one or two runs, each with a line about its end.

A run goes from what was chosen to the steps of a learner of the library.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rosenblatt.bayes.bernoulli import BernoulliNaiveBayes
from rosenblatt.bayes.gaussian import GaussianNaiveBayes, pooled_form
from rosenblatt.counting import counted
from rosenblatt.errors import OutOfTimeError, ProofError
from rosenblatt.lab.targets import LineTarget
from rosenblatt.linear.multiclass import n_vectors
from rosenblatt.linear.voted import VotedPerceptron
from rosenblatt.progress import Deadline
from rosenblatt.proof.margin import max_margin, prove_joint
from rosenblatt.proof.prove import prove
from rosenblatt.studio.scenes.choices import Choice, PlaneSet
from rosenblatt.studio.scenes.verdicts import SEPARABLE, TRIVIAL, Finding, judge_points
from rosenblatt.tracing.steps import SIGN, Steps, classes_of, coding_of, one_step, pairs
from rosenblatt.tracing.trace import why_no_bound
from rosenblatt.tracing.watching import survival_along, watch
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO, TABLE

PROOF_SECONDS, BRIEF_SECONDS = 2.0, 0.03
PAD = 0.15  # room around the points
RUN_SHARE = 0.5
N_CELLS = 10_000  # of the grid on which votes are shown
MOST_VOTES = 2_000_000_000  # some seconds


@dataclass(frozen=True)
class Outcome:
    """One run with all that is known about it."""

    choice: Choice
    steps: Steps
    sentence: str
    present: Array
    model: Any = None  # where the last word is not a linear rule
    e_out: Array | None = None
    final_error: float = 0.0
    final_e_out: float | None = None
    cosine: Array | None = None
    cosine_bound: Array | None = None
    bound: int | None = None


@dataclass(frozen=True)
class Scene:
    """What is shown."""

    data: PlaneSet
    verdict: Finding
    runs: list[Outcome]


def make_scene(
    data: PlaneSet, choices: list[Choice], deadline: Deadline, *, quick: bool = False
) -> Scene:
    """Judge the points and run what was chosen.

    Examples
    --------
    >>> from rosenblatt.studio.scenes.choices import draw_preset
    >>> scene = make_scene(draw_preset("xor"), [Choice(max_updates=10)], Deadline(5))
    >>> scene.verdict.multiples, scene.runs[0].steps.converged
    ((1, 1, 1, 1), False)
    """
    patience = deadline.within(BRIEF_SECONDS if quick else PROOF_SECONDS)
    verdict = judge_points(data, choices[0].way, patience, briefly=quick)
    return Scene(data, verdict, [_run(data, choice, verdict, deadline) for choice in choices])


def _run(data: PlaneSet, choice: Choice, verdict: Finding, deadline: Deadline) -> Outcome:
    present, labels = np.unique(data.labels, return_inverse=True)
    if verdict.kind == TRIVIAL:
        return Outcome(choice, _nothing(), "Nothing to learn yet.", present)
    steps, model = learn_steps(data.points, labels, choice, deadline)
    error = steps.final_error
    if model is not None:
        error = float((model.predict(data.points) != labels).mean())
    e_out, final_e_out = _errors_out(data, steps, model)
    return Outcome(
        choice,
        steps,
        sentence_of_run(choice, steps, error, data.points, voted=model is not None),
        present,
        model,
        e_out,
        error,
        final_e_out,
        **_against_the_margin(choice, steps, verdict),
    )


def _nothing() -> Steps:
    return one_step([np.zeros((1, 3))], coding_of(2, "joint"), 2, np.zeros(1), True)


def _errors_out(data: PlaneSet, steps: Steps, model: Any) -> tuple[Array | None, float | None]:
    """Return how often g and f differ, for every row and at the end; None without an f."""
    if data.target is None or steps.coding != SIGN:
        return None, None
    low, high = data.box
    target = LineTarget(data.target, low=low, high=high)
    rows = target.disagreement(steps.weights[:, 0])
    if model is None:
        return rows, float(target.disagreement(steps.final[0]))
    fresh = np.random.RandomState(0).uniform(low, high, (10_000, 2))
    return rows, float((model.predict(fresh) != (target(fresh) > 0)).mean())


def _against_the_margin(choice: Choice, steps: Steps, verdict: Finding) -> dict[str, Any]:
    """Return the cosine to the largest margin, its bound, and the bound on updates."""
    if verdict.kind != SEPARABLE or IN_STUDIO[choice.algorithm].at_once:
        return {}
    learner = TABLE[choice.algorithm].make(choice.seed)
    zero = not why_no_bound(learner, from_zero=not steps.weights[0].any())
    margin, best = verdict.margin, verdict.weights
    if margin is None or best is None or best.shape != steps.weights.shape[1:]:
        bounds = [part.margin.updates_bound for part in verdict.parts if part.margin is not None]
        fits = zero and len(bounds) == len(verdict.parts) == steps.weights.shape[1]
        return {"bound": sum(bounds)} if fits else {}
    W = steps.weights.reshape(len(steps.weights), -1)
    with np.errstate(invalid="ignore"):
        cosine = W @ best.ravel() / (np.linalg.norm(W, axis=1) * margin.B)
    if not zero:
        return {"cosine": cosine}
    # not by the bound on updates, which is rounded down
    lower = np.sqrt(steps.steps) / (margin.radius * margin.B)
    return {"cosine": cosine, "cosine_bound": lower, "bound": margin.updates_bound}


def box_of(points: Array) -> tuple[float, float, float, float]:
    """Return a square around the points, with some room: x0, x1, y0, y1."""
    if len(points) == 0:
        return -1.0, 1.0, -1.0, 1.0
    low, high = points.min(axis=0), points.max(axis=0)
    middle, side = (low + high) / 2, float((high - low).max()) * (0.5 + PAD) or 1.0
    (x0, y0), (x1, y1) = middle - side, middle + side
    return float(x0), float(x1), float(y0), float(y1)


def sentence_of_run(
    choice: Choice, steps: Steps, error: float, X: Array, *, voted: bool = False
) -> str:
    """Say how a run ended.

    `error` is the E_in of its last word, which for votes is not that of the last line.
    """
    wrong = f"{round(error * len(X))} of {counted(len(X), 'point')} wrong"
    if IN_STUDIO[choice.algorithm].at_once:
        return _sentence_at_once(choice.algorithm, steps, wrong, X)
    done = int(steps.steps[-1])
    unit = "step" if choice.algorithm == "batch" else "update"
    return _end(choice, steps, counted(done, unit, ","), wrong, voted)


def _sentence_at_once(name: str, steps: Steps, wrong: str, X: Array) -> str:
    found = len(steps.weights) > 1
    if name == "max-margin":
        if steps.converged is None:
            return "No margin was found in the time given."
        if not found:
            return "There is no margin: the points are not separable."
        return "The middle of the widest street between the classes."
    if name == "regression":
        return f"Least squares on the labels: {wrong}."
    if not found:
        return "There is no density: all points are in one place."
    kind = "inputs of 0 and 1" if is_binary(X) else "normal densities with shared variances"
    return f"Naive Bayes, {kind}: {wrong}."


def _end(choice: Choice, steps: Steps, count: str, wrong: str, voted: bool) -> str:
    name = choice.algorithm
    if steps.converged is None:
        return f"Stopped by the time limit after {count}: {wrong}."
    if name == "pocket":
        return f"The best of {count}: {wrong}."
    if name == "voted" and not voted:
        return f"Too many lines to count their votes; the last of {count} is shown: {wrong}."
    epochs = counted(choice.epochs, "epoch")
    if name in ("voted", "averaged", "passive-aggressive"):
        word = "vote" if name == "voted" else "mean"
        return f"The {word} of all lines after {epochs}, {count}: {wrong}."
    if name == "arow":
        return f"The last line after {epochs}, {count}: {wrong}."
    if name == "batch" and steps.converged:
        return f"The last of {count} was shorter than epsilon: {wrong}."
    return f"{'Converged' if steps.converged else 'Not converged'} after {count}: {wrong}."


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
    options, known = IN_STUDIO[choice.algorithm].options, learner.get_params()
    chosen = {name: getattr(choice, name) for name in options if name in known}
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
