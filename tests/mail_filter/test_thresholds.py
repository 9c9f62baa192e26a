"""Marks between spam and ham, and how sure a share can be."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rosenblatt.mail_filter.evaluating import Share
from rosenblatt.mail_filter.intervals import share_below, share_interval
from rosenblatt.mail_filter.thresholds import ham_mark, spam_mark

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
def test_a_mark_for_spam_is_never_below_0_and_one_for_ham_never_above(found):
    assert spam_mark(found, 0.001) >= 0 >= ham_mark(found)


@given(scores)
def test_with_few_messages_no_ham_that_was_seen_is_lost(found):
    few = found[:4]
    assert spam_mark(few, 0.001) >= few[0] + 10
    assert ham_mark(few) <= few[-1] - 10


@pytest.mark.parametrize("rate", [0.001, 0.01])
def test_an_exponential_tail_is_cut_at_half_the_rate(rate):
    # the scores at the quantiles of an exponential distribution: P(score > t) = exp(-t)
    n = 10_000
    found = [math.log(n / (k + 0.5)) for k in range(n)]
    assert math.exp(-spam_mark(found, rate)) == pytest.approx(rate / 2, rel=0.15)


def test_more_may_be_lost_when_more_is_allowed():
    found = [float(k) for k in range(1000, 0, -1)]
    marks = [spam_mark(found, rate) for rate in (0.001, 0.01, 0.1)]
    assert marks == sorted(marks, reverse=True)
