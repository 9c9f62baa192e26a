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
from rosenblatt.plot.curves import cosine_curve, error_curve
from rosenblatt.plot.planes import line_ends, plane, region_codes
from rosenblatt.plot.projection import Projection
from rosenblatt.plot.style import TEXT, label
from rosenblatt.types import Array

with needs("plot"):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

if TYPE_CHECKING:
    from matplotlib.axes import Axes

N_COLORS = 256
NOWHERE = np.full((2, 2), np.nan)


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
    if Path(path).suffix.lower() != ".gif":
        raise ParameterError(
            f"must end with .gif, for a GIF is written, got {str(path)!r}", about="path"
        )
    whole = gif(frames, seconds_per_frame=seconds_per_frame, last_repeats=last_repeats)
    target = Path(path)
    target.write_bytes(whole)
    return target


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


def animate_trace(trace: Any, path: str | Path) -> Path:
    """Write the line of each kept step, the example just corrected marked, as a GIF."""
    return animate(_frames(trace), path)


def _frames(trace: Any) -> Iterator[Figure]:
    X = _dense(trace.X)
    picked = [-1, *trace.picked.tolist()]
    for w, row, step, error in zip(trace.weights, picked, trace.steps, trace.errors, strict=True):
        line = _line(w)
        if line is None and X.shape[1] > 2:
            continue  # no direction yet to look along
        figure = Figure(figsize=(5.6, 4.2), dpi=100)
        # a fixed place: a legend that grows by a word would make the picture jump
        ax = figure.add_axes((0.17, 0.13, 0.58, 0.77))
        plane(X, trace.y, g=line, ax=ax, picked=None if row < 0 else row)
        ax.set_title(
            f"after {counted(step, 'update')}: E_in = {error:.3g}", fontsize=TEXT, loc="left"
        )
        yield figure


def _line(w: Array) -> Array | None:
    """Return the weights if they have a boundary; at the start they are often 0."""
    return w if np.any(w[1:]) else None


def _dense(X: Any) -> Array:
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
