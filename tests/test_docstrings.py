"""What is documented is what is there: parameters as in the signature, an example for each."""

import ast
import inspect
import re

import pytest
from sklearn.base import BaseEstimator

import rosenblatt

PUBLIC = [getattr(rosenblatt, name) for name in rosenblatt.__all__]
ESTIMATORS = [c for c in PUBLIC if inspect.isclass(c) and issubclass(c, BaseEstimator)]


def section(cls, title):
    """Return the names documented under a title, several on a line allowed."""
    match = re.search(rf"{title}\n-+\n(.*?)(?:\n\n[A-Z]\w+\n-+\n|\Z)", inspect.getdoc(cls), re.S)
    lines = [line for line in match[1].splitlines() if line and not line.startswith(" ")]
    return [name.strip() for line in lines for name in line.split(":")[0].split(",")]


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_documented_parameters_are_the_signature(cls):
    assert sorted(section(cls, "Parameters")) == sorted(inspect.signature(cls).parameters)


NEED_ARGUMENTS = {rosenblatt.ThresholdUnit, rosenblatt.BayesClassifier, rosenblatt.OnlinePipeline}
TEXTS = {rosenblatt.BagOfWords}


@pytest.mark.parametrize("cls", [c for c in ESTIMATORS if c not in NEED_ARGUMENTS])
def test_documented_attributes_are_there_after_fit(cls):
    X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    model = cls().fit(["a", "b", "a b", "c"] if cls in TEXTS else X, [0, 0, 0, 1])
    documented = set(section(cls, "Attributes")) - {"feature_names_in_"}
    there = {name for name in dir(model) if name.endswith("_") and not name.startswith("_")}
    assert documented == there - {"feature_names_in_"}


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
