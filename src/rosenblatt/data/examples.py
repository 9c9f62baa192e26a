"""What is read from a file or a built-in set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rosenblatt._validation import Array


class Examples(NamedTuple):
    """The training data D of N examples.

    `X` is a dense array, a CSR array of floats, or a CSR array of bool (presence: every entry is
    1). `notes` says in sentences what was guessed and decided while reading. `recipe` makes the
    same features from another file, `texts` is the text column, when there is just one (an Arrow
    array). At prediction time, when a file has no labels, `y` is empty.

    Examples
    --------
    >>> from rosenblatt.data.builtin import load_builtin
    >>> examples = load_builtin("lecture")
    >>> examples.X.ravel(), examples.y
    (array([1., 2., 7., 8.]), array([-1, -1,  1,  1]))
    """

    X: Any
    y: Array
    feature_names: Sequence[str]
    source: str
    notes: tuple[str, ...] = ()
    recipe: Any = None
    texts: Any = None
    rounded: str = ""  # a sentence about a whole number of the file that float64 does not hold
