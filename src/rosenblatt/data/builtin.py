"""Small sets that need no file: those of the lectures, and the classics of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

import numpy as np

from rosenblatt.data.examples import Examples
from rosenblatt.data.word_columns import WordNames
from rosenblatt.errors import DataError
from rosenblatt.text.words import BagOfWords
from rosenblatt.types import Array

TARGETS = {"exercise-1.4": (1.0, 2.0, 4.0)}  # that gave the labels, w0 first
CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])

# Four mails with what those of the lecture on spam have: three that want money or a click, and an
# invitation. "$" is in the first two, "!" in all but the last, a link in all but the third
MESSAGES = (
    (
        "spam",
        "Now everybody can earn from $200 to $943 a day, or more ! If you can type and fill in "
        "forms you are in! Do not wait for another chance: begin at http://earn.example/start",
    ),
    (
        "spam",
        "Your poems may be worth $10,000.00 USD, and we mean it!.. Enter our open contest for "
        "poetry, click the link below. http://poems.example/enter",
    ),
    ("ham", "See my photos! You are invited to view this photo album: zak-month27"),
    (
        "spam",
        "Hi, have you seen my new pics yet???? My friend and I would love to chat with you. "
        "Join us on the live web cam here: http://chat.example/live",
    ),
)


def load_builtin(name: str, seed: int = 0) -> Examples:
    """Return a built-in set by its name; `seed` draws the points of "exercise-1.4".

    Examples
    --------
    >>> load_builtin("xor").y
    array([-1,  1,  1, -1])
    """
    if name not in BUILTIN:
        near = get_close_matches(name, BUILTIN, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise DataError(f"no built-in set {name!r}{hint or '.'} There are: {', '.join(BUILTIN)}")
    return BUILTIN[name](seed)


def _lecture(seed: int) -> Examples:
    X = np.array([[1.0], [2.0], [7.0], [8.0]])
    return Examples(X, np.array([-1, -1, 1, 1]), ["x"], "lecture")


def _spam_lecture(seed: int) -> Examples:
    texts = [text for _, text in MESSAGES]
    y = np.array([label for label, _ in MESSAGES])
    words: dict[str, Any] = {"bits": 20, "symbols": True}
    X = BagOfWords(**words).transform(texts)
    return Examples(X, y, WordNames(texts, X, words), "spam-lecture", texts=texts)


def _gate(name: str, y: list[int]) -> Callable[[int], Examples]:
    return lambda seed: Examples(CORNERS.copy(), np.array(y), ["x1", "x2"], name)


def _exercise_1_4(seed: int) -> Examples:
    """Draw 20 points in [-10, 10]^2 and label them by the target w = (1, 2, 4)."""
    X = np.random.RandomState(seed).uniform(-10, 10, size=(20, 2))
    f = TARGETS["exercise-1.4"]
    y = np.where(f[0] + X @ f[1:] > 0, 1, -1)
    return Examples(X, y, ["x1", "x2"], "exercise-1.4")


def _from_sklearn(name: str, loader: str) -> Callable[[int], Examples]:
    def load(seed: int) -> Examples:
        import sklearn.datasets

        bunch = getattr(sklearn.datasets, loader)()
        labels: Array = np.asarray(bunch.target_names)[bunch.target]
        return Examples(bunch.data, labels, [str(f) for f in bunch.feature_names], name)

    return load


BUILTIN: dict[str, Callable[[int], Examples]] = {
    "lecture": _lecture,
    "and": _gate("and", [-1, -1, -1, 1]),
    "or": _gate("or", [-1, 1, 1, 1]),
    "xor": _gate("xor", [-1, 1, 1, -1]),
    "iris": _from_sklearn("iris", "load_iris"),
    "breast-cancer": _from_sklearn("breast-cancer", "load_breast_cancer"),
    "wine": _from_sklearn("wine", "load_wine"),
    "digits": _from_sklearn("digits", "load_digits"),
    "exercise-1.4": _exercise_1_4,
    "spam-lecture": _spam_lecture,
}
