"""What the routes compute, from bytes to bytes; runs in a thread.

This module loads the learners, which takes a second; `app` imports it there, not before it answers.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from rosenblatt.studio.answers import pasted_answer, presets_answer, scene_answer
from rosenblatt.studio.checking import (
    check_choices,
    check_data,
    check_identity,
    check_row,
    parse,
)
from rosenblatt.studio.scenes.pictures import film, png
from rosenblatt.studio.scenes.scene import Scene, make_scene
from rosenblatt.studio.scenes.tables import read_pasted

if TYPE_CHECKING:
    from rosenblatt.studio.scenes.deadline import Deadline
    from rosenblatt.studio.scenes.presets import PlaneSet
    from rosenblatt.studio.scenes.wholes import Wholes


def presets(opened: PlaneSet | None, wholes: Wholes, deadline: Deadline) -> bytes:
    """Return all that can be chosen."""
    if opened is not None:
        wholes.remember(opened)
    return _json(presets_answer(opened))


def scene(body: bytes, wholes: Wholes, deadline: Deadline) -> bytes:
    """Return points, verdict and runs."""
    start = time.perf_counter()
    said = parse(body)
    identity, made = check_identity(said), _made(said, deadline)
    whole = wholes.ask(made.data, made.runs[0].choice.way)
    return _json(scene_answer(made, whole, identity, 1000 * (time.perf_counter() - start)))


def whole(key: str, wholes: Wholes, deadline: Deadline) -> bytes:
    """Return what is known by now about all columns; null about a key that nobody has."""
    found = wholes.look(key)
    return _json(None if found is None else found._asdict())


def table(body: bytes, chosen: dict[str, str | None], wholes: Wholes, deadline: Deadline) -> bytes:
    """Return a pasted table as points."""
    pasted = read_pasted(body, **chosen)
    wholes.remember(pasted.opened.data)
    return _json(pasted_answer(pasted))


def picture(body: bytes, kind: str, deadline: Deadline) -> bytes:
    """Return a scene as PNG or GIF."""
    said = parse(body)
    made, dark = _made(said, deadline), said.get("dark") is True
    return png(made, check_row(said), dark) if kind == "png" else film(made, dark, deadline)


def _made(said: dict[str, Any], deadline: Deadline) -> Scene:
    data, choices = check_data(said.get("data")), check_choices(said.get("runs"))
    return make_scene(data, choices, deadline, quick=said.get("quick") is True)


def _json(answer: Any) -> bytes:
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()
