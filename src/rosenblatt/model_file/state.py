"""Estimators as JSON and arrays, and back: class, parameters, what was learned."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rosenblatt import HOMES
from rosenblatt.checks.parameters import LEARNED
from rosenblatt.errors import ModelFileError
from rosenblatt.linear.stream import OneByOne
from rosenblatt.model_file import bayes_checks, linear_checks
from rosenblatt.model_file.attributes import OTHERS, check_attributes
from rosenblatt.model_file.parameter_checks import LATER, LATER_OF, check_parameters
from rosenblatt.model_file.values import Reader, Writer

# The classes that a file can ask for, and where they are: nothing else is ever looked up.
# All that is public in these rooms is an estimator.
ESTIMATORS = ("rosenblatt.linear.", "rosenblatt.bayes.", "rosenblatt.text.")
CLASSES = {name: home for name, home in HOMES.items() if home.startswith(ESTIMATORS)} | {
    "MailFilter": "rosenblatt.mail.filter.estimator",
    "Pipeline": "sklearn.pipeline",
    "StandardScaler": "sklearn.preprocessing",
    "Normalizer": "sklearn.preprocessing",
    "DenseScaler": "rosenblatt.linear.scaling",
}
CHECKS = linear_checks.CHECKS | bayes_checks.CHECKS | OTHERS  # of the attributes, by class
EMPTY = (None, "passthrough")
DEEPEST = 8  # pipelines in pipelines


def state_of(model: Any, writer: Writer, where: str = "", depth: int = 0) -> dict[str, Any]:
    """Return a model as JSON; its arrays go to the writer."""
    name = _name_of(model)
    if depth > DEEPEST:
        raise ModelFileError(f"pipelines lie in each other more than {DEEPEST} deep")
    parameters = model.get_params(deep=False)
    if isinstance(model, Pipeline):
        if parameters.pop("memory") is not None:
            raise ModelFileError(
                "a pipeline with a memory cannot be saved", do="set {memory:None}", in_shell=""
            )
        steps = [
            [label, step if step in EMPTY else state_of(step, writer, f"{where}{k}/", depth + 1)]
            for k, (label, step) in enumerate(parameters.pop("steps"))
        ]
        return {"class": name, "steps": steps, "parameters": _written(parameters, writer, where)}
    told = {key: value for key, value in parameters.items() if not _is_left_out(name, key, value)}
    written = _written(told, writer, f"{where}parameters/")
    attributes = _attributes_of(model, name, parameters)
    return {
        "class": name,
        "parameters": written,
        "attributes": _written(attributes, writer, where),
    }


def model_of(state: Any, reader: Reader, depth: int = 0) -> Any:
    """Return the model that `state_of` described; a ValueError if it is none of ours."""
    name, parameters = state["class"], _read(state["parameters"], reader)
    if name not in CLASSES or depth > DEEPEST:
        raise ValueError(f"{str(name)[:80]!r} is no model of this version")
    kind = getattr(import_module(CLASSES[name]), name)
    known = set(kind._get_param_names()) - {"steps", "memory"}
    if not set(parameters) <= known:
        raise ValueError(f"{name} has no parameter {min(set(parameters) - known)[:80]!r}")
    check_parameters(name, parameters)
    if issubclass(kind, Pipeline):
        return kind(_steps_of(state, reader, depth), **parameters)
    attributes = _read(state["attributes"], reader)
    if attributes:
        check_attributes(name, CHECKS[name], parameters, attributes)
    model = kind(**parameters)
    vars(model).update(_repeats(name, model, attributes) | attributes)
    check_is_fitted(model)
    return model


def _name_of(model: Any) -> str:
    kind = type(model)
    name: str = kind.__name__
    if name not in CLASSES or getattr(import_module(CLASSES[name]), name) is not kind:
        raise ModelFileError(
            f"{name} cannot be saved: a model file holds the estimators of rosenblatt, "
            "StandardScaler, Normalizer, and pipelines of them",
            do="keep others with joblib or skops",
        )
    return name


def _attributes_of(model: Any, name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    try:
        check_is_fitted(model)
    except ValueError as error:
        raise ModelFileError(f"this {name} has learned nothing yet; call fit first") from error
    if isinstance(model, OneByOne):
        model.end_stream()
    attributes = {key: value for key, value in vars(model).items() if key not in parameters}
    try:
        check_parameters(name, parameters)
        attributes = _without_repeats(attributes, parameters)
        if attributes:
            check_attributes(name, CHECKS[name], parameters, attributes)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ModelFileError(
            f"this {name} was changed since it was fitted: {error}; fit it again"
        ) from error
    return attributes


def _without_repeats(attributes: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """Leave out how parameters were while learning if they are so still: no file ever said it."""
    repeats = {
        key
        for key, value in attributes.items()
        if key.startswith(LEARNED) and _is_same(value, parameters[key.removeprefix(LEARNED)])
    }
    return {key: value for key, value in attributes.items() if key not in repeats}


def _is_left_out(name: str, parameter: str, value: Any) -> bool:
    later = LATER | LATER_OF.get(name, {})
    return parameter in later and _is_same(value, later[parameter])


def _is_same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _repeats(name: str, model: Any, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return how parameters were while learning, where the file does not say it: as they are."""
    learned = [key for key in CHECKS[name] if key.startswith(LEARNED)] if attributes else []
    return {key: getattr(model, key.removeprefix(LEARNED)) for key in learned}


def _steps_of(state: Any, reader: Reader, depth: int) -> list[tuple[str, Any]]:
    steps = []
    for label, step in state["steps"]:
        if type(label) is not str:
            raise ValueError("a step of a pipeline has no name")
        steps.append((label, step if step in EMPTY else model_of(step, reader, depth + 1)))
    if not steps:
        raise ValueError("a pipeline has no steps")
    return steps


def _written(values: dict[str, Any], writer: Writer, where: str) -> dict[str, Any]:
    return {name: writer.write(value, f"{where}{name}") for name, value in values.items()}


def _read(nodes: Any, reader: Reader) -> dict[str, Any]:
    return {name: reader.read(node) for name, node in nodes.items()}
