"""From what was found to the JSON of an answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rosenblatt.studio.checking import CHOICES, LARGEST, LIMITS, MOST_LETTERS
from rosenblatt.studio.scenes.choices import MOST_CLASSES
from rosenblatt.studio.scenes.learning import N_CELLS
from rosenblatt.studio.scenes.presets import PRESETS, PlaneSet, draw_preset
from rosenblatt.studio.scenes.scene import Outcome, Scene, box_of
from rosenblatt.studio.scenes.tables import Pasted
from rosenblatt.studio.scenes.verdicts import SEPARABLE, Finding
from rosenblatt.studio.scenes.wholes import WholeVerdict
from rosenblatt.tracing.steps import NOBODY, VOTES, pairs
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO

THUMBNAIL = 60  # points
GRID = math.isqrt(N_CELLS)


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
        {
            "name": name,
            "title": preset.title,
            "sentence": preset.sentence,
            "n": preset.n,
            "noise": preset.noise,
            **data_answer(_thinned(draw_preset(name))),
        }
        for name, preset in PRESETS.items()
    ]
    algorithms = [
        {
            "name": name,
            "title": shown.title,
            "sentence": shown.sentence,
            "options": shown.options,
            "many": shown.many,
        }
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
