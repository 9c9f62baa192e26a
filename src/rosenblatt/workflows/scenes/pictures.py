"""A scene as a picture, or as a film of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.errors import DataError
from rosenblatt.tracing.steps import SIGN, classes_of
from rosenblatt.workflows.scenes.deadline import Deadline
from rosenblatt.workflows.scenes.scene import Outcome, Scene, box_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_FRAMES, INCHES, DOTS, LEGEND = 30, 4.8, 100, 1.5
# of a panel, legend included: left, bottom, width, height
PLACE = (0.11, 0.10, 0.66, 0.80)


class _Rule:
    """Weights of one row as a classifier of the numbers of classes."""

    def __init__(self, outcome: Outcome, row: int) -> None:
        self.classes_, self._steps = outcome.present, outcome.steps
        self._weights = outcome.steps.weights[row]

    def predict(self, X: Array) -> Array:
        """Return the class of each point."""
        steps = self._steps
        said = classes_of(self._weights, X, steps.coding, steps.n_classes)
        return np.asarray(self.classes_[said])


class _Vote:
    """The last word of a model that is no linear rule."""

    def __init__(self, outcome: Outcome) -> None:
        self.classes_, self._model = outcome.present, outcome.model

    def predict(self, X: Array) -> Array:
        """Return the class of each point."""
        return np.asarray(self.classes_[self._model.predict(X)])


def png(scene: Scene, row: int | None, dark: bool) -> bytes:
    """Return a picture of one row, the last by default."""
    whole = BytesIO()
    _figure(scene, _last(scene) if row is None else row, dark).savefig(whole, format="png")
    return whole.getvalue()


def film(scene: Scene, dark: bool, deadline: Deadline) -> bytes:
    """Return the steps as an animated GIF; long runs are thinned."""
    from rosenblatt.plot.movies import gif

    return gif(_frames(scene, dark, deadline))


def _frames(scene: Scene, dark: bool, deadline: Deadline) -> Iterator[Figure]:
    last = _last(scene)
    rows = np.unique(np.linspace(0, last, min(last + 1, MOST_FRAMES)).round().astype(np.int64))
    for row in rows.tolist():
        deadline.check()
        yield _figure(scene, row, dark)


def _last(scene: Scene) -> int:
    return max(len(outcome.steps.steps) for outcome in scene.runs) - 1


def _figure(scene: Scene, row: int, dark: bool) -> Figure:
    from matplotlib.figure import Figure

    from rosenblatt.plot.style import darken

    if len(np.unique(scene.data.labels)) < 2:
        raise DataError("there are not two classes to draw yet")
    n = len(scene.runs)
    figure = Figure(figsize=(n * (INCHES + LEGEND), INCHES), dpi=DOTS)
    for k, outcome in enumerate(scene.runs):
        left, bottom, width, height = PLACE
        # a fixed place: a legend that grows by a word would make the picture jump
        ax = figure.add_axes(((k + left) / n, bottom, width / n, height))
        _panel(ax, scene, outcome, row)
    if dark:
        darken(figure)
    return figure


def _panel(ax: Axes, scene: Scene, outcome: Outcome, row: int) -> None:
    from rosenblatt.plot.planes import plane
    from rosenblatt.plot.style import TEXT, label

    steps, data = outcome.steps, scene.data
    here = min(row, len(steps.steps) - 1)
    shown = int(steps.pocket_rows[here]) if outcome.choice.algorithm == "pocket" else here
    w = steps.weights[shown]
    picked = int(steps.picked[here - 1]) if here and here == row else -1
    over = outcome.model is not None and here == len(steps.steps) - 1
    # the line of the last hypothesis is not where a vote changes
    line = w[0] if steps.coding == SIGN and w[0, 1:].any() and not over else None
    plane(
        data.points,
        data.labels,
        f=data.target,
        g=line,
        model=_Vote(outcome) if over else _Rule(outcome, shown),
        contradiction=scene.verdict.indices if len(outcome.present) == 2 else None,
        ax=ax,
        picked=picked if picked >= 0 else None,
        box=box_of(data.points),
        class_names=[data.classes[c] for c in outcome.present],
    )
    label(ax, *data.names)
    unit = "steps" if outcome.choice.algorithm == "batch" else "updates"
    error = outcome.final_error if over else float(steps.errors[shown])
    words: Any = f"{int(steps.steps[here]):,} {unit}: E_in = {error:.3g}"
    ax.set_title(words, fontsize=TEXT)
