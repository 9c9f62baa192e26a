"""`prove` gives the verdict that elimination by hand gives, and what it says is true."""

import math
from fractions import Fraction
from threading import Event, current_thread

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris

from rosenblatt import Contradiction, Perceptron, ProofError, Separable, prove
from tests.examples import (
    EVERY_KIND,
    FEW,
    KINDS,
    LECTURE_X,
    LECTURE_Y,
    PRESENCE,
    XOR_X,
    XOR_Y,
    small_data,
)
from tests.proof.evidence import (
    assert_minimal,
    assert_true,
    proved,
    square_of_margin,
    square_of_radius,
)

SOME = settings(FEW, max_examples=100)
VERY_MANY = settings(FEW, max_examples=5000)
AND_Y, OR_Y = [0, 0, 0, 1], [0, 1, 1, 1]
TOP = 1.7e308


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_xor_contradicts_itself_with_weights_of_one(kind):
    proof = proved(KINDS[kind](XOR_X), XOR_Y)
    assert isinstance(proof, Contradiction)
    assert proof.indices.tolist() == [0, 1, 2, 3]
    assert proof.weights == (1, 1, 1, 1)


@pytest.mark.parametrize("kind", EVERY_KIND)
@pytest.mark.parametrize("y", [AND_Y, OR_Y], ids=["and", "or"])
def test_and_and_or_are_separable(kind, y):
    assert proved(KINDS[kind](XOR_X), y).separable


def test_the_lecture_is_separable_and_the_perceptron_stays_under_the_bound():
    proof = proved(LECTURE_X, LECTURE_Y)
    # the rule "first" makes 11 updates on it
    assert proof.separable
    assert proof.updates_bound >= 11


def test_breast_cancer_is_separable():
    X, y = load_breast_cancer(return_X_y=True)
    proof = prove(X, y)
    assert proof.separable
    assert proof.check(X, y)
    assert_true(proof, X, y)


def test_setosa_is_separable_and_versicolor_contradicts_virginica():
    X, y = load_iris(return_X_y=True)
    setosa = prove(X, y == 0)
    assert setosa.separable
    assert_true(setosa, X, y == 0)
    others = prove(X[y > 0], y[y > 0])
    assert not others.separable
    assert len(others.indices) <= 6
    assert_true(others, X[y > 0], y[y > 0])
    assert_minimal(others, X[y > 0], y[y > 0])


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_the_verdict_is_that_of_elimination_on_small_whole_numbers(kind):
    low, high = (0, 1) if kind in PRESENCE else (-2, 2)

    @FEW
    @given(small_data(low=low, high=high, most_rows=8, most_features=3), st.booleans())
    def check(data, fit_intercept):
        proved(KINDS[kind](data.X), data.y, fit_intercept)

    check()


@SOME
@given(small_data(low=-1, high=1, most_rows=9, most_features=3), st.booleans())
def test_the_verdict_is_that_of_elimination_where_much_is_degenerate(data, fit_intercept):
    proved(data.X, data.y, fit_intercept)


SPECIAL = [0.0, -0.0, 5e-324, 1e-310, 1e-300, 1e-162, 1e-8, 0.1, 0.3, 1.0, 1 + 2**-52]
SPECIAL += [2.0**53, 2.0**53 + 2, 1e154, 1e300, TOP]
REAL = st.one_of(
    st.sampled_from(SPECIAL + [-x for x in SPECIAL]), st.floats(-1, 1), st.floats(allow_nan=False)
)


@st.composite
def real_data(draw, most_rows=7, most_features=3):
    n, d = draw(st.integers(2, most_rows)), draw(st.integers(1, most_features))
    numbers = draw(st.sampled_from([REAL, st.sampled_from(SPECIAL), st.integers(-9, 9)]))
    scale = draw(st.sampled_from([1.0, 0.1, 5e-324, 2.0**-600]))
    X = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n))
    X = np.array(X, dtype=np.float64) * scale
    assume(np.isfinite(X).all())
    y = [0, 1, *draw(st.lists(st.integers(0, 1), min_size=n - 2, max_size=n - 2))]
    return X, y


def check_real_data(data, fit_intercept, dense):
    X, y = data
    proved(X if dense else sparse.csr_array(X), y, fit_intercept)


