"""The largest margin is what mathematics, exact fractions and other solvers say it is."""

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from scipy.optimize import nnls
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from rosenblatt import DataError, ParameterError, Perceptron
from rosenblatt.errors import ProofError
from rosenblatt.proof.margin import max_margin
from tests.examples import (
    FEW,
    KINDS,
    LECTURE_X,
    LECTURE_Y,
    THREE_KINDS,
    XOR_X,
    XOR_Y,
    random_data,
    small_data,
)
from tests.reference.margin import exact_margin

NOT_SEPARABLE = "the data is not separable, so there is no margin"


def street(n=300, d=5, margin=0.1, seed=0):
    """Normal rows, those within the margin of a plane pushed off; many end up on its border."""
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    w /= np.linalg.norm(w)
    side = np.where(X @ w > 0, 1, -1)
    X += np.outer(side * np.maximum(0.0, margin - np.abs(X @ w)), w)
    return X, side


def canonical(X, y):
    return np.asarray(y)[:, np.newaxis] * np.column_stack([np.ones(len(X)), X])


def test_lecture_points():
    # by hand: only 2 and 7 count; -(w0 + 2 w1) = 1 = w0 + 7 w1 gives w = (-9/5, 2/5)
    found = max_margin(LECTURE_X, LECTURE_Y)
    np.testing.assert_allclose(found.w, [-9 / 5, 2 / 5])
    np.testing.assert_array_equal(found.support, [1, 2])
    np.testing.assert_allclose(found.B**2, 85 / 25)
    assert found.margin == pytest.approx(1 / found.B)
    assert found.radius**2 == pytest.approx(65)
    assert found.updates_bound == 221
    # the middle of 2 and 7 is 4.5, and 2.5 from both
    assert found.geometric_margin == pytest.approx(2.5)
    np.testing.assert_allclose(found.geometric_w, [-4.5 / 2.5, 1 / 2.5])
    assert max(found.gap, found.geometric_gap) < 1e-12


@pytest.mark.parametrize("kind", [*THREE_KINDS, "dense float32"])
@FEW
@given(data=small_data(low=0, high=1, most_rows=6, most_features=3))
def test_all_kinds_of_rows_agree_with_exact_fractions(kind, data):
    _compare_with_fractions(KINDS[kind](data.X), data)


@FEW
@given(data=small_data(most_rows=8, most_features=3))
def test_whole_numbers_agree_with_exact_fractions(data):
    _compare_with_fractions(np.array(data.X, dtype=float), data)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2000))
def test_many_sets_agree_with_exact_fractions(seed):
    rng = np.random.default_rng(seed)
    data = random_data(seed, int(rng.integers(2, 10)), int(rng.integers(1, 4)), low=-4, high=4)
    _compare_with_fractions(np.array(data.X, dtype=float), data)


def _compare_with_fractions(X, data):
    y = data.signs
    free = exact_margin(data.X, y, "free")
    if free is None:
        with pytest.raises(ProofError, match=NOT_SEPARABLE):
            max_margin(X, y)
    else:
        found, best = max_margin(X, y), exact_margin(data.X, y)
        np.testing.assert_allclose(found.w, np.array(best[0], dtype=float), atol=1e-7)
        np.testing.assert_allclose(found.B**2, float(best[1]))
        np.testing.assert_allclose(found.geometric_w, np.array(free[0], dtype=float), atol=1e-7)
        assert found.geometric_margin == pytest.approx(float(free[1]) ** -0.5)
    best = exact_margin(data.X, y, "none")
    if best is None:
        with pytest.raises(ProofError, match=NOT_SEPARABLE):
            max_margin(X, y, fit_intercept=False)
    else:
        found = max_margin(X, y, fit_intercept=False)
        np.testing.assert_allclose(found.w, np.array(best[0], dtype=float), atol=1e-7)
        assert found.geometric_margin == found.margin
        np.testing.assert_array_equal(found.geometric_w, found.w)


