"""Rows of other libraries that are not in memory: who knows what to do with them.

Estimators take Dask's collections as they take arrays. What they do with them is in a room above
them, which is known by its name alone and loaded when such a collection comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

# The library, and the home of its collections
HOMES = {"dask": "rosenblatt.cluster.collections"}
ANSWERING = ("predict", "decision_function", "predict_proba", "predict_log_proba")
SCORE = "score"


def is_elsewhere(X: Any) -> bool:
    """Tell whether rows are those of a collection that is not in memory.

    Examples
    --------
    >>> is_elsewhere([[1.0], [2.0]])
    False
    """
    return type(X).__module__.partition(".")[0] in HOMES


def home_of(X: Any) -> Any:
    """Return the module that knows what to do with a collection."""
    return import_module(HOMES[type(X).__module__.partition(".")[0]])


def meeting_collections(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of an estimator that answers about collections, too."""

    @wraps(method)
    def answering(self: Any, X: Any, *given: Any, **named: Any) -> Any:
        if not is_elsewhere(X):
            return method(self, X, *given, **named)
        if name == SCORE:
            return home_of(X).right_share(self, X, *given, **named)
        return home_of(X).answers(self, name, X)

    answering.meets_collections = True  # type: ignore[attr-defined]
    return answering
