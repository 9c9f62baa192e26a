"""What makes a verdict true, computed in fractions without the library."""

from fractions import Fraction

import numpy as np
from scipy import sparse

from rosenblatt import prove
from rosenblatt.proof.question import Question, check_exact_data
from tests.reference.proof import canonical, dot, is_irreducible, rank, separable, total

FEW_ENOUGH = 6  # examples for Fourier and Motzkin, whose rows multiply


def problem_of(X, y, fit_intercept=True):
    """Return the question of two classes as the parts of the library pass it on."""
    data = check_exact_data(X, y)
    question = Question(data.classes[1], data.classes[0], fit_intercept)
    return question.of(data)


def numbers(X):
    """Return rows of any kind as lists of the floats in them."""
    X = X.toarray() if sparse.issparse(X) else np.asarray(X)
    return X.astype(np.float64).tolist()


def signs_of(proof, y):
    """Return +1, -1, or 0 for rows that the proof is not about."""
    question, rest = proof.question, proof.question.negative is None
    return [
        1 if label == question.positive else -1 if rest or label == question.negative else 0
        for label in y
    ]


def examples_of(proof, X, y):
    """Return the examples z_i of a proof in fractions, None for rows that it is not about."""
    signs = signs_of(proof, y)
    Z = canonical(numbers(X), signs, proof.question.fit_intercept)
    return [z if s else None for z, s in zip(Z, signs, strict=True)]


def rule_of(proof):
    """Return the weights that go with the coordinates of z_i."""
    return proof.fractions if proof.question.fit_intercept else proof.fractions[1:]


def assert_true(proof, X, y):
    """Verify a proof in fractions."""
    Z = examples_of(proof, X, y)
    if proof.separable:
        assert all(dot(z, rule_of(proof)) > 0 for z in Z if z is not None)
        return
    indices = proof.indices.tolist()
    assert all(type(a) is int and a > 0 for a in proof.weights)
    assert indices == sorted(set(indices))
    assert not any(total(Z, indices, proof.weights))
    assert len(indices) <= len(numbers(X)[0]) + 1 + proof.question.fit_intercept


def assert_minimal(proof, X, y):
    """Verify that a contradiction has no example to spare."""
    if proof.separable:
        return
    Z, indices = examples_of(proof, X, y), proof.indices.tolist()
    # the weights are then the only ones, and none of them is 0
    assert rank([Z[i] for i in indices]) == len(indices) - 1
    if len(indices) <= FEW_ENOUGH:
        assert is_irreducible(Z, indices)


def proved(X, y, fit_intercept=True):
    """Prove; verify the proof by the library, in fractions, and against the reference."""
    proof = prove(X, y, fit_intercept)
    assert proof.check(X, y)
    assert_true(proof, X, y)
    assert_minimal(proof, X, y)
    assert proof.separable == separable(examples_of(proof, X, y))
    return proof


def square_of_margin(proof, X, y):
    """Return (min z_i . w)^2 / |w|^2."""
    scores = [dot(z, rule_of(proof)) for z in examples_of(proof, X, y) if z is not None]
    return min(scores) ** 2 / sum(v * v for v in proof.fractions)


def square_of_radius(proof, X, y):
    """Return max |z_i|^2."""
    found = [sum(v * v for v in z) for z in examples_of(proof, X, y) if z is not None]
    return max(found, default=Fraction(0))