real_cases = given(real_data(), st.booleans(), st.booleans())
test_the_verdict_is_that_of_elimination_on_floats_of_every_size = SOME(real_cases(check_real_data))
test_the_same_for_long = pytest.mark.soak(VERY_MANY(real_cases(check_real_data)))


# Each with its verdict, by hand: (X, y, fit_intercept, separable)
HARD = {
    "twins with opposite labels": ([[1, 2], [3, 4], [1, 2]], [0, 0, 1], True, False),
    "twins, one with a negative zero": ([[0.0], [2], [-0.0]], [0, 0, 1], True, False),
    "twins in a column of 5e-324": ([[5e-324, 1], [5e-324, 1]], [0, 1], True, False),
    "a constant column": ([[5, 0], [5, 1], [5, 2]], [0, 0, 1], True, True),
    "constant columns only": ([[5, 1], [5, 1], [5, 1]], [0, 0, 1], True, False),
    "constant columns only, no intercept": ([[5, 1], [5, 1]], [0, 1], False, False),
    "fewer rows than columns": ([[1, 0, 2, 0], [0, 1, 1, 3], [1, 1, 2, 3]], [0, 1, 0], True, True),
    "one row of each class": ([[1.0, 2.0], [1.0, 3.0]], [0, 1], True, True),
    "one row of each class, opposite": ([[1.0], [-1.0]], [0, 1], False, True),
    "one row of each class, same ray": ([[1.0], [2.0]], [0, 1], False, False),
    "a point on the boundary": ([[0, 0], [1, 1], [2, 2], [0, 3]], [0, 1, 0, 0], True, False),
    "touching at a point": ([[0], [1], [1], [2]], [0, 0, 1, 1], True, False),
    "collinear, apart": ([[0.1], [0.2], [0.3], [0.1 + 0.2]], [0, 0, 0, 1], True, True),
    "tenths that miss the middle": ([[0.1], [0.3], [0.2]], [0, 0, 1], True, False),
    "1e-300": ([[1e-300, 0], [0, 1e-300], [2e-300, 2e-300]], [0, 0, 1], True, True),
    "1e-300, contradiction": ([[1e-300], [2e-300], [3e-300]], [0, 1, 0], True, False),
    "1e300": ([[1e300, 0], [0, 1e300], [1e300, 1e300]], [0, 0, 1], True, True),
    "1e300, contradiction": ([[1e300], [2e300], [4e300]], [0, 1, 0], True, False),
    "beyond 2^53": ([[2.0**53], [2.0**53 + 2], [2.0**53 + 4]], [0, 0, 1], True, True),
    "beyond 2^53, contradiction": ([[2.0**60], [2.0**60 + 256], [2.0**61]], [0, 1, 0], True, False),
    "adjacent floats": ([[1.0], [math.nextafter(1, 2)]], [0, 1], True, True),
    "adjacent floats, three": (
        [[math.nextafter(1, 0)], [1.0], [math.nextafter(1, 2)]],
        [0, 1, 0],
        True,
        False,
    ),
    "denormals": ([[5e-324], [1e-323], [1.5e-323]], [0, 0, 1], True, True),
    "denormals, contradiction": ([[5e-324], [1e-323], [1.5e-323]], [0, 1, 0], True, False),
    "denormals, no intercept": (
        [[5e-324, 0], [0, 5e-324], [-5e-324, -5e-324]],
        [1, 1, 0],
        False,
        True,
    ),
    "largest floats": ([[TOP, -TOP], [-TOP, TOP]], [0, 1], True, True),
    "largest floats, no intercept": ([[TOP, TOP], [-TOP, -TOP]], [0, 1], False, True),
    "largest floats, contradiction": ([[TOP, -TOP], [-TOP, TOP], [0, 0]], [0, 0, 1], True, False),
    "zero and negative zero": ([[0.0, -0.0], [-0.0, 0.0]], [0, 1], True, False),
    "columns of very different size": (
        [[1e-300, 1e300], [2e-300, 1e300], [1e-300, -1e300], [2e-300, -1e300]],
        [0, 1, 0, 1],
        True,
        True,
    ),
    "xor in columns of very different size": (
        [[0, 0], [1e-300, 1e300], [0, 1e300], [1e-300, 0]],
        [0, 0, 1, 1],
        True,
        False,
    ),
    "a row of zeros, no intercept": ([[0, 0], [1, 2], [-1, 3]], [0, 1, 0], False, False),
    "a row of zeros, with intercept": ([[0, 0], [1, 2], [1, 3]], [0, 1, 1], True, True),
}


