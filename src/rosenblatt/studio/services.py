"""What the routes compute, from bytes to bytes; runs in threads.

This module loads the learners, which takes a second; `server` imports it when it answers already.
"""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from rosenblatt.progress import Deadline
from rosenblatt.studio.checking import (
    CHOICES,
    LARGEST,
    LIMITS,
    MOST_LETTERS,
    check_identity,
    check_points,
    check_row,
    check_runs,
    parse,
)
from rosenblatt.studio.guards import PATIENCE
from rosenblatt.studio.scenes.choices import MOST_CLASSES, PRESETS, PlaneSet, draw_preset
from rosenblatt.studio.scenes.pictures import film, png
from rosenblatt.studio.scenes.scene import N_CELLS, Outcome, Scene, box_of, make_scene
from rosenblatt.studio.scenes.tables import Pasted, read_pasted
from rosenblatt.studio.scenes.verdicts import SEPARABLE, Finding
from rosenblatt.studio.scenes.wholes import Wholes, WholeVerdict
from rosenblatt.tracing.steps import NOBODY, VOTES, pairs
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO

FIRST = {"data": {"preset": "separable"}, "runs": [{"algorithm": "perceptron"}]}
N_FIRST = 4  # scenes until it is warm: those that the page begins with
REST = 0.02  # seconds between two scenes, for whoever waits
THUMBNAIL = 60  # points
GRID = math.isqrt(N_CELLS)


def answer_presets(opened: PlaneSet | None, wholes: Wholes) -> bytes:
    """Return all that can be chosen."""
    if opened is not None:
        wholes.remember(opened)
    return _json(presets_answer(opened))


def answer_scene(body: bytes, wholes: Wholes, deadline: Deadline) -> bytes:
    """Return points, verdict and runs."""
    start = time.perf_counter()
    said = parse(body)
    identity, made = check_identity(said), _made(said, deadline)
    whole = wholes.ask(made.data, made.runs[0].choice.way)
    return _json(scene_answer(made, whole, identity, 1000 * (time.perf_counter() - start)))


def answer_whole(key: str, wholes: Wholes) -> bytes:
    """Return what is known by now about all columns; null about a key that nobody has."""
    found = wholes.look(key)
    return _json(None if found is None else found._asdict())


def answer_table(body: bytes, chosen: dict[str, str | None], wholes: Wholes) -> bytes:
    """Return a pasted table as points."""
    pasted = read_pasted(body, **chosen)
    wholes.remember(pasted.opened.data)
    return _json(pasted_answer(pasted))


def answer_export(body: bytes, kind: str, deadline: Deadline) -> bytes:
    """Return a scene as PNG or GIF."""
    said = parse(body)
    made, dark = _made(said, deadline), said.get("dark") is True
    return png(made, check_row(said), dark) if kind == "png" else film(made, dark, deadline)


def _made(said: dict[str, Any], deadline: Deadline) -> Scene:
    data, choices = check_points(said.get("data")), check_runs(said.get("runs"))
    return make_scene(data, choices, deadline, quick=said.get("quick") is True)


def _json(answer: Any) -> bytes:
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()


def warm_up(warm: threading.Event, over: threading.Event, wholes: Wholes) -> None:
    """Make scenes that use every kernel; `warm` is set after those that the page begins with."""
    for k, asked in enumerate(warming_scenes()):
        if over.wait(REST if warm.is_set() else 0.0):
            return
        answer_scene(json.dumps(asked).encode(), wholes, Deadline(PATIENCE))
        if k + 1 == N_FIRST:
            warm.set()


def warming_scenes() -> Iterator[dict[str, Any]]:
    """Yield requests: each rule on few and on many points, each algorithm on two and three classes.

    Examples
    --------
    >>> next(warming_scenes())["data"]
    {'preset': 'separable'}
    """
    # twice: compiling may eat up the time that a proof has
    for preset in ("separable", "xor", "separable", "xor"):
        yield FIRST | {"data": {"preset": preset}}
    online = ("averaged", "voted", "passive-aggressive", "arow")
    for algorithm in ("pocket", "batch", *online, "regression-perceptron"):
        yield FIRST | {"runs": [{"algorithm": algorithm}]}
    for preset, n in (("separable", 20), ("circles", 100), ("three-classes", 45)):
        for rule in ("random", "cyclic", "first", "shuffled", "worst"):
            run = {"algorithm": "perceptron", "rule": rule, "max_updates": 50}
            yield {"data": {"preset": preset, "n": n}, "runs": [run]}
    for algorithm in ("pocket", "batch", *online, "naive-bayes", "max-margin"):
        for way in ("joint", "one-vs-rest"):
            run = {"algorithm": algorithm, "multiclass": way, "max_updates": 50}
            yield {"data": {"preset": "three-classes"}, "runs": [run]}


def _listed(values: Array | None) -> Any:
    """Return an array as lists; what is not a number is null."""
    if values is None:
        return None
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        kept = values.astype(object)
        kept[~np.isfinite(values)] = None
        return kept.tolist()
    return values.tolist()


def data_answer(data: PlaneSet) -> dict[str, Any]:
    """Return the points with their labels."""
    return {
        "points": _listed(data.points),
        "labels": _listed(data.labels),
        "classes": data.classes,
        "names": data.names,
        "target": _listed(data.target),
        "box": list(data.box),
    }


