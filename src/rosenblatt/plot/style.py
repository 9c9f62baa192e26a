"""How every picture looks: colours, shapes and axes, set on the objects and nowhere else.

The colours are those of Okabe and Ito, which people with any kind of colour blindness can tell
apart. Classes differ in shape as well, and lines in their dashes, for print without colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from rosenblatt.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, RED, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY = "#6E6E6E"
NIGHT, INK = "#12161F", "#E6E8EE"

# Two classes: the positive one is a red circle, the other a blue cross, as in the lecture
POSITIVE, NEGATIVE = (RED, "o"), (BLUE, "x")
CLASSES = (
    (BLUE, "x"),
    (RED, "o"),
    (PURPLE, "s"),
    (ORANGE, "^"),
    (SKY, "D"),
    (BLACK, "+"),
    (GREEN, "v"),
    (YELLOW, "P"),
)
TEXT = 10


def marks(n_classes: int) -> list[tuple[str, str]]:
    """Return a colour and a shape for each class, in the order of the labels."""
    if n_classes == 2:
        return [NEGATIVE, POSITIVE]
    # past eight classes the same colours come again with the next shape
    return [(CLASSES[k % 8][0], CLASSES[(k + k // 8) % 8][1]) for k in range(n_classes)]


def new_axes(ax: Axes | None = None, *, width: float = 5.6, height: float = 4.2) -> Axes:
    """Return `ax`, or the axes of a new figure, dressed.

    Examples
    --------
    >>> from rosenblatt.plot.style import new_axes
    >>> axes = new_axes()
    >>> axes.spines["top"].get_visible()
    False
    """
    if ax is None:
        ax = Figure(figsize=(width, height), dpi=120, layout="constrained").add_subplot()
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(GREY)
    ax.tick_params(labelsize=TEXT - 1, color=GREY)
    return ax


def label(ax: Axes, x: str, y: str) -> None:
    """Name the axes."""
    ax.set_xlabel(x, fontsize=TEXT)
    ax.set_ylabel(y, fontsize=TEXT)


def legend_beside(ax: Axes) -> None:
    """Put the legend to the right of the axes, where it hides no point."""
    ax.legend(
        loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False, fontsize=TEXT, borderaxespad=0
    )


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that the axes are part of."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ParameterError("ax belongs to no figure; make one with figure.add_subplot()")
    return figure


def darken(figure: Figure) -> None:
    """Turn a finished picture to light ink on a dark ground; colours of classes stay.

    Examples
    --------
    >>> from rosenblatt.plot import plane
    >>> figure = plane([[0, 0], [1, 1]], [-1, 1])
    >>> darken(figure)
    >>> figure.axes[0].xaxis.label.get_color() == INK
    True
    """
    figure.set_facecolor(NIGHT)
    for ax in figure.axes:
        ax.set_facecolor(NIGHT)
        ax.tick_params(colors=INK)
        legend = ax.get_legend()
        words: list[Any] = [ax.xaxis.label, ax.yaxis.label, ax.title]
        marks_and_lines: list[Any] = [*ax.lines, *ax.collections]
        if legend is not None:
            words += legend.get_texts()
            marks_and_lines += legend.legend_handles
        for text in words:
            text.set_color(INK)
        for drawn in marks_and_lines:
            _lighten(drawn)


def _lighten(drawn: Any) -> None:
    if isinstance(drawn, Line2D):
        if drawn.get_color() == BLACK:
            drawn.set_color(INK)
    elif len(edges := drawn.get_edgecolor()) and to_hex(edges[0]) == BLACK:
        drawn.set_edgecolor(INK)
