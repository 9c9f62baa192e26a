"""A scene as a picture, or as a film of its steps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.errors import DataError
from rosenblatt.extras import needs
from rosenblatt.progress import Deadline
from rosenblatt.studio.scenes.scene import Outcome, Scene, box_of
from rosenblatt.studio.scenes.verdicts import Finding
from rosenblatt.tracing.steps import SIGN, classes_of
from rosenblatt.types import Array
from rosenblatt.workflows.algorithms import IN_STUDIO

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rosenblatt.plot.movies import MovingPlane

FILM_SHARE = 0.6  # of the time that is left, for all frames but the last
MOST_FRAMES, INCHES, DOTS, LEGEND = 30, 4.8, 100, 1.5
# of a panel, legend included: left, bottom, width, height
PLACE = (0.11, 0.10, 0.66, 0.79)


class _Rule:
    """Weights of one row as a classifier of the numbers of classes."""

    def __init__(self, outcome: Outcome, row: int) -> None:
        self.classes_, self._steps = outcome.present, outcome.steps
        self._weights, self._tie = outcome.steps.weights[row], outcome.choice.at_zero

    def predict(self, X: Array) -> Array:
        """Return the class of each point."""
        steps = self._steps
        said = classes_of(self._weights, X, steps.coding, steps.n_classes, self._tie)
        return np.asarray(self.classes_[said])


class _Vote:
    """The last word of a model that is no linear rule."""

    def __init__(self, outcome: Outcome) -> None:
        self.classes_, self._model = outcome.present, outcome.model

    def predict(self, X: Array) -> Array:
        """Return the class of each point."""
        return np.asarray(self.classes_[self._model.predict(X)])


class _Stage:
    """The figure of a scene: a panel for each run, moved from row to row."""

    def __init__(self, scene: Scene, dark: bool) -> None:
        with needs("plot"):
            from matplotlib.figure import Figure
        from rosenblatt.plot.style import darken

        if len(np.unique(scene.data.labels)) < 2:
            raise DataError("a picture of a run needs points of two classes; add some")
        n = len(scene.runs)
        self.figure = Figure(figsize=(n * (INCHES + LEGEND), INCHES), dpi=DOTS)
        left, bottom, width, height = PLACE
        self._panels = []
        for k, outcome in enumerate(scene.runs):
            # a fixed place: a legend that grows by a word would make the picture jump
            ax = self.figure.add_axes(((k + left) / n, bottom, width / n, height))
            name = "AB"[k] + "  " if n > 1 else ""
            self._panels.append((name, ax, _panel(ax, scene, outcome), outcome))
        if dark:
            darken(self.figure)

    def show(self, time: int) -> Figure:
        """Move every panel to where it is after so many updates; return the figure."""
        for name, ax, moving, outcome in self._panels:
            steps = outcome.steps
            here = int(np.searchsorted(steps.steps, time, side="right")) - 1
            shown = int(steps.pocket_rows[here]) if outcome.choice.algorithm == "pocket" else here
            over = outcome.model is not None and here == len(steps.steps) - 1
            # as on the page: the example of the update that comes next
            picked = int(steps.picked[here]) if here < len(steps.picked) else -1
            model = _Vote(outcome) if over else _Rule(outcome, shown)
            # the line of the last hypothesis is not where a vote changes
            line = steps.weights[shown][0] if steps.coding == SIGN and not over else None
            moving.move(model, line, picked if picked >= 0 else None)
            error = outcome.final_error if over else float(steps.errors[shown])
            ax.title.set_text(_words(outcome, here, error, name))
        return self.figure


def _panel(ax: Axes, scene: Scene, outcome: Outcome) -> MovingPlane:
    from rosenblatt.plot.movies import MovingPlane
    from rosenblatt.plot.style import TEXT, label

    data = scene.data
    moving = MovingPlane(
        data.points,
        data.labels,
        ax,
        box_of(data.points),
        _Rule(outcome, 0),
        f=data.target,
        contradiction=_clash(scene.verdict),
        class_names=[_pretty(data.classes[c]) for c in outcome.present],
    )
    label(ax, *data.names)
    ax.set_title("", fontsize=TEXT)
    return moving


def _clash(verdict: Finding) -> Array | None:
    """Return the points that contradict each other: of the whole, or of its first part with any."""
    found = [part.indices for part in (verdict, *verdict.parts) if part.indices is not None]
    return found[0] if found else None


def _pretty(name: str) -> str:
    """Return the name of a class as the page writes it, -1 with a true minus sign."""
    return re.sub(r"^-(?=\d)", "\N{MINUS SIGN}", name)


def _words(outcome: Outcome, row: int, error: float, name: str) -> str:
    """Say which run this is, and where in it we are."""
    algorithm, done = outcome.choice.algorithm, int(outcome.steps.steps[row])
    unit = "step" if algorithm == "batch" else "update"
    where = counted(done, unit, ",")
    if IN_STUDIO[algorithm].at_once:
        where = "solved" if row else "before"
    return f"{name}{IN_STUDIO[algorithm].title}\n{where}: E_in = {error:.3g}"


def png(scene: Scene, row: int | None, dark: bool) -> bytes:
    """Return a picture of one row of the first run, the end of all by default."""
    whole = BytesIO()
    steps = scene.runs[0].steps.steps
    time = _times(scene)[-1] if row is None else int(steps[min(row, len(steps) - 1)])
    _Stage(scene, dark).show(time).savefig(whole, format="png")
    return whole.getvalue()


def film(scene: Scene, dark: bool, deadline: Deadline) -> bytes:
    """Return the steps as an animated GIF; long runs are thinned."""
    from rosenblatt.plot.movies import gif

    return gif(_frames(scene, dark, deadline))


def _frames(scene: Scene, dark: bool, deadline: Deadline) -> Iterator[Figure]:
    stage, times = _Stage(scene, dark), _times(scene)
    n, patience = min(len(times), MOST_FRAMES), deadline.within(FILM_SHARE * deadline.left)
    chosen = np.unique(np.linspace(0, len(times) - 1, n).round().astype(np.int64)).tolist()
    for k in chosen[:-1]:
        yield stage.show(times[k])
        if not patience.alive():  # a busy machine: the end is shown all the same
            deadline.check()
            break
    yield stage.show(times[-1])


def _times(scene: Scene) -> list[int]:
    """Return the numbers of updates at which a run moves: the places of the page."""
    times: list[int] = np.unique(np.concatenate([run.steps.steps for run in scene.runs])).tolist()
    return times