@pytest.mark.parametrize("d", [1, 2, 20, 60])
def test_street_of_known_width_is_found(d):
    X, y = street(n=400 + 20 * d, d=d)
    found = max_margin(X, y)
    # enough points on both borders pin it; otherwise it can only be wider
    assert found.geometric_margin >= 0.1 - 1e-9
    if d <= 20:
        assert found.geometric_margin == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize("tolerance", [0.5, 0.1, 1e-2, 1e-4])
@pytest.mark.parametrize("seed", range(4))
def test_gap_bounds_what_is_missing(tolerance, seed):
    X, y = street(n=500, d=15, seed=seed)
    rough, best = max_margin(X, y, tolerance=tolerance), max_margin(X, y, tolerance=1e-9)
    assert rough.gap <= tolerance
    assert rough.margin * (1 - 1e-8) <= best.margin <= rough.margin / (1 - rough.gap) * (1 + 1e-8)
    high = rough.geometric_margin / (1 - rough.geometric_gap)
    assert rough.geometric_margin * (1 - 1e-8) <= best.geometric_margin <= high * (1 + 1e-8)
    assert (canonical(X, y) @ rough.w).min() == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_optimality_conditions_hold(seed):
    X, y = street(n=400, d=8, seed=seed)
    found, Z = max_margin(X, y), canonical(X, y)
    assert (Z @ found.w).min() == pytest.approx(1.0, abs=1e-9)
    np.testing.assert_allclose(Z[found.support] @ found.w, 1.0, atol=1e-6)
    _, distance = nnls(Z[found.support].T, found.w)
    assert distance <= 1e-6 * found.B


@pytest.mark.parametrize("d", [2, 5, 10])
def test_geometric_margin_agrees_with_a_support_vector_machine(d):
    X, y = street(n=300, d=d, margin=0.2)
    X *= 1 + 0.5 * np.random.default_rng(d).random((300, 1))  # off the border, so that one is best
    peer = SVC(kernel="linear", C=1e10, tol=1e-8).fit(X, y)
    found = max_margin(X, y)
    assert found.geometric_margin == pytest.approx(1 / np.linalg.norm(peer.coef_), rel=1e-6)
    np.testing.assert_allclose(found.geometric_w[1:], peer.coef_[0], rtol=1e-4, atol=1e-4)
    assert found.geometric_w[0] == pytest.approx(peer.intercept_[0], rel=1e-4, abs=1e-4)


def test_canonical_margin_agrees_with_liblinear():
    # liblinear counts the intercept in the norm, as the canonical form does
    X, y = street(n=200, d=3, margin=0.3)
    peer = LinearSVC(C=1e6, loss="hinge", tol=1e-9, max_iter=10**7, random_state=0).fit(X, y)
    w = np.append(peer.intercept_, peer.coef_[0])
    np.testing.assert_allclose(max_margin(X, y).w, w, rtol=1e-4, atol=1e-4)


def test_perceptrons_stay_under_the_bound():
    X, y = street(n=200, d=3)
    bound = max_margin(X, y).updates_bound
    for rule in ("first", "cyclic", "random", "worst"):
        model = Perceptron(rule=rule, random_state=0, max_epochs=None, max_updates=10**6)
        assert model.fit(X, y).n_updates_ <= bound


def test_twice_as_large_rows_have_half_the_weights():
    X, y = street()
    once, twice = (max_margin(c * X, y, fit_intercept=False) for c in (1, 2))
    np.testing.assert_allclose(twice.w, once.w / 2, rtol=1e-6)
    assert twice.updates_bound == pytest.approx(once.updates_bound)
    assert once.w[0] == 0.0


def test_geometric_margin_does_not_depend_on_the_origin():
    X, y = street()
    here, there = max_margin(X, y), max_margin(X + 100.0, y)
    assert there.geometric_margin == pytest.approx(here.geometric_margin)
    assert there.margin < here.margin


