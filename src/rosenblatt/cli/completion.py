"""What a shell offers when the tab key is pressed."""

from collections.abc import Callable
from glob import escape, glob


def one_of(*words: str) -> Callable[[str], list[str]]:
    """Return a function that completes one of some words.

    Examples
    --------
    >>> one_of("drop", "mean")("m")
    ['mean']
    """

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def complete_data(incomplete: str) -> list[str]:
    """Complete the name of a built-in set, or of a file.

    Where no set fits nothing is offered, and the shell falls back on the names of files.

    Examples
    --------
    >>> complete_data("breast")
    ['breast-cancer']
    """
    from rosenblatt.data.builtin import BUILTIN

    sets = [name for name in BUILTIN if name.startswith(incomplete)]
    return sets + sorted(glob(f"{escape(incomplete)}*")) if sets else []