@pytest.mark.parametrize("make", [np.array, sparse.csr_array], ids=["dense", "csr"])
@pytest.mark.parametrize("name", HARD)
def test_a_hard_case_gets_the_verdict_by_hand(name, make):
    X, y, fit_intercept, separable = HARD[name]
    proof = proved(make(np.array(X, dtype=np.float64)), y, fit_intercept)
    assert proof.separable == separable


def test_a_row_of_zeros_alone_contradicts_a_rule_through_the_origin():
    proof = proved(sparse.csr_array(np.array([[1.0, 2], [0, 0], [3, 1]])), [0, 1, 1], False)
    assert proof.indices.tolist() == [1]
    assert proof.weights == (1,)
    assert "example 1 is zero" in str(proof)


def test_a_stored_zero_is_a_zero():
    X = sparse.csr_array((np.array([0.0, 1.0, -1.0]), [0, 0, 0], [0, 1, 2, 3]), shape=(3, 1))
    assert proved(X, [0, 1, 0], False).indices.tolist() == [0]


# Cover 1965: of all labellings of 2(d + 1) points in general position, half are separable
@pytest.mark.parametrize(
    ("d", "tries"),
    [(2, 144), (6, 144), pytest.param(12, 10_000, marks=pytest.mark.soak)],
)
def test_half_of_all_labellings_are_separable_at_twice_the_dimension(d, tries):
    rng, count, n = np.random.default_rng(d), 0, 2 * (d + 1)
    # all labels equal is one of the labellings; prove wants two classes, so it is counted here
    for _ in range(tries):
        X, y = rng.normal(size=(n, d)), rng.integers(0, 2, n)
        if len(set(y.tolist())) == 1:
            count += 1
            continue
        proof = prove(X, y)
        assert proof.check(X, y)
        assert_true(proof, X, y.tolist())
        count += proof.separable
    # a mean of 72 and a deviation of 6 for 144 tries
    assert abs(count - tries / 2) <= 4 * math.sqrt(tries / 4)


def close(number, square):
    """Tell whether a float is the root of a fraction, to twice the rounding of a float."""
    return abs(Fraction(number) ** 2 / square - 1) <= 8 * Fraction(2) ** -53


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_holds_where_it_is_reached(seed):
    # the first update is right for both examples, and (R / margin)^2 is 1
    x = np.random.default_rng(seed).normal(size=5)
    model = Perceptron(fit_intercept=False).fit([x, -x], [1, 0])
    assert model.n_updates_ == 1
    assert prove([x, -x], [1, 0], False).updates_bound == 1


@SOME
@given(real_data(), st.booleans())
def test_margin_radius_and_bound_are_what_fractions_say(data, fit_intercept):
    X, y = data
    proof = prove(X, y, fit_intercept)
    assume(proof.separable)
    top = max(abs(v) for v in proof.fractions)
    if top < Fraction(1e308):
        assert proof.w.tolist() == [float(v) for v in proof.fractions]
    else:
        assert proof.w.tolist() == [float(v / top) for v in proof.fractions]
    margin2, radius2 = square_of_margin(proof, X, y), square_of_radius(proof, X, y)
    normal = Fraction(1e-300) ** 2, Fraction(1e300) ** 2
    if normal[0] < margin2 < normal[1] and normal[0] < radius2 < normal[1]:
        assert close(proof.margin, margin2)
        assert close(proof.radius, radius2)
    assert proof.updates_bound == radius2 // margin2
    if not fit_intercept:
        assert proof.w[0] == 0


def test_the_time_limit_counts_while_a_rule_is_checked(clock, monkeypatch):
    X = np.random.default_rng(0).standard_normal((2, 1 << 14))  # too many numbers for "short"
    never, threads = Event(), []

    def check_for_ever(*arguments):
        threads.append(current_thread())
        never.wait()

    monkeypatch.setattr(Separable, "of", check_for_ever)

    def let_time_pass(progress):
        clock.let_pass(9 * (progress.stage == "check"))

    with pytest.raises(ProofError, match=r"no proof within the time limit of 3 s \(at: check"):
        prove(X, [0, 1], time_limit=3, callback=let_time_pass)
    assert threads != [current_thread()]
    assert len(threads) == 1
    never.set()
