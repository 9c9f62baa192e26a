"""The fewest mistakes that any linear rule makes, or bounds of them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from rosenblatt.checks.parameters import check_callback, check_time_limit
from rosenblatt.errors import NoProofInTimeError
from rosenblatt.kernels.compiler import working_time
from rosenblatt.progress import Deadline
from rosenblatt.proof.hitting_set import MistakesSearch
from rosenblatt.proof.packing import two_classes
from rosenblatt.proof.question import check_exact_data
from rosenblatt.types import Array


@dataclass(frozen=True, eq=False)
class FewestMistakes:
    """Bounds of the fewest mistakes of any linear rule, and the best rule found.

    Attributes
    ----------
    lower, upper : int
        No rule makes fewer mistakes than `lower`; `w` makes `upper`.
    mistakes : int
        The mistakes of `w`, the same as `upper`. A point on the boundary is one.
    w : ndarray of shape (d + 1,)
        The weights, w0 first.
    examples : ndarray of int
        The examples that `w` gets wrong.
    proved : bool
        Whether the bounds meet, so that no rule is better.

    Examples
    --------
    >>> from rosenblatt import fewest_mistakes
    >>> print(fewest_mistakes([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]))
    The fewest mistakes of any linear rule: 1, proved.
    """

    lower: int
    upper: int
    w: Array
    examples: Array

    @property
    def mistakes(self) -> int:
        """The mistakes of w."""
        return self.upper

    @property
    def proved(self) -> bool:
        """Whether no rule is better."""
        return self.lower == self.upper

    def __str__(self) -> str:
        if self.proved:
            return f"The fewest mistakes of any linear rule: {self.upper}, proved."
        return f"The fewest mistakes of any linear rule: between {self.lower} and {self.upper}."


def fewest_mistakes(
    X: Any,
    y: Any,
    time_limit: float | None = None,
    *,
    fit_intercept: bool = True,
    random_state: Any = 0,
    callback: Any = None,
) -> FewestMistakes:
    """Find the smallest number of mistakes that any linear rule makes, and a rule that makes it.

    Exact on small data, or on larger data where few mistakes are enough. With one or two features
    the answer comes in polynomial time. In general the problem is NP-hard: give a `time_limit`, and
    the answer then is a lower and an upper bound.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_examples, n_features)
        The examples.
    y : array-like of shape (n_examples,)
        Their labels, of two classes.
    time_limit : float or None, default=None
        Seconds to search; those in which kernels are compiled do not count.
    fit_intercept : bool, default=True
        False asks about rules through the origin.
    random_state : int, RandomState or None, default=0
        For the pocket perceptron and the order in which examples are looked at.
    callback : callable or None, default=None
        Is told a `Progress` when a bound gets better.

    Returns
    -------
    FewestMistakes
        With `lower`, `upper`, `w`, `mistakes` and `proved`.

    Examples
    --------
    >>> from rosenblatt import fewest_mistakes
    >>> found = fewest_mistakes([[1], [2], [3], [7], [8], [9]], [0, 1, 0, 1, 1, 1])
    >>> found.lower, found.upper, found.proved, found.examples.tolist()
    (1, 1, True, [1])
    """
    data = check_exact_data(X, y)
    question = two_classes(data, fit_intercept)
    problem = question.of(data)
    callback, rng = check_callback(callback), check_random_state(random_state)
    deadline = Deadline(check_time_limit(time_limit), working_time)
    search = MistakesSearch(problem, rng, deadline, callback)
    with suppress(NoProofInTimeError):  # the bounds so far are the answer
        search.run()
    return FewestMistakes(
        search.lower, search.upper, search.w, np.flatnonzero(search.wrong(search.w))
    )
