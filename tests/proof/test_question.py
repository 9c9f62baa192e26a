"""Which questions the classes raise, and what the door refuses."""

import math

import numpy as np
import pytest

from rosenblatt import Contradiction, DataError, ParameterError, ProofError, Proofs, prove
from tests.examples import KINDS, XOR_X, XOR_Y, random_data
from tests.proof.evidence import assert_minimal, assert_true


@pytest.mark.parametrize(
    ("way", "keys"),
    [
        ("one-vs-rest", ["a", "b", "c"]),
        ("one-vs-one", [("a", "b"), ("a", "c"), ("b", "c")]),
    ],
)
@pytest.mark.parametrize("kind", ["dense float64", "csr float32 int64"])
def test_more_than_two_classes_have_a_proof_for_each_question(way, keys, kind):
    for seed in range(5):
        data = random_data(seed, 12, 2, n_classes=3)
        X, y = KINDS[kind](data.X), [("a", "b", "c")[label] for label in data.y]
        proofs = prove(X, y, multiclass=way)
        assert isinstance(proofs, Proofs)
        assert list(proofs) == keys
        assert len(proofs) == 3
        assert proofs.check(X, y)
        assert proofs.separable == all(proof.separable for proof in proofs.values())
        for key, proof in proofs.items():
            # the last of a pair is the positive class, as in scikit-learn
            asked = (proof.question.negative, proof.question.positive)
            assert asked == (key if way == "one-vs-one" else (None, key))
            assert_true(proof, X, y)
            assert_minimal(proof, X, y)
            assert str(proofs).count(str(proof.question)) == 1


def test_a_proof_of_more_classes_is_refused_on_other_labels():
    X, y = [[0], [1], [5], [6], [9]], ["a", "a", "b", "b", "c"]
    proofs = prove(X, y)
    with pytest.raises(ProofError, match="this proof is about other data: the labels of row 1"):
        proofs.check(X, ["a", "b", "b", "b", "c"])


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one", "joint"])
def test_two_classes_have_one_proof_whatever_the_way(way):
    assert isinstance(prove(XOR_X, XOR_Y, multiclass=way), Contradiction)


@pytest.mark.parametrize(
    ("X", "y", "word"),
    [
        ([[1], [2]], [1, 1], "1 class"),
        ([[1], [math.nan]], [0, 1], "NaN at row 1, column 0"),
        ([[1], [math.inf]], [0, 1], "infinity"),
        ([[1], [2], [3]], [0, 1], "3 rows in X and 2 labels"),
        ([[1], [2]], None, "y"),
        ([[1], [2]], [0.0, math.nan], "NaN"),
        (["one", "two"], [0, 1], "text"),
        ([1, 2], [0, 1], "2D"),
        (np.empty((2, 0)), [0, 1], "0 feature"),
    ],
)
def test_bad_data_is_refused_at_the_door(X, y, word):
    with pytest.raises(DataError, match=word):
        prove(X, y)


@pytest.mark.parametrize(
    "parameter",
    [
        {"multiclass": "jointly"},
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": "long"},
        {"time_limit": math.nan},
        {"time_limit": True},
        {"callback": 3},
        {"fit_intercept": "no"},
        {"fit_intercept": 1},
    ],
    ids=str,
)
def test_a_bad_parameter_is_named(parameter):
    with pytest.raises(ParameterError, match=next(iter(parameter))):
        prove(XOR_X, XOR_Y, **parameter)


@pytest.mark.parametrize("labels", [(False, True), ("no", "yes"), (-1, 1), (0.0, 1.0), (3, 7)])
def test_labels_of_any_type_are_asked_about(labels):
    for array in (list, np.array):
        y = array([labels[label] for label in XOR_Y])
        proof = prove(XOR_X, y)
        assert (proof.question.negative, proof.question.positive) == labels
        assert type(proof.question.positive) is type(labels[1])
        assert_true(proof, XOR_X, list(y))


def test_labels_of_bytes_are_refused_at_the_door():
    with pytest.raises(DataError, match="bytes"):
        prove([[0], [1]], np.array([b"no", b"yes"]))
