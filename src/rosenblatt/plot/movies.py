"""Pictures that move: figures as an animated GIF, a plane drawn once, a recorded fit as a film.

`animate` writes any figures. Where only the boundary moves, `MovingPlane` changes what has to be
changed from picture to picture. A trace is shown as one figure, or line by line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.checks.parameters import check_count, check_positive
from rosenblatt.counting import counted
from rosenblatt.errors import DataError, ParameterError
from rosenblatt.extras import needs
from rosenblatt.palette import DAY
from rosenblatt.plot.curves import cosine_curve, error_curve
from rosenblatt.plot.planes import line_ends, plane, region_codes
from rosenblatt.plot.projection import Projection, project
from rosenblatt.plot.style import DOTS, TEXT, label, legend_beside
from rosenblatt.types import Array

with needs("plot"):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrowPatch
    from PIL import Image

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_COLORS = 256
NOWHERE = np.full((2, 2), np.nan)
ROOM = 0.6  # of the longer side, from the middle to the edge of a film
FLAT = 10  # times as wide as high: with one scale nothing could be told apart
ARROW = 0.14  # of the width: the length of the arrow w, which is a direction


def animate(
    frames: Iterable[Figure],
    path: str | Path,
    *,
    seconds_per_frame: float = 0.4,
    last_repeats: int = 4,
) -> Path:
    """Write figures as an animated GIF that starts over at the end.

    Parameters
    ----------
    frames : iterable of matplotlib.figure.Figure
        Figures of one size; a generator is drawn one by one and never held as a whole.
    path : str or pathlib.Path
        The file to write; it is written when all frames are drawn.
    seconds_per_frame : float, default=0.4
        How long each frame is shown.
    last_repeats : int, default=4
        How many times longer the last one is shown.

    Returns
    -------
    pathlib.Path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt.plot import animate, plane
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> steps = [[-0.5, 1, 0], [-1.5, 1, 1]]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = animate((plane(X, y, g=w) for w in steps), f"{folder}/and.gif")
    ...     path.read_bytes()[:6]
    b'GIF89a'
    """
    _check_gif(path)
    whole = gif(frames, seconds_per_frame=seconds_per_frame, last_repeats=last_repeats)
    target = Path(path)
    target.write_bytes(whole)
    return target


def _check_gif(path: str | Path) -> None:
    if Path(path).suffix.lower() != ".gif":
        raise ParameterError(
            f"must end with .gif, for a GIF is written, got {str(path)!r}", about="path"
        )


def gif(
    frames: Iterable[Figure], *, seconds_per_frame: float = 0.4, last_repeats: int = 4
) -> bytes:
    """Return what `animate` writes."""
    check_positive(seconds_per_frame=seconds_per_frame)
    check_count(last_repeats=last_repeats)
    images: list[Any] = []
    for figure in frames:
        image = _draw(figure)
        if images and image.size != images[0].size:
            raise DataError(f"frames must be of one size, got {images[0].size} and {image.size}")
        images.append(image)
    if not images:
        raise DataError("there are no frames to write")
    return _joined(images, seconds_per_frame, last_repeats)


def _joined(images: list[Any], seconds_per_frame: float, last_repeats: int) -> bytes:
    """Return a GIF of pictures of one size, which starts over at the end."""
    shown = [round(1000 * seconds_per_frame)] * len(images)
    shown[-1] *= last_repeats
    whole = BytesIO()
    images[0].save(
        whole, format="GIF", save_all=True, append_images=images[1:], duration=shown, loop=0
    )
    return whole.getvalue()


def _draw(figure: Figure) -> Any:
    """Return the figure as an image of few colours: a third of the memory of the full ones.

    By an octree: the median cut that Pillow uses by default loses the colour of a single point.
    """
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[..., :3]
    image = Image.fromarray(np.ascontiguousarray(pixels))
    return image.quantize(N_COLORS, method=Image.Quantize.FASTOCTREE)


class MovingPlane:
    """Points in a square, the regions of a rule, its line and the example that it learned from.

    To draw all of it anew for every step takes three times as long.

    Parameters
    ----------
    X, y, ax
        As in `plane`, with two features.
    box : tuple of float
        The frame: x0, x1, y0, y1.
    model : classifier
        The first rule; its `classes_` are all that there are.
    **look
        More of what `plane` takes: `f`, `contradiction`, `class_names`.

    Examples
    --------
    >>> from rosenblatt import Perceptron
    >>> from rosenblatt.plot.style import new_axes
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> model, ax = Perceptron().fit(X, y), new_axes()
    >>> moving = MovingPlane(X, y, ax, (-1.0, 2.0, -1.0, 2.0), model)
    >>> moving.move(model, [-1.5, 1, 1], picked=3)
    >>> ax.collections[-1].get_offsets().tolist()
    [[1.0, 1.0]]
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        ax: Axes,
        box: tuple[float, float, float, float],
        model: Any,
        **look: Any,
    ) -> None:
        self._ax, self._box, self._points = ax, box, np.asarray(X, dtype=np.float64)
        two = len(model.classes_) == 2
        # with a line and a ring from the start, so that the legend stays as it is
        zero = np.zeros(3) if two else None
        plane(X, y, g=zero, model=model, ax=ax, box=box, picked=0, **look)
        self._line = next((line for line in ax.lines if line.get_label() == "g"), None)
        self._image, self._ring = ax.images[0], ax.collections[-1]

    def move(self, model: Any, g: Any = None, picked: int | None = None) -> None:
        """Show another rule; `g` is its line if it has one, `picked` the example behind it."""
        w: Array | None = None if g is None else np.asarray(g, dtype=np.float64)
        view = Projection(np.eye(2), ("x1", "x2"))
        classes = np.asarray(model.classes_)
        self._image.set_data(region_codes(self._box, view, w, model, classes))
        self._ring.set_offsets(self._points[[] if picked is None else [picked]])
        if self._line is not None:
            ends = None if w is None else line_ends(w, self._box[:2], self._box[2:])
            self._line.set_data(*(NOWHERE if ends is None else ends).T)


