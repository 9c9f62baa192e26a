"""A digest says which numbers a row holds, whatever the form of the row."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.kernels.digest import digest_examples, digest_row, digest_rows
from rosenblatt.kernels.rows import CSR, Presence
from tests.examples import FEW, KINDS, NUMBERS, PRESENCE
from tests.kernels.test_rows import data_for, rows_of
from tests.reference.digest import WORD, digest, entry, splitmix64

SINGLES = st.floats(width=32, allow_nan=False, allow_infinity=False)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False)


def digests_of(rows, n):
    out = np.zeros(n, dtype=np.uint64)
    digest_rows(rows, 0, n, out)
    return out.tolist()


def matrices(numbers):
    return st.integers(1, 6).flatmap(
        lambda d: st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=1, max_size=5)
    )


def test_the_reference_is_splitmix64():
    # the numbers that its authors' generator gives for the seed 1234567
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert splitmix64(1234567, 3) == published


@pytest.mark.parametrize("kind", KINDS)
def test_digests_equal_those_in_whole_numbers(kind):
    @FEW
    @given(data_for(kind))
    def check(data):
        rows = rows_of(kind, data.X)
        assert digests_of(rows, len(data.X)) == [digest(x) for x in data.X]

    check()


@pytest.mark.parametrize("kind", NUMBERS)
def test_any_numbers_have_the_digest_of_their_bits(kind):
    @FEW
    @given(matrices(SINGLES if "float32" in kind else DOUBLES))
    def check(X):
        assert digests_of(rows_of(kind, X), len(X)) == [digest(x) for x in X]

    check()


def test_uncompiled_it_is_the_same():
    X = [[1, 0, 1], [0, 0, 0], [0, 1, 1]]
    for kind in KINDS:
        with np.errstate(over="ignore"):  # modulo 2^64 is what is wanted
            found = [int(digest_row(rows_of(kind, X), i)) for i in range(3)]
        assert found == [digest(x) for x in X]


def test_zeros_do_not_count_however_they_are_written():
    plain = digests_of(np.array([[0.0, 2.0, 0.0]]), 1)
    assert digests_of(np.array([[-0.0, 2.0, -0.0]]), 1) == plain
    assert digests_of(np.array([[-0.0, 2.0]], dtype=np.float32), 1) == plain
    indptr = np.array([0, 3])
    assert digests_of(CSR(np.array([0.0, 2.0, -0.0]), np.array([0, 1, 2]), indptr), 1) == plain
    assert digests_of(CSR(np.array([2.0]), np.array([1]), np.array([0, 1])), 1) == plain


def test_the_order_of_stored_entries_does_not_matter():
    indptr = np.array([0, 3])
    a = CSR(np.array([1.0, 2.0, 3.0]), np.array([4, 9, 2]), indptr)
    b = CSR(np.array([3.0, 1.0, 2.0]), np.array([2, 4, 9]), indptr)
    assert digests_of(a, 1) == digests_of(b, 1)
    assert digests_of(Presence(a.indices, indptr), 1) == digests_of(Presence(b.indices, indptr), 1)


@pytest.mark.parametrize("kind", ["dense float64", "csr float64 int32", *PRESENCE])
def test_all_rows_of_a_small_grid_differ(kind):
    values = 2 if kind in PRESENCE else 4
    X = np.stack(np.meshgrid(*[np.arange(values)] * 6), axis=-1).reshape(-1, 6)
    assert len(set(digests_of(rows_of(kind, X), len(X)))) == values**6


def test_only_the_rows_asked_for_are_written():
    X, out = np.eye(5), np.zeros(5, dtype=np.uint64)
    digest_rows(X, 1, 3, out)
    assert (out != 0).tolist() == [False, True, True, False, False]


def test_an_example_is_a_row_a_label_and_a_weight():
    digests, names = np.array([5, 2**64 - 2], dtype=np.uint64), np.array([7, 9], dtype=np.uint64)
    members, labels = np.array([1, 0, 1]), np.array([0, 1], dtype=np.int32)
    out = np.zeros(3, dtype=np.uint64)
    digest_examples(digests, members, labels, names, np.array([2.0, 0.5]), out)
    row_1 = entry((2**64 - 2 + 9) % WORD, 0.5)
    assert out.tolist() == [row_1, entry(5 + 7, 2.0), row_1]
    digest_examples(digests, members[:2], labels, names, np.empty(0), out)
    assert out.tolist() == [entry((2**64 - 2 + 9) % WORD, 1.0), entry(5 + 7, 1.0), row_1]
