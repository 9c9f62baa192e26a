"""Lines, bars and the plane as SVG: colours come from the style sheet, for day and for night.

A chart is 400 units wide, about the width of a phone, so that its letters are never tiny.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log10
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from rosenblatt.counting import counted
from rosenblatt.markup import Html, joined, number, plain, shown_label, tag
from rosenblatt.palette import look_of
from rosenblatt.types import Array
from rosenblatt.workflows.calibrate import Bin
from rosenblatt.workflows.explain import weights_if_any
from rosenblatt.workflows.report.facts import LearningCurve, Roc
from rosenblatt.workflows.task import decision_scores

if TYPE_CHECKING:
    from rosenblatt.workflows.fit_report import FitReport

WIDTH, HEIGHT = 400, 300
LEFT, RIGHT, TOP, BOTTOM = 50, 22, 12, 44
LEAST_DOT, MORE_DOT = 2.4, 4.6  # radii of a dot for few rows, and what it has more for many
DASHES = (None, "7 4", "2 3", "9 3 2 3", "4 2", "1 4")
MOST_POINTS = 1500
MOST_CLASSES = 8
ROWS, COLUMNS = 122, 656  # of the grid on which the regions are found: half a unit wide


class Axis(NamedTuple):
    """From numbers to units of the picture."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def at(self, values: Any) -> Array:
        """Return where values are."""
        low, high, values = self.low, self.high, np.asarray(values, dtype=np.float64)
        if self.is_log:
            low, high, values = np.log(low), np.log(high), np.log(values)
        places: Array = self.start + (values - low) / (high - low) * (self.end - self.start)
        return places


def picture(title: str, *parts: Any) -> Html:
    """Return an SVG with a title for those who do not see it."""
    box = f"0 0 {WIDTH} {HEIGHT}"
    return tag("svg", tag("title", title), *parts, viewBox=box, role="img", class_="chart")


def axis_x(low: float, high: float, *, is_log: bool = False) -> Axis:
    """Return the axis from left to right."""
    return Axis(low, high, LEFT, WIDTH - RIGHT, is_log)


def axis_y(low: float, high: float) -> Axis:
    """Return the axis from bottom to top."""
    return Axis(low, high, HEIGHT - BOTTOM, TOP)


def learning_chart(curve: LearningCurve) -> Html:
    """Draw both errors against the number of examples."""
    inside, outside = curve.error_in.mean(axis=1), curve.error_out.mean(axis=1)
    low, high = curve.error_out.min(axis=1), curve.error_out.max(axis=1)
    top = nice_top(float(max(high.max(), inside.max())))
    x = axis_x(curve.sizes[0], curve.sizes[-1], is_log=True)
    y = axis_y(0.0, top)
    band = np.concatenate([_points(x, y, curve.sizes, high), _points(x, y, curve.sizes, low)[::-1]])
    ticks_x = [(x.at(n), f"{n}") for n in _apart(curve.sizes.tolist(), x)]
    return picture(
        f"Learning curve: with {counted(curve.sizes[-1], 'example')} the in-sample error is "
        f"{inside[-1]:.4f}, "
        f"the validated error {outside[-1]:.4f}",
        frame(ticks_x, percents(y), "examples to learn from (log scale)", "error"),
        tag("path", d=Html(_path(band) + "Z"), class_="band"),
        line(_points(x, y, curve.sizes, outside), "c1", dots=True),
        line(_points(x, y, curve.sizes, inside), "c0", "7 4", dots=True),
    )


def roc_chart(rocs: Sequence[Roc]) -> Html:
    """Draw the share of hits against the share of false alarms."""
    x, y = axis_x(0.0, 1.0), axis_y(0.0, 1.0)
    ticks_x = [(x.at(share), f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)]
    diagonal = _points(x, y, [0, 1], [0, 1])
    curves = [
        line(_points(x, y, roc.false_positives, roc.true_positives), color, dashes)
        for roc, (color, dashes) in zip(rocs, looks(len(rocs)), strict=True)
    ]
    areas = ", ".join(f"{roc.label} {roc.area:.4f}" for roc in rocs)
    return picture(
        f"ROC curve; area under the curve: {areas}",
        frame(ticks_x, percents(y, (0, 0.25, 0.5, 0.75, 1)), "false alarms", "hits"),
        tag("path", d=_path(diagonal), class_="chance"),
        *curves,
    )


def reliability_chart(bins: Sequence[Bin], name_x: str) -> Html:
    """Draw how often it came true against the probability that was said; larger dots: more rows."""
    x, y = axis_x(0.0, 1.0), axis_y(0.0, 1.0)
    ticks_x = [(x.at(share), f"{share:.0%}") for share in (0, 0.25, 0.5, 0.75, 1)]
    points = _points(x, y, [one.said for one in bins], [one.came for one in bins])
    most = max(one.n for one in bins)
    dots = [
        tag(
            "circle",
            cx=f"{at_x:.1f}",
            cy=f"{at_y:.1f}",
            r=f"{LEAST_DOT + MORE_DOT * (one.n / most) ** 0.5:.1f}",
            class_="fill c1",
        )
        for (at_x, at_y), one in zip(points, bins, strict=True)
    ]
    said = ", ".join(f"{one.said:.0%} {one.came:.0%}" for one in bins)
    return picture(
        f"Reliability curve; probabilities said, and the shares in which they came true: {said}",
        frame(ticks_x, percents(y, (0, 0.25, 0.5, 0.75, 1)), name_x, "came true"),
        tag("path", d=_path(_points(x, y, [0, 1], [0, 1])), class_="chance"),
        line(points, "c1"),
        *dots,
    )


