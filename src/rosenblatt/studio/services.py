"""What the routes compute, from bytes to bytes, and scenes to warm up with; runs in threads.

This module loads the learners, which takes a second; `app` imports it there, not before it answers.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rosenblatt.progress import Deadline
from rosenblatt.studio.answers import pasted_answer, presets_answer, scene_answer
from rosenblatt.studio.checking import (
    check_identity,
    check_points,
    check_row,
    check_runs,
    parse,
)
from rosenblatt.studio.scenes.pictures import film, png
from rosenblatt.studio.scenes.scene import Scene, make_scene
from rosenblatt.studio.scenes.tables import read_pasted
from rosenblatt.studio.work import PATIENCE

if TYPE_CHECKING:
    from rosenblatt.studio.scenes.presets import PlaneSet
    from rosenblatt.studio.scenes.wholes import Wholes

FIRST = {"data": {"preset": "separable"}, "runs": [{"algorithm": "perceptron"}]}
N_FIRST = 4  # scenes until it is warm: those that the page begins with
REST = 0.02  # seconds between two scenes, for whoever waits


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