def test_repeated_rows_change_nothing():
    X, y = street()
    once, often = max_margin(X, y), max_margin(np.tile(X, (3, 1)), np.tile(y, 3))
    np.testing.assert_allclose(often.w, once.w, rtol=1e-6, atol=1e-9)


def test_one_example_of_each_class():
    found = max_margin([[0.0, 0.0], [3.0, 4.0]], ["a", "b"])
    assert found.geometric_margin == pytest.approx(2.5)
    assert found.classes.tolist() == ["a", "b"]


@pytest.mark.parametrize("scale", [1e300, 1e-300, 1e20, 1e-20])
def test_very_large_and_very_small_values(scale):
    X = (np.array(LECTURE_X, dtype=float) - 4) * scale
    found = max_margin(X, LECTURE_Y, fit_intercept=False)
    np.testing.assert_allclose(found.w * scale, [0, 1 / 2])
    assert found.updates_bound == pytest.approx(4)  # R = 4, the margin is 2
    with pytest.raises(ProofError, match="bring the columns of X to the size of 1 first"):
        max_margin(np.array(LECTURE_X) * scale, LECTURE_Y)


def test_the_largest_floats_have_a_margin():
    X = [[1.7e308, 1.7e308], [-1.7e308, -1.7e308]]
    assert max_margin(X, [0, 1], fit_intercept=False).updates_bound == 1


def test_intercept_next_to_very_large_values_is_not_needed():
    # -3, -2 against 3, 4: 0 is between them, and beside 1e20 the constant 1 is no help
    X = (np.array(LECTURE_X, dtype=float) - 4) * 1e20
    found = max_margin(X, LECTURE_Y)
    assert found.margin == pytest.approx(2e20)
    assert found.geometric_margin == pytest.approx(2.5e20)


@pytest.mark.parametrize("margin", [1e-5, 1e-6, 1e-7])
def test_thin_margins_are_proved(margin):
    X, y = street(n=300, d=3, margin=0.5)
    w = max_margin(X, y).geometric_w[1:]
    w /= np.linalg.norm(w)
    X -= np.outer(y * (0.5 - margin), w)
    found = max_margin(X, y)
    assert found.geometric_margin == pytest.approx(margin, rel=1e-5)
    assert found.gap <= 1e-6


def test_gap_says_what_float64_reached():
    X, y = street(n=300, d=3, margin=0.5)
    w = max_margin(X, y).geometric_w[1:]
    X -= np.outer(y * (0.5 - 1e-9), w / np.linalg.norm(w))
    with pytest.warns(ConvergenceWarning, match="float64 cannot tell more"):
        found = max_margin(X, y)
    assert 1e-6 < found.gap < 1e-3
    assert found.geometric_margin == pytest.approx(1e-9, rel=1e-3)


def test_columns_of_very_different_size():
    X, y = street(d=4)
    X = np.column_stack([X, 1e-8 * X[:, 0], 1e4 * y])
    found, Z = max_margin(X, y), canonical(X, y)
    assert found.gap <= 1e-6
    assert (Z @ found.w).min() == pytest.approx(1.0)
    # the last column alone has a margin of 1e4, and no rule is shorter than along it
    assert found.geometric_margin >= 1e4 * (1 - 1e-6)


