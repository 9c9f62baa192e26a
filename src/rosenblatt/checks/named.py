"""Parameters that a class does not have, refused by the name of the class that the user called.

Python itself names the base class that happens to have the `__init__`, and gives no hint.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from rosenblatt.checks.parameters import did_you_mean
from rosenblatt.errors import UnknownParameterError

# What other libraries call a parameter, and what it is called here
SYNONYMS = {
    "max_iter": ("max_epochs", "epochs"),
    "n_iter": ("max_epochs", "epochs"),
    "n_epochs": ("max_epochs", "epochs"),
    "epochs": ("max_epochs",),
    "max_epochs": ("epochs",),
    "eta0": ("eta",),
    "learning_rate": ("eta",),
    "tol": ("epsilon",),
    "seed": ("random_state",),
    "rng": ("random_state",),
    "class_prior": ("priors",),
    "fit_prior": ("priors",),
    "ngram_range": ("ngrams",),
    "n_features": ("bits",),
    "binary": ("counts",),
}
# What is done in another way here
OTHERWISE = {
    "class_weight": "give each row a weight instead: fit(X, y, sample_weight=weights)",
    "verbose": "pass a function to fit instead, as its callback",
}


class Named:
    """A class that takes its parameters by name, and knows what others call them."""

    __signature__: ClassVar[inspect.Signature]

    def __init_subclass__(cls, **how: Any) -> None:
        """Keep the signature of `__init__`, which `__new__` would hide."""
        super().__init_subclass__(**how)
        whole = inspect.signature(cls.__init__)
        cls.__signature__ = whole.replace(parameters=list(whole.parameters.values())[1:])

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Refuse parameters that `__init__` does not have."""
        _check_names(cls.__name__, cls.__signature__.parameters, given, named)
        return super().__new__(cls)


def _check_names(
    cls: str,
    parameters: Mapping[str, inspect.Parameter],
    given: tuple[Any, ...],
    named: dict[str, Any],
) -> None:
    kinds = [parameter.kind for parameter in parameters.values()]
    if inspect.Parameter.VAR_KEYWORD in kinds or inspect.Parameter.VAR_POSITIONAL in kinds:
        return
    n_places = kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(given) > n_places:
        raise UnknownParameterError(
            f"{cls} takes parameters by their names, got {given[n_places]!r} without one",
            do="its parameters are {listed}",
            in_shell="",
            listed=", ".join(parameters) or "none",
        )
    for name in named:
        if name not in parameters:
            raise UnknownParameterError(
                f"{cls} has no parameter {name!r}",
                do="{hint}",
                in_shell="",
                hint=_hint(name, parameters),
            )


def _hint(name: str, parameters: Mapping[str, inspect.Parameter]) -> str:
    if name in OTHERWISE:
        return OTHERWISE[name]
    here = next((other for other in SYNONYMS.get(name, ()) if other in parameters), None)
    if here is not None:
        return f"did you mean {here!r}?"
    return did_you_mean(name, parameters) or f"it has {', '.join(parameters) or 'none'}"
