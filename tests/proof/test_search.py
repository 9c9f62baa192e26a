"""The search finds a proof, by floats where they can tell and exactly where they cannot."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt import prove
from rosenblatt.proof import program
from rosenblatt.proof.question import Question, check_exact_data
from rosenblatt.proof.twins import opposite_twins
from tests.examples import KINDS, XOR_X, XOR_Y, random_data
from tests.proof.evidence import assert_minimal, assert_true, proved


@pytest.fixture
def no_linear_program(monkeypatch):
    """HiGHS gives up on everything."""

    class GivenUp:
        status, message = 4, "numerical difficulties"

    monkeypatch.setattr(program, "linprog", lambda *_, **__: GivenUp)


@pytest.mark.usefixtures("no_linear_program")
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_without_the_linear_program_exact_arithmetic_decides(fit_intercept):
    proved(XOR_X, XOR_Y, fit_intercept)
    verdicts = set()
    for seed in range(10):
        data = random_data(seed, 8, 3)
        verdicts.add(proved(data.X, data.y, fit_intercept).separable)
    assert verdicts == {True, False}


def test_a_margin_too_fine_for_floats_is_found():
    # the examples lie on a line but for the last bit of one number
    for bits in (0, 1):
        X = np.array([[0.1, 0.1], [0.7, 0.7], [0.3, 0.3]])
        X[2, 0] += bits * 2.0**-54
        proof = proved(X, [0, 0, 1])
        assert proof.separable == bool(bits)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
def test_thousands_of_rows_are_proved_either_way(seed, kind):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3000, 6)).astype(np.float32)
    y = (X @ rng.normal(size=6) + 0.3 > 0).astype(int)
    for wrong in (0, 1):
        # the example farthest from the boundary gets the wrong label
        y[np.argmax(X[:, 0])] ^= wrong
        rows = KINDS[kind](X)
        proof = prove(rows, y)
        assert proof.check(rows, y)
        assert_true(proof, rows, y.tolist())
        if not proof.separable:
            assert_minimal(proof, rows, y.tolist())
            assert wrong
    assert not proof.separable


def test_more_columns_than_rows_of_sparse_words():
    rng = np.random.default_rng(0)
    X = sparse.random_array((40, 2500), density=0.01, rng=rng, format="csr")
    y = rng.integers(0, 2, 40)
    proof = prove(X, y)
    assert proof.separable
    assert proof.check(X, y)
    assert_true(proof, X, y.tolist())


@pytest.mark.parametrize("kind", KINDS)
def test_twins_with_opposite_labels_are_found_by_their_digests(kind):
    X, y = [[1, 0], [0, 1], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1, 0]
    data = check_exact_data(KINDS[kind](X), y)
    problem = Question(1, 0).of(data)
    assert opposite_twins(problem) == {1: 1, 3: 1}


def test_equal_digests_of_different_rows_are_no_twins():
    data = check_exact_data([[1.0], [2.0]], [0, 1])
    problem = Question(1, 0).of(data)
    assert opposite_twins(problem._replace(digests=np.zeros(2, dtype=np.uint64))) is None


def test_a_proof_does_not_change_the_data():
    X, y = np.array(XOR_X, dtype=np.float64), np.array(XOR_Y)
    before = X.tobytes(), y.tobytes()
    X.flags.writeable = y.flags.writeable = False
    prove(X, y).check(X, y)
    assert (X.tobytes(), y.tobytes()) == before
