"""Scores become probabilities as Platt, and Lin, Lin and Weng, have it."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.calibration import _SigmoidCalibration

from rosenblatt.decision import calibration
from rosenblatt.decision.calibration import Calibration, fit_calibration
from tests.reference.platt import platt, softmax_loss


def noisy(seed, n=200, n_classes=2, spread=1.5):
    """Return scores that tell something about labels, but not all."""
    random = np.random.default_rng(seed)
    labels = np.append(np.arange(n_classes), random.integers(0, n_classes, n - n_classes))
    if n_classes == 2:
        return spread * random.normal(size=n) + 2 * labels - 1 + 0.3, labels
    scores = spread * random.normal(size=(n, n_classes))
    scores[np.arange(n), labels] += 2
    return scores + random.normal(size=n_classes), labels


@pytest.mark.parametrize("seed", range(10))
def test_two_classes_get_the_sigmoid_of_the_paper(seed):
    scores, labels = noisy(seed, n=40 + 40 * seed, spread=2.0 ** (seed % 3 - 1))
    scores += 6.0  # far from the boundary: the offset is needed
    a, b = platt(scores.tolist(), (labels == 1).tolist())
    found = fit_calibration(scores, labels, 2)
    assert found.slope == pytest.approx(a, rel=1e-6)
    assert found.offsets == pytest.approx([0.0, b], rel=1e-6, abs=1e-8)


def test_weights_count_as_in_scikit_learn():
    scores, labels = noisy(3)
    weights = np.random.default_rng(4).uniform(0, 3, len(labels))
    scores += 2.0
    theirs = _SigmoidCalibration().fit(scores, labels, weights)
    ours = fit_calibration(scores, labels, 2, weights).probabilities(scores)[:, 1]
    assert ours == pytest.approx(theirs.predict(scores), abs=1e-4)  # theirs stops at 1e-5 or so


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_weight_of_two_is_the_row_twice(n_classes):
    scores, labels = noisy(5, 60, n_classes)
    weights = np.random.default_rng(0).integers(0, 4, 60)
    twice = np.repeat(np.arange(60), weights)
    scores = scores + 4.0 * np.arange(n_classes)[1 if n_classes == 2 else slice(None)]
    weighted = fit_calibration(scores, labels, n_classes, weights.astype(float))
    repeated = fit_calibration(scores[twice], labels[twice], n_classes)
    assert weighted.slope == pytest.approx(repeated.slope, rel=1e-6)
    assert weighted.offsets == pytest.approx(repeated.offsets, abs=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0, 3.0])
def test_no_other_softmax_is_likelier_and_offsets_are_there_if_they_are_worth_it(n_classes, shift):
    scores, labels = noisy(n_classes, 80, n_classes)
    scores = scores + shift * np.linspace(0, 1, n_classes)[1 if n_classes == 2 else slice(None)]
    found = fit_calibration(scores, labels, n_classes)
    columns = np.column_stack([np.zeros(80), scores]) if n_classes == 2 else scores

    def loss(x):
        return softmax_loss(x[0], [0.0, *x[1:]], columns.tolist(), labels.tolist())

    def slope_alone(x):
        return loss(np.append(x, np.zeros(n_classes - 1)))

    without = minimize(slope_alone, [0.1], method="BFGS").fun
    best = minimize(loss, np.full(n_classes, 0.1), method="BFGS").fun
    if without - best > 2 * (n_classes - 1):
        assert loss(np.append(found.slope, found.offsets[1:])) == pytest.approx(best, abs=1e-7)
    else:
        assert (found.offsets == 0).all()
        assert slope_alone([found.slope]) == pytest.approx(without, abs=1e-7)


def test_offsets_are_both_taken_and_left_out_above():
    found = [
        fit_calibration(noisy(k, 80, k)[0] + c * np.arange(k)[-1], noisy(k, 80, k)[1], k)
        for k in (2,)
        for c in (0.0, 3.0)
    ]
    assert (found[0].offsets == 0).all()
    assert (found[1].offsets != 0).any()


def test_a_million_rows_are_thinned_out_evenly(monkeypatch):
    scores, labels = noisy(6, 4000)
    whole = fit_calibration(scores, labels, 2)
    monkeypatch.setattr(calibration, "MOST_CELLS", 4000)
    some = fit_calibration(scores, labels, 2)
    assert some.slope != whole.slope
    assert some.slope == pytest.approx(whole.slope, rel=0.2)


def test_of_very_many_classes_only_the_slope_is_learned(monkeypatch):
    monkeypatch.setattr(calibration, "MOST_OFFSETS", 3)
    scores, labels = noisy(7, 300, 4)
    found = fit_calibration(scores, labels, 4)
    assert (found.offsets == 0).all()

    def loss(x):
        return softmax_loss(x[0], [0.0] * 4, scores.tolist(), labels.tolist())

    assert loss([found.slope]) <= minimize(loss, [0.5], method="Nelder-Mead").fun + 1e-9


EXTREMES = {
    "constant": (np.full(8, 3.0), np.array([0, 1] * 4)),
    "zero": (np.zeros(8), np.array([0, 1] * 4)),
    "separable": (np.array([-4.0, -3, -2, -1, 1, 2, 3, 4]), np.array([0] * 4 + [1] * 4)),
    "huge": (1e300 * np.array([-4.0, -3, 2, -1, 1, -2, 3, 4]), np.array([0] * 4 + [1] * 4)),
    "tiny": (1e-300 * np.array([-4.0, -3, 2, -1, 1, -2, 3, 4]), np.array([0] * 4 + [1] * 4)),
    "of all sizes": (
        np.array([-1e300, -1e100, -1.0, -1e-300, 1e-300, 1.0, 1e100, 1e300]),
        np.array([0] * 4 + [1] * 4),
    ),
    "infinite": (
        np.array([-np.inf, -1.0, -2, -1, 1, 2, 3, np.inf]),
        np.array([0] * 4 + [1] * 4),
    ),
    "the wrong way round": (np.arange(8.0), np.array([1] * 4 + [0] * 4)),
    "far away": (1e15 + np.arange(8.0), np.array([0] * 4 + [1] * 4)),
    "one row of a class": (np.arange(8.0), np.array([0] * 7 + [1])),
    "two rows": (np.array([-1.0, 1.0]), np.array([0, 1])),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("case", EXTREMES)
@pytest.mark.parametrize("columns", [1, 3])
def test_probabilities_are_inside_of_0_and_1_and_rise_with_the_score(case, columns):
    scores, labels = EXTREMES[case]
    if columns == 3:
        scores = np.column_stack([np.zeros(len(scores)), scores, -scores / 2])
        labels = np.where(np.arange(len(labels)) % 3 == 0, 2, labels)
    found = fit_calibration(scores, labels, max(2, columns))
    ends = np.array([-np.inf, -1e308, -1.0, 0.0, 1e-9, 1.0, 1e308, np.inf])
    asked = np.sort(np.append(ends, scores.ravel()))
    if columns == 3:
        asked = np.column_stack([np.zeros(len(asked)), asked, np.zeros(len(asked))])
    p = found.probabilities(asked)
    assert ((p > 0) & (p < 1)).all()
    assert p.sum(axis=1) == pytest.approx(np.ones(len(p)))
    assert (np.diff(p[:, 1]) >= (0 if columns == 1 else -1e-15)).all()  # rounding of the sum


def test_scores_that_tell_nothing_get_the_shares_of_the_classes():
    found = fit_calibration(np.zeros(1000), np.arange(1000) % 4 // 3, 2)
    assert found.probabilities(np.array([5.0]))[0] == pytest.approx([0.75, 0.25], abs=0.002)
    turned = fit_calibration(-np.arange(1000.0), np.arange(1000) // 750, 2)
    assert turned.slope * 1000 < 1e-4
    assert turned.probabilities(np.array([5.0]))[0] == pytest.approx([0.75, 0.25], abs=0.002)


def test_scores_that_separate_the_classes_get_the_targets_at_most():
    scores, labels = np.repeat([-1.0, 1.0], 50), np.repeat([0, 1], 50)
    p = fit_calibration(scores, labels, 2).probabilities(np.array([-1.0, 1.0]))
    assert p[:, 1] == pytest.approx([1 / 52, 51 / 52], abs=1e-6)


def test_a_score_far_away_does_not_flatten_the_others():
    scores, labels = noisy(8)
    usual = fit_calibration(scores, labels, 2)
    for far in (1e9, np.inf):
        moved = fit_calibration(np.append(scores, far), np.append(labels, 1), 2)
        assert moved.slope > usual.slope / 3


def test_the_scale_of_scores_does_not_matter():
    scores, labels = noisy(9, 100, 3)
    plain = fit_calibration(scores, labels, 3).probabilities(scores)
    scaled = fit_calibration(1e-120 * scores, labels, 3).probabilities(1e-120 * scores)
    assert scaled == pytest.approx(plain, abs=1e-9)


def test_the_softmax_of_two_classes_is_the_sigmoid():
    p = Calibration(0.7, np.array([0.0, -0.4])).probabilities(np.array([3.0]))
    assert p[0, 1] == pytest.approx(1 / (1 + np.exp(-(0.7 * 3.0 - 0.4))))


@pytest.mark.parametrize("seed", [2, 8, 10])
def test_the_search_ends_where_rounding_hides_what_is_lower(seed, monkeypatch):
    random = np.random.default_rng(seed)
    scores = random.standard_normal(1000) * random.choice([5, 12, 15], 1000)
    labels = (scores + 6 * random.standard_normal(1000) > 0) ^ (random.random(1000) < 0.1)
    looks, loss = [], calibration._loss
    monkeypatch.setattr(calibration, "_loss", lambda *of: looks.append(1) or loss(*of))
    a, _ = platt(scores.tolist(), labels.tolist())
    found = fit_calibration(scores + 10 / a, labels.astype(int), 2)
    assert found.slope == pytest.approx(a, rel=1e-6)
    assert len(looks) < 50
