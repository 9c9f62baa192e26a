"""Marks between spam and ham, with labels that are wrong, and how sure a share can be."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rosenblatt.mail.filter.evaluating import Share, share_below, share_interval
from rosenblatt.mail.filter.marks import edge, known_scores, marks_of, noisy_logistic, recent
from rosenblatt.mail.filter.memory import HAM, SPAM, UNSURE, Judged, Messages
from tests.reference import mail_marks as reference

scores = st.lists(st.floats(-50, 50), min_size=2, max_size=40)


def drawn(seed, n=4000, eh=0.0, es=0.0, untold=0.0):
    """Scores of ham about -10 and spam about 10, whose labels are wrong so often.

    Two normal distributions of one width: the odds are those of a logistic, exactly.
    """
    rng = np.random.default_rng(seed)
    spam = rng.random(n) < 0.4
    found = np.where(spam, 10.0, -10.0) + 5 * rng.normal(size=n)
    wrong = rng.random(n) < np.where(spam, eh, es)
    labels = np.where(rng.random(n) < untold, UNSURE, 1 * (spam ^ wrong))
    return found, labels, spam, wrong


@pytest.mark.parametrize("rates", [(0.0, 0.0), (0.01, 0.05), (0.1, 0.0)])
@pytest.mark.parametrize("untold", [0.0, 0.3])
def test_the_fit_is_that_of_the_plain_reference(rates, untold):
    found, labels, *_ = drawn(3, 150, *rates, untold)
    fitted = noisy_logistic(found, labels)
    a, b, eh, es, r = reference.noisy_logistic(found.tolist(), labels.tolist())
    assert fitted[:4] == pytest.approx((a, b, eh, es), abs=1e-8)
    assert fitted.truth.tolist() == pytest.approx(r, abs=1e-8)


@given(scores, st.data())
@settings(max_examples=40, deadline=None)
def test_marks_are_those_of_the_plain_reference(found, data):
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(found), max_size=len(found)))
    expected = reference.marks(found, labels, 0.001, 3.0)
    marks = marks_of(np.array(found), np.array(labels), 0.001, 3.0)
    assert marks == pytest.approx(expected, rel=1e-6, abs=1e-6)
    assert marks[0] >= marks[1]


def test_one_spam_called_ham_by_mistake_does_not_take_the_mark_up():
    """Of 400 scores alone it could not be told: the rates would be thought to be 0."""
    found, labels, spam, _ = drawn(5, 400)
    found = 2 * found - np.where(spam, 10.0, -10.0)  # twice as wide
    honest, told = ((np.append(found, 20.0), np.append(labels, last)) for last in (SPAM, HAM))
    assert marks_of(*told, 0.01)[0] == pytest.approx(marks_of(*honest, 0.01)[0])
    assert noisy_logistic(*told).wrong(told[1])[-1] < 0.5


def test_the_shares_of_wrong_labels_are_found():
    found, labels, _, wrong = drawn(0, 10_000, 0.01, 0.048)
    fitted = noisy_logistic(found, labels)
    assert fitted.spam_as_ham == pytest.approx(0.01, abs=0.004)
    assert fitted.ham_as_spam == pytest.approx(0.048, abs=0.006)
    doubted = fitted.wrong(labels) > 0.5
    assert wrong[doubted].mean() > 0.9
    assert doubted[wrong].mean() > 0.7
    clean, labels, *_ = drawn(1)
    assert not (noisy_logistic(clean, labels).wrong(labels) > 0.5).any()


def test_marks_stand_when_labels_are_wrong():
    lost, caught = [], []
    for rates in ((0.0, 0.0), (0.05, 0.05)):
        found, labels, *_ = drawn(0, 6000, *rates)
        spam_from, _ = marks_of(found, labels, 0.01)
        new, _, spam, _ = drawn(1, 6000)
        lost.append((new[~spam] >= spam_from).mean())
        caught.append((new[spam] >= spam_from).mean())
    assert max(lost) < 0.015
    assert abs(caught[0] - caught[1]) < 0.1


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=50), st.sampled_from([0.001, 0.1, 0.5]))
def test_an_edge_is_that_of_the_plain_reference(found, alpha):
    weights = np.linspace(0.5, 1, len(found))
    expected = reference.edge(found, weights.tolist(), alpha)
    assert edge(np.array(found), weights, alpha) == pytest.approx(expected, abs=1e-9)


def test_no_more_than_the_allowed_share_of_new_ham_is_lost():
    """The conformal promise: over new messages, k of n + 1 at most."""
    rng, n, alpha = np.random.default_rng(0), 999, 0.01
    lost = [
        (rng.normal(size=2000) > edge(rng.normal(size=n), np.ones(n), alpha)).mean()
        for _ in range(200)
    ]
    assert np.mean(lost) == pytest.approx(alpha, abs=0.001)


def test_a_share_too_small_to_be_seen_is_read_off_the_tail():
    """The highest of n exponential scores is 1 + 1/2 + ... + 1/n on the average."""
    rng, n, alpha = np.random.default_rng(0), 200, 0.001
    marks = [edge(rng.exponential(size=n), np.ones(n), alpha) for _ in range(400)]
    expected = sum(1 / k for k in range(1, n + 1)) + np.log(1 / (alpha * (n + 1)))
    assert np.mean(marks) == pytest.approx(expected, abs=0.25)


def test_more_odds_and_fewer_hams_are_careful():
    found, labels, *_ = drawn(0)
    marks = [marks_of(found, labels, 0.1, odds)[0] for odds in (1.0, 99.0, 9999.0)]
    assert marks == sorted(set(marks))
    few = [
        marks_of(np.array([-20.0] * n + [20.0] * n), np.array([0] * n + [1] * n), 0.001)[0]
        for n in (1, 4, 100)
    ]
    assert few == pytest.approx([30.0, 15.0, 3.0], rel=0.01)


def messages(scores, labels, times):
    n = len(scores)
    columns = [np.arange(n), labels, *np.zeros((2, n)), scores, np.zeros(n), np.arange(n), times]
    return Messages(*map(np.array, columns))


def judged(scores, labels, arrivals, times):
    return Judged(*map(np.array, (arrivals, scores, labels, times)))


def test_what_was_told_counts_once():
    told = messages([5.0, -5.0], [SPAM, HAM], [0, 0])
    seen = judged([4.0, 6.0], [HAM, UNSURE], [1, 7], [1, 2])
    found = [column.tolist() for column in known_scores(told, seen)]
    assert found == [[5.0, -5.0, 6.0], [SPAM, HAM, UNSURE], [0, 0, 2]]


def test_the_more_recent_half_of_many_counts():
    """Those of `mail train`, all of time 0, count until as many came later."""
    for n_later, n_left in ((0, 200), (199, 399), (200, 200), (301, 251)):
        times = np.array([0] * 200 + [*range(1, n_later + 1)] + [0] * 50)
        labels = np.array([HAM] * (200 + n_later) + [SPAM] * 50)
        found, left = recent(times * 1.0, labels, times)
        assert [(left == label).sum() for label in (HAM, SPAM)] == [n_left, 50]
        assert found[left == HAM].min() == max(0, n_later - n_left + 1) * (n_later >= 200)


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
