"""A plane whose boundary moves: drawn once, and changed from picture to picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt._validation import Array
from rosenblatt.plot.planes import line_ends, plane, region_codes
from rosenblatt.plot.projection import Projection

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NOWHERE = np.full((2, 2), np.nan)


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
