"""From the JSON of a request to points and choices; everything is bounded before it is used."""

from __future__ import annotations

import json
from numbers import Real
from typing import Any

import numpy as np

from rosenblatt.linear.rules import RULES, TIES
from rosenblatt.studio.guards import RequestError
from rosenblatt.studio.scenes.choices import (
    MOST_CLASSES,
    MOST_EPOCHS,
    MOST_POINTS,
    MOST_RUNS,
    MOST_UPDATES,
    PRESETS,
    Choice,
    PlaneSet,
    draw_preset,
)
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import ALL_WAYS, IN_STUDIO

LARGEST = 1e9  # of a coordinate or weight
LIMITS: dict[str, tuple[float, float]] = {  # of what is chosen; whole numbers are whole
    "n": (2, MOST_POINTS),
    "noise": (0.0, 0.5),
    "seed": (0, 2**31 - 1),
    "eta": (1e-9, 1e9),
    "epsilon": (1e-12, 1e9),
    "epochs": (1, MOST_EPOCHS),
    "max_updates": (1, MOST_UPDATES),
}
CHOICES = {"rule": tuple(RULES), "tie": tuple(TIES), "multiclass": ALL_WAYS}
NARROWEST = 1e-6  # of the square that points are drawn from
MOST_LETTERS = 80
PLAIN = {int, float}


def parse(body: bytes) -> dict[str, Any]:
    """Read a JSON object; NaN and infinity are no JSON."""
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"The request is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise RequestError("The request must be a JSON object.")
    return value


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a number")


def check_points(said: Any) -> PlaneSet:
    """Return the points of a request, given or drawn."""
    if not isinstance(said, dict):
        raise RequestError("`data` must be a preset or points.")
    if "preset" in said:
        preset = _choice(said, "preset", tuple(PRESETS), None)
        size = _count(said, "n", PRESETS[preset].n)
        noise, seed = _number(said, "noise", 0.0), _count(said, "seed", 0)
        return draw_preset(preset, seed=seed, noise=noise, n=size)
    points = _points(said.get("points"))
    classes = _names(said.get("classes", ["-1", "+1"]), "classes", 1, MOST_CLASSES)
    labels = _labels(said.get("labels"), len(points), len(classes))
    names = _names(said.get("names", ["x1", "x2"]), "names", 2, 2)
    target = said.get("target")
    return PlaneSet(
        points,
        labels,
        classes,
        names,
        None if target is None else np.array(_numbers(target, "target", 3)),
        _box(said.get("box"), points),
    )


def _points(said: Any) -> Array:
    if not isinstance(said, list):
        raise RequestError("`points` must be a list of [x, y].")
    if len(said) > MOST_POINTS:
        raise RequestError(f"The studio shows up to {MOST_POINTS:,} points, got {len(said):,}.")
    # looked at one by one: NumPy would make room for the longest text in every place
    if not all(type(p) is list and len(p) == 2 and {type(v) for v in p} <= PLAIN for p in said):
        raise RequestError("`points` must be a list of [x, y], all of them numbers.")
    try:
        points = np.array(said, dtype=np.float64).reshape(-1, 2)
    except OverflowError:
        points = np.full((1, 2), np.inf)
    far = ~(np.abs(points) <= LARGEST)
    if far.any():
        raise RequestError("Coordinates must be between -1e9 and 1e9.")
    return points


def _labels(said: Any, n: int, k: int) -> Array:
    if not isinstance(said, list) or len(said) != n:
        raise RequestError("`labels` must be a list with a class for each point.")
    if not all(type(label) is int and 0 <= label < k for label in said):
        raise RequestError(f"`labels` must be numbers of classes from 0 to {k - 1}.")
    return np.array(said, dtype=np.int64)


