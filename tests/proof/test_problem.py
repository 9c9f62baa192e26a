"""Proofs of rows in blocks: those of all rows at once, to the byte, wherever blocks end."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog

from rosenblatt import DataError, ProofError, load_proof, max_margin, prove
from rosenblatt.blocks.stored import StoreWriter
from rosenblatt.proof import joint_search, twins
from rosenblatt.proof.certificate import answers_of
from rosenblatt.proof.files import to_json
from rosenblatt.proof.loading import from_json
from tests.proof.cut import Cut, cut_at_random
from tests.proof.evidence import assert_minimal, assert_true, numbers

KINDS = {
    "dense": lambda X: X,
    "float32": lambda X: X.astype(np.float32),
    "csr": lambda X: sparse.csr_array(X),
    "presence": lambda X: sparse.csr_array(X > 0),
}
WAYS = ["one-vs-rest", "one-vs-one", "joint"]


def random_problem(rng):
    """Return rows of whole or other numbers, with labels of a rule, with mistakes, or of chance."""
    n, d, k = rng.integers(4, 60), rng.integers(1, 6), rng.integers(2, 4)
    X = rng.integers(-2, 3, (n, d)).astype(float) if rng.random() < 0.5 else rng.normal(size=(n, d))
    y = np.argmax(X @ rng.normal(size=(d, k)) + rng.normal(size=k), axis=1)
    how = rng.integers(3)
    if how:
        wrong = rng.random(n) < (0.05 if how == 1 else 1.0)
        y[wrong] = rng.integers(0, k, wrong.sum())
    y[:2] = 0, 1
    return X, y


def by_linear_program(X, y, fit_intercept):
    """Return whether some w has y_i w . (1, x_i) >= 1 everywhere, by another's solver."""
    Z = np.array(numbers(X))
    Z = np.hstack([np.ones((len(Z), 1)), Z]) if fit_intercept else Z
    A = -np.where(np.asarray(y) == 1, 1, -1)[:, np.newaxis] * Z
    found = linprog(np.zeros(A.shape[1]), A, -np.ones(len(A)), bounds=(None, None))
    return found.status == 0


def stored(writer, blocks):
    for block in blocks.one_pass():
        if block.n_rows:
            writer.add_rows(
                block.rows, block.n_features, writer.labels.codes(block.classes[block.labels])
            )
    return writer.finish(blocks.n_features)


def assert_same(X, y, blocks, **how):
    """Prove rows in memory and in blocks; both must be the same file, which holds in blocks."""
    proof, found = prove(X, y, **how), prove(blocks, **how)
    assert found.to_json() == proof.to_json()
    assert found.check(blocks)
    assert found.check(X, y)
    return found


@pytest.mark.parametrize("rounds", [12, pytest.param(2000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", KINDS)
def test_blocks_of_any_size_give_the_bytes_of_rows_in_memory(kind, rounds):
    rng = np.random.default_rng(len(kind))
    for _ in range(rounds):
        X, y = random_problem(rng)
        X, way, fit_intercept = KINDS[kind](X), rng.choice(WAYS), bool(rng.integers(2))
        blocks, how = cut_at_random(X, y, rng), {"fit_intercept": fit_intercept, "multiclass": way}
        found = assert_same(X, y, blocks, **how)
        with StoreWriter(block_bytes=200) as writer:
            assert prove(stored(writer, blocks), **how).to_json() == found.to_json()
        if len(np.unique(y)) == 2:
            assert found.separable == by_linear_program(X, y, fit_intercept)
            assert_true(found, X, y.tolist())
            assert_minimal(found, X, y.tolist())


@pytest.mark.parametrize("way", WAYS)
def test_many_duels_and_many_digests_are_looked_at_in_parts(way, monkeypatch):
    # as for rows of which there are too many to be held
    monkeypatch.setattr(joint_search, "FEW_NUMBERS", 0)
    monkeypatch.setattr(twins, "MOST_DIGESTS", 7)
    rng = np.random.default_rng(3)
    for _ in range(8):
        X, y = random_problem(rng)
        assert_same(X, y, cut_at_random(X, y, rng), multiclass=way)


def test_equal_rows_of_different_labels_in_different_blocks_contradict_each_other():
    X, y = np.arange(12.0)[:, np.newaxis] % 7, np.array([0] * 6 + [1] * 6)
    proof = assert_same(X, y, Cut(X, y, [3, 6, 9]))
    i, j = proof.indices
    assert X[i] == X[j]
    assert (i < 6) != (j < 6)
    assert proof.weights == (1, 1)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1e300, 1.0], [-1e300, 1.0], [1e300, 2.0], [2e300, -3.0]]),
        np.array([[5e-324, 1.0], [0.0, 1.0], [5e-324, 2.0], [1e-300, 0.0]]),
        np.array([[1.0, 1e8], [1.0, 1e8 + 1], [1.0, 1e8 + 2], [1.0, 1e8 + 3]]),
        np.zeros((4, 2)),
        np.ones((4, 2)),
    ],
)
@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1]])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_extreme_rows_are_proved_alike_in_any_blocks(X, labels, fit_intercept):
    y = np.array(labels)
    # a class of one block alone, a block of a row, an empty one
    for cuts in ([2], [1, 1, 2, 3]):
        assert_same(X, y, Cut(X, y, cuts), fit_intercept=fit_intercept)


def test_the_margin_of_blocks_has_the_bits_of_rows_in_memory():
    rng = np.random.default_rng(1)
    for kind, of in KINDS.items():
        X = rng.normal(size=(300, 5))
        y = (X @ rng.normal(size=5) + 0.2 > 0).astype(int)
        y = y if kind != "presence" else (X[:, 0] > 0).astype(int)
        X = of(X)
        once, twice = max_margin(X, y), max_margin(cut_at_random(X, y, rng))
        for name in once.__dataclass_fields__:
            assert np.array_equal(getattr(once, name), getattr(twice, name)), name


def test_a_saved_proof_is_verified_on_blocks(tmp_path):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(50, 3)), rng.integers(0, 3, 50)
    path = tmp_path / "proof.json"
    prove(X, y).save(path)
    assert len(answers_of(load_proof(path, cut_at_random(X, y, rng)))) == 3
    X[17, 1] += 1
    with pytest.raises(ProofError, match="the numbers of row 17 differ"):
        load_proof(path, cut_at_random(X, y, rng))


def test_a_forged_rule_is_refused_by_its_first_failure_in_any_block():
    X, y = np.arange(10.0)[:, np.newaxis], np.array([0] * 5 + [1] * 5)
    proof = prove(X, y)
    content = proof.content() | {"w": ["-13/2", "1/1"]}
    for cuts in ([], [5], [6], [1, 5, 6, 7]):
        with pytest.raises(ProofError, match="example 5 is not on its side"):
            from_json(to_json(content)).check(Cut(X, y, cuts))


def test_a_pass_ends_when_the_time_is_over_and_says_how_far_it_was():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 2, 200)
    blocks, told = Cut(X, y, list(range(0, 200, 10))), []
    prove(blocks, callback=told.append)
    assert told[-1].n_passes > 3
    assert all(a.n_passes <= b.n_passes for a, b in pairwise(told))
    with pytest.raises(ProofError, match="no proof within the time limit"):
        prove(blocks, time_limit=1e-9)

    def stop(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove(blocks, callback=stop)


def test_blocks_have_their_labels():
    blocks = Cut([[1.0], [2.0]], [0, 1], [1])
    with pytest.raises(DataError, match="leave out y"):
        prove(blocks, [0, 1])
