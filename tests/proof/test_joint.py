"""Many classes at once: a proof for k scores, by Kesler's construction."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import Perceptron, prove
from rosenblatt.proof.joint import duels, prove_joint


def scores_are_right(W, X, labels):
    scores = np.column_stack([np.ones(len(X)), X]) @ W.T
    own = scores[np.arange(len(X)), labels]
    scores[np.arange(len(X)), labels] = -np.inf
    return bool((own > scores.max(axis=1)).all())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 4), st.integers(4, 14))
def test_the_verdict_holds_in_exact_numbers(seed, k, n):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, 2)).astype(float)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    found = prove_joint(X, labels, k)
    if found.proof.separable:
        assert scores_are_right(found.weights(k), X, labels)
        return
    total = np.full((k, 3), Fraction(0))
    for row, a in zip(found.proof.indices, found.proof.weights, strict=True):
        i, rival = found.example[row], found.rival[row]
        z = np.array([Fraction(1), *map(Fraction, X[i])])
        assert rival != labels[i]
        total[labels[i]] += a * z
        total[rival] -= a * z
    assert not total.any()


def test_a_class_between_others_needs_the_joint_form():
    X, labels = np.array([[0.0], [1.0], [4.0], [5.0], [8.0]]), np.array([0, 0, 1, 1, 2])
    assert not prove(X, labels).separable
    found = prove_joint(X, labels, 3)
    assert found.proof.separable
    assert found.proof.check(*duels(X, labels, 3)[:2])


def test_the_joint_perceptron_keeps_to_the_bound():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 40)
    X = np.array([[0, 3], [3, -2], [-3, -2]])[labels] + rng.uniform(-1, 1, (40, 2))
    found = prove_joint(X, labels, 3)
    for rule in ("first", "cyclic", "worst"):
        model = Perceptron(rule=rule).fit(X, labels)
        assert model.converged_
        assert model.n_updates_ <= found.margin.updates_bound


def test_time_is_kept():
    from rosenblatt import ProofError

    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((3000, 2)), rng.integers(0, 3, 3000)
    with pytest.raises(ProofError):
        prove_joint(X, labels, 3, time_limit=1e-6)
