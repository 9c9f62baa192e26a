"""A scene: points, the verdict on them, and one or two runs, each with a line about its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.lab.targets import LineTarget
from rosenblatt.progress import Deadline
from rosenblatt.studio.scenes.choices import Choice
from rosenblatt.studio.scenes.learning import is_binary, learn_steps
from rosenblatt.studio.scenes.presets import PlaneSet
from rosenblatt.studio.scenes.verdicts import SEPARABLE, TRIVIAL, Finding, judge_points
from rosenblatt.tracing.steps import SIGN, Steps, coding_of, one_step
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO

PROOF_SECONDS, BRIEF_SECONDS = 2.0, 0.03
FROM_ZERO = ("perceptron", "pocket", "voted")  # unit corrections: the bound on updates holds
PAD = 0.15  # room around the points


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
    >>> from rosenblatt.studio.scenes.presets import draw_preset
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
    zero = choice.algorithm in FROM_ZERO and not steps.weights[0].any()
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
        return _solution(choice.algorithm, steps, wrong, X)
    done = int(steps.steps[-1])
    unit = "step" if choice.algorithm == "batch" else "update"
    return _end(choice, steps, counted(done, unit, ","), wrong, voted)


def _solution(name: str, steps: Steps, wrong: str, X: Array) -> str:
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
