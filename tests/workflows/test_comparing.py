"""The best learner is first, and good enough on public data."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from rosenblatt import read
from rosenblatt.errors import DataError
from rosenblatt.workflows.comparing import compare, f1
from rosenblatt.workflows.fitting import fit
from tests.data.files import shared


def test_f1_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    y, predicted = random.integers(0, 2, (2, 200))
    assert f1(y, predicted, 1) == pytest.approx(f1_score(y, predicted))


def test_no_learner_is_better_than_the_first():
    table = compare(read("wine"))
    errors = [row.validation.error for row in table.rows]
    assert errors == sorted(errors)
    assert {name for name, _ in table.left_out} == {"bernoulli"}


def test_the_table_says_what_fit_says():
    examples = read("breast-cancer")
    row = next(row for row in compare(examples).rows if row.candidate.algorithm == "averaged")
    report = fit(examples, prove_seconds=0)
    np.testing.assert_array_equal(row.validation.predicted, report.validation.predicted)


def test_a_class_with_one_example_cannot_be_compared():
    with pytest.raises(DataError, match="one example"):
        compare(read("and"))


@pytest.mark.soak
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_spam_is_told_as_well_as_promised(seed):
    table = compare(read(shared("sms-spam/SMSSpamCollection.xz")), seed=seed)
    best = table.rows[0]
    assert 1 - best.validation.error >= 0.9885
    assert best.f1 >= 0.955
