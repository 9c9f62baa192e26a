"""Pictures, as matplotlib figures; no global state, no window."""

from rosenblatt.plot.curves import (
    cosine_curve,
    error_curve,
    survival,
    updates_against_bound,
    weights,
)
from rosenblatt.plot.movies import animate
from rosenblatt.plot.planes import plane

__all__ = [
    "animate",
    "cosine_curve",
    "error_curve",
    "plane",
    "survival",
    "updates_against_bound",
    "weights",
]
