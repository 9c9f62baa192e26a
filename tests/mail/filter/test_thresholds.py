"""Marks between spam and ham, and how sure a share can be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rosenblatt.mail.filter.evaluating import Share, share_below, share_interval
from rosenblatt.mail.filter.thresholds import ham_mark, spam_mark

scores = st.lists(st.floats(-50, 50), min_size=1, max_size=50).map(
    lambda v: sorted(v, reverse=True)
)


@given(st.integers(1, 5000), st.data())
@settings(max_examples=60, deadline=None)
def test_the_interval_is_that_of_clopper_and_pearson(n, data):
    k = data.draw(st.integers(0, min(n, 40)))
    expected = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
    assert share_interval(k, n) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize("n", [100, 1000, 10_000])
def test_nothing_seen_in_n_means_less_than_three_in_n(n):
    assert 2.9 / n < share_below(0, n) < 3 / n


def test_a_share_of_nothing_may_be_anything():
    assert Share(0, 0).interval == (0.0, 1.0)


@given(scores)
def test_a_mark_for_spam_is_high_and_one_for_ham_is_low(found):
    assert spam_mark(found, 0.001) > 13 > 0 > ham_mark(found)


@given(scores, st.sampled_from([0.001, 0.1, 0.5]))
def test_no_more_than_the_allowed_share_of_ham_seen_is_lost(found, rate):
    lost = sum(score >= spam_mark(found, rate) for score in found)
    assert lost <= rate * len(found)


def test_more_may_be_lost_when_more_is_allowed():
    found = [float(k) for k in range(1000, 0, -1)]
    marks = [spam_mark(found, rate) for rate in (0.001, 0.01, 0.1)]
    assert marks == sorted(marks, reverse=True)
    assert [sum(score >= mark for score in found) for mark in marks] == [1, 10, 100]


def test_the_fewer_messages_the_more_caution():
    assert spam_mark([20.0] * 4, 0.001) == 25.0
    assert spam_mark([20.0] * 400, 0.001) == 20.5
    assert ham_mark([10.0] * 4) == -5.0