def _names(said: Any, what: str, least: int, most: int) -> list[str]:
    if not isinstance(said, list) or not least <= len(said) <= most:
        amount = f"{least}" if least == most else f"{least} to {most}"
        raise RequestError(f"`{what}` must be a list of {amount} names.")
    if not all(isinstance(name, str) and len(name) <= MOST_LETTERS for name in said):
        raise RequestError(f"`{what}` must be names of up to {MOST_LETTERS} letters.")
    if not all(map(_is_text, said)):
        raise RequestError(f"`{what}` must be text; half of a pair of surrogates is no letter.")
    return list(said)


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _box(said: Any, points: Array) -> tuple[float, float]:
    """Return the sides of the square that points come from: as told, or around the points."""
    if said is not None:
        low, high = _numbers(said, "box", 2)
        if high - low >= NARROWEST:
            return low, high
        raise RequestError(
            f"`box` must be [low, high], with low below high by {NARROWEST:g} at least."
        )
    side = float(np.abs(points).max(initial=1.0))
    return -side, side


def check_runs(said: Any) -> list[Choice]:
    """Return the runs that are asked for."""
    if not isinstance(said, list) or not 1 <= len(said) <= MOST_RUNS:
        raise RequestError(f"`runs` must be a list of 1 to {MOST_RUNS} runs.")
    return [check_run(run) for run in said]


def check_run(said: Any) -> Choice:
    """Return one run; what is not said has its default."""
    if not isinstance(said, dict):
        raise RequestError("A run must be a JSON object.")
    init = said.get("init")
    return Choice(
        algorithm=_choice(said, "algorithm", tuple(IN_STUDIO), None),
        rule=_choice(said, "rule", CHOICES["rule"], Choice.rule),
        tie=_choice(said, "tie", CHOICES["tie"], Choice.tie),
        multiclass=_choice(said, "multiclass", CHOICES["multiclass"], Choice.multiclass),
        eta=_number(said, "eta", Choice.eta),
        epsilon=_number(said, "epsilon", Choice.epsilon),
        epochs=_count(said, "epochs", Choice.epochs),
        max_updates=_count(said, "max_updates", Choice.max_updates),
        # mypy does not see that there are three
        init=None if init is None else tuple(_numbers(init, "init", 3)),  # type: ignore[arg-type]
        seed=_count(said, "seed", Choice.seed),
    )


def _choice(said: dict[str, Any], name: str, choices: tuple[str, ...], default: Any) -> Any:
    value: Any = said.get(name, default)
    if not isinstance(value, str) or value not in choices:
        shown = repr(value)[:40]
        raise RequestError(f"`{name}` must be one of {', '.join(choices)}, got {shown}.")
    return value


def _number(said: dict[str, Any], name: str, default: float) -> float:
    value, (low, high) = said.get(name, default), LIMITS[name]
    if not _is_number(value) or not low <= value <= high:
        raise RequestError(f"`{name}` must be a number from {low:g} to {high:g}.")
    return float(value)


def _count(
    said: dict[str, Any], name: str, default: int, limits: tuple[float, float] | None = None
) -> int:
    value, (low, high) = said.get(name, default), limits or LIMITS[name]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise RequestError(f"`{name}` must be a whole number from {low} to {high:,}.")
    return value


def _numbers(said: Any, name: str, n: int) -> list[float]:
    if not isinstance(said, list) or len(said) != n or not all(map(_is_number, said)):
        raise RequestError(f"`{name}` must be a list of {n} numbers.")
    if not all(abs(v) <= LARGEST for v in said):
        raise RequestError(f"`{name}` must hold numbers between -1e9 and 1e9.")
    return [float(v) for v in said]


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def check_row(said: dict[str, Any]) -> int | None:
    """Return the row that a picture shows; None for the last."""
    return None if said.get("step") is None else _count(said, "step", 0, (0, MOST_UPDATES))


def check_identity(said: dict[str, Any]) -> int:
    """Return the number by which the page knows its question again."""
    return _count(said, "id", 0, (0, 2**53))
