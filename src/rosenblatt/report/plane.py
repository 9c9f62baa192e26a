"""Two features: the plane with points, regions and the boundary, as SVG."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from rosenblatt.palette import look_of
from rosenblatt.report.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    axis_x,
    axis_y,
    frame,
    picture,
)
from rosenblatt.report.markup import Html, joined, number, shown_label, tag
from rosenblatt.types import Array
from rosenblatt.workflows.explain import weights_if_any
from rosenblatt.workflows.fit import FitReport
from rosenblatt.workflows.task import decision_scores

MOST_POINTS = 1500
MOST_CLASSES = 8
ROWS, COLUMNS = 122, 656  # of the grid on which the regions are found: half a unit wide


def can_be_drawn(report: FitReport) -> bool:
    """Whether there are two numbers for each example, and few classes."""
    if report.examples is None:
        return False
    X = report.examples.X
    return (
        not sparse.issparse(X)
        and X.shape[1] == 2
        and len(report.learner.classes_) <= MOST_CLASSES
        and bool(np.isfinite(_box(np.asarray(X, dtype=np.float64))).all())
    )


def plane_chart(report: FitReport) -> Html:
    """Draw the points, and what the model says everywhere between them."""
    examples: Any = report.examples  # what can be drawn is in memory
    X, y = np.asarray(examples.X, dtype=np.float64), examples.y
    classes = report.learner.classes_
    (low_x, low_y), (high_x, high_y) = _box(X)
    x, height = axis_x(low_x, high_x), axis_y(low_y, high_y)
    names = [str(name) for name in examples.feature_names]
    chosen = np.linspace(0, len(y) - 1, min(len(y), MOST_POINTS)).astype(int)
    marks = [_marks(x, height, X[chosen[y[chosen] == c]], k) for k, c in enumerate(classes)]
    return picture(
        f"The plane of {names[0]} and {names[1]} with the regions of the classes",
        _regions(report.model, classes, x, height),
        _boundary(report.model, x, height),
        frame(_ticks(x), _ticks(height), names[0], names[1]),
        *marks,
    )


def plane_legend(classes: Array) -> Html:
    """Name the marks."""
    items = [
        tag(
            "li",
            tag("svg", _mark(k), viewBox="-6 -6 12 12", class_="key mark", aria_hidden="true"),
            shown_label(label),
        )
        for k, label in enumerate(classes)
    ]
    return tag("ul", *items, class_="legend")


def _box(X: Array) -> tuple[list[float], list[float]]:
    low, high = X.min(axis=0), X.max(axis=0)
    with np.errstate(over="ignore"):
        room = np.where(high > low, 0.06 * (high - low), np.maximum(1.0, 0.1 * np.abs(high)))
        return (low - room).tolist(), (high + room).tolist()


def _ticks(axis: Axis) -> list[tuple[float, str]]:
    """Return three to six round numbers on an axis."""
    span = axis.high - axis.low
    step = next(
        s * 10.0**power
        for power in range(int(np.floor(np.log10(span))) - 1, 400)
        for s in (1, 2, 5)
        if span / (s * 10.0**power) <= 6
    )
    first = np.ceil(axis.low / step)
    values = [k * step for k in np.arange(first, np.floor(axis.high / step) + 1)]
    return [(float(axis.at(v)), number(round(v, 12), 6)) for v in values]


def _regions(model: Any, classes: Array, x: Axis, y: Axis) -> Html:
    """Ask the model on a fine grid; equal answers side by side become one rectangle."""
    across = (np.arange(COLUMNS) + 0.5) / COLUMNS
    down = (np.arange(ROWS) + 0.5) / ROWS
    grid = np.meshgrid(x.low + across * (x.high - x.low), y.high - down * (y.high - y.low))
    said = model.predict(np.column_stack([part.ravel() for part in grid]))
    codes = np.searchsorted(classes, said).reshape(ROWS, COLUMNS)
    paths = [_runs(codes == k) for k in range(len(classes))]
    return joined(*(tag("path", d=d, class_=f"region fill c{k}") for k, d in enumerate(paths) if d))


def _runs(inside: Array) -> Html:
    width, height = (WIDTH - LEFT - RIGHT) / COLUMNS, (HEIGHT - TOP - BOTTOM) / ROWS
    parts = []
    for row, line in enumerate(inside):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], line, [False]]).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            left, top = LEFT + start * width, TOP + row * height
            length = (end - start) * width
            parts.append(f"M{left:.1f} {top:.2f}h{length:.1f}v{height:.2f}h-{length:.1f}z")
    return Html("".join(parts))


def _boundary(model: Any, x: Axis, y: Axis) -> Html | None:
    """Return the line where the score of a linear rule is 0."""
    form = weights_if_any(model)
    if form is None or len(form.coef) > 1:
        return None
    corners = [[x.low, y.high], [x.high, y.high], [x.low, y.low]]
    width, height = x.end - x.start, y.start - y.end
    zero, right, down = decision_scores(model, np.array(corners))
    # the score is zero + slope . (units to the right, units down)
    slope = np.array([(right - zero) / width, (down - zero) / height])
    steepness = float(slope @ slope)
    if not 0 < steepness < np.inf:
        return None
    middle = np.array([width, height]) / 2
    foot = middle - (zero + slope @ middle) / steepness * slope
    along = np.array([-slope[1], slope[0]]) / np.sqrt(steepness) * (width + height)
    (a, b), (c, d) = foot - along, foot + along
    path = tag("path", d=f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}", class_="boundary")
    # a picture of its own cuts off what is outside of the frame
    return tag("svg", path, x=LEFT, y=TOP, width=width, height=height)


def _marks(x: Axis, y: Axis, points: Array, k: int) -> Html:
    places = zip(x.at(points[:, 0]), y.at(points[:, 1]), strict=True)
    return joined(*(tag("g", _mark(k), transform=f"translate({a:.1f} {b:.1f})") for a, b in places))


def _mark(k: int) -> Html:
    return tag("path", d=Html(look_of(k).outline), class_=f"mark c{k}")