def looks(n: int) -> list[tuple[str, str | None]]:
    """Return the colour and the dashes of each of n curves; one alone has the second colour."""
    if n == 1:
        return [("c1", None)]
    return [(f"c{k % 8}", DASHES[k % len(DASHES)]) for k in range(n)]


def legend(entries: Sequence[tuple[str, str | None, Any]]) -> Html:
    """Return colour, dashes and text of each curve as a list."""
    items = [
        tag(
            "li",
            tag(
                "svg",
                tag("path", d="M0 5H26", class_=f"line {color}", stroke_dasharray=dashes),
                viewBox="0 0 26 10",
                class_="key",
                aria_hidden="true",
            ),
            text,
        )
        for color, dashes, text in entries
    ]
    return tag("ul", *items, class_="legend")


def roc_legend(rocs: Sequence[Roc]) -> Html:
    """Name the curves, with the area under each."""
    return legend(
        [
            (*look, joined(shown_label(roc.label), f": AUC {roc.area:.4f}"))
            for roc, look in zip(rocs, looks(len(rocs)), strict=True)
        ]
    )


def bar(value: float, largest: float, *, two_sided: bool, color: str | None = None) -> Html:
    """Return a bar for a cell of a table; to the left of the middle below 0."""
    width = 100 * abs(value) / largest if largest > 0 else 0.0
    box = "-100 0 200 10" if two_sided else "0 0 100 10"
    start = -width if value < 0 else 0.0
    color = color or ("c0" if value < 0 else "c1")
    return tag(
        "svg",
        tag("rect", x=f"{start:.2f}", y=0, width=f"{width:.2f}", height=10, class_=f"fill {color}"),
        tag("path", d="M0 -2V12", class_="zero") if two_sided else None,
        viewBox=box,
        preserveAspectRatio="none",
        class_="bar",
        aria_hidden="true",
    )


def frame(ticks_x: Any, ticks_y: Any, name_x: str, name_y: str) -> Html:
    """Return grid, ticks and names of the axes."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    middle = (TOP + bottom) / 2
    grid = "".join(f"M{LEFT} {place:.1f}H{right}" for place, _ in ticks_y)
    below = [_text(place, bottom + 17, text, "middle") for place, text in ticks_x]
    beside = [_text(LEFT - 7, place + 4, text, "end") for place, text in ticks_y]
    turned = f"rotate(-90 13 {middle:.1f})"
    return tag(
        "g",
        tag("path", d=Html(grid), class_="grid"),
        *below,
        *beside,
        _text((LEFT + right) / 2, HEIGHT - 6, name_x, "middle", class_="name"),
        _text(13, middle, name_y, "middle", class_="name", transform=turned),
    )


def percents(y: Axis, shares: Sequence[float] | None = None) -> list[tuple[float, str]]:
    """Return ticks of shares; with a decimal place if they need it."""
    shares = np.linspace(y.low, y.high, 5).tolist() if shares is None else shares
    digits = 0 if y.high >= 0.039 and (y.high * 100) % 4 < 1e-9 else 1 if y.high >= 0.004 else 3
    return [(float(y.at(share)), f"{share:.{digits}%}") for share in shares]


def nice_top(value: float) -> float:
    """Return the end of an axis of shares: a fourth of it is a round number.

    Examples
    --------
    >>> [nice_top(share) for share in (0.03, 0.31, 0.9)]
    [0.04, 0.4, 1.0]
    """
    if value <= 0:
        return 0.04
    power = 10.0 ** ceil(log10(value))
    # 2: the logarithm is rounded, and the power of ten may be just below the value
    ends = (power * s for s in (0.2, 0.4, 0.8, 1.0, 2.0))
    return min(1.0, next(round(end, 12) for end in ends if end >= value))


def line(points: Array, color: str, dashes: str | None = None, *, dots: bool = False) -> Html:
    """Return a line through points."""
    marks = [
        tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3.2, class_=f"fill {color}")
        for x, y in (points if dots else ())
    ]
    path = tag("path", d=_path(points), class_=f"line {color}", stroke_dasharray=dashes)
    return joined(path, *marks)


def _apart(sizes: list[int], x: Axis) -> list[int]:
    """Leave out ticks that would run into the next; the last one stays."""
    kept: list[int] = []
    for n in reversed(sizes):
        if not kept or x.at(kept[-1]) - x.at(n) >= 9 * len(str(kept[-1])):
            kept.append(n)
    return kept[::-1]


def _points(x: Axis, y: Axis, values: Any, heights: Any) -> Array:
    return np.column_stack([x.at(values), y.at(heights)])


def _path(points: Array) -> Html:
    return Html("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points))


def _text(x: float, y: float, text: str, anchor: str, **look: Any) -> Html:
    return tag("text", plain(text, 60), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, **look)


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
