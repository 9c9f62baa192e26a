"""The record of learned examples is a multiset of keys."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.bayes.record import Record
from rosenblatt.errors import DataError
from tests.examples import FEW

KEYS = st.lists(st.integers(0, 9).map(lambda key: key * (2**64 // 10)), max_size=6)


def array(keys):
    return np.array(keys, dtype=np.uint64)


def counts(record):
    keys, times = record.arrays()
    return dict(zip(keys.tolist(), times.tolist(), strict=True))


@FEW
@given(st.lists(st.tuples(st.booleans(), KEYS), max_size=30))
def test_a_record_is_a_multiset(steps):
    record, expected = Record(), Counter()
    for learn, keys in steps:
        before, lacking = expected.copy(), None
        if learn:
            record = record.plus(array(keys))
            expected.update(keys)
        else:
            for place, key in enumerate(keys):
                expected[key] -= 1
                if expected[key] < 0 and lacking is None:
                    lacking = place, before[key]
            assert record.lacking(array(keys)) == lacking
            if lacking is None:
                record = record.minus(array(keys))
            else:
                expected = before
        expected = +expected
        assert counts(record) == expected


def test_the_arrays_are_in_order_and_build_the_record_again():
    record = Record().plus(array([7, 2**64 - 1, 7, 3])).plus(array([3, 0])).minus(array([7]))
    keys, times = record.arrays()
    assert keys.dtype == np.uint64
    assert times.dtype == np.int64
    assert (keys.tolist(), times.tolist()) == ([0, 3, 7, 2**64 - 1], [1, 2, 1, 1])
    again = Record.of_arrays(keys, times)
    assert counts(again) == counts(record)
    assert again.lacking(array([7, 7])) == (1, 1)
    assert counts(Record.of_arrays(*Record().arrays())) == {}


@pytest.mark.parametrize(
    ("keys", "times"),
    [
        (array([2, 1]), np.array([1, 1])),
        (array([1, 1]), np.array([1, 1])),
        (array([1, 2]), np.array([1, 0])),
        (array([1, 2]), np.array([1, -1])),
        (array([1, 2]), np.array([1])),
        (array([[1, 2]]), np.array([[1, 1]])),
        (array([1, 2]), np.array([1.0, 1.0])),
        (np.array([1, 2]), np.array([1, 1])),
    ],
)
def test_arrays_that_are_no_record_are_refused(keys, times):
    with pytest.raises(DataError, match="in order"):
        Record.of_arrays(keys, times)


def test_learning_one_by_one_leaves_few_blocks_and_touches_the_short_ones():
    record = Record().plus(array(range(0, 20_000, 2)))
    for key in range(1, 2001, 2):
        record = record.plus(array([key]))
        lengths = [len(block.keys) for block in record.blocks]
        assert all(longer > 2 * shorter for longer, shorter in pairwise(lengths))
        assert lengths[0] == 10_000
    assert sum(lengths) == 11_000


def test_forgetting_one_by_one_leaves_nothing():
    keys = np.random.default_rng(0).integers(0, 2**64, 500, dtype=np.uint64)
    record = Record().plus(keys)
    for key in keys:
        assert record.lacking(array([key])) is None
        record = record.minus(array([key]))
        assert record.lacking(array([key])) == (0, 0)
    assert counts(record) == {}


def test_what_was_there_before_is_left_as_it_was():
    record = Record().plus(array([1, 2, 3]))
    before = record.plus(array([4]))
    after = before.minus(array([1])).plus(array([9]))
    assert counts(before) == {1: 1, 2: 1, 3: 1, 4: 1}
    assert counts(after) == {2: 1, 3: 1, 4: 1, 9: 1}


def test_of_many_equal_keys_the_first_one_too_many_is_named():
    # more than a sort leaves in order by chance
    keys = np.random.default_rng(0).integers(0, 3, 1000, dtype=np.uint64)
    record, learned = Record().plus(keys[:600]), keys[:600].tolist()
    for place, key in enumerate(keys.tolist()):
        if keys[:place].tolist().count(key) == learned.count(key):
            assert record.lacking(keys) == (place, learned.count(key))
            return
    raise AssertionError("there are more than 600")
