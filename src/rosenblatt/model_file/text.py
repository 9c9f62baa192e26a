"""Everything that a model file holds: as lines to read, and as plain data for machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rosenblatt.errors import ModelFileError
from rosenblatt.model_file.parts import fields_of, is_part
from rosenblatt.types import Array

SHORT = 200  # numbers of an array that is shown in full
AT_THE_ENDS = 5  # numbers shown at either end of a longer one
SHORT_LIST = 70  # letters of a list that is shown on one line


def text_of(model: Any, recipe: Any, made: dict[str, Any]) -> str:
    """Return what was saved as text, all of it; of long arrays the first and last few numbers.

    Examples
    --------
    >>> from rosenblatt import ThresholdUnit
    >>> print(text_of(ThresholdUnit([-1.5, 1, 1]), None, {"by": "hand"}))
    ThresholdUnit
      tie: '-1'
      weights: [-1.5, 1, 1]
    made
      by: 'hand'
    """
    lines = [*_model_lines(model)]
    if recipe is not None:
        lines += ["recipe", *_value_lines(recipe.to_dict(), "  ")]
    if made:
        lines += ["made", *_value_lines(made, "  ")]
    return "\n".join(lines)


def facts_in(model: Any, recipe: Any, made: dict[str, Any]) -> dict[str, Any]:
    """Return what was saved, for JSON; arrays in full.

    Examples
    --------
    >>> from rosenblatt import ThresholdUnit
    >>> facts_in(ThresholdUnit([-1.5, 1, 1]), None, {})["model"]["parameters"]
    {'tie': '-1', 'weights': [-1.5, 1, 1]}
    """
    recipe = None if recipe is None else recipe.to_dict()
    return {"model": _plain(model), "recipe": recipe, "made": made}


def _model_lines(model: Any, indent: str = "") -> Iterator[str]:
    """Return the class of a model and, below it, its parameters and what it learned."""
    yield f"{indent}{type(model).__name__}"
    parameters = model.get_params(deep=False)
    learned = {name: value for name, value in vars(model).items() if name not in parameters}
    steps = parameters.pop("steps", [])
    yield from _value_lines(parameters | learned, indent + "  ")
    for name, step in steps:
        yield f"{indent}  step {name!r}"
        if isinstance(step, BaseEstimator):
            yield from _model_lines(step, indent + "    ")
        else:
            yield f"{indent}    {step!r}"


def _value_lines(values: dict[str, Any], indent: str) -> Iterator[str]:
    """Return named values, one below the other."""
    for key, value in values.items():
        name = key if key.isprintable() else repr(key)  # a file must not steer the terminal
        below = list(_below(value, indent + "  "))
        text = _on_one_line(value) if not below else _heading(value)
        yield f"{indent}{name}: {text}".rstrip()
        yield from below


def _heading(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}"
    return "" if isinstance(value, dict) else type(value).__name__


def _on_one_line(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {_numbers(value)}"
    return repr(value)


def _below(value: Any, indent: str) -> Iterator[str]:
    """Return what does not fit on the line with the name."""
    if isinstance(value, np.ndarray):
        lines = _numbers(value).splitlines()
        if len(lines) > 1 or len(lines[0]) > SHORT_LIST:
            yield from (indent + line for line in lines)
    elif type(value) in (list, tuple):
        if any(not _is_plain(item) for item in value) or len(repr(value)) > SHORT_LIST:
            yield from _value_lines({str(k): item for k, item in enumerate(value)}, indent)
    elif isinstance(value, dict):
        yield from _value_lines(value, indent)
    elif is_part(value, "Vocabulary"):
        words = {"most_words": value.most_words, "words": value.all_names()}
        yield from _value_lines(words | {"hashes": value.hashes}, indent)
    elif not _is_plain(value):
        yield from _value_lines(fields_of(value, "")[1], indent)


def _is_plain(value: Any) -> bool:
    if type(value) in (list, tuple):
        return all(_is_plain(item) for item in value)
    return value is None or isinstance(value, (bool, int, float, str, np.generic))


def _numbers(value: Array) -> str:
    return np.array2string(
        value,
        threshold=SHORT,
        edgeitems=AT_THE_ENDS,
        max_line_width=100,
        floatmode="unique",
        separator=" ",
    )


def _plain(value: Any) -> Any:
    if isinstance(value, BaseEstimator):
        parameters = value.get_params(deep=False)
        learned = {key: part for key, part in vars(value).items() if key not in parameters}
        return {
            "class": type(value).__name__,
            "parameters": _plain(parameters),
            "learned": _plain(learned),
        }
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple) and not hasattr(value, "_asdict"):
        return [_plain(part) for part in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, complex):
        return [value.real, value.imag]
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return value
    return _plain_part(value)


def _plain_part(value: Any) -> Any:
    try:
        name, fields = fields_of(value, "")
    except ModelFileError:
        return repr(value)
    return {"class": name, **_plain(dict(fields))}
