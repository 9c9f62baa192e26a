"""Every kind of rows reads, measures and adds the same numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.checks import check_rows
from rosenblatt.kernels.compiler import kernel
from rosenblatt.kernels.rows import (
    BLOCK,
    CSR,
    Presence,
    add_row,
    dot_row,
    norm2_row,
    scores_row,
    sum_block,
)
from rosenblatt.linear.perceptron import Perceptron
from rosenblatt.linear.rules import columns
from tests.examples import (
    FEW,
    KINDS,
    NUMBERS,
    PRESENCE,
    THREE_KINDS,
    csr,
    dense,
    random_data,
    small_data,
)
from tests.reference.perceptron import dot, moved

COLUMNS = {
    "columns float64": lambda X: columns(np.array(X, dtype=np.float64)),
    "columns float32": lambda X: columns(np.array(X, dtype=np.float32)),
}
# each is compiled: a second; the rare ones are left to soak
USUAL = {*THREE_KINDS, "dense float32", "csr float32 int64", "columns float64"}


def usual(*kinds):
    return [pytest.param(k, marks=() if k in USUAL else pytest.mark.soak) for k in kinds]


def rows_of(kind, X):
    """Return X as the kernels get it."""
    if kind in COLUMNS:
        return COLUMNS[kind](X)
    return check_rows(Perceptron(), KINDS[kind](X), reset=True)[0]


def whole_numbers(n):
    return st.lists(st.integers(-5, 5), min_size=n, max_size=n)


def data_for(kind):
    return small_data(low=0, high=1) if kind in PRESENCE else small_data(most_features=9)


def read_add_measure(X, i, c, w):
    u = dot_row(X, i, w)
    add_row(X, i, c, w)
    return u, norm2_row(X, i)


def add_scores(X, i, W, out):
    scores_row(X, i, W, out)


def add_sums(X, block, w):
    sum_block(X, block, w)


compiled, compiled_scores = kernel(read_add_measure), kernel(add_scores)
compiled_sums = kernel(add_sums)


# With NUMBA_DISABLE_JIT=1 the same functions run as Python; calling them here does that.
@pytest.mark.parametrize("run", [compiled, read_add_measure], ids=["compiled", "python"])
@pytest.mark.parametrize("kind", usual(*KINDS, *COLUMNS))
def test_a_row_is_read_added_and_measured_as_on_paper(kind, run):
    @FEW
    @given(st.data())
    def check(data):
        X = data.draw(data_for(kind)).X
        w, c = data.draw(whole_numbers(len(X[0]))), data.draw(st.integers(-4, 4))
        i = data.draw(st.integers(0, len(X) - 1))
        after = np.array(w, dtype=np.float64)
        u, norm2 = run(rows_of(kind, X), i, float(c), after)
        assert u == dot(w, X[i])
        assert norm2 == dot(X[i], X[i])
        assert after.tolist() == moved(w, c, X[i])

    check()


@pytest.mark.parametrize("run", [compiled_scores, add_scores], ids=["compiled", "python"])
@pytest.mark.parametrize("kind", usual(*KINDS))
def test_scores_are_added_for_every_class(kind, run):
    @FEW
    @given(st.data(), st.integers(1, 4))
    def check(data, k):
        X = data.draw(data_for(kind)).X
        W = data.draw(st.lists(whole_numbers(len(X[0])), min_size=k, max_size=k))
        b = data.draw(whole_numbers(k))
        i = data.draw(st.integers(0, len(X) - 1))
        out = np.array(b, dtype=np.float64)
        run(rows_of(kind, X), i, np.array(W, dtype=np.float64).T.copy(), out)
        assert out.tolist() == [b[c] + dot(W[c], X[i]) for c in range(k)]

    check()


@pytest.mark.parametrize("kind", usual(*[k for k in KINDS if not k.startswith("dense")]))
def test_an_empty_row_reads_zero_and_adds_nothing(kind):
    rows = rows_of(kind, [[0, 0, 0], [1, 0, 1], [0, 0, 0]])
    for i in (0, 2):
        w = np.array([2.0, 3.0, 5.0])
        assert compiled(rows, i, 7.0, w) == (0.0, 0.0)
        assert w.tolist() == [2.0, 3.0, 5.0]
        scores = np.array([1.0, 2.0])
        compiled_scores(rows, i, np.ones((3, 2)), scores)
        assert scores.tolist() == [1.0, 2.0]


# Around the block of 64 rows and the four columns that are taken together
@pytest.mark.parametrize("n", [1, 63, 64, 65, 128, 150])
@pytest.mark.parametrize("d", [1, 3, 4, 5, 8, 11])
def test_a_block_of_columns_has_the_sums_of_its_rows(n, d):
    X = random_data(n * d, max(n, 2), d).X[:n]
    w = list(range(-2, d - 2))
    for rows in (COLUMNS["columns float64"](X), COLUMNS["columns float32"](X)):
        sums = []
        for block in range(len(rows.blocks)):
            compiled_sums(rows, block, np.array(w, dtype=np.float64))
            sums += rows.sums.tolist()
        assert sums[:n] == [dot(w, x) for x in X]
        assert len(sums) == -(-n // BLOCK) * BLOCK
        assert sums[n:] == [0.0] * (len(sums) - n)


@pytest.mark.parametrize("kind", usual(*NUMBERS, *COLUMNS))
def test_sums_of_real_numbers_agree_to_rounding(kind):
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(5, 100)).astype(np.float32), rng.normal(size=100)
    for i in range(5):
        after = w.copy()
        u, norm2 = compiled(rows_of(kind, X), i, 0.1, after)
        x = X[i].astype(np.float64).tolist()
        # 100 roundings of 1.1e-16, and terms of size up to 10
        assert u == pytest.approx(dot(w.tolist(), x), abs=1e-13)
        assert norm2 == pytest.approx(dot(x, x), rel=1e-13)
        assert after == pytest.approx(moved(w.tolist(), 0.1, x), abs=1e-15)


def test_the_square_of_a_large_float32_does_not_overflow():
    X = [[1e30, -1e30]]
    expected = 2 * float(np.float32(1e30)) ** 2
    for make in (dense(np.float32), csr(np.float32, np.int64), COLUMNS["columns float32"]):
        rows = make(X)
        if not isinstance(rows, (np.ndarray, tuple)):
            rows = CSR(rows.data, rows.indices, rows.indptr)
        assert compiled(rows, 0, 0.0, np.zeros(2))[1] == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_reach_the_kernels_without_a_change_of_type(kind):
    matrix = KINDS[kind]([[1, 0], [0, 1], [1, 1]])
    rows = check_rows(Perceptron(), matrix, reset=True)[0]
    if kind.startswith("dense"):
        assert rows is matrix
    elif kind.startswith("csr"):
        assert isinstance(rows, CSR)
        assert (rows.data.dtype, rows.indices.dtype) == (matrix.dtype, matrix.indices.dtype)
        assert rows.indptr.dtype == matrix.indptr.dtype
    else:
        assert isinstance(rows, Presence)
        assert rows.indices.dtype == matrix.indices.dtype
        assert rows.indptr.dtype == matrix.indptr.dtype
