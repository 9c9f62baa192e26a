"""Contradictions that share no example, the bound they give, and whom they accuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_breast_cancer

from rosenblatt import disjoint_contradictions, prove
from rosenblatt.errors import DataError, ParameterError, ProofError
from tests.examples import FEW, XOR_X, XOR_Y, small_data
from tests.reference.plane import fewest_mistakes


def overlapping(seed=0, n=120, d=3):
    """Two clouds that no rule tells apart."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return random.normal(size=(n, d)) + y[:, np.newaxis], y


def far_clouds(n=60, d=2, seed=0):
    """Points in two unit squares 10 apart, with the label of their square."""
    random = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return random.uniform(size=(n, d)) + 10.0 * y[:, np.newaxis], y


def held(packing):
    return np.array([i for proof in packing for i in proof.indices], dtype=int)


def indices_of(proofs):
    return [proof.indices.tolist() for proof in proofs]


def rest_is_separable(X, y, packing, fit_intercept=True):
    rest = np.setdiff1d(np.arange(len(y)), held(packing))
    X, y = np.asarray(X, dtype=float)[rest], np.asarray(y)[rest]
    if fit_intercept and len(np.unique(y)) < 2:
        return True  # a constant rule
    return prove(X, y, fit_intercept).separable


@FEW
@given(small_data(most_rows=8, most_features=2), st.booleans())
def test_contradictions_are_disjoint_and_bound_the_fewest_mistakes(data, fit_intercept):
    packing = disjoint_contradictions(data.X, data.y, fit_intercept)
    assert packing.complete
    assert len(held(packing)) == len(np.unique(held(packing)))
    assert packing.check(data.X, data.y)
    assert packing.lower_bound == len(packing)
    fewest = fewest_mistakes(data.X, data.signs, fit_intercept)
    assert packing.lower_bound <= fewest
    # nothing is found only where nothing is to be found
    assert (packing.lower_bound == 0) == (fewest == 0)


@FEW
@given(small_data(most_rows=10, most_features=4))
def test_what_no_contradiction_holds_is_separable(data):
    packing = disjoint_contradictions(data.X, data.y)
    assert rest_is_separable(data.X, data.y, packing)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_a_larger_set_is_packed_until_the_rest_is_separable(fit_intercept):
    X, y = overlapping()
    packing = disjoint_contradictions(X, y, fit_intercept)
    assert packing.complete
    assert len(packing) > 1
    assert len(held(packing)) == len(np.unique(held(packing)))
    assert packing.check(X, y)
    assert rest_is_separable(X, y, packing, fit_intercept)


def test_rounds_may_share_examples_but_one_round_does_not():
    X, y = overlapping()
    packing = disjoint_contradictions(X, y, rounds=3)
    assert packing.lower_bound < len(packing) <= 3 * packing.lower_bound
    assert 1 < packing.counts.max() <= 3
    assert packing.counts.sum() == len(held(packing))
    first = disjoint_contradictions(X, y, rounds=1)
    assert [p.indices.tolist() for p in packing[: len(first)]] == [
        p.indices.tolist() for p in first
    ]


def test_both_classes_have_half_of_the_blame():
    # the coordinate that is always 1: sum a_i y_i = 0
    X, y = overlapping()
    packing = disjoint_contradictions(X, y, rounds=2)
    for label in (0, 1):
        assert packing.blame[y == label].sum() == pytest.approx(len(packing) / 2)
    assert (packing.blame > 0).tolist() == (packing.counts > 0).tolist()


def test_a_wrong_label_deep_in_the_other_class_has_nearly_half_of_all_weight():
    X, y = far_clouds()
    X, y, wrong = np.vstack([X, [[0.5, 0.5]]]), np.append(y, 1), len(y)
    packing = disjoint_contradictions(X, y, rounds=10)
    # without it the data is separable, so it is in every contradiction
    assert packing.counts[wrong] == len(packing) == 10
    # others of its class, at 10 or more, may have a part t of the half of the class, as long as
    # (1 - t) 0.5 + t 10 <= 1, where the other class ends: t <= 1 / 19
    assert 10 * 9 / 19 <= packing.blame[wrong] <= 5
    assert packing.suspects[0] == wrong


def test_a_point_alone_against_the_other_class_has_half_of_the_weight():
    corners = [[0, 0], [4, 0], [0, 4]]
    packing = disjoint_contradictions([*corners, [1, 1]], [0, 0, 0, 1], rounds=4)
    # (1, 1) = 1/2 (0, 0) + 1/4 (4, 0) + 1/4 (0, 4), the only way to write it
    assert packing.blame.tolist() == [1.0, 0.5, 0.5, 2.0]
    assert packing.counts.tolist() == [4, 4, 4, 4]
    assert packing.suspects.tolist() == [3, 0, 1, 2]


@pytest.mark.parametrize("seed", range(3))
def test_labels_flipped_in_far_clouds_are_the_first_suspects(seed):
    X, y = far_clouds(200, 2, seed)
    flipped = np.random.default_rng(seed).choice(len(y), 8, replace=False)
    y[flipped] = 1 - y[flipped]
    packing = disjoint_contradictions(X, y, rounds=3)
    assert sorted(packing.suspects[:8]) == sorted(flipped)


def test_labels_flipped_in_separable_measurements_come_early():
    X, y = load_breast_cancer(return_X_y=True)
    assert prove(X, y).separable
    flipped = np.random.default_rng(0).choice(len(y), 28, replace=False)
    y[flipped] = 1 - y[flipped]
    packing = disjoint_contradictions(X, y)
    # a random choice of 57 from 569 would find 3 of 28
    assert len(np.intersect1d(packing.suspects[:57], flipped)) >= 14


