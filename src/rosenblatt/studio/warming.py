"""Load the learners and their kernels while nobody asks yet."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

from rosenblatt import collector_at_rest
from rosenblatt.studio.scenes.wholes import Wholes

PATIENCE = 120.0  # seconds: where nothing is compiled yet every kernel takes its time
FIRST = {"data": {"preset": "separable"}, "runs": [{"algorithm": "perceptron"}]}
N_FIRST = 4
REST = 0.02  # seconds between two scenes, for whoever waits


def warm_up(warm: threading.Event, over: threading.Event, wholes: Wholes) -> None:
    """Make scenes that use every kernel; `warm` is set after those that the page begins with."""
    try:
        with collector_at_rest():  # nothing that an import makes is garbage: a tenth faster
            from rosenblatt.studio import services
            from rosenblatt.studio.scenes.deadline import Deadline

        for k, asked in enumerate(scenes()):
            if over.wait(REST if warm.is_set() else 0.0):
                return
            services.scene(json.dumps(asked).encode(), wholes, Deadline(PATIENCE))
            if k + 1 == N_FIRST:
                warm.set()
    finally:
        warm.set()  # whatever happened: nobody is to wait for ever


def scenes() -> Iterator[dict[str, Any]]:
    """Yield requests: each rule on few and on many points, each algorithm on two and three classes.

    Examples
    --------
    >>> next(scenes())["data"]
    {'preset': 'separable'}
    """
    # twice: compiling may eat up the time that a proof has
    for preset in ("separable", "xor", "separable", "xor"):
        yield FIRST | {"data": {"preset": preset}}
    for algorithm in ("pocket", "batch", "averaged", "voted", "regression-perceptron"):
        yield FIRST | {"runs": [{"algorithm": algorithm}]}
    for preset, n in (("separable", 20), ("circles", 100), ("three-classes", 45)):
        for rule in ("random", "cyclic", "first", "shuffled", "worst"):
            run = {"algorithm": "perceptron", "rule": rule, "max_updates": 50}
            yield {"data": {"preset": preset, "n": n}, "runs": [run]}
    for algorithm in ("pocket", "batch", "averaged", "voted", "naive-bayes", "max-margin"):
        for way in ("joint", "one-vs-rest"):
            run = {"algorithm": algorithm, "multiclass": way, "max_updates": 50}
            yield {"data": {"preset": "three-classes"}, "runs": [run]}
