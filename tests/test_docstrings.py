"""What is documented is what is there: parameters as in the signature, an example for each."""

import ast
import inspect
import re

import pytest
from numpydoc.validate import validate
from sklearn.base import BaseEstimator

import rosenblatt
from rosenblatt import mail
from rosenblatt.data.examples import Examples
from rosenblatt.workflows.compare import Comparison
from rosenblatt.workflows.explaining import Explanations, TellingFeatures
from rosenblatt.workflows.fit_report import FitReport
from rosenblatt.workflows.report.page import ReportPage

PUBLIC = [getattr(rosenblatt, name) for name in rosenblatt.__all__]
ESTIMATORS = [c for c in PUBLIC if inspect.isclass(c) and issubclass(c, BaseEstimator)]


def section(cls, title):
    """Return the names documented under a title, several on a line allowed."""
    match = re.search(rf"{title}\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", inspect.getdoc(cls), re.S)
    assert match, f"{cls.__name__} has no section {title}"
    lines = [line for line in match[1].splitlines() if line and not line.startswith(" ")]
    return [name.strip(" *") for line in lines for name in line.split(":")[0].split(",")]


def public_functions():
    """Return every function that a user may call, by the name of its home."""
    rooms = [rosenblatt, rosenblatt.lab, rosenblatt.plot, mail]
    return {
        f"{room.__name__}.{name}": getattr(room, name)
        for room in rooms
        for name in room.__all__
        if inspect.isfunction(getattr(room, name))
    }


def public_classes():
    """Return every class that a user may make or be given."""
    rooms = [rosenblatt, rosenblatt.lab, mail]
    return {
        name: getattr(room, name)
        for room in rooms
        for name in room.__all__
        if inspect.isclass(getattr(room, name))
    }


FUNCTIONS = public_functions()
# classes without a public name, of which users get objects
GIVEN = [Examples, FitReport, Comparison, TellingFeatures, Explanations, ReportPage]
# those that a user makes: others come from functions, and have their fields explained
MADE = {"TextBlocks": rosenblatt.TextBlocks}


def methods_with_parameters():
    """Return the public methods that list their parameters."""
    found = {}
    for cls in public_classes().values():
        for name, method in inspect.getmembers(cls, inspect.isfunction):
            ours = method.__module__.startswith("rosenblatt") and not name.startswith("_")
            if ours and "Parameters\n---" in (inspect.getdoc(method) or ""):
                found[f"{cls.__name__}.{name}"] = method
    return found


METHODS = methods_with_parameters()


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS, *MADE])
def test_documented_parameters_of_a_function_are_its_signature(name):
    function = (FUNCTIONS | METHODS | MADE)[name]
    taken = [
        parameter for parameter in inspect.signature(function).parameters if parameter != "self"
    ]
    assert section(function, "Parameters") == taken


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS, *MADE])
def test_defaults_of_a_function_in_words_are_the_defaults(name):
    function = (FUNCTIONS | METHODS | MADE)[name]
    for parameter in inspect.signature(function).parameters.values():
        named = rf"^(?:\w+, )*{parameter.name}(?:, \w+)* : .*default=(.+)$"
        said = re.search(named, inspect.getdoc(function), re.M)
        if parameter.default is inspect.Parameter.empty:
            assert said is None, parameter.name
        else:
            assert said is not None, parameter.name
            assert ast.literal_eval(said[1]) == parameter.default


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_returns_and_has_an_example(name):
    text = inspect.getdoc(FUNCTIONS[name])
    assert ">>> " in text
    if inspect.signature(FUNCTIONS[name]).return_annotation not in (None, "None"):
        assert "\nReturns\n-------\n" in text


def test_every_public_class_says_what_it_is():
    for name, cls in public_classes().items():
        assert inspect.getdoc(cls), name
        for method, member in inspect.getmembers(cls, inspect.isfunction):
            if not method.startswith("_") and member.__module__.startswith("rosenblatt"):
                assert member.__doc__, f"{name}.{method}"


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_documented_parameters_are_the_signature(cls):
    assert sorted(section(cls, "Parameters")) == sorted(inspect.signature(cls).parameters)


# There after a fit that was asked for them
ON_REQUEST = {"feature_names_in_", "calibration_", "threshold_", "alpha_", "loo_error_"}
NEED_ARGUMENTS = {
    rosenblatt.BayesClassifier,
    rosenblatt.OnlinePipeline,
    rosenblatt.TableModel,
    rosenblatt.ThresholdUnit,
}
TEXTS = {rosenblatt.BagOfWords}


@pytest.mark.parametrize("cls", [c for c in ESTIMATORS if c not in NEED_ARGUMENTS])
def test_documented_attributes_are_there_after_fit(cls):
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    model = cls().fit(["a", "b", "a b", "c"] if cls in TEXTS else X, [0, 0, 0, 1])
    documented = set(section(cls, "Attributes")) - ON_REQUEST
    there = {name for name in dir(model) if name.endswith("_") and not name.startswith("_")}
    assert documented == there - ON_REQUEST


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_defaults_in_words_are_the_defaults(cls):
    for name, parameter in inspect.signature(cls).parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            line = re.search(rf"^{name} : .*$", inspect.getdoc(cls), re.M)[0]
            assert ast.literal_eval(line.split("default=")[1]) == parameter.default


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_estimator_has_an_example(cls):
    assert ">>> " in inspect.getdoc(cls)


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_public_methods_have_docstrings(cls):
    for name, member in inspect.getmembers(cls, inspect.isfunction):
        if not name.startswith("_") and member.__module__.startswith("rosenblatt"):
            assert member.__doc__, f"{cls.__name__}.{name}"


# What rooms ask each other for, on classes that users have: verbs over rows, parts of proofs
INSIDE = {
    *("among", "changed", "each", "fold", "mix", "near", "of_classes", "one_pass", "take", "total"),
    *("begin_stream", "widen", "named_as", "rows_of", "unweighed", "weighed_by"),
    *("advise", "content", "of", "read", "said_in", "titled", "verify"),
}


def methods_for_users():
    """Return every public method that a user calls, by where it is defined."""
    found = set()
    for cls in [*public_classes().values(), *GIVEN]:
        members = inspect.getmembers(cls, lambda member: inspect.isroutine(member))
        for name, method in members:
            ours = (getattr(method, "__module__", "") or "").startswith("rosenblatt")
            if ours and not name.startswith("_") and name not in INSIDE:
                found.add(f"{method.__module__}.{method.__qualname__}")
    return sorted(found)


def made_by_users():
    """Return the functions, and the classes that users make; others come from functions."""
    made = [*ESTIMATORS, *MADE.values(), rosenblatt.lab.LineTarget, rosenblatt.lab.CircleTarget]
    return sorted(f"{one.__module__}.{one.__name__}" for one in [*FUNCTIONS.values(), *made])


def test_numpydoc_finds_every_parameter_and_what_is_returned():
    """PR01, PR02: the parameters are those of the signature, all of them; RT01: what comes back."""
    looked_at = [*made_by_users(), *methods_for_users()]
    assert len(looked_at) > 90
    wrong = [
        (name, code, said)
        for name in looked_at
        for code, said in validate(name)["errors"]
        if code in ("PR01", "PR02", "PR03", "PR04", "PR07", "RT01", "RT03", "GL08", "SS01", "SS03")
    ]
    assert wrong == []
