"""A command that was not understood, in our own words: what was expected, what came, what to do."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

# What the parser says of a value, and what is meant
LIMITS = (
    (re.compile(r"greater than or equal to (\S+)"), "must be from {} on"),
    (re.compile(r"less than or equal to (\S+)"), "must be at most {}"),
    (re.compile(r"valid (?:integer|int)"), "must be a whole number"),
    (re.compile(r"valid (?:number|float)"), "must be a number"),
)
# Options that people look for, and where what they stand for is
ELSEWHERE = {
    "--epochs": "`fit` and `trace` take it",
    "--max-epochs": "`fit` and `trace` take --epochs",
    "--max-iter": "`fit` and `trace` take --epochs",
    "--max-updates": "`fit` and `trace` take --updates",
    "--label": "-t names the column of the labels",
    "--model": "the model is named without an option",
}
NEAR = 0.75  # of 1: below it a name that looks alike means something else


def said_of_usage(error: Any, given: Sequence[str]) -> str:
    """Return what is wrong with the arguments that were given, and where to look."""
    problem = _problem(error, given)
    return f"{problem}{' See' if problem.endswith('?') else '; see'} {_path(error)} --help"


def _problem(error: Any, given: Sequence[str]) -> str:
    said = str(error.format_message()).rstrip(".")
    parameter = getattr(error, "param", None)
    kind = type(error).__name__
    if kind == "NoSuchOption":
        return f"there is no option {error.option_name}{_hint(error)}"
    if kind == "MissingParameter" and parameter is not None:
        about = str(getattr(parameter, "help", None) or "").rstrip(".")
        return f"{_name(parameter)} is missing" + (f"; expected: {about}" if about else "")
    if kind == "BadParameter" and parameter is not None:
        return _limit(error.message, parameter, given) or said
    extra = re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", said)
    if extra:
        takes = " and ".join(
            _name(p) for p in error.ctx.command.params if p.param_type_name == "argument"
        )
        return f"{_path(error)} takes {takes or 'no arguments'}, got {extra[1]!r} beside"
    return said.removeprefix("Invalid value: ")


def _hint(error: Any) -> str:
    if error.option_name in ELSEWHERE:
        return f"; {ELSEWHERE[error.option_name]}"
    parameters = error.ctx.command.params if error.ctx is not None else []
    there = [flag for parameter in parameters for flag in parameter.opts]
    near = get_close_matches(error.option_name, there, n=1, cutoff=NEAR)
    return f"; did you mean {near[0]}?" if near else ""


def _limit(message: str, parameter: Any, given: Sequence[str]) -> str:
    """Say which values a parameter may have, and which one was given."""
    for pattern, words in LIMITS:
        found = pattern.search(message)
        if found:
            limit = words.format(*found.groups())
            return f"{_name(parameter)} {limit}, got {_value(parameter.opts, given)!r}"
    return ""


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).strip("[].").upper()
    return str(max(parameter.opts, key=len))


def _value(flags: Sequence[str], given: Sequence[str]) -> str:
    """Return what was given for an option."""
    for flag in flags:
        for k, word in enumerate(given):
            if word == flag and k + 1 < len(given):
                return given[k + 1]
            if word.startswith(f"{flag}="):
                return word.removeprefix(f"{flag}=")
    return ""


def _path(error: Any) -> str:
    return str(error.ctx.command_path) if error.ctx is not None else "rosenblatt"