def plot_trace(trace: Any, ax: Axes | None = None) -> Figure:
    """Return a figure of the points with the last line, the errors, and the cosine if known.

    Parameters
    ----------
    trace : Trace
        What `rosenblatt.trace` returned.
    ax : matplotlib.axes.Axes or None, default=None
        Draw the points and the last line here, and nothing else.

    Returns
    -------
    matplotlib.figure.Figure
        Two pictures side by side, three when the data is known to be separable; with `ax` its
        figure.
    """
    if ax is not None:
        return plane(_dense(trace.X), trace.y, g=_line(trace.final), ax=ax)
    n_pictures = 2 if trace.cosine is None else 3
    figure = Figure(figsize=(5.4 * n_pictures, 4.2), dpi=120, layout="constrained")
    axes = figure.subplots(1, n_pictures)
    plane(_dense(trace.X), trace.y, g=_line(trace.final), ax=axes[0])
    steps = trace.steps
    pocket = np.column_stack([steps, trace.pocket_errors])
    error_curve(np.column_stack([steps, trace.errors]), pocket, ax=axes[1])
    label(axes[1], "updates", "E_in")
    if trace.cosine is not None:
        cosine_curve(trace.cosine, trace.cosine_bound, ax=axes[2], steps=steps)
    return figure


def animate_trace(trace: Any, path: str | Path, most_frames: int = 60) -> Path:
    """Write the line of each kept step, with the one before and what was picked, as a GIF."""
    _check_gif(path)
    check_count(most_frames=most_frames)
    target = Path(path)
    images = list(TraceFilm(trace).images(_chosen_steps(len(trace.steps), most_frames)))
    target.write_bytes(_joined(images, 0.4, 4))
    return target


