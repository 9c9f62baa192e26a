"""The checks hold in exact arithmetic where floats would be fooled."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt.errors import ProofError
from rosenblatt.proof.bound import margin_of, radius
from rosenblatt.proof.exact import WrongSideError, check_contradiction, smallest_score
from rosenblatt.proof.question import Question, check_exact_data
from tests.examples import ALL_KINDS, EVERY_KIND, FEW, KINDS, XOR_X, XOR_Y, small_data
from tests.proof.evidence import problem_of
from tests.reference.proof import canonical, dot


def test_the_contradiction_of_xor_is_accepted():
    check_contradiction(problem_of(XOR_X, XOR_Y), [0, 1, 2, 3], [1, 1, 1, 1])


@pytest.mark.parametrize(
    ("indices", "weights", "word"),
    [
        ([0, 1, 2, 3], [1, 1, 1, 2], "do not sum to zero in the constant coordinate"),
        ([0, 1, 2, 3], [2, 1, 3, 2], "do not sum to zero in column 0"),
        ([0, 1, 2, 3], [2, 2, 2, 2], "common factor"),
        ([0, 1, 2, 3], [1, 1, 1, 0], "the weight of example 3 is no whole number above 0"),
        ([0, 1, 2, 3], [1, 1, 1, -1], "example 3 is no whole number"),
        ([0, 1, 2, 3], [1, 1, 1, 1.0], "example 3 is no whole number"),
        ([0, 1, 2, 3], [1, 1, 1, -(10**5000)], "example 3 is no whole number"),
        ([0, 1, 2, 3], [10**5000] * 4, "common factor"),
        ([0, 1, 2, 4], [1, 1, 1, 1], "example 4 is not in the data, which has 4 rows"),
        ([-1, 0, 1, 2], [1, 1, 1, 1], "example -1 is not in the data"),
        ([0, 1, 1, 3], [1, 1, 1, 1], "ascending"),
        ([3, 1, 2, 0], [1, 1, 1, 1], "ascending"),
        ([0, 1, 2], [1, 1, 1, 1], "3 examples and 4 weights"),
        ([], [], "0 examples"),
    ],
)
def test_what_is_no_contradiction_is_refused_with_the_place(indices, weights, word):
    with pytest.raises(ProofError, match=word):
        check_contradiction(problem_of(XOR_X, XOR_Y), indices, weights)


def test_two_contradictions_together_are_not_irreducible():
    X, y = [[0], [0], [1], [1]], [0, 1, 0, 1]
    check_contradiction(problem_of(X, y), [0, 1], [1, 1])
    with pytest.raises(ProofError, match="not irreducible"):
        check_contradiction(problem_of(X, y), [0, 1, 2, 3], [1, 1, 2, 2])


def test_an_example_of_another_class_has_no_place_in_a_contradiction():
    data = check_exact_data([[0], [0], [0]], ["a", "b", "c"])
    problem = Question("b", "a").of(data)
    check_contradiction(problem, [0, 1], [1, 1])
    with pytest.raises(ProofError, match="example 2 is of neither class"):
        check_contradiction(problem, [0, 2], [1, 1])


def test_a_sum_that_only_floats_call_zero_is_refused():
    # in floats 0.1 + 0.2 - 0.3 rounds to 5.6e-17, and 1e16 + 1 - 1e16 to 0
    X, y = [[1e16], [1.0], [1e16]], [0, 0, 1]
    with pytest.raises(ProofError, match="do not sum to zero"):
        check_contradiction(problem_of(X, y, False), [0, 1, 2], [1, 1, 1])


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_smallest_score_is_that_of_fractions(kind, fit_intercept):
    low, high = (0, 1) if "presence" in kind else (-3, 3)

    @FEW
    @given(small_data(low=low, high=high, most_features=4), st.data())
    def check(data, draw):
        d = len(data.X[0])
        numbers = st.lists(st.fractions(-4, 4), min_size=d, max_size=d)
        w = [draw.draw(st.fractions(-4, 4)) if fit_intercept else Fraction(0), *draw.draw(numbers)]
        Z = canonical(data.X, data.signs, fit_intercept)
        scores = [dot(z, w if fit_intercept else w[1:]) for z in Z]
        problem = problem_of(KINDS[kind](data.X), data.y, fit_intercept)
        if not any(w):
            with pytest.raises(ProofError, match="w is zero"):
                smallest_score(problem, w)
        elif min(scores) > 0:
            assert smallest_score(problem, w) == min(scores)
        else:
            with pytest.raises(WrongSideError) as caught:
                smallest_score(problem, w)
            assert scores[caught.value.example] <= 0

    check()


# Three sizes: as given, where squares vanish, and where they overflow
@pytest.mark.parametrize("scale", [1.0, 2.0**-540, 2.0**-530, 2.0**600], ids="{:.0e}".format)
@pytest.mark.parametrize(
    "make",
    [np.array, pytest.param(sparse.csr_array, marks=pytest.mark.soak)],
    ids=["dense", "csr"],
)
def test_rounding_never_hides_a_wrong_example(scale, make):
    rng, wrong, hidden = np.random.default_rng(0), 0, 0
    for _ in range(300):
        x, w = rng.normal(size=(2, 9))
        # a rule that almost cancels on x, and is right on the other example
        w[8] = -(w[:8] @ x[:8]) / x[8]
        X = np.array([x, -1000 * np.sign(w)]) * scale
        z = canonical(X.tolist(), [1, -1], False)
        fractions = [Fraction(0), *map(Fraction, w.tolist())]
        score = dot(z[0], fractions[1:])
        problem = problem_of(make(X), [1, 0], False)
        if score <= 0:
            wrong += 1
            hidden += (X[0] * w).sum() > 0
            with pytest.raises(WrongSideError) as caught:
                smallest_score(problem, fractions)
            assert caught.value.example == 0
        else:
            assert smallest_score(problem, fractions) == score
    # the sum in floats would have been fooled
    assert wrong > 50
    assert hidden > 5


def test_a_rule_of_the_wrong_length_is_refused():
    with pytest.raises(ProofError, match="w must have 3 weights, w0 first, for 2 features, got 2"):
        smallest_score(problem_of(XOR_X, XOR_Y), [Fraction(1), Fraction(1)])


def test_a_rule_through_the_origin_has_no_intercept():
    with pytest.raises(ProofError, match="w0 must be 0"):
        smallest_score(problem_of([[1], [-1]], [1, 0], False), [Fraction(1), Fraction(1)])


def test_a_point_on_the_boundary_is_on_no_side():
    problem = problem_of([[1], [2]], [0, 1])
    with pytest.raises(WrongSideError, match="example 0 is not on its side"):
        smallest_score(problem, [Fraction(-1), Fraction(1)])
    with pytest.raises(WrongSideError, match="example 1 is not on its side"):
        smallest_score(problem, [Fraction(-2), Fraction(1)])


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_the_radius_is_the_length_of_the_longest_example(kind):
    X = KINDS[kind]([[1, 0, 1], [1, 1, 1], [0, 0, 0]])
    assert radius(problem_of(X, [0, 1, 1])) == 2.0
    assert radius(problem_of(X, [0, 1, 1], False)) == pytest.approx(math.sqrt(3), rel=1e-15)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-162, 1e160, 1e307])
def test_the_radius_of_tiny_and_huge_numbers_does_not_vanish(scale):
    X = np.array([[3.0, 4.0], [-3.0, 0.0]]) * scale
    assert radius(problem_of(X, [0, 1], False)) == pytest.approx(5 * scale, rel=1e-14)


def test_the_radius_leaves_out_rows_that_the_question_is_not_about():
    data = check_exact_data([[3], [4], [100]], ["a", "b", "c"])
    problem = Question("b", "a", False).of(data)
    assert radius(problem) == 4.0


@pytest.mark.parametrize(
    ("smallest", "w", "margin"),
    [
        (Fraction(10), [3, 4], 2.0),
        (Fraction(1), [1, 1], math.sqrt(0.5)),
        (Fraction(1, 10**400), [Fraction(1, 10**400)], 1.0),
        (Fraction(1, 10**400), [1], 0.0),
        (Fraction(10**400), [1], math.inf),
        (Fraction(5e-324), [1], 5e-324),
    ],
)
def test_the_margin_is_rounded_from_the_exact_one(smallest, w, margin):
    assert margin_of(smallest, [Fraction(v) for v in w]) == pytest.approx(margin, rel=3e-16, abs=0)


def test_numbers_of_many_thousand_digits_are_told_from_zero():
    problem = problem_of([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    large = 10**20_000
    with pytest.raises(ProofError, match="do not sum to zero"):
        check_contradiction(problem, [0, 1, 2, 3], [large + 1, large, large, large])
    with pytest.raises(ProofError, match="common factor"):
        check_contradiction(problem, [0, 1, 2, 3], [large] * 4)
    rule = [Fraction(-3, large + 1), Fraction(2, large + 3), Fraction(2, large + 7)]
    line = problem_of([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    assert smallest_score(line, rule) == min(rule[0] + rule[1] + rule[2], -rule[0] - max(rule[1:]))
