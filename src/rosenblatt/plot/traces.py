"""A recorded fit as one figure, or as a film of the line while it moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from rosenblatt._counting import counted
from rosenblatt._validation import Array
from rosenblatt.plot.curves import cosine_curve, error_curve
from rosenblatt.plot.movies import animate
from rosenblatt.plot.planes import plane
from rosenblatt.plot.style import TEXT, label


def plot_trace(trace: Any) -> Figure:
    """Return a figure of the points with the last line, the errors, and the cosine if known.

    Parameters
    ----------
    trace : Trace
        What `rosenblatt.trace` returned.

    Returns
    -------
    matplotlib.figure.Figure
        Two pictures side by side, three when the data is known to be separable.
    """
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
