"""Scores beyond what a float64 holds still decide as exact arithmetic does."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import AveragedPerceptron, Perceptron, VotedPerceptron
from rosenblatt.linear.multiclass import decide
from tests.examples import FEW, WAYS, fit, random_data

HUGE = np.finfo(np.float64).max
SIZES = st.one_of(st.just(0.0), st.floats(1e290, HUGE), st.floats(-HUGE, -1e290))


def exact_votes(scores, n_classes):
    """Return the class with the most votes, then the largest sum of scores, then the lowest."""
    votes, sums = [0] * n_classes, [Fraction(0)] * n_classes
    for score, (low, high) in zip(scores, combinations(range(n_classes), 2), strict=True):
        votes[high if score > 0 else low] += 1
        sums[high] += Fraction(score)
        sums[low] -= Fraction(score)
    return votes, sums


@FEW
@given(st.lists(SIZES, min_size=6, max_size=6))
def test_votes_of_huge_scores_are_those_of_fractions(row):
    decided = decide(np.array([row]), 4, "one-vs-one")[0]
    votes, sums = exact_votes(row, 4)
    assert np.isfinite(decided).all()
    assert np.rint(decided).tolist() == votes  # the sums count for less than half a vote
    largest = max(map(abs, sums)) or 1
    for c in range(4):
        assert decided[c] - votes[c] == pytest.approx(float(sums[c] / largest) / 3, abs=1e-12)


def exact_scores(model, X):
    """Return the scores of each row as fractions."""
    W = [[Fraction(w) for w in row] for row in model.coef_.tolist()]
    b = [Fraction(value) for value in model.intercept_.tolist()]
    return [
        [
            sum((w * Fraction(x) for w, x in zip(row, xs, strict=True)), c)
            for row, c in zip(W, b, strict=True)
        ]
        for xs in X.tolist()
    ]


def exact_choice(scores, way, n_classes):
    if n_classes == 2:
        return int(scores[0] > 0)
    if way == "one-vs-one":
        votes, sums = exact_votes(scores, n_classes)
        return max(range(n_classes), key=lambda c: (votes[c], sums[c], -c))
    return max(range(n_classes), key=lambda c: (scores[c], -c))


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_huge_rows_are_classified_as_by_exact_arithmetic(n_classes, way, kind):
    data = random_data(3, 40, 3, n_classes, low=-50, high=50)
    X = np.array(data.X, dtype=float)
    model = fit(Perceptron(multiclass=way, max_epochs=5), X * 2.0**300, data.y)
    # some rows overflow in the middle of a sum, some in all scores, some not at all
    rows = np.vstack([X * 2.0**1015, X * 2.0**718, X * 2.0**300])
    scores = model.decision_function(kind(rows))
    assert np.isfinite(scores).all()
    expected = [exact_choice(row, way, n_classes) for row in exact_scores(model, rows)]
    assert model.predict(kind(rows)).tolist() == expected


def test_a_score_that_fits_is_the_score_even_if_its_sum_overflows_on_the_way():
    model = Perceptron().fit([[0, 0, 1], [0, 0, -1]], [1, 0])
    model.coef_ = np.array([[2.0**600, 2.0**600, 1.0]])
    model.intercept_ = np.array([3.0])
    rows = [[2.0**600, -(2.0**600), 0.0], [2.0**600, -(2.0**500), 0.0]]
    scores = model.decision_function(rows)
    assert scores[0] == 3.0
    assert np.isfinite(scores).all()
    assert scores[1] > 2.0**1000  # more than can be said


@pytest.mark.parametrize(
    "model", [VotedPerceptron(epochs=3, shuffle=False), AveragedPerceptron(random_state=0)]
)
@pytest.mark.parametrize("way", WAYS)
def test_the_unit_of_measurement_does_not_change_predictions_even_if_it_is_tiny(model, way):
    # without a threshold the votes and the order of the scores do not depend on the length of x
    data = random_data(8, 40, 3, n_classes=3, low=-30, high=30)
    X = np.array(data.X, dtype=float)
    model.set_params(multiclass=way, fit_intercept=False)
    expected = fit(model, X, data.y).predict(X).tolist()
    assert fit(model, X * 2.0**400, data.y).predict(X * 2.0**400).tolist() == expected
    assert model.predict(X * 2.0**1010).tolist() == expected
    assert model.predict(sparse.csr_array(X * 2.0**1010)).tolist() == expected
