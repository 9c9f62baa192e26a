"""The one door in for parameters: what is not allowed is refused in words, before any work."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from rosenblatt.errors import ParameterError

# Before the name of a parameter: what it was when the model was learned
LEARNED = "_learned_"
NEAR = 0.7  # of 1: below it a word that looks alike means something else
SEEDS = (
    "None, a whole number from 0 to 2**32 - 1, a numpy.random.RandomState or a "
    "numpy.random.Generator"
)


def check_choice(value: Any, name: str, choices: tuple[Any, ...]) -> None:
    """Refuse a value that is not one of the choices."""
    if not isinstance(value, Hashable) or value not in choices:
        listed = ", ".join(repr(choice) for choice in choices)
        raise ParameterError(
            f"must be one of {listed}, got {value!r}", about=name, do=did_you_mean(value, choices)
        )


def did_you_mean(value: Any, choices: Iterable[Any]) -> str:
    """Return a question about the choice that a value is nearest to; nothing if it is far from all.

    Examples
    --------
    >>> did_you_mean("frist", ("first", "worst"))
    "did you mean 'first'?"
    """
    words = [choice for choice in choices if isinstance(choice, str)]
    near = get_close_matches(value, words, n=1, cutoff=NEAR) if isinstance(value, str) else []
    return f"did you mean {near[0]!r}?" if near else ""


def as_float(value: Any) -> float:
    """Return a number as a float, and NaN for what is no number or too large for a float."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return np.nan
    try:
        return float(value)
    except OverflowError:
        return np.nan


def check_positive(**parameters: Any) -> None:
    """Refuse parameters that are not numbers above 0."""
    for name, value in parameters.items():
        if not 0 < as_float(value) < np.inf:
            raise ParameterError(f"must be a number above 0, got {value!r}", about=name)


def check_count(*, least: int = 1, **parameters: Any) -> None:
    """Refuse parameters that are not whole numbers of at least `least`."""
    for name, value in parameters.items():
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or not least <= value < 1 << 62:
            raise ParameterError(
                f"must be a whole number from {least} on, got {value!r}", about=name
            )


def check_flags(**parameters: Any) -> None:
    """Refuse parameters that are neither True nor False."""
    for name, value in parameters.items():
        if not isinstance(value, Hashable) or value not in (True, False):
            raise ParameterError(f"must be True or False, got {value!r}", about=name)


def check_time_limit(time_limit: Any) -> float | None:
    """Return a number of seconds above 0, or None for no limit; refuse all else."""
    if time_limit is not None:
        check_positive(time_limit=time_limit)
    limit: float | None = time_limit
    return limit


def check_callback(callback: Any) -> Any:
    """Return what is to be told how far long work is, or None; refuse what cannot be called."""
    if callback is not None and not callable(callback):
        raise ParameterError(f"callback must be callable or None, got {callback!r}")
    return callback


def check_seed(random_state: Any) -> np.random.RandomState:
    """Return the random numbers that `random_state` stands for.

    Those of a `Generator` are drawn from it, so it goes on, as a `RandomState` does.

    Examples
    --------
    >>> check_seed(np.random.default_rng(0)).randint(10) == check_seed(
    ...     np.random.default_rng(0)
    ... ).randint(10)
    True
    """
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.bit_generator)
    try:
        numbers: np.random.RandomState = check_random_state(random_state)
    except ValueError as error:
        raise ParameterError(
            f"must be {SEEDS}, got {random_state!r}", about="random_state"
        ) from error
    return numbers


def check_unchanged(model: Any) -> None:
    """Refuse to go on learning if a parameter that shaped what was learned is another now."""
    for name, learned in vars(model).items():
        parameter = name.removeprefix(LEARNED)
        if parameter != name and getattr(model, parameter) != learned:
            raise ParameterError(
                f"{parameter} was {learned!r} when the model was learned and is "
                f"{getattr(model, parameter)!r} now, which does not go with what was learned; "
                "set it back, or learn anew with fit"
            )
