"""The linear program proposes rules and contradictions, whatever the size of the columns."""

import numpy as np
import pytest
from scipy import sparse

from rosenblatt.errors import ProofError
from rosenblatt.progress import Deadline, ProofReporter
from rosenblatt.proof import program
from rosenblatt.proof.program import NotSolvedError, chosen_rows, solve
from tests.examples import EVERY_KIND, KINDS, XOR_X, XOR_Y
from tests.proof.evidence import problem_of
from tests.reference.proof import canonical, dot

SIZES = [1.0, 1e-300, 1e300, 5e-324, 1.7e308]


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_rows_are_gathered_in_float64(kind):
    found = chosen_rows(problem_of(KINDS[kind](XOR_X), XOR_Y), np.array([1, 3]))
    assert found.dtype == np.float64
    assert found.tolist() == [[0, 1], [1, 1]]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32"])
def test_xor_is_proposed_as_a_contradiction(kind, size):
    X = np.array(XOR_X) * [size, 1.0]
    proposal = solve(problem_of(KINDS[kind](X), XOR_Y), np.arange(4), ProofReporter(Deadline()))
    assert proposal.least == pytest.approx(0, abs=1e-9)
    # weights of examples: they are all alike, up to what lengths take
    assert (proposal.a > 0).all()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("make", [np.array, sparse.csr_array], ids=["dense", "csr"])
def test_a_rule_is_proposed_that_separates_in_fractions(make, wide, size, monkeypatch):
    if wide:
        monkeypatch.setattr(program, "NARROW", 0)
    # opposite corners, so no intercept is needed and none gets lost beside 5e-324
    X, y = np.array([[size, 1.0], [-size, -1.0], [size, 2.0]]), [1, 0, 1]
    proposal = solve(problem_of(make(X), y, False), np.arange(3), ProofReporter(Deadline()))
    assert proposal.least > 1e-9
    assert proposal.w[0] == 0
    Z = canonical(X.tolist(), [1, -1, 1], False)
    assert all(dot(z, proposal.w[1:].tolist()) > 0 for z in Z)


def test_only_the_chosen_examples_count():
    proposal = solve(problem_of(XOR_X, XOR_Y), np.array([0, 1, 2]), ProofReporter(Deadline()))
    assert len(proposal.a) == 3
    assert proposal.least > 1e-3


def test_constant_columns_get_no_weight():
    proposal = solve(problem_of([[5, 0], [5, 1]], [0, 1]), np.arange(2), ProofReporter(Deadline()))
    assert proposal.w[1] == 0
    assert proposal.w[2] > 0


def test_a_program_that_is_given_up_is_told_apart(monkeypatch):
    class GivenUp:
        status, message = 4, "numerical difficulties"

    monkeypatch.setattr(program, "linprog", lambda *_, **__: GivenUp)
    with pytest.raises(NotSolvedError, match="4 examples was not solved: numerical difficulties"):
        solve(problem_of(XOR_X, XOR_Y), np.arange(4), ProofReporter(Deadline()))
    assert issubclass(NotSolvedError, ProofError)