def presets_answer(opened: PlaneSet | None) -> dict[str, Any]:
    """Return all that can be chosen."""
    presets = [
        {"name": name}
        | _some_of(preset, "title", "sentence", "n", "noise")
        | data_answer(_thinned(draw_preset(name)))
        for name, preset in PRESETS.items()
    ]
    algorithms = [
        {"name": name} | _some_of(shown, "title", "sentence", "options", "many")
        for name, shown in IN_STUDIO.items()
    ]
    return {
        "presets": presets,
        "algorithms": algorithms,
        "limits": {
            **LIMITS,
            "coordinate": (-LARGEST, LARGEST),
            "letters": (0, MOST_LETTERS),
            "classes": (1, MOST_CLASSES),
        },
        "choices": CHOICES,
        "opened": None if opened is None else data_answer(opened),
    }


def _some_of(what: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(what, name) for name in names}


def _thinned(data: PlaneSet) -> PlaneSet:
    """Keep some points of all classes (those of files often come class by class), shortened."""
    some = np.unique(np.linspace(0, len(data.labels) - 1, THUMBNAIL).round().astype(np.int64))
    return data._replace(points=data.points[some].round(3), labels=data.labels[some])


def scene_answer(
    scene: Scene, whole: WholeVerdict | None, identity: int, milliseconds: float
) -> dict[str, Any]:
    """Return the whole answer to a scene."""
    present = np.unique(scene.data.labels).tolist()
    return {
        "id": identity,
        "ms": round(milliseconds, 2),
        "data": data_answer(scene.data),
        "verdict": {
            **_finding(scene.verdict),
            "present": present,
            "whole": None if whole is None else whole._asdict(),
        },
        "runs": [_outcome(outcome, scene.data) for outcome in scene.runs],
    }


def _finding(found: Finding) -> dict[str, Any]:
    facts: dict[str, Any] = {"kind": found.kind, "sentence": found.sentence, "title": found.title}
    if found.margin is not None and found.weights is not None and found.kind == SEPARABLE:
        margin, one = found.margin, len(found.weights) == 1
        facts |= {
            "margin": margin.margin,
            "radius": margin.radius,
            "B": margin.B,
            "bound": margin.updates_bound,
            "w": _listed(found.weights[0] if one else found.weights),
            "support": _listed(found.support),
            "street_w": _listed(margin.geometric_w) if one else None,
            "street_margin": margin.geometric_margin if one else None,
        }
    if found.multiples is not None:
        facts |= {
            "indices": _listed(found.indices),
            # numbers past 2^53 would be rounded by the page
            "weights": [w if w < 1 << 53 else str(w) for w in found.multiples],
            "rivals": _listed(found.rivals),
            "sum": _listed(found.total),
            "hulls": [corners.tolist() for corners in found.hulls],
        }
    parts = [_finding(part) for part in found.parts]
    return facts | {"parts": parts or None}


def _outcome(outcome: Outcome, data: PlaneSet) -> dict[str, Any]:
    steps, present = outcome.steps, outcome.present
    coding = "grid" if outcome.model is not None else steps.coding
    two = len(present) <= 2
    return {
        "algorithm": outcome.choice.algorithm,
        "title": IN_STUDIO[outcome.choice.algorithm].title,
        "sentence": outcome.sentence,
        "coding": coding,
        "rows": steps.coding,
        "present": present.tolist(),
        "pairs": _pairs(present) if steps.coding == VOTES else None,
        "weights": _listed(steps.weights),
        "steps": _listed(steps.steps),
        "picked": _listed(steps.picked),
        "gains": None if two else _classes(steps.gains, present),
        "loses": None if two else _classes(steps.loses, present),
        "errors": _listed(steps.errors),
        "pocket_errors": _listed(steps.pocket_errors),
        "pocket_rows": _listed(steps.pocket_rows),
        "e_out": _listed(outcome.e_out),
        "cosine": _listed(outcome.cosine),
        "cosine_bound": _listed(outcome.cosine_bound),
        "bound": outcome.bound,
        "survival": _listed(steps.survival),
        "converged": steps.converged,
        "final": {
            "weights": None if outcome.model is not None else _listed(steps.final),
            "error": outcome.final_error,
            "e_out": outcome.final_e_out,
            "grid": None if outcome.model is None else _grid(outcome, data),
        },
    }


def _pairs(present: Array) -> list[list[int]]:
    return [[int(present[low]), int(present[high])] for low, high in pairs(len(present))]


def _classes(sides: Array, present: Array) -> list[int | None]:
    """Return indices of classes as the page counts them; None where none is meant."""
    return [None if side == NOBODY else int(present[side]) for side in sides]


def _grid(outcome: Outcome, data: PlaneSet) -> dict[str, Any]:
    """Ask a model that is no linear rule in the middle of every cell, row by row from the top."""
    x0, x1, y0, y1 = box_of(data.points)
    steps = (np.arange(GRID) + 0.5) / GRID
    x, y = np.meshgrid(x0 + steps * (x1 - x0), y1 - steps * (y1 - y0))
    said = outcome.model.predict(np.column_stack([x.ravel(), y.ravel()]))
    digits = "".join(map(str, outcome.present[said].tolist()))
    return {"size": GRID, "box": [x0, x1, y0, y1], "labels": digits}


def pasted_answer(pasted: Pasted) -> dict[str, Any]:
    """Return the columns of a table, those that are shown, and the points."""
    names = [column.name for column in pasted.columns]
    places = (names.index(name) for name in pasted.chosen)
    return {
        "columns": [column._asdict() for column in pasted.columns],
        "rows": pasted.n_rows,
        "suggest": dict(zip(("x", "y", "label"), places, strict=True)),
        "data": data_answer(pasted.opened.data),
        "notes": pasted.opened.notes,
    }
