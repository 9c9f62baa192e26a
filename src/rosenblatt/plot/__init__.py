"""Pictures, as matplotlib figures; no global state, no window.

Names are loaded when they are first used: `projection`, which the studio needs, draws nothing and
does without matplotlib.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rosenblatt.plot.curves import (
        cosine_curve,
        error_curve,
        separable_shares,
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
    "separable_shares",
    "survival",
    "updates_against_bound",
    "weights",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'rosenblatt.plot' has no attribute {name!r}")
    from rosenblatt.plot import curves, movies

    return getattr(curves if hasattr(curves, name) else movies, name)
