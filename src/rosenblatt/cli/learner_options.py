"""The parameters of learners as options: which there are, and how they are written."""

import inspect
import math
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from rosenblatt.cli.options import one_of
from rosenblatt.errors import OPTIONS, ParameterError
from rosenblatt.workflows.parameters import PARAMETERS, Option

METAVARS = {"word": "WORD", "count": "N", "number": "NUMBER", "numbers": "W0,W1,..."}


def with_parameters(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command options for parameters; it gets those that are used as `parameters`.

    Examples
    --------
    >>> @with_parameters("rule", "fit_intercept")
    ... def show_command(data: str, *, parameters: dict) -> dict:
    ...     return parameters
    >>> list(inspect.signature(show_command).parameters)
    ['data', 'rule', 'fit_intercept']
    >>> show_command("lecture", rule="first", fit_intercept=True)
    {'rule': 'first', 'fit_intercept': False}
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def called(*arguments: Any, **options: Any) -> Any:
            given = {name: options.pop(name, None) for name in names}
            read = {name: _read(name, v) for name, v in given.items() if v not in (None, False)}
            return command(*arguments, **options, parameters=read)

        signature = inspect.signature(command)
        shown = [p for p in signature.parameters.values() if p.name != "parameters"]
        hints = {key: v for key, v in command.__annotations__.items() if key != "parameters"}
        kind = inspect.Parameter.KEYWORD_ONLY
        for name in names:
            hints[name], default = _option(name)
            shown.append(inspect.Parameter(name, kind, default=default, annotation=hints[name]))
        called.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]  # what Typer reads
        called.__annotations__ = hints
        return called

    return decorate


def _option(name: str) -> tuple[Any, Any]:
    """Return the type of a parameter for Typer, and its default."""
    option = PARAMETERS[name]
    said = option.help.format(choices=_listed(option.choices))
    if option.kind == "off":
        return Annotated[bool, typer.Option(OPTIONS[name], help=said)], False
    shown = typer.Option(
        OPTIONS[name],
        metavar=METAVARS[option.kind],
        help=said,
        autocompletion=one_of(*option.choices) if option.choices else None,
    )
    return Annotated[str | None, shown], None


def _listed(choices: tuple[str, ...]) -> str:
    *others, last = choices or ("",)
    return f"{', '.join(others)} or {last}" if others else last


def _read(name: str, given: Any) -> Any:
    """Return the value of an option as the parameter wants it; the learner checks it."""
    option: Option = PARAMETERS[name]
    if option.kind == "off":
        return False
    if option.kind == "word" or given in option.choices:
        return given
    try:
        if option.kind == "count":
            return int(given)
        if option.kind == "numbers":
            return numbers_in(given)
        return float(given)
    except ValueError as error:
        wanted = {"count": "a whole number", "number": "a number"}.get(
            option.kind, "numbers with commas between them"
        )
        words = f" or {_listed(option.choices)}" if option.choices else ""
        raise ParameterError(f"must be {wanted}{words}, got {given!r}", about=name) from error


def numbers_in(given: str) -> list[float]:
    """Return the finite numbers between commas; a ValueError if they are none.

    Examples
    --------
    >>> numbers_in("-7, 3")
    [-7.0, 3.0]
    """
    found = [float(number) for number in given.split(",")]
    if not all(map(math.isfinite, found)):
        raise ValueError(f"{given} is not finite")
    return found
