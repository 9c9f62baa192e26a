"""Bounds on the margin hold in exact arithmetic, whichever solver found them."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from rosenblatt.checks import check_block
from rosenblatt.proof import widest
from rosenblatt.proof.corral import Factor
from rosenblatt.proof.points import NotSeparableError, Points
from rosenblatt.proof.problem import AskedRows
from rosenblatt.proof.question import SignedRows
from rosenblatt.proof.widest import first_one, first_pair, largest_margin
from tests.proof.test_margin import street

FORMS = {"free": (0.0, True), "canonical": (1.0, False), "none": (0.0, False)}


def points_of(X, y):
    data = check_block(BaseEstimator(), X, y)
    rows = SignedRows(data.rows, (2 * data.labels - 1).astype(np.int8), 1.0, data.n_features)
    return Points(AskedRows.of(rows))


def search(points, form="free", tolerance=1e-6):
    x0, free = FORMS[form]
    start = first_one(points) if form == "none" else first_pair(points)
    return largest_margin(
        points,
        x0,
        free=free,
        start=start,
        tolerance=tolerance,
        out_of_time=lambda: False,
        tell=lambda n_working, gap: None,
    )


@pytest.fixture(params=["factor", "conjugate gradients"])
def solver(request, monkeypatch):
    """Run with either solver, whatever the size."""
    monkeypatch.setattr(widest, "LARGEST_FACTOR", 1 << 40 if request.param == "factor" else 0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tolerance", [0.3, 1e-3, 1e-9])
def test_bounds_hold_in_exact_arithmetic(solver, form, tolerance):
    X, y = street(n=60, d=4, margin=0.05)
    points, (x0, free) = points_of(X, y), FORMS[form]
    found = search(points, form, tolerance)
    Z = [[Fraction(v) * int(s) for v in (x0, *row)] for row, s in zip(X, y, strict=True)]
    w = [Fraction(float(v)) for v in (0.0 if free else found.rule.w0, *found.rule.w)]
    b = Fraction(float(found.rule.b)) if free else 0
    smallest = min(dot(z, w) + int(s) * b for z, s in zip(Z, y, strict=True))
    assert smallest > 0
    assert smallest**2 >= Fraction(found.lower) ** 2 * dot(w, w)
    a = {int(i): Fraction(float(v)) for i, v in zip(found.support, found.weights, strict=True)}
    if free:
        for sign in (-1, 1):
            total = sum(v for i, v in a.items() if y[i] == sign)
            a |= {i: v / total / 2 for i, v in a.items() if y[i] == sign}
    total = sum(a.values())
    p = [sum(v * Z[i][k] for i, v in a.items()) / total for k in range(len(w))]
    assert dot(p, p) <= Fraction(found.upper) ** 2


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(5))
def test_both_solvers_find_the_same(form, seed, monkeypatch):
    points = points_of(*street(n=300, d=10, seed=seed))
    by_factor = search(points, form)
    monkeypatch.setattr(widest, "LARGEST_FACTOR", 0)
    by_gradients = search(points, form)
    np.testing.assert_allclose(by_gradients.rule.w, by_factor.rule.w, rtol=1e-2, atol=2e-3)
    assert by_gradients.lower == pytest.approx(by_factor.lower, rel=2e-6)
    assert by_gradients.gap <= 1e-6


@pytest.mark.parametrize("form", FORMS)
def test_contradictions_are_noticed(solver, form):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 3)), rng.integers(0, 2, 200)
    with pytest.raises(NotSeparableError):
        search(points_of(X, y), form)
    X = sparse.random(100, 2000, density=0.01, format="csr", random_state=0)
    twice = sparse.vstack([X, X[7:8]]).tocsr()
    y = np.arange(101) % 2  # row 7 is odd, its copy even
    with pytest.raises(NotSeparableError):
        search(points_of(twice, y), form)


def test_repeated_examples_do_no_harm(solver):
    X, y = street(n=100, d=4)
    once = search(points_of(X, y))
    often = search(points_of(np.tile(X, (4, 1)), np.tile(y, 4)))
    assert often.lower == pytest.approx(once.lower, rel=2e-6)


def test_factor_follows_its_columns():
    rng = np.random.default_rng(0)
    M = rng.standard_normal((9, 6))
    factor, columns = Factor(9), []
    for k in [0, 1, 2, 3]:
        factor.append(*factor.split(M[:, k]))
        columns.append(k)
    for place, k in [(1, 4), (3, 5), (0, 1)]:
        factor.delete(place)
        del columns[place]
        factor.append(*factor.split(M[:, k]))
        columns.append(k)
        np.testing.assert_allclose(factor.Q @ factor.R, M[:, columns], atol=1e-13)
        np.testing.assert_allclose(factor.Q.T @ factor.Q, np.eye(len(columns)), atol=1e-14)
        np.testing.assert_allclose(factor.R, np.triu(factor.R), atol=0)
    x = rng.standard_normal(len(columns))
    np.testing.assert_allclose(factor.divide(factor.R @ x), x)
    np.testing.assert_allclose(factor.divide_transposed(factor.R.T @ x), x)
