"""A model as text: everything that a file of it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from rosenblatt.model_file.parts import fields_of, is_part
from rosenblatt.types import Array

SHORT = 200  # numbers of an array that is shown in full
AT_THE_ENDS = 5  # numbers shown at either end of a longer one
SHORT_LIST = 70  # letters of a list that is shown on one line


def model_lines(model: Any, indent: str = "") -> Iterator[str]:
    """Return the class of a model and, below it, its parameters and what it learned."""
    yield f"{indent}{type(model).__name__}"
    parameters = model.get_params(deep=False)
    learned = {name: value for name, value in vars(model).items() if name not in parameters}
    steps = parameters.pop("steps", [])
    yield from value_lines(parameters | learned, indent + "  ")
    for name, step in steps:
        yield f"{indent}  step {name!r}"
        if isinstance(step, BaseEstimator):
            yield from model_lines(step, indent + "    ")
        else:
            yield f"{indent}    {step!r}"


def value_lines(values: dict[str, Any], indent: str) -> Iterator[str]:
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
            yield from value_lines({str(k): item for k, item in enumerate(value)}, indent)
    elif isinstance(value, dict):
        yield from value_lines(value, indent)
    elif is_part(value, "Vocabulary"):
        words = {"most_words": value.most_words, "words": value.all_names()}
        yield from value_lines(words | {"hashes": value.hashes}, indent)
    elif not _is_plain(value):
        yield from value_lines(fields_of(value, "")[1], indent)


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
