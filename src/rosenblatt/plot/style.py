"""How every picture looks: colours, shapes and axes, set on the objects and nowhere else.

Colours and shapes are those of the studio. Classes differ in both, and lines in their dashes, for
print without colour.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rosenblatt.errors import ParameterError
from rosenblatt.extras import needs
from rosenblatt.palette import CLASSES, DAY, NIGHT

with needs("plot"):
    from matplotlib.colors import ListedColormap, to_hex, to_rgba
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NEGATIVE, POSITIVE = CLASSES[0].day, CLASSES[1].day
DASHES, DOTS = (0, (5, 3)), (0, (1, 2))
TEXT = 10
WIDTH = 5.6  # inches
NAMELESS = re.compile(r"_child\d+$")  # what matplotlib calls a part that was given no name
AFTER_DARK = dict(zip(DAY, NIGHT, strict=True)) | {look.day: look.night for look in CLASSES}


def new_axes(ax: Axes | None = None, *, height: float = 4.2) -> Axes:
    """Return `ax`, or the axes of a new figure, dressed.

    Examples
    --------
    >>> from rosenblatt.plot.style import new_axes
    >>> axes = new_axes()
    >>> axes.spines["top"].get_visible()
    False
    """
    if ax is None:
        ax = Figure(figsize=(WIDTH, height), dpi=120, layout="constrained").add_subplot()
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(DAY.soft)
    ax.tick_params(labelsize=TEXT - 1, color=DAY.soft)
    return ax


def label(ax: Axes, x: str, y: str) -> None:
    """Name the axes."""
    ax.set_xlabel(verbatim(x), fontsize=TEXT)
    ax.set_ylabel(verbatim(y), fontsize=TEXT)


def verbatim(text: str) -> str:
    """Keep a dollar sign in a name from being read as a formula."""
    return text.replace("$", r"\$")


def legend_beside(ax: Axes) -> None:
    """Put the legend to the right of the axes, where it hides no point."""
    # told apart here: matplotlib leaves out every name that begins with _, a class's, too
    named = [a for a in (*ax.collections, *ax.lines) if not NAMELESS.match(str(a.get_label()))]
    named.sort(key=ax.get_children().index)  # in the order in which they were drawn
    ax.legend(
        named,
        [str(artist.get_label()) for artist in named],
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        frameon=False,
        fontsize=TEXT,
        borderaxespad=0,
    )


def figure_of(ax: Axes) -> Figure:
    """Return the whole figure that the axes are part of."""
    figure = ax.get_figure(root=True)
    if figure is None:
        raise ParameterError("ax belongs to no figure; make one with figure.add_subplot()")
    return figure


def darken(figure: Figure) -> None:
    """Turn a finished picture to light ink on a dark ground, and colours to those for the dark.

    Examples
    --------
    >>> from rosenblatt.plot import plane
    >>> figure = plane([[0, 0], [1, 1]], [-1, 1])
    >>> darken(figure)
    >>> figure.axes[0].xaxis.label.get_color() == NIGHT.ink
    True
    """
    figure.set_facecolor(NIGHT.card)
    for ax in figure.axes:
        ax.set_facecolor(NIGHT.card)
        ax.tick_params(colors=NIGHT.ink)
        for spine in ax.spines.values():
            spine.set_color(NIGHT.soft)
        legend = ax.get_legend()
        words: list[Any] = [ax.xaxis.label, ax.yaxis.label, ax.title]
        drawn: list[Any] = [*ax.lines, *ax.collections]
        if legend is not None:
            words += legend.get_texts()
            drawn += legend.legend_handles
        for text in words:
            text.set_color(NIGHT.ink)
        for part in drawn:
            _darken(part)
        for image in ax.images:
            regions: Any = image.get_cmap()
            image.set_cmap(ListedColormap([_night(color) for color in regions.colors]))


def _darken(drawn: Any) -> None:
    if isinstance(drawn, Line2D):
        drawn.set_color(_night(drawn.get_color()))
        return
    drawn.set_edgecolor([_night(color) for color in drawn.get_edgecolor()])
    drawn.set_facecolor([_night(color) for color in drawn.get_facecolor()])


def _night(color: Any) -> tuple[float, float, float, float]:
    """Return what a colour is in the dark, as transparent as before."""
    *_, alpha = to_rgba(color)
    return to_rgba(AFTER_DARK.get(to_hex(color), color), alpha)