def test_only_examples_of_contradictions_are_on_the_wrong_side():
    X, y = overlapping()
    packing = disjoint_contradictions(X, y, rounds=2)
    assert set(np.flatnonzero(packing.depth)) <= set(held(packing))
    assert sorted(packing.suspects) == sorted(set(held(packing)))
    assert (np.diff(packing.depth[packing.suspects]) <= 0).all()
    assert (packing.depth >= 0).all()


def test_every_contradiction_has_an_example_on_the_wrong_side():
    X, y = overlapping()
    packing = disjoint_contradictions(X, y)
    for proof in packing:
        assert packing.depth[proof.indices].max() > 0


def test_without_a_rest_nobody_is_on_the_wrong_side():
    packing = disjoint_contradictions(XOR_X, XOR_Y)
    assert packing.depth.tolist() == [0, 0, 0, 0]
    assert packing.blame.tolist() == [0.25] * 4


@pytest.mark.parametrize("scale", [1e-300, 1e300, 1e308])
def test_numbers_of_any_size_can_be_packed(scale):
    x = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 0.125])[:, np.newaxis]
    y = [0, 0, 0, 1, 1, 1]
    packing = disjoint_contradictions(x * scale, y)
    assert packing.check(x * scale, y)
    assert packing.lower_bound == 1
    assert np.isfinite(packing.depth).all()


def test_twins_with_opposite_labels_are_paired_as_often_as_possible():
    X = [[1, 2]] * 5 + [[7, 7]]
    y = [0, 0, 0, 1, 1, 1]
    packing = disjoint_contradictions(X, y)
    assert len(packing) == 2
    for proof in packing:
        assert proof.weights == (1, 1)
        first, second = proof.indices
        assert y[first] != y[second]
        assert second < 5
    assert packing.blame.sum() == 2.0
    assert packing.blame[5] == 0


def test_a_row_of_zeros_contradicts_itself_without_an_intercept():
    packing = disjoint_contradictions([[0, 0], [1, 0], [0, 0], [2, 1]], [0, 0, 1, 1], False)
    assert packing.check([[0, 0], [1, 0], [0, 0], [2, 1]], [0, 0, 1, 1])
    assert {0, 2} <= set(held(packing))
    assert 1 <= packing.lower_bound <= 2


def test_separable_data_has_no_suspects():
    X, y = far_clouds()
    packing = disjoint_contradictions(X, y, rounds=2)
    assert (len(packing), packing.lower_bound, packing.complete) == (0, 0, True)
    assert packing.suspects.tolist() == []
    assert str(packing) == "No contradiction was found: separable."


def test_sparse_rows_are_packed_too():
    X, y = overlapping()
    X = np.round(X)
    packing = disjoint_contradictions(sparse.csr_array(X), y)
    assert packing.complete
    assert packing.check(X, y)
    assert rest_is_separable(X, y, packing)
    assert all(packing.depth[proof.indices].max() > 0 for proof in packing)


def test_the_seed_decides_the_order():
    X, y = overlapping()
    same = [disjoint_contradictions(X, y, random_state=7) for _ in range(2)]
    other = disjoint_contradictions(X, y, random_state=8)
    a, b, c = (indices_of(found) for found in (*same, other))
    assert a == b != c
    assert same[0].suspects.tolist() == same[1].suspects.tolist()


def test_when_time_is_over_what_was_found_still_holds(clock):
    X, y = overlapping(n=4000, d=8)
    X[0], X[1] = X[2], X[3]
    y[:4] = 0, 1, 1, 0  # two pairs of twins, found at once
    packing = disjoint_contradictions(
        X, y, rounds=1000, time_limit=1, callback=lambda progress: clock.let_pass(0.01)
    )
    assert not packing.complete
    assert packing.lower_bound >= 2
    assert packing.check(X, y)
    assert packing.depth.shape == packing.blame.shape == (4000,)


def test_words_say_what_time_ran_out_on():
    X, y = overlapping(n=4000, d=8)
    packing = disjoint_contradictions(X, y, time_limit=1e-9)
    assert str(packing) == "No contradiction was found in time."


def test_the_callback_is_told_and_may_stop_the_search():
    class Enough(Exception):  # noqa: N818 - it is no error
        pass

    def stop(progress):
        raise Enough

    X, y = overlapping()
    told = []
    disjoint_contradictions(X, y, callback=told.append)
    assert {"perceptron", "search"} <= {progress.stage for progress in told}
    with pytest.raises(Enough):
        disjoint_contradictions(X, y, callback=stop)


def test_other_data_fails_the_check():
    packing = disjoint_contradictions(XOR_X, XOR_Y)
    with pytest.raises(ProofError):
        packing.check([[0, 0], [0, 1], [1, 0], [1, 2]], XOR_Y)


def test_more_than_two_classes_are_refused():
    with pytest.raises(DataError, match=r"two classes are needed, got 3.*y == "):
        disjoint_contradictions([[0], [1], [2]], ["a", "b", "c"])


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"rounds": 0}, ParameterError),
        ({"rounds": 1.5}, ParameterError),
        ({"rounds": True}, ParameterError),
        ({"time_limit": 0}, ParameterError),
        ({"time_limit": "1"}, ParameterError),
        ({"callback": 3}, ParameterError),
        ({"fit_intercept": "yes"}, ParameterError),
    ],
)
def test_bad_parameters_are_refused(options, error):
    with pytest.raises(error, match=next(iter(options))):
        disjoint_contradictions(XOR_X, XOR_Y, **options)


def test_one_class_is_refused():
    with pytest.raises(DataError):
        disjoint_contradictions([[0], [1]], [1, 1])
