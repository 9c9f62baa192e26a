"""Amounts and what a regression says of them, with the residuals between."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rosenblatt.palette import CLASSES, DAY
from rosenblatt.plot.style import figure_of, label, legend_beside, new_axes
from rosenblatt.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def amounts(
    x: Array, y: Array, said: Array, across: str, up: str, ax: Axes | None = None
) -> Figure:
    """Draw each amount y over x, the rule, and a stick from one to the other.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 2.0])
    >>> figure = amounts(x, np.array([0.0, 2.0, 1.0]), 0.5 + 0.5 * x, "x", "y")
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['residuals', 'rule', 'amounts']
    """
    ax = new_axes(ax)
    ax.vlines(x, said, y, color=DAY.clash, linewidth=1.0, label="residuals", zorder=1)
    order = np.argsort(x, kind="stable")
    ax.plot(x[order], said[order], color=DAY.ink, linewidth=1.8, label="rule", zorder=2)
    ax.scatter(x, y, s=28, color=CLASSES[1].day, edgecolors=DAY.card, label="amounts", zorder=3)
    label(ax, across, up)
    legend_beside(ax)
    return figure_of(ax)
