"""What is read from a file or a built-in set."""

from __future__ import annotations

from typing import Any, NamedTuple

from rosenblatt._validation import Array


class Examples(NamedTuple):
    """The training data D of N examples.

    Examples
    --------
    >>> from rosenblatt.data.builtin import load_builtin
    >>> examples = load_builtin("lecture")
    >>> examples.X.ravel(), examples.y
    (array([1., 2., 7., 8.]), array([-1, -1,  1,  1]))
    """

    X: Any
    y: Array
    feature_names: list[str]
    source: str