def test_wide_sparse_rows():
    rng = np.random.default_rng(0)
    X = sparse.random(150, 50_000, density=1e-3, format="csr", random_state=0)
    y = rng.integers(0, 2, 150)
    found = max_margin(X, y)
    Z = sparse.hstack([np.ones((150, 1)), X]).tocsr().multiply((2 * y - 1)[:, np.newaxis]).tocsr()
    margins = Z @ found.w
    assert margins.min() == pytest.approx(1.0)
    assert found.gap <= 1e-6
    # the dual by another solver: |p|^2 = min a'ZZ'a over the simplex
    gram = (Z @ Z.T).toarray()
    root = np.linalg.cholesky(gram)
    a, _ = nnls(np.vstack([root.T, np.ones(150)]), np.append(np.zeros(150), 1.0))
    a /= a.sum()
    assert found.margin == pytest.approx(np.sqrt(a @ gram @ a), rel=1e-5)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (XOR_X, XOR_Y),
        ([[1, 2], [1, 2], [3, 4]], [0, 1, 1]),
        ([[0, 0], [0, 0]], [0, 1]),
        ([[1], [2], [3]], [0, 1, 0]),
    ],
)
def test_contradictions_have_no_margin(X, y):
    with pytest.raises(ProofError, match=NOT_SEPARABLE):
        max_margin(X, y)


def test_noise_has_no_margin():
    rng = np.random.default_rng(0)
    with pytest.raises(ProofError, match=NOT_SEPARABLE):
        max_margin(rng.standard_normal((3000, 20)), rng.integers(0, 2, 3000))


def test_row_of_zeros_has_no_margin_without_an_intercept():
    with pytest.raises(ProofError, match=NOT_SEPARABLE):
        max_margin([[0.0], [1.0]], [0, 1], fit_intercept=False)


def test_callback_hears_of_each_pass():
    X, y = street(n=2000, d=10)
    told = []
    found = max_margin(X, y, callback=told.append)
    assert [p.n_passes for p in told] == list(range(1, len(told) + 1))
    assert told[-1].gap == found.gap
    assert all(0 <= p.gap <= 1 and p.n_working >= 2 for p in told)


def test_interruption_ends_the_search():
    def interrupt(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        max_margin(*street(), callback=interrupt)


def test_time_limit_ends_with_the_best_rule_so_far(clock):
    X, y = street(n=5000, d=40)
    X *= 1 + np.random.default_rng(0).random((5000, 1))  # off the border: the best comes in steps

    def dawdle(progress):
        if progress.gap < 1.0:
            clock.let_pass(2.1)

    with pytest.warns(ConvergenceWarning, match="the time is over"):
        found = max_margin(X, y, time_limit=2.0, callback=dawdle)
    assert 1e-6 < max(found.gap, found.geometric_gap) < 1.0
    assert (canonical(X, y) @ found.w).min() == pytest.approx(1.0)
    assert max_margin(X, y).margin <= found.margin / (1 - found.gap) * (1 + 1e-6)


def test_compiling_does_not_count_against_the_time_limit_of_a_margin(clock):
    def compile_for_long(progress):
        clock.compile_for(100)

    found = max_margin(*street(n=50, d=3), time_limit=1, callback=compile_for_long)
    assert found.gap < 1e-6


def test_time_limit_without_any_rule_is_an_error():
    with pytest.raises(ProofError, match="no separating rule was found within the time limit"):
        max_margin(*street(n=5000, d=40), time_limit=1e-9)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"y": [0, 1, 2, 2]}, DataError, "got 3; pass two of them, or one against the rest"),
        ({"y": [0, 0, 0, 0]}, DataError, "y has 1 class"),
        ({"y": [0, 1]}, DataError, "same length"),
        ({"y": None}, DataError, "max_margin requires y"),
        ({"X": [[1], [np.nan], [2], [3]]}, DataError, "got NaN at row 1"),
        ({"tolerance": 0}, ParameterError, "tolerance must be a number above 0"),
        ({"time_limit": -1}, ParameterError, "time_limit must be a number above 0"),
        ({"callback": 3}, ParameterError, "callback must be callable"),
    ],
)
def test_bad_input_is_refused(change, error, message):
    arguments = {"X": LECTURE_X, "y": LECTURE_Y} | change
    with pytest.raises(error, match=message):
        max_margin(**arguments)


def test_text_says_what_was_found():
    text = str(max_margin(LECTURE_X, LECTURE_Y))
    assert "0.542326" in text
    assert "at most 221 updates" in text
    assert "2.5 from the middle" in text
