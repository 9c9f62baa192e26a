"""Many classes at once: a proof for k scores, checked in fractions without the library."""

import json
import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rosenblatt.proof.joint_search as joint_search
from rosenblatt import (
    Contradiction,
    DataError,
    Perceptron,
    ProofError,
    Separable,
    load_proof,
    prove,
)
from rosenblatt.proof.margin import prove_joint
from tests.examples import ALL_KINDS, KINDS, random_data
from tests.proof.evidence import numbers
from tests.reference.proof import is_irreducible, rank, separable

MIDDLE = [[0.0], [1.0], [4.0], [5.0], [8.0]], ["a", "a", "b", "b", "c"]


def duels(X, y, classes, fit_intercept=True):
    """Return (e_y - e_c) (1, x_i) in fractions for every example i and class c other than y."""
    found = {}
    for i, (row, label) in enumerate(zip(numbers(X), y, strict=True)):
        x = [Fraction(1)] * fit_intercept + [Fraction(v) for v in row]
        for rival in classes:
            if rival != label:
                sides = [(c == label) - (c == rival) for c in classes]
                found[i, rival] = [side * v for side in sides for v in x]
    return found


def assert_true(proof, X, y):
    """Verify a joint proof without the library; the weights of a contradiction are minimal."""
    classes, Z = sorted(set(y)), duels(X, y, sorted(set(y)), proof.question.fit_intercept)
    assert list(proof.question.classes) == classes
    if proof.separable:
        W = [v for w in proof.fractions for v in w[0 if proof.question.fit_intercept else 1 :]]
        assert all(sum(a * b for a, b in zip(W, z, strict=True)) > 0 for z in Z.values())
        return
    chosen = [Z[duel] for duel in zip(proof.indices.tolist(), proof.rivals, strict=True)]
    assert all(type(a) is int and a > 0 for a in proof.weights)
    columns = zip(*chosen, strict=True)
    totals = [sum(map(operator.mul, proof.weights, column)) for column in columns]
    assert not any(totals)
    assert rank(chosen) == len(chosen) - 1
    if len(chosen) <= 5:
        assert is_irreducible(chosen, list(range(len(chosen))))


def drawn(seed, n, d, k, low=-3, high=3):
    rng = np.random.default_rng(seed)
    X = rng.integers(low, high + 1, (n, d)).astype(float)
    return X, np.concatenate([np.arange(k), rng.integers(0, k, n - k)]).tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 5), st.integers(5, 14), st.booleans())
def test_the_verdict_holds_in_fractions(seed, k, n, fit_intercept):
    X, y = drawn(seed, n, 2, k)
    proof = prove(X, y, fit_intercept, multiclass="joint")
    assert proof.check(X, y)
    assert_true(proof, X, y)


@pytest.mark.parametrize("seed", range(12))
def test_the_verdict_is_that_of_fourier_and_motzkin(seed):
    X, y = drawn(seed, 4, 1, 3, -4, 4)
    proof = prove(X, y, multiclass="joint")
    assert proof.separable == separable(list(duels(X, y, [0, 1, 2]).values()))


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_kind_of_rows_has_the_same_proof(kind):
    data = random_data(4, 30, 3, n_classes=3, low=0, high=1)
    y = [("a", "b", "c")[label] for label in data.y]
    proof = prove(KINDS[kind](data.X), y, multiclass="joint")
    assert proof.check(KINDS["dense float64"](data.X), y)
    assert_true(proof, data.X, y)


def test_a_class_between_others_needs_the_joint_form():
    X, y = MIDDLE
    assert not prove(X, y).separable
    proof = prove(X, y, multiclass="joint")
    assert isinstance(proof, Separable)
    assert proof.w.shape == (3, 2)
    assert proof.check(X, y)
    assert "joint linear rule" in str(proof)
    scores = np.column_stack([np.ones(5), X]) @ proof.w.T
    assert [("a", "b", "c")[c] for c in scores.argmax(axis=1)] == y


def test_two_classes_have_the_one_proof_that_they_always_had():
    proof = prove([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], multiclass="joint")
    assert (proof.indices.tolist(), proof.weights) == ([0, 1, 2, 3], (1, 1, 1, 1))
    assert str(proof.question) == "1 against 0"


def test_equal_rows_of_different_classes_contradict_each_other():
    X, y = [[5.0, 1.0], [0.1, 0.2], [3.0, 3.0], [0.1, 0.2]], ["a", "c", "b", "b"]
    proof = prove(X, y, multiclass="joint")
    assert isinstance(proof, Contradiction)
    assert (proof.indices.tolist(), proof.rivals, proof.weights) == ([1, 3], ("b", "c"), (1, 1))
    assert_true(proof, X, y)
    assert "row 1 is c, compared with b, weight 1: x0 = 0.1, x1 = 0.2" in proof.explain(X, y)


