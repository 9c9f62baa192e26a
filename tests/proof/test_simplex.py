"""Exact arithmetic decides what floats cannot."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt.errors import NoProofInTimeError, ProofError
from rosenblatt.progress import Deadline, ProofReporter
from rosenblatt.proof import program
from rosenblatt.proof.program import decide_exactly, kernel_weights, lowest
from tests.examples import FEW, KINDS, PRESENCE, XOR_X, XOR_Y, small_data
from tests.proof.evidence import problem_of
from tests.reference.proof import canonical, dot, is_irreducible, separable, total


def assert_decided(problem, Z, chosen):
    answer = decide_exactly(problem, np.array(chosen), ProofReporter(Deadline()))
    if isinstance(answer, dict):
        indices, weights = list(answer), list(answer.values())
        assert set(indices) <= set(chosen)
        assert all(a > 0 for a in weights)
        assert not any(total(Z, indices, weights))
        assert is_irreducible(Z, indices)
        assert not separable([Z[i] for i in chosen])
    else:
        w = answer if problem.x0 else answer[1:]
        assert problem.x0 or answer[0] == 0
        assert all(dot(Z[i], w) > 0 for i in chosen)


@pytest.mark.parametrize("scale", [1.0, 5e-324, 0.1, 2.0**1000], ids=str)
@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
def test_the_decision_holds_in_fractions(kind, scale):
    @FEW
    @given(small_data(most_rows=8, most_features=3), st.booleans(), st.data())
    def check(data, fit_intercept, draw):
        X = np.array(data.X) * scale
        Z = canonical(X.tolist(), data.signs, fit_intercept)
        problem = problem_of(KINDS[kind](X), data.y, fit_intercept)
        everyone = list(range(len(Z)))
        chosen = draw.draw(st.lists(st.sampled_from(everyone), min_size=1, unique=True))
        assert_decided(problem, Z, sorted(chosen))

    check()


@pytest.mark.parametrize("kind", PRESENCE)
def test_presence_rows_are_decided_too(kind):
    @FEW
    @given(small_data(low=0, high=1, most_rows=8, most_features=3), st.booleans())
    def check(data, fit_intercept):
        problem = problem_of(KINDS[kind](data.X), data.y, fit_intercept)
        Z = canonical(data.X, data.signs, fit_intercept)
        assert_decided(problem, Z, list(range(len(Z))))

    check()


def test_wide_sparse_rows_are_decided_on_their_columns():
    X = sparse.lil_array((4, 5000))
    X[1, 4000], X[2, 17], X[3, 17], X[3, 4000] = 1, 1, 1, 1
    problem = problem_of(X.tocsr(), XOR_Y)
    assert decide_exactly(problem, np.arange(4), ProofReporter(Deadline())) == {
        0: 1,
        1: 1,
        2: 1,
        3: 1,
    }
    rule = decide_exactly(problem, np.arange(3), ProofReporter(Deadline()))
    assert len(rule) == 5001
    assert all(isinstance(v, Fraction) for v in rule)


def test_weights_are_found_where_they_are_the_only_ones():
    assert kernel_weights(problem_of(XOR_X, XOR_Y), np.arange(4)) == [1, 1, 1, 1]
    # 3 lies at a third of the way from 1 to 7
    assert kernel_weights(problem_of([[1], [3], [7]], [0, 1, 0]), np.arange(3)) == [2, 3, 1]


def test_weights_that_are_not_all_positive_or_not_the_only_ones_are_none():
    assert kernel_weights(problem_of([[1], [3], [7]], [0, 0, 1]), np.arange(3)) is None
    assert kernel_weights(problem_of([[1], [1], [1]], [0, 0, 1]), np.arange(3)) is None
    assert kernel_weights(problem_of([[1], [2]], [0, 1]), np.arange(2)) is None


def test_a_row_of_zeros_is_a_contradiction_through_the_origin():
    problem = problem_of([[0, 0], [1, 2]], [0, 1], False)
    assert kernel_weights(problem, np.array([0])) == [1]
    assert decide_exactly(problem, np.array([0]), ProofReporter(Deadline())) == {0: 1}


def test_weights_are_divided_by_their_common_factor():
    assert lowest([6, 10, 4]) == [3, 5, 2]


def test_too_many_examples_for_exact_arithmetic_are_an_error_that_says_so(monkeypatch):
    monkeypatch.setattr(program, "MOST_ENTRIES", 10)
    with pytest.raises(ProofError, match=r"4 examples of 3 coordinates .* too many"):
        decide_exactly(problem_of(XOR_X, XOR_Y), np.arange(4), ProofReporter(Deadline()))


def test_the_clock_is_looked_at_before_each_pivot():
    with pytest.raises(NoProofInTimeError, match="at: exact, 4 examples"):
        decide_exactly(problem_of(XOR_X, XOR_Y), np.arange(4), ProofReporter(Deadline(1e-9)))
