"""The plane with points, the target f, the hypothesis g, its margin and its regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.counting import counted
from rosenblatt.decision.deciding import weights_threshold_of
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.extras import needs
from rosenblatt.palette import DAY, look_of
from rosenblatt.plot.projection import Projection, project
from rosenblatt.plot.style import (
    DASHES,
    DOTS,
    TEXT,
    figure_of,
    label,
    legend_beside,
    new_axes,
    verbatim,
)
from rosenblatt.proof.margin import MaxMargin
from rosenblatt.types import Array

with needs("plot"):
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_PIXELS = 500
MOST_UNEQUAL = 20.0  # sides of a frame: beyond it one scale would show a mere line
REGION = 0.16  # how strong the colour of a region is
# the area of a circle in square points, for up to so many of them
AREAS = ((60, 46.0), (300, 28.0), (1000, 14.0), (np.inf, 5.0))


def plane(
    X: Any,
    y: Any,
    f: Any = None,
    g: Any = None,
    model: Any = None,
    margin: bool | MaxMargin = False,
    contradiction: Any = None,
    ax: Axes | None = None,
    *,
    previous: Any = None,
    arrow: bool = False,
    picked: int | None = None,
    box: tuple[float, float, float, float] | None = None,
    class_names: Sequence[str] | None = None,
) -> Figure:
    """Draw labelled points with the boundaries between their classes.

    Parameters
    ----------
    X : array-like of shape (N, d)
        The points. More than two features are shown along w and along the direction of largest
        spread orthogonal to it, so that the boundary of g is drawn exactly.
    y : array-like of shape (N,)
        Labels of two or more classes; of two, the second in order is +1.
    f, g : array-like of shape (d + 1,) or None, default=None
        Weights, w0 first: f is drawn in dashes, g is solid. f needs d <= 2.
    model : fitted classifier or None, default=None
        Its regions are shaded; if it is linear on two classes it also gives g.
    margin : bool or MaxMargin, default=False
        Draw the band around g that reaches to the nearest point; or the widest street, as
        `max_margin` found it, with its middle.
    contradiction : Contradiction, array-like of int or None, default=None
        Examples that contradict each other, to be ringed: what `prove` found, or row numbers.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.
    previous : array-like of shape (n, d + 1) or None, default=None
        Weights that g had before, w0 first, the oldest first: thin lines. For d <= 2.
    arrow : bool, default=False
        Draw w, the direction of g, as an arrow.
    picked : int or None, default=None
        A row to be marked: the one that an update corrects.
    box : tuple of float or None, default=None
        The frame, x0, x1, y0, y1; by default around the points. Both axes have one scale, unless
        the points are more than 20 times as wide as they are high, or the other way round.
    class_names : sequence of str or None, default=None
        What the legend calls the classes, in their order; by default their labels.

    Returns
    -------
    matplotlib.figure.Figure
        The picture; `savefig(path)` writes it.

    Examples
    --------
    >>> from rosenblatt.plot import plane
    >>> figure = plane([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1], g=[-1.5, 1, 1])
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['+1', '-1', 'g']
    """
    names = [str(name) for name in getattr(X, "columns", ())]
    X, y, classes = _check(X, y, model)
    f, g = _line(f, "f", X), _line(g, "g", X)
    if g is None:
        g = _weights_of(model, X)
    if f is not None and X.shape[1] > 2:
        raise ParameterError(f"f can be drawn for one or two features, X has {X.shape[1]}")
    view = project(X, g, model)
    points = view.points(X)
    ax = new_axes(ax)
    _frame(ax, points, box)
    if model is not None:
        _shade(ax, view, g, model, classes)
    _scatter(ax, points, y, classes, class_names)
    _draw_previous(ax, previous, X)
    if f is not None:
        _draw_line(ax, view.weights(f), color=DAY.target, linestyle=DASHES, label="f")
    if g is not None:
        _draw_line(ax, view.weights(g), color=DAY.ink, linestyle="-", linewidth=2.2, label="g")
    if isinstance(margin, MaxMargin):
        _draw_street(ax, view.weights(margin.geometric_w))
    elif margin:
        _draw_margin(ax, view, g, X, y == classes[-1], len(classes))
    if arrow and g is not None:
        _draw_arrow(ax, view.weights(g))
    rows = getattr(contradiction, "indices", contradiction)
    _ring(ax, points, rows, 170, DAY.clash, "contradiction")
    _ring(ax, points, None if picked is None else [picked], 130, DAY.pick, "picked")
    named = len(names) == X.shape[1] <= 2
    label(ax, *(([*names, ""])[:2] if named else view.names))
    if X.shape[1] == 1:
        ax.set_yticks([])
    legend_beside(ax)
    return figure_of(ax)


def _check(X: Any, y: Any, model: Any) -> tuple[Array, Array, Array]:
    X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
    if X.ndim != 2 or 0 in X.shape or y.shape != X.shape[:1]:
        raise DataError(f"X must be points by features, y a label each, got {X.shape}, {y.shape}")
    if not np.isfinite(X).all():
        raise DataError("X must hold finite numbers to be drawn")
    if model is None:
        return X, y, np.unique(y)
    classes = np.asarray(model.classes_)
    unknown = set(y.tolist()) - set(classes.tolist())
    if unknown:
        raise DataError(f"the model knows {classes.tolist()}, y also holds {sorted(unknown)}")
    return X, y, classes


def _line(w: Any, name: str, X: Array) -> Array | None:
    if w is None:
        return None
    line: Array = np.asarray(w, dtype=np.float64)
    if line.shape != (X.shape[1] + 1,) or not np.isfinite(line).all():
        raise DataError(f"{name} must be {X.shape[1] + 1} finite weights, w0 first, got {w}")
    return line


def _weights_of(model: Any, X: Array) -> Array | None:
    coef = np.asarray(getattr(model, "coef_", np.empty((0, 0))), dtype=np.float64)
    if coef.shape != (1, X.shape[1]):
        return None
    return np.concatenate([np.ravel(model.intercept_) - weights_threshold_of(model), coef[0]])


def _frame(ax: Axes, points: Array, box: tuple[float, float, float, float] | None) -> None:
    """Leave a little room around the points; lines and regions then fill the frame."""
    ax.xaxis.set_major_locator(MaxNLocator(6))  # more numbers would run into each other
    if box is not None:
        ax.set_xlim(*box[:2])
        ax.set_ylim(*box[2:])
        ax.set_aspect("equal")
        ax.set_autoscale_on(False)
        return
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, 0.08 * (high - low), 1.0)
    low, high = low - room, high + room
    sides = high - low
    is_flat = not points[:, 1].any()  # one feature: the second axis means nothing
    if not is_flat and sides.max() <= MOST_UNEQUAL * sides.min():
        # a square with one scale, in which w is upright on its line
        wider = (sides.max() - sides) / 2
        low, high = low - wider, high + wider
        ax.set_aspect("equal")
    ax.set_xlim(low[0], high[0])
    ax.set_ylim(low[1], high[1])
    ax.set_autoscale_on(False)


def _shade(ax: Axes, view: Projection, g: Array | None, model: Any, classes: Array) -> None:
    frame = (*ax.get_xlim(), *ax.get_ylim())
    ax.imshow(
        region_codes(frame, view, g, model, classes),
        extent=frame,
        origin="lower",
        aspect=ax.get_aspect(),
        interpolation="nearest",
        cmap=ListedColormap([look_of(k).day for k in range(len(classes))]),
        vmin=-0.5,
        vmax=len(classes) - 0.5,
        alpha=REGION,
        zorder=0,
    )


def region_codes(
    frame: tuple[float, float, float, float],
    view: Projection,
    g: Array | None,
    model: Any,
    classes: Array,
) -> Array:
    """Return the number of the class in every pixel of the frame x0, x1, y0, y1, from below."""
    left, right, bottom, top = frame
    # the middle of each pixel, so that a region ends within half a pixel of its boundary
    steps = (np.arange(N_PIXELS) + 0.5) / N_PIXELS
    x, y = np.meshgrid(left + steps * (right - left), bottom + steps * (top - bottom))
    grid = np.column_stack([x.ravel(), y.ravel()])
    if g is not None and len(model.classes_) == 2:
        w = view.weights(g)
        scores = w[0] + grid @ w[1:]
        # a point on the boundary is where it was learned to be
        second = scores >= 0 if getattr(model, "_learned_tie", "") == "+1" else scores > 0
        said = model.classes_[second.astype(np.int64)]
    else:
        said = model.predict(grid @ view.axes.T)
    return np.asarray(np.searchsorted(classes, said).reshape(N_PIXELS, N_PIXELS))


def _scatter(
    ax: Axes, points: Array, y: Array, classes: Array, class_names: Sequence[str] | None
) -> None:
    order = list(enumerate(classes))
    area = next(area for most, area in AREAS if len(points) <= most)
    # the positive class first, as the legend of the exercise has it
    for k, name in reversed(order) if len(classes) == 2 else order:
        look = look_of(k)
        text = str(name) if class_names is None else class_names[k]
        if class_names is None and set(classes.tolist()) == {-1, 1}:
            text = f"{name:+d}"
        _dots(
            ax,
            points[y == name],
            marker=look.marker,
            s=look.size * area,
            facecolors=look.day,
            edgecolors=DAY.card,  # a rim: where points lie on each other they can be told apart
            linewidths=0.02 * area,
            label=verbatim(text),
            zorder=3,
        )


def _dots(ax: Axes, points: Array, **look: Any) -> None:
    ax.scatter(points[:, 0], points[:, 1], **look)


def _draw_line(ax: Axes, w: Array, **look: Any) -> None:
    ends = line_ends(w, ax.get_xlim(), ax.get_ylim())
    if ends is None:
        # the boundary passes outside of the frame; the legend still names it
        ends = np.full((2, 2), np.nan)
    ax.plot(*ends.T, zorder=2, **({"linewidth": 1.6} | look))


def line_ends(w: Array, x: tuple[float, float], y: tuple[float, float]) -> Array | None:
    """Return where w0 + w1 x + w2 y = 0 enters and leaves the frame, shape (2, 2), or None.

    Examples
    --------
    >>> import numpy as np
    >>> from rosenblatt.plot.planes import line_ends
    >>> line_ends(np.array([0.0, 1.0, -1.0]), (0, 1), (0, 2))
    array([[0., 0.],
           [1., 1.]])
    """
    normal = w[1:]
    length2 = normal @ normal
    if not length2 > 0:
        return None
    middle = np.array([sum(x) / 2, sum(y) / 2])
    foot = middle - (w[0] + normal @ middle) / length2 * normal
    along = np.array([-normal[1], normal[0]]) / np.sqrt(length2)
    first, last = -np.inf, np.inf
    for axis, (low, high) in enumerate((x, y)):
        if along[axis] == 0:
            if not low <= foot[axis] <= high:
                return None
            continue
        bounds = sorted([(low - foot[axis]) / along[axis], (high - foot[axis]) / along[axis]])
        first, last = max(first, bounds[0]), min(last, bounds[1])
    if first > last:
        return None
    ends = np.array([foot + first * along, foot + last * along])
    return ends[np.lexsort(ends.T[::-1])]


def _draw_previous(ax: Axes, previous: Any, X: Array) -> None:
    """Draw older lines, the newer the stronger."""
    if previous is None or not len(previous):
        return
    if X.shape[1] > 2:
        raise ParameterError(
            f"previous lines can be drawn for one or two features, X has {X.shape[1]}"
        )
    lines: list[Any] = [_line(w, "previous", X) for w in previous]
    for w, alpha in zip(lines, np.linspace(0.25, 0.8, len(lines)), strict=True):
        flat = np.append(w, 0.0) if X.shape[1] == 1 else w
        is_last = w is lines[-1]
        look = {"label": "previous lines"} if is_last else {}
        _draw_line(ax, flat, color=DAY.soft, linewidth=1.0, alpha=alpha, **look)


def _draw_arrow(ax: Axes, w: Array) -> None:
    """Draw w from the point of its line that is nearest to the middle of the frame."""
    length = float(np.linalg.norm(w[1:]))
    frame = np.array([ax.get_xlim(), ax.get_ylim()])
    if not length > 0 or (ax.get_aspect() == "auto" and w[2] != 0):
        return  # with two scales it would not be upright on its line
    unit, middle = w[1:] / length, frame.mean(axis=1)
    foot = middle - (w[0] / length + unit @ middle) * unit
    if not ((frame[:, 0] <= foot) & (foot <= frame[:, 1])).all():
        return
    tip = foot + 0.16 * float(np.ptp(frame[0])) * unit
    style = {"arrowstyle": "-|>", "color": DAY.ink, "linewidth": 1.8, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", xy=tip, xytext=foot, arrowprops=style, zorder=5)
    beside = tip + 0.03 * float(np.ptp(frame[0])) * unit
    x, y = beside.tolist()
    ax.text(x, y, "w", color=DAY.ink, fontsize=TEXT, ha="center", va="center", zorder=5)


def _draw_street(ax: Axes, w: Array) -> None:
    """Draw the middle of the widest street and its sides, at y (w0 + w . x) = 1."""
    look: dict[str, Any] = {"color": DAY.best, "linewidth": 1.4}
    _draw_line(ax, w, linestyle="-", label="widest street", **look)
    for shift in (1.0, -1.0):
        _draw_line(ax, w + np.array([shift, 0.0, 0.0]), linestyle=DOTS, **look)


def _draw_margin(
    ax: Axes, view: Projection, g: Array | None, X: Array, positive: Array, n_classes: int
) -> None:
    if g is None or n_classes != 2:
        raise ParameterError("a margin needs two classes, and g or a linear model of them")
    scores = np.where(positive, 1, -1) * (g[0] + X @ g[1:])
    wrong = int((scores <= 0).sum())
    if wrong:
        raise DataError(
            f"g does not separate: {counted(wrong, 'point')} on the wrong side; no margin"
        )
    w, nearest = view.weights(g), scores.min()
    shift = np.array([nearest, 0.0, 0.0])
    look: dict[str, Any] = {"color": DAY.best, "linestyle": DOTS, "linewidth": 1.4}
    _draw_line(ax, w + shift, label="margin", **look)
    _draw_line(ax, w - shift, **look)


def _ring(ax: Axes, points: Array, rows: Any, size: float, color: str, text: str) -> None:
    if rows is None:
        return
    rows = np.atleast_1d(np.asarray(rows))
    if rows.dtype.kind not in "iu" or not ((rows >= 0) & (rows < len(points))).all():
        raise DataError(f"{text} must hold numbers of rows from 0 to {len(points) - 1}, got {rows}")
    _dots(
        ax,
        points[rows],
        s=size,
        facecolors="none",
        edgecolors=color,
        linewidths=2.0,
        label=text,
        zorder=4,  # before the points: in a crowd it would be covered
    )
