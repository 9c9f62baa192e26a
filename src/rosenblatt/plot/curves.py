"""Curves and bars: errors, the cosine to the best direction, the bound; survival and weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rosenblatt.checks.parameters import check_count
from rosenblatt.errors import DataError
from rosenblatt.extras import needs
from rosenblatt.palette import DAY, look_of
from rosenblatt.plot.style import (
    DASHES,
    NEGATIVE,
    POSITIVE,
    figure_of,
    label,
    legend_beside,
    new_axes,
    verbatim,
)
from rosenblatt.types import Array

with needs("plot"):
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_NAME = 32
N_BINS = 60


def error_curve(errors: Any, pocket_errors: Any = None, ax: Axes | None = None) -> Figure:
    """Draw the errors after each update, and the fewest so far.

    Parameters
    ----------
    errors : array-like of shape (T + 1,) or (k, 2)
        The errors after 0, 1, ... T updates, or pairs of an update and its errors, as
        `error_path_` of `PocketPerceptron` holds them.
    pocket_errors : array-like of the same kind or None, default=None
        The errors of the weights in the pocket.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot import error_curve
    >>> figure = error_curve([4, 2, 3, 1], [4, 2, 2, 1])
    >>> len(figure.axes[0].lines)
    2
    """
    look: dict[str, Any] = {"color": DAY.ink, "linewidth": 1.0, "label": "errors"}
    drawn = [(*_path(errors, "errors"), look)]
    if pocket_errors is not None:
        look = {"color": DAY.good, "linestyle": DASHES, "linewidth": 2.0, "label": "in the pocket"}
        drawn.append((*_path(pocket_errors, "pocket_errors"), look))
    ax = new_axes(ax)
    for steps, values, look in drawn:
        ax.step(steps, values, where="post", **look)
    _count_axis(ax)
    ax.set_ylim(bottom=0)
    label(ax, "updates", "errors")
    if pocket_errors is not None:
        legend_beside(ax)
    return figure_of(ax)


def cosine_curve(cosine: Any, bound: Any, ax: Axes | None = None, *, steps: Any = None) -> Figure:
    """Draw the cosine between w and the max-margin direction, with its lower bound.

    Parameters
    ----------
    cosine : array-like of shape (T + 1,)
        The cosine after each update; NaN where w is 0.
    bound : array-like of shape (T + 1,) or None
        sqrt(t) / (B R) below it; None where there is none, as from a start other than zero.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.
    steps : array-like of shape (T + 1,) or None, default=None
        The number of updates before each entry, if not 0, 1, ... T: a thinned trace.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot import cosine_curve
    >>> figure = cosine_curve([float("nan"), 0.5, 0.7], [0.0, 0.3, 0.42])
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['cos(w*, w)', 'lower bound']
    """
    cosine = _numbers(cosine, "cosine", nan=True)
    if bound is not None:
        bound = _numbers(bound, "bound", nan=True)
        if cosine.shape != bound.shape:
            raise DataError(f"cosine and bound differ in length: {len(cosine)} and {len(bound)}")
    steps = np.arange(len(cosine)) if steps is None else _numbers(steps, "steps")
    if steps.shape != cosine.shape:
        raise DataError(f"steps and cosine differ in length: {len(steps)} and {len(cosine)}")
    ax = new_axes(ax)
    ax.plot(steps, cosine, color=DAY.best, linewidth=2.0, label="cos(w*, w)")
    if bound is not None:
        ax.plot(steps, bound, color=DAY.soft, linewidth=1.6, linestyle=DASHES, label="lower bound")
    ax.axhline(1.0, color=DAY.soft, linewidth=0.8)
    _count_axis(ax)
    ax.set_ylim(min(0.0, float(np.nanmin([0.0, *cosine]))) * 1.05, 1.05)
    label(ax, "updates", "cosine")
    legend_beside(ax)
    return figure_of(ax)


def updates_against_bound(updates: Any, bounds: Any, ax: Axes | None = None) -> Figure:
    """Draw how many updates PLA made against the bound (R B)^2 on them.

    Parameters
    ----------
    updates, bounds : float or array-like of shape (runs,)
        The true count of each run and its bound. No point can lie above the dashed line.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot import updates_against_bound
    >>> figure = updates_against_bound([11, 30], [225.0, 4000.0])
    >>> figure.axes[0].get_xscale()
    'log'
    """
    updates, bounds = _numbers(updates, "updates"), _numbers(bounds, "bounds")
    if updates.shape != bounds.shape:
        raise DataError(f"updates and bounds differ in length: {len(updates)} and {len(bounds)}")
    if not (updates > 0).all() or not (bounds > 0).all():
        raise DataError("updates and bounds must be above 0 to be drawn on a log scale")
    ax = new_axes(ax)
    ax.set_xscale("log")
    ax.set_yscale("log")
    size = 48 if len(updates) < 50 else 12
    ax.scatter(
        bounds, updates, s=size, facecolors="none", edgecolors=DAY.ink, linewidths=1.2, label="runs"
    )
    low, high = _decades(np.concatenate([updates, bounds]))
    ax.plot(
        [low, high], [low, high], color=DAY.clash, linestyle=DASHES, linewidth=1.6, label="bound"
    )
    # on an axis of one decade the labels between the powers of ten would run into each other
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_xlim(*_decades(bounds))
    ax.set_ylim(low, high)
    label(ax, "bound (R B)²", "updates")
    legend_beside(ax)
    return figure_of(ax)


def separable_shares(
    n_weights: Any, ratio: Any, separable: Any, expected: Any, ax: Axes | None = None
) -> Figure:
    """Draw the share of labellings that can be separated against N / d, beside the formula.

    Parameters
    ----------
    n_weights, ratio, separable, expected : array-like of shape (rows,)
        d, N / d, the share that was found, and C(N, d) / 2^N.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot import separable_shares
    >>> figure = separable_shares([3, 3], [1.0, 2.0], [1.0, 0.52], [1.0, 0.5])
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['formula, d = 3', 'found, d = 3']
    """
    given = {"n_weights": n_weights, "ratio": ratio, "separable": separable, "expected": expected}
    columns = [_numbers(values, name) for name, values in given.items()]
    if len({len(column) for column in columns}) > 1:
        raise DataError(f"columns differ in length: {[len(column) for column in columns]}")
    weights, *rest = columns
    ax = new_axes(ax)
    for k, d in enumerate(np.unique(weights)):
        x, found, formula = (column[weights == d] for column in rest)
        look = look_of(k)
        color = look.day
        ax.plot(x, formula, color=color, linewidth=1.6, label=f"formula, d = {d:.0f}", zorder=2)
        ax.scatter(
            x,
            found,
            s=look.size * 28.0,
            marker=look.marker,
            facecolors="none",
            edgecolors=color,
            linewidths=1.4,
            label=f"found, d = {d:.0f}",
            zorder=3,
        )
    ax.axvline(2.0, color=DAY.soft, linewidth=0.8)
    ax.axhline(0.5, color=DAY.soft, linewidth=0.8)
    ax.set_ylim(-0.03, 1.03)
    label(ax, "N / d", "share of labellings that are separable")
    legend_beside(ax)
    return figure_of(ax)


def _count_axis(ax: Axes) -> None:
    """Whole numbers below: there is no half update."""
    ax.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=True, min_n_ticks=1))
    ax.margins(x=0.01)


def _decades(values: Array) -> tuple[float, float]:
    """Return the powers of ten around the values: a log axis then has ticks at both ends."""
    low, high = np.log10([0.9 * values.min(), 1.1 * values.max()])
    return float(10 ** np.floor(low)), float(10 ** np.ceil(high))


def _numbers(numbers: Any, name: str, *, nan: bool = False) -> Array:
    values: Array = np.atleast_1d(np.asarray(numbers, dtype=np.float64))
    if values.ndim != 1 or len(values) == 0:
        raise DataError(f"{name} must be a list of numbers, got shape {values.shape}")
    if np.isinf(values).any() or (not nan and np.isnan(values).any()):
        raise DataError(f"{name} must be finite")
    return values


def _path(errors: Any, name: str) -> tuple[Array, Array]:
    values = np.asarray(errors, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 2 and len(values):
        return _numbers(values[:, 0], name), _numbers(values[:, 1], name)
    values = _numbers(values, name)
    return np.arange(len(values)), values


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


def scores_and_marks(
    scores: dict[str, Any], marks: dict[str, float], ax: Axes | None = None
) -> Figure:
    """Draw how the scores of two kinds are spread, and the marks that part them.

    The share of each kind in a bin is drawn, on a scale on which one message of many is seen.

    Parameters
    ----------
    scores : dict of str to array-like
        The scores of two kinds by their names, the lower kind first.
    marks : dict of str to float
        Scores at which something begins or ends, by their names.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Examples
    --------
    >>> from rosenblatt.plot.curves import scores_and_marks
    >>> figure = scores_and_marks({"ham": [-9, -8, 1], "spam": [7, 9]}, {"spam from": 4.0})
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['ham (3)', 'spam (2)', 'spam from 4.0']
    """
    kinds = {name: _numbers(values, name) for name, values in scores.items()}
    ax = new_axes(ax)
    everything = np.concatenate([*kinds.values(), list(marks.values())])
    bins = np.linspace(everything.min() - 1e-9, everything.max() + 1e-9, N_BINS + 1)
    for (name, values), color in zip(kinds.items(), (NEGATIVE, POSITIVE), strict=True):
        shares = 100 * np.histogram(values, bins)[0] / max(1, len(values))
        look: dict[str, Any] = {"color": color, "alpha": 0.45, "linewidth": 0}
        ax.fill_between(
            bins, [*shares, 0], step="post", label=verbatim(f"{name} ({len(values):,})"), **look
        )
    for (name, mark), dashes in zip(marks.items(), (DASHES, "solid"), strict=False):
        ax.axvline(mark, color=DAY.ink, linestyle=dashes, label=f"{name} {mark:.1f}")
    least = min(100 / max(1, len(values)) for values in kinds.values())
    ax.set_yscale("symlog", linthresh=least)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.set_ylim(bottom=0)
    label(ax, "score", "% of its kind")
    legend_beside(ax)
    return figure_of(ax)
