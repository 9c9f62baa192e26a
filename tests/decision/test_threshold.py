"""The threshold is where it does best on scores of rows that were not learned from."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, f1_score

from rosenblatt import ParameterError
from rosenblatt.decision.threshold import check_threshold, choose_threshold
from tests.reference.platt import best_threshold, merit

WAYS = ("f1", "balanced", "mistakes")


def noisy(seed, n=40):
    random = np.random.default_rng(seed)
    positive = np.append([True, False], random.random(n - 2) < 0.3)
    scores = random.integers(-6, 7, n) / 2 + 2 * positive - 3.0  # with ties
    return scores, positive


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("way", WAYS)
def test_no_other_threshold_is_better(way, seed):
    scores, positive = noisy(seed)
    best = best_threshold(way, scores.tolist(), positive.tolist())
    found = choose_threshold(way, scores, positive)
    got = merit(way, found, scores.tolist(), positive.tolist())
    if way == "mistakes":
        now = merit(way, 0.0, scores.tolist(), positive.tolist())
        assert got == (best if found else now)
        changed = np.count_nonzero((scores > found) != (scores > 0))
        assert got == now if not found else got - now > 2 * np.sqrt(changed)
    else:
        assert got == pytest.approx(best)


def test_the_merits_are_those_of_scikit_learn():
    scores, positive = noisy(7, 300)
    cuts = np.append(scores, -100.0)
    for way, measure in (("f1", f1_score), ("balanced", balanced_accuracy_score)):
        best = max(measure(positive, scores > cut) for cut in cuts)
        found = choose_threshold(way, scores, positive)
        assert measure(positive, scores > found) == pytest.approx(best)


def test_mistakes_are_saved_only_where_it_is_no_luck():
    # 25 rows below 0 are of the second class: at -1 they are right, and 10 others wrong
    scores = np.repeat([-2.0, -0.5, -0.5, 1.0], [100, 10, 25, 100])
    positive = np.repeat([False, False, True, True], [100, 10, 25, 100])
    assert choose_threshold("mistakes", scores, positive) == -1.25  # saves 15 > 2 sqrt(35)
    more = np.repeat([True, False], [20, 20])
    many = np.append(scores, np.repeat(-0.5, 40)), np.append(positive, more)
    assert choose_threshold("mistakes", *many) == 0.0  # saves 15 < 2 sqrt(75)
    far = np.append(scores, np.repeat(-9.0, 900)), np.append(positive, np.arange(900) < 90)
    assert choose_threshold("mistakes", *far) == -1.25  # mistakes that stay are no matter
    positive[100:115] = False  # 20 rows of the second class there, and 15 of the first
    assert choose_threshold("mistakes", scores, positive) == 0.0


@pytest.mark.parametrize("way", ["f1", "balanced"])
def test_it_lies_in_the_middle_of_the_best_interval(way):
    scores, positive = np.array([-3.0, -1.0, 5.0, 7.0]), np.array([False, False, True, True])
    assert choose_threshold(way, scores, positive) == 2.0


def test_of_equal_intervals_the_one_nearest_to_0_is_taken():
    # at -2, 0 and 3 a third of the second class and nothing of the first is wrong
    scores = np.array([-9.0, -3.0, -1.0, 1.0, 5.0])
    positive = np.array([True, False, True, False, True])
    found = choose_threshold("balanced", scores, positive)
    said = [balanced_accuracy_score(positive, scores > cut) for cut in (-2.0, 0.0, 3.0)]
    assert max(said) == balanced_accuracy_score(positive, scores > found)
    same = [cut for cut, value in zip((-2.0, 0.0, 3.0), said, strict=True) if value == max(said)]
    assert found == min(same, key=abs)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "scores",
    [
        np.zeros(6),
        np.full(6, 1e300),
        np.array([-np.inf, -1.0, 0.0, 0.0, 1.0, np.inf]),
        np.array([-1e308, 1e308] * 3),
        np.array([1.0, np.nextafter(1.0, 2.0)] * 3),
    ],
    ids=["zero", "huge", "infinite", "far apart", "neighbours"],
)
def test_it_is_a_finite_number(way, scores):
    positive = np.array([False, True] * 3)
    assert np.isfinite(choose_threshold(way, scores, positive))


def test_neighbours_among_floats_are_told_apart():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    found = choose_threshold("f1", np.array([low, high]), np.array([False, True]))
    assert low <= found < high


def test_weights_count():
    scores, positive = noisy(3)
    weights = np.random.default_rng(1).integers(0, 4, len(scores))
    twice = np.repeat(np.arange(len(scores)), weights)
    for way in WAYS:
        weighted = choose_threshold(way, scores, positive, weights.astype(float))
        got = merit(way, weighted, scores[twice].tolist(), positive[twice].tolist())
        if way != "mistakes":
            best = best_threshold(way, scores[twice].tolist(), positive[twice].tolist())
            assert got == pytest.approx(best)


@pytest.mark.parametrize("value", [True, np.nan, np.inf, "F2", [0.5], 1j])
def test_what_is_no_threshold_is_refused(value):
    with pytest.raises(ParameterError, match="threshold must be None, 'f1', 'balanced'"):
        check_threshold(value)


def test_a_name_that_is_nearly_right_is_asked_about():
    with pytest.raises(ParameterError, match="did you mean 'balanced'"):
        check_threshold("balance")
