"""Everything that is in a model file, as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rosenblatt.errors import ModelFileError
from rosenblatt.model_file.parts import fields_of
from rosenblatt.workflows.apply import Saved


def dump(saved: Saved) -> dict[str, Any]:
    """Return the model, its recipe and how it was made, for JSON; arrays in full.

    Examples
    --------
    >>> from rosenblatt import ThresholdUnit
    >>> dump(Saved(ThresholdUnit([-1.5, 1, 1]), None, {}))["model"]["parameters"]
    {'tie': '-1', 'weights': [-1.5, 1, 1]}
    """
    recipe = None if saved.recipe is None else saved.recipe.to_dict()
    return {"model": _facts(saved.model), "recipe": recipe, "made": saved.made}


def _facts(value: Any) -> Any:
    if isinstance(value, BaseEstimator):
        parameters = value.get_params(deep=False)
        learned = {key: part for key, part in vars(value).items() if key not in parameters}
        return {
            "class": type(value).__name__,
            "parameters": _facts(parameters),
            "learned": _facts(learned),
        }
    if isinstance(value, dict):
        return {key: _facts(part) for key, part in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_asdict"):
        return [_facts(part) for part in value]
    if isinstance(value, np.ndarray):
        return _facts(value.tolist())
    if isinstance(value, complex):
        return [value.real, value.imag]
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return value
    return _part(value)


def _part(value: Any) -> Any:
    try:
        name, fields = fields_of(value, "")
    except ModelFileError:
        return repr(value)
    return {"class": name, **_facts(dict(fields))}
