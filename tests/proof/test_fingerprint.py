"""A fingerprint is the same for the same numbers, and says where others differ."""

import numpy as np
import pytest

from rosenblatt.errors import ProofError
from rosenblatt.proof.fingerprint import MOST_RUNS, Fingerprint
from tests.examples import KINDS, random_data
from tests.proof.evidence import problem_of


def test_every_kind_of_rows_has_the_same_fingerprint():
    data = random_data(0, 40, 3, low=0, high=1)
    marks = {Fingerprint.of(problem_of(KINDS[kind](data.X), data.y)) for kind in KINDS}
    assert len(marks) == 1


@pytest.mark.parametrize("n", [2, 255, 256, 257, 1000])
def test_a_changed_row_is_found_within_its_run(n):
    data = random_data(n, n, 2)
    X = np.array(data.X, dtype=np.float64)
    mark = Fingerprint.of(problem_of(X, data.y))
    assert len(mark.rows) == len(mark.signs) == min(n, MOST_RUNS)
    mark.compare(Fingerprint.of(problem_of(X, data.y)))
    for i in {0, 1, n // 2, n - 1}:
        other = X.copy()
        other[i, 1] += 2**-30
        with pytest.raises(ProofError, match="the numbers of") as caught:
            mark.compare(Fingerprint.of(problem_of(other, data.y)))
        named = [int(word) for word in str(caught.value).split() if word.isdigit()]
        assert named[0] <= i <= named[-1]
        assert named[-1] - named[0] <= n // MOST_RUNS


def test_other_places_are_counted():
    X = np.arange(300.0)[:, np.newaxis]
    y = np.arange(300) % 2
    mark = Fingerprint.of(problem_of(X, y))
    with pytest.raises(ProofError, match="the numbers of row 0 and 255 other places differ"):
        mark.compare(Fingerprint.of(problem_of(X + 1, y)))


def test_rows_that_change_places_are_noticed():
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]
    mark = Fingerprint.of(problem_of(X, y))
    with pytest.raises(ProofError, match="row 0 and 1 other places"):
        mark.compare(Fingerprint.of(problem_of([[2.0], [1.0], [3.0], [4.0]], y)))


def test_a_number_that_moves_to_another_column_is_noticed():
    mark = Fingerprint.of(problem_of([[1.0, 0.0], [2.0, 3.0]], [0, 1]))
    with pytest.raises(ProofError, match="the numbers of row 0"):
        mark.compare(Fingerprint.of(problem_of([[0.0, 1.0], [2.0, 3.0]], [0, 1])))
