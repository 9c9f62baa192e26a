"""Errors that a caller may tell apart are in the tree on top of `errors`, and are raised."""

import builtins
import inspect
import re

import numpy as np
import pytest

import rosenblatt
from rosenblatt import errors
from tests.examples import XOR_X, XOR_Y


def classes():
    return {
        name: value
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.RosenblattError)
    }


def drawn():
    """Return the lines of the tree: depth, name, the built-in beside it."""
    tree = re.findall(r"^ {4}( *)(\w+Error) *(?:\((\w+)\))?", errors.__doc__, re.M)
    return [(len(indent) // 2, name, built_in) for indent, name, built_in in tree]


def test_the_tree_shows_every_class_below_the_one_that_it_is_of():
    above = []
    for depth, name, built_in in drawn():
        above[depth:] = [classes()[name]]
        if depth:
            assert issubclass(classes()[name], above[depth - 1])
        if built_in:
            assert issubclass(classes()[name], getattr(builtins, built_in))
    assert {name for _, name, _ in drawn()} == set(classes()) == set(errors.__all__)


def test_every_error_of_the_tree_is_public():
    assert set(classes()) <= set(rosenblatt.__all__)


NUMBERS = [[0.0], [1.0], [2.0], [3.0]]


@pytest.mark.parametrize(
    ("work", "error"),
    [
        (lambda: rosenblatt.read("not-there.csv"), errors.DataFileError),
        (lambda: rosenblatt.read("."), errors.DataError),
        (lambda: rosenblatt.Perceptron().fit(NUMBERS, [0, 0, 0, 0]), errors.LabelError),
        (lambda: rosenblatt.Perceptron().fit(NUMBERS, [0, 1]), errors.LabelError),
        (lambda: rosenblatt.Perceptron().fit(NUMBERS, None), errors.LabelError),
        (lambda: rosenblatt.Perceptron(speed=3), errors.UnknownParameterError),
        (lambda: rosenblatt.max_margin(XOR_X, XOR_Y), errors.NoMarginError),
        (lambda: rosenblatt.prove(XOR_X, XOR_Y, time_limit=1e-9), errors.NoProofInTimeError),
        (lambda: rosenblatt.load("not-there"), errors.ModelFileError),
    ],
)
def test_what_went_wrong_is_told_by_the_class(work, error):
    with pytest.raises(errors.RosenblattError) as caught:
        work()
    assert type(caught.value) is error


def test_numbers_that_are_not_finite_are_no_matter_of_labels():
    with pytest.raises(errors.DataError) as caught:
        rosenblatt.Perceptron().fit([[np.nan], [1.0]], [0, 1])
    assert not isinstance(caught.value, errors.LabelError | errors.DataFileError)
