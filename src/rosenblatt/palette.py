"""How classes and lines look: one code for the page of the studio, for pictures and for reports.

A class has a colour, for a light and for a dark ground, and a shape, for eyes and prints that do
not tell colours apart. Of two classes the first (-1) is an orange square, the second (+1) a blue
circle. Browsers read the same from `studio/static` and `report/page.css`; tests compare
them with what is written here.
"""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    """How one class is drawn."""

    day: str
    night: str
    marker: str  # matplotlib's letter for the shape
    size: float  # of matplotlib's marker, so that all shapes look equally large
    outline: str  # the shape as a path of SVG, about 0


class Inks(NamedTuple):
    """What lines and grounds are drawn in."""

    card: str  # the ground
    ink: str  # g, and what is written
    soft: str
    target: str  # f
    best: str  # the largest margin
    good: str  # the pocket
    clash: str  # a contradiction
    pick: str  # the example of an update


CLASSES = (
    Look("#d55e00", "#ff8b3d", "s", 0.74, "M-2.6-2.6H2.6V2.6H-2.6Z"),
    Look("#0072b2", "#4fa9ea", "o", 1.0, "M-3 0A3 3 0 1 1 3 0A3 3 0 1 1-3 0Z"),
    Look("#009e73", "#2cc298", "^", 1.39, "M0-4.1L3.5 2H-3.5Z"),
    Look("#b0478f", "#e08bc4", "D", 0.82, "M0-3.8L3.8 0L0 3.8L-3.8 0Z"),
    Look(
        "#8a6d00", "#d9b73a", "P", 1.32,
        "M-3.5-1.2H-1.2V-3.5H1.2V-1.2H3.5V1.2H1.2V3.5H-1.2V1.2H-3.5Z",
    ),
    Look("#3f9fd8", "#8ccaf0", "v", 1.39, "M0 4.1L-3.5-2H3.5Z"),
    Look("#6b4c9a", "#b39ae0", "p", 1.44, "M0-3.6L3.4-1.1L2.1 2.9H-2.1L-3.4-1.1Z"),
    Look("#7a7a7a", "#a8a8a8", "h", 1.25, "M0-3.4L2.9-1.7V1.7L0 3.4L-2.9 1.7V-1.7Z"),
    Look("#9c4a2f", "#d9906f", ">", 1.39, "M4.1 0L-2 3.5V-3.5Z"),
    Look("#4d7a1e", "#9ccb62", "<", 1.39, "M-4.1 0L2-3.5V3.5Z"),
)  # fmt: skip

DAY = Inks(
    card="#ffffff",
    ink="#1b1f24",
    soft="#58616c",
    target="#66717d",
    best="#7b3fb8",
    good="#1a7f4b",
    clash="#c2185b",
    pick="#f0b400",
)
NIGHT = Inks(
    card="#1c2026",
    ink="#eceff2",
    soft="#a0a9b4",
    target="#97a3b0",
    best="#c39af2",
    good="#5fcf95",
    clash="#ff6f9f",
    pick="#f5c542",
)


def look_of(k: int) -> Look:
    """Return how class k is drawn; past ten the same colours come again with the next shape.

    Examples
    --------
    >>> look_of(1).day, look_of(1).marker
    ('#0072b2', 'o')
    >>> look_of(11).day, look_of(11).marker
    ('#0072b2', '^')
    """
    n = len(CLASSES)
    shape = CLASSES[(k + k // n) % n]
    return shape._replace(day=CLASSES[k % n].day, night=CLASSES[k % n].night)
