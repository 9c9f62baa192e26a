"""What a library tells those who listen: the logger `rosenblatt` of Python's own logging.

Nothing is printed by itself. `logging.basicConfig(level="INFO")` shows what was guessed while data
was read, what is being done, and that kernels are being compiled.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

LOGGER = logging.getLogger("rosenblatt")
LOGGER.addHandler(logging.NullHandler())


def log_notes(notes: Iterable[str]) -> None:
    """Tell what was guessed and decided while data was read, each note once."""
    for note in dict.fromkeys(notes):
        LOGGER.info("%s", " ".join(note.split()))


def log_stages() -> Callable[[str, float], None]:
    """Return a function that is told how far work is, and logs each part of it when it begins.

    Examples
    --------
    >>> tell = log_stages()
    >>> tell("learning", 0.0)
    """
    before = ""

    def tell(stage: str, share: float) -> None:
        nonlocal before
        if stage != before:
            LOGGER.info("%s", stage)
            before = stage
        LOGGER.debug("%s: %.0f %%", stage, 100 * share)

    return tell
