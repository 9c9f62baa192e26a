"""Proofs about rows that workers hold: the bytes of the proof in one process."""

import numpy as np
import pytest

from rosenblatt import load_proof, max_margin, prove
from rosenblatt.proof import problem

da = pytest.importorskip("dask.array", reason="dask is not installed")
from rosenblatt.cluster.collections import spread_collection  # noqa: E402 - needs dask


def drawn(noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((300, 3))
    return X, np.where(X @ [1, 2, -1] + 0.3 + noise * rng.standard_normal(300) > 0, "yes", "no")


def spread_rows(X, y, n):
    return spread_collection(da.from_array(X, chunks=(n, -1)), da.from_array(y, chunks=n))


@pytest.fixture(params=[0, problem.FEW], ids=["in passes", "all fetched"])
def few(request, monkeypatch):
    """Let rows stay with the workers, or come here since they are few."""
    monkeypatch.setattr(problem, "FEW", request.param)


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("n", [300, 70])
def test_proof_of_spread_rows_has_the_bytes_of_one_process(noise, n, tmp_path, few):
    X, y = drawn(noise, seed=n)
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    prove(X, y).save(here)
    rows = spread_rows(X, y, n)
    found = prove(rows)
    found.save(there)
    assert there.read_bytes() == here.read_bytes()
    assert found.separable == (noise == 0.0)
    assert found.check(rows)
    assert load_proof(there, rows).separable == found.separable


def test_largest_margin_of_spread_rows_is_that_of_one_process(few):
    X, y = drawn(0.0, seed=1)
    here, there = max_margin(X, y), max_margin(spread_rows(X, y, 70))
    np.testing.assert_array_equal(there.w, here.w)
    assert there.updates_bound == here.updates_bound


def test_few_rows_come_here_with_their_labels():
    X, y = drawn(0.2, seed=1)
    rows = spread_rows(X, y, 70)
    assert rows.near(899) is rows
    block = rows.near(900).whole
    np.testing.assert_equal(block.rows, X)
    np.testing.assert_equal(block.classes[block.labels], y)
