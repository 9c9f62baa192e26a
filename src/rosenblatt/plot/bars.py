"""Bars: how long each hypothesis survived, and which features or words weigh most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from rosenblatt.checks.parameters import check_count
from rosenblatt.errors import DataError
from rosenblatt.palette import DAY
from rosenblatt.plot.style import NEGATIVE, POSITIVE, figure_of, label, new_axes, verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_NAME = 32


def survival(survival: Any, ax: Axes | None = None) -> Figure:
    """Draw how many examples each hypothesis of the voted perceptron survived: its votes.

    Parameters
    ----------
    survival : array-like of shape (K,)
        The counts c_k, as `survival_` of `VotedPerceptron` holds them for two classes.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot import survival
    >>> survival([0, 3, 1, 12]).axes[0].get_ylabel()
    'examples survived'
    """
    counts = np.asarray(survival, dtype=np.float64)
    if counts.ndim != 1 or len(counts) == 0 or not (counts >= 0).all():
        raise DataError("survival must be counts of one voted perceptron, none below 0")
    ax = new_axes(ax)
    # one outline for all: a hundred thousand bars would be a hundred thousand objects
    edge = DAY.card if len(counts) <= 200 else None
    edges = np.arange(len(counts) + 1) - 0.5
    ax.stairs(counts, edges, fill=True, facecolor=POSITIVE, edgecolor=edge)
    ax.set_xlim(-0.5, len(counts) - 0.5)
    ax.set_ylim(0, max(1.0, 1.05 * counts.max()))
    label(ax, "hypothesis", "examples survived")
    return figure_of(ax)


def weights(names: Any, values: Any, most: int = 20, ax: Axes | None = None) -> Figure:
    """Draw the features or words that weigh most, for and against.

    Parameters
    ----------
    names : list of str
        A name for each weight.
    values : array-like of shape (d,)
        The weights.
    most : int, default=20
        How many are drawn: those farthest from 0, from the most positive down.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot import weights
    >>> figure = weights(["free", "meeting", "the"], [2.0, -3.0, 0.1], most=2)
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['free', 'meeting']
    """
    check_count(most=most)
    values = np.asarray(values, dtype=np.float64)
    names = [str(name) for name in names]
    if values.ndim != 1 or len(values) == 0 or len(names) != len(values):
        raise DataError(f"a name for each weight is needed: {len(names)} for shape {values.shape}")
    if not np.isfinite(values).all():
        raise DataError("values must be finite")
    chosen = np.argsort(-np.abs(values), kind="stable")[:most]
    chosen = chosen[np.argsort(-values[chosen], kind="stable")]
    shown = values[chosen]
    ax = new_axes(ax, height=max(2.0, 0.6 + 0.24 * len(chosen)))
    bars = ax.barh(np.arange(len(chosen)), shown, height=0.7)
    for bar, value in zip(bars, shown, strict=True):
        bar.set_facecolor(POSITIVE if value > 0 else DAY.card)
        bar.set_edgecolor(POSITIVE if value > 0 else NEGATIVE)
        # hatched: the sign must be seen without colour, too
        bar.set_hatch("" if value > 0 else "////")
    ax.axvline(0.0, color=DAY.ink, linewidth=1.0)
    ax.set_yticks(np.arange(len(chosen)), [_short(names[k]) for k in chosen])
    ax.set_ylim(len(chosen) - 0.5, -0.5)
    label(ax, "weight", "")
    return figure_of(ax)


def _short(name: str) -> str:
    """Cut long names."""
    return verbatim(name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…")
