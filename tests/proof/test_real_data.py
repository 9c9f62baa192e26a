"""Public data, where the folder `../shared/data` is there: proved and checked, whichever it is."""

import lzma
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from rosenblatt import prove
from tests.data.files import shared
from tests.proof.evidence import assert_minimal, assert_true

CSV = {
    "sonar": "uci-small/sonar.csv.xz",
    "ionosphere": "uci-small/ionosphere.csv.xz",
    "banknote": "uci-small/banknote_authentication.csv.xz",
    "pima": "uci-small/pima-indians-diabetes.csv.xz",
    "spambase": "spambase/spambase.data.xz",
}
SVMLIGHT = {name: f"libsvm/{name}.xz" for name in ("mushrooms", "a9a", "w8a")}


def opened(name):
    return lzma.open(shared(name))


def numbers_and_label(name):
    """Read lines of numbers, the label last."""
    with opened(name) as file:
        table = np.loadtxt(file, dtype=str, delimiter=",")
    return table[:, :-1].astype(np.float64), table[:, -1]


def assert_proved(X, y):
    proof = prove(X, y)
    assert proof.check(X, y)
    if proof.separable:
        # in fractions where it is closest
        scores = X @ proof.w[1:] + proof.w[0]
        assert ((scores > 0) == (y == proof.question.positive)).all()
        nearest = np.argsort(abs(scores))[:200]
        assert_true(proof, X[nearest], y[nearest].tolist())
        return
    # in fractions on the rows of the contradiction alone
    few, labels = X[proof.indices], y[proof.indices].tolist()
    assert len(proof.indices) <= X.shape[1] + 2
    part = replace(proof, indices=np.arange(len(proof.indices)))
    assert_true(part, few, labels)
    assert_minimal(part, few, labels)


@pytest.mark.parametrize("name", CSV)
def test_tables_of_numbers_are_proved(name):
    assert_proved(*numbers_and_label(CSV[name]))


@pytest.mark.parametrize("name", SVMLIGHT)
def test_sparse_rows_are_proved(name):
    with opened(SVMLIGHT[name]) as file:
        X, y = load_svmlight_file(file)
    assert_proved(X, y)


@pytest.mark.soak
def test_the_second_class_of_covtype_is_proved():
    with opened("covtype/covtype.csv.xz") as file:
        table = np.loadtxt(file, delimiter=",", skiprows=1)
    assert table.shape == (581_012, 55)
    assert_proved(table[:, :-1], table[:, -1] == 2)