def test_a_row_of_zeros_contradicts_itself_without_an_intercept():
    X, y = [[1.0], [0.0], [3.0]], ["a", "b", "c"]
    proof = prove(X, y, False, multiclass="joint")
    assert (proof.indices.tolist(), proof.weights) == ([1], (1,))
    assert_true(proof, X, y)
    assert "example 1 is zero" in str(proof)
    assert prove(X, y, multiclass="joint").separable


@pytest.mark.parametrize("seed", range(6))
def test_many_duels_are_looked_at_in_parts_with_the_same_verdict(seed, monkeypatch):
    X, y = drawn(seed, 60, 2, 4, -50, 50)
    if seed % 2:  # three rays from the origin and a point: separable, but not from the rest
        angle = np.arange(60) % 4 * 1.5
        X = np.column_stack([np.cos(angle), np.sin(angle)]) * (1 + np.arange(60)[:, np.newaxis])
        y = (np.arange(60) % 4).tolist()
    whole = prove(X, y, multiclass="joint")
    monkeypatch.setattr(joint_search, "FEW_NUMBERS", 0)
    monkeypatch.setattr(joint_search, "EPOCHS", 1)
    part = prove(X, y, multiclass="joint")
    assert part.separable == whole.separable == bool(seed % 2)
    assert part.check(X, y)
    assert_true(part, X, y)


def test_columns_of_very_different_size_are_told_apart():
    rng = np.random.default_rng(3)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + 8 * np.eye(4)[y]
    X = X * [1e-7, 1.0, 1e9, 1e3] + [1.0, 1e6, 1e12, -1e5]
    proof = prove(X, y, multiclass="joint")
    assert proof.separable
    assert_true(proof, X, y.tolist())


@pytest.mark.parametrize("rule", ["first", "cyclic", "worst"])
def test_the_joint_perceptron_keeps_to_the_bounds(rule):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 40)
    X = np.array([[0, 3], [3, -2], [-3, -2]])[labels] + rng.uniform(-1, 1, (40, 2))
    found = prove_joint(X, labels, 3)
    model = Perceptron(rule=rule).fit(X, labels)
    assert model.converged_
    assert model.n_updates_ <= found.margin.updates_bound <= found.proof.updates_bound


def test_margin_and_radius_are_those_of_the_duels():
    X, y = MIDDLE
    proof = prove(X, y, multiclass="joint")
    Z = [[float(v) for v in z] for z in duels(X, y, ["a", "b", "c"]).values()]
    W = proof.w.ravel()
    assert proof.margin == pytest.approx(min(Z @ W) / np.linalg.norm(W))
    assert proof.radius == pytest.approx(max(np.linalg.norm(Z, axis=1)))
    assert proof.updates_bound == int((proof.radius / proof.margin) ** 2)


def test_the_largest_joint_margin_has_its_vectors_and_support():
    X, labels = np.array(MIDDLE[0]), np.array([0, 0, 1, 1, 2])
    found = prove_joint(X, labels, 3)
    W = found.weights(3)
    scores = np.column_stack([np.ones(5), X]) @ W.T
    leads = scores[np.arange(5), labels][:, np.newaxis] - scores
    leads[np.arange(5), labels] = np.inf
    assert leads.min() == pytest.approx(1.0)
    assert found.support.tolist() == [1, 2, 3, 4]
    with pytest.raises(ProofError, match="no margin"):
        prove_joint(np.array([[0.0], [0.0], [0.0]]), np.arange(3), 3).weights(3)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("case", ["separable", "contradiction"])
def test_a_joint_proof_goes_through_a_file(tmp_path, case, fit_intercept):
    X, y = MIDDLE if case == "separable" else (MIDDLE[0], ["a", "b", "a", "c", "b"])
    if not fit_intercept:
        X = np.column_stack([np.ones(5), X])
    proof, path = prove(X, y, fit_intercept, multiclass="joint"), tmp_path / "proof.json"
    assert proof.separable == (case == "separable")
    proof.save(path)
    loaded = load_proof(path, X, y)
    assert type(loaded) is type(proof)
    assert loaded.to_json() == proof.to_json()
    assert json.loads(path.read_text())["classes"] == ["a", "b", "c"]
    with pytest.raises(ProofError, match="the labels of row 0 and 1 other places differ"):
        load_proof(path, X, [y[4], *y[1:4], y[0]])
    with pytest.raises(ProofError, match="no row has the label 'a'"):
        load_proof(path, X, ["x" if label == "a" else label for label in y])


def test_time_is_kept():
    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((3000, 2)), rng.integers(0, 3, 3000)
    with pytest.raises(ProofError, match="time limit"):
        prove(X, labels, multiclass="joint", time_limit=1e-6)


def test_bad_data_is_refused_at_the_door():
    with pytest.raises(DataError, match="1 class"):
        prove([[1.0], [2.0]], ["a", "a"], multiclass="joint")