def _chosen_steps(n_steps: int, most: int) -> Array:
    """Return which steps a film shows: the first ones all, later ones ever more rarely.

    Not every so-many-th: on data that is not separable the weights come round again and again, and
    such a film may stand still.
    """
    if n_steps <= most:
        return np.arange(n_steps)
    first = np.arange(most // 2)
    later = np.geomspace(n_steps - 1, max(1, most // 2), most - len(first))
    return np.unique(np.concatenate([first, later.round().astype(np.int64)]))


class TraceFilm:
    """A recorded fit on one plane, of which only what moves is drawn anew for each picture.

    More than two features are shown along the last weights and the largest spread orthogonal to
    them, in every picture the same: there it can be seen how the line comes to its place. Both axes
    have one scale, unless the points are more than `FLAT` times as wide as high.

    Parameters
    ----------
    trace : Trace
        What `rosenblatt.trace` returned.
    """

    def __init__(self, trace: Any) -> None:
        X = _dense(trace.X)
        self._trace, self._mean = trace, X.mean(axis=0)
        self._view = _lasting_view(X, trace.weights)
        self._points = self._view.points(X)
        self.figure = Figure(figsize=(5.6, 4.2), dpi=100)
        # a fixed place: a legend that grows by a word would make the picture jump
        ax = self.ax = self.figure.add_axes((0.17, 0.13, 0.58, 0.77))
        self._box, is_equal = _box_around(self._points)
        plane(self._points, trace.y, g=np.zeros(3), ax=ax, box=self._box, picked=0)
        ax.set_aspect("equal" if is_equal else "auto")
        label(ax, *self._view.names)
        if X.shape[1] == 1:
            ax.set_yticks([])
        (self._before,) = ax.plot(
            *NOWHERE.T, color=DAY.soft, linestyle=DOTS, linewidth=1.6, label="g before", zorder=2
        )
        legend_beside(ax)
        self._line = next(line for line in ax.lines if line.get_label() == "g")
        self._ring = next(ring for ring in ax.collections if ring.get_label() == "picked")
        self._arrow = FancyArrowPatch(
            *((0, 0), (0, 0)), arrowstyle="-|>", mutation_scale=14, color=DAY.best, zorder=5
        )
        ax.add_patch(self._arrow)
        self._name = ax.text(0, 0, "w", color=DAY.best, fontsize=TEXT, ha="center", va="center")
        self._title = ax.text(0, 1.03, "", transform=ax.transAxes, fontsize=TEXT)
        self._moving: tuple[Any, ...] = (
            *(self._before, self._line, self._ring, self._arrow, self._name, self._title),
        )
        for part in self._moving:
            part.set_animated(True)

    def images(self, steps: Array) -> Iterator[Any]:
        """Yield a picture of few colours for each of some kept steps."""
        canvas: Any = FigureCanvasAgg(self.figure)
        canvas.draw()
        ground = canvas.copy_from_bbox(self.figure.bbox)
        palette = None
        for k in (steps[-1], *steps):
            self.show(int(k))
            canvas.restore_region(ground)
            for part in self._moving:
                if part.get_visible():
                    self.ax.draw_artist(part)
            size = canvas.get_width_height()
            image = Image.frombuffer("RGBA", size, canvas.buffer_rgba()).convert("RGB")
            if palette is None:
                # one for all: the last picture has every colour that there is
                palette = image.quantize(N_COLORS, method=Image.Quantize.FASTOCTREE)
            else:
                yield image.quantize(palette=palette, dither=Image.Dither.NONE)

    def show(self, k: int) -> None:
        """Move to the k-th of the kept steps."""
        trace = self._trace
        row = -1 if k == 0 else int(trace.picked[k - 1])
        self._ring.set_offsets(self._points[[] if row < 0 else [row]])
        self._lay(self._before, trace.weights[k - 1] if k else np.zeros_like(trace.weights[0]))
        w = self._lay(self._line, trace.weights[k])
        length = float(np.linalg.norm(w[1:]))
        for part in (self._arrow, self._name):
            part.set_visible(length > 0)
        if length > 0:
            self._point(w, length)
        self._title.set_text(
            f"after {counted(int(trace.steps[k]), 'update')}: E_in = {trace.errors[k]:.3g}"
        )

    def _lay(self, line: Any, weights: Array) -> Array:
        """Draw a line where weights have their boundary; return them in the plane, w0 first."""
        w = self._view.weights(weights)
        # in the plane through the middle of the points, which are not all in it
        middle = self._mean @ self._view.axes
        w[0] = weights[0] + weights[1:] @ self._mean - w[1:] @ middle
        ends = line_ends(w, self._box[:2], self._box[2:])
        line.set_data(*(NOWHERE if ends is None else ends).T)
        return w

    def _point(self, w: Array, length: float) -> None:
        """Draw w as an arrow from the line, in the middle of what is seen of it."""
        ends = np.asarray(self._line.get_xydata())
        left, right, low, high = self._box
        start = ends.mean(axis=0)
        if not np.isfinite(start).all():
            start = np.array([(left + right) / 2, (low + high) / 2])
        tip = start + w[1:] / length * ARROW * (right - left)
        self._arrow.set_positions(tuple(start), tuple(tip))
        name = start + (tip - start) * 1.25
        self._name.set_position((float(name[0]), float(name[1])))


def _lasting_view(X: Array, weights: Array) -> Projection:
    """Return the plane of the last weights that have a direction."""
    if X.shape[1] <= 2:
        return project(X, None)
    turned = weights[np.any(weights[:, 1:], axis=1)]
    spread = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][0]
    last = turned[-1] if len(turned) else np.concatenate([[0.0], spread])
    names = ("along the last w", "largest spread orthogonal to it")
    return project(X, last)._replace(names=names)


def _box_around(points: Array) -> tuple[tuple[float, float, float, float], bool]:
    """Return a frame with room around the points, and whether its axes have one scale."""
    low, high = points.min(axis=0), points.max(axis=0)
    size = high - low
    longest = float(size.max()) or 2.0
    is_equal = bool((size == 0).any() or size.max() <= FLAT * size.min())
    half = (np.full(2, longest) if is_equal else size) * ROOM
    middle = (low + high) / 2
    (left, bottom), (right, top) = middle - half, middle + half
    return (float(left), float(right), float(bottom), float(top)), is_equal


def _line(w: Array) -> Array | None:
    """Return the weights if they have a boundary; at the start they are often 0."""
    return w if np.any(w[1:]) else None


def _dense(X: Any) -> Array:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
