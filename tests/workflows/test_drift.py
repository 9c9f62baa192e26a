"""The detector tells of an error that rises, soon; not of one that stays or falls."""

import math

import numpy as np
import pytest

from rosenblatt.workflows.drift import DELTA, LEAST_PART, DriftDetector


def answers(*parts, seed=0):
    """Return wrong answers at given rates: (rows, rate) one after the other."""
    random = np.random.default_rng(seed)
    return np.concatenate([random.random(n) < rate for n, rate in parts])


def test_a_constant_error_is_rarely_taken_for_a_rise():
    alarms = [len(DriftDetector().add(answers((20_000, 0.1), seed=seed))) for seed in range(40)]
    # 800,000 rows; a share of runs well below 1 in 10 has any
    assert sum(n > 0 for n in alarms) <= 3


def test_a_falling_error_is_no_rise():
    falling = answers(*((500, 0.5 / (1 + k)) for k in range(40)))
    assert DriftDetector().add(falling) == []


@pytest.mark.parametrize(("before", "after", "within"), [(0.03, 0.08, 2500), (0.1, 0.4, 400)])
def test_a_rise_is_told_soon_with_the_rates_before_and_after(before, after, within):
    for seed in range(10):
        (first, *_) = DriftDetector().add(answers((20_000, before), (10_000, after), seed=seed))
        assert 20_000 < first.row <= 20_000 + within
        assert abs(first.since - 20_000) < within
        assert abs(first.before - before) < 0.01
        assert first.after > (before + after) / 2 - 0.02


def test_parts_of_any_size_are_told_the_same():
    wrong = answers((5000, 0.05), (3000, 0.3))
    whole, detector = DriftDetector().add(wrong), DriftDetector()
    cuts = np.cumsum(np.random.default_rng(1).integers(0, 100, 400))
    parts = [rise for part in np.split(wrong, cuts) for rise in detector.add(part)]
    assert whole
    assert parts == whole


def test_a_cut_is_made_where_the_bound_of_the_paper_allows_it():
    """64 right answers, then 64 of which k are wrong: the lowest k that is no chance tells."""
    n, m, log = 2 * LEAST_PART, LEAST_PART / 2, math.log(2 * math.log(2 * LEAST_PART) / DELTA)

    def is_chance(k):
        variance = k / n * (1 - k / n)
        return k / LEAST_PART <= math.sqrt(2 / m * variance * log) + 2 / (3 * m) * log

    k = next(k for k in range(LEAST_PART) if not is_chance(k))
    assert 10 < k < LEAST_PART
    wrong = np.repeat([False, True], [LEAST_PART, LEAST_PART])
    wrong[LEAST_PART + k :] = False
    assert DriftDetector().add(wrong) == [(n, LEAST_PART, 0.0, k / LEAST_PART)]
    wrong[LEAST_PART + k - 1] = False
    assert DriftDetector().add(wrong) == []


def test_a_window_of_millions_takes_some_dozens_of_numbers():
    detector = DriftDetector()
    detector.add(np.zeros(1_000_000, dtype=bool))
    assert len(detector._counts) < 100
    assert sum(n for n, _ in detector._counts) == 1_000_000
