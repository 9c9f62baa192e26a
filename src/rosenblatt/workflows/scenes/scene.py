"""A scene: points, the verdict on them, and one or two runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.lab.presets import PlaneSet
from rosenblatt.lab.targets import LineTarget
from rosenblatt.tracing.steps import SIGN, Steps, coding_of, one_step
from rosenblatt.workflows.scenes.choices import Choice
from rosenblatt.workflows.scenes.deadline import Deadline
from rosenblatt.workflows.scenes.learning import AT_ONCE, learn
from rosenblatt.workflows.scenes.verdicts import SEPARABLE, TRIVIAL, Finding, judge
from rosenblatt.workflows.scenes.words import sentence_of

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
    >>> from rosenblatt.lab.presets import draw_preset
    >>> scene = make_scene(draw_preset("xor"), [Choice(max_updates=10)], Deadline(5))
    >>> scene.verdict.multiples, scene.runs[0].steps.converged
    ((1, 1, 1, 1), False)
    """
    patience = deadline.within(BRIEF_SECONDS if quick else PROOF_SECONDS)
    verdict = judge(data, choices[0].way, patience, briefly=quick)
    return Scene(data, verdict, [_run(data, choice, verdict, deadline) for choice in choices])


def _run(data: PlaneSet, choice: Choice, verdict: Finding, deadline: Deadline) -> Outcome:
    present, labels = np.unique(data.labels, return_inverse=True)
    if verdict.kind == TRIVIAL:
        return Outcome(choice, _nothing(), "Nothing to learn yet.", present)
    steps, model = learn(data.points, labels, choice, deadline)
    error = steps.final_error
    if model is not None:
        error = float((model.predict(data.points) != labels).mean())
    e_out, final_e_out = _errors_out(data, steps, model)
    return Outcome(
        choice,
        steps,
        sentence_of(choice, steps, error, data.points, voted=model is not None),
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
    if verdict.kind != SEPARABLE or choice.algorithm in AT_ONCE:
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
