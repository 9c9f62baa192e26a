"""Digests of all rows, slice by slice."""

import numpy as np
import pytest

from rosenblatt.rows import row_digests
from tests.examples import KINDS
from tests.kernels.test_rows import rows_of
from tests.reference.digest import digest


@pytest.mark.parametrize("kind", KINDS)
def test_slices_leave_the_digests_alone(kind, monkeypatch):
    X = np.random.default_rng(0).integers(0, 2, (50, 3)).tolist()
    # a slice of two to five rows instead of a few million
    monkeypatch.setattr("rosenblatt.rows.SLICE", 128)
    digests = row_digests(rows_of(kind, X), len(X))
    assert digests.dtype == np.uint64
    assert digests.tolist() == [digest(x) for x in X]


def test_no_rows_have_no_digests():
    assert row_digests(np.empty((0, 3)), 0).shape == (0,)
