"""The best learner is first, and good enough on public data."""

import numpy as np
import pytest
from sklearn.metrics import f1_score

from rosenblatt import read
from rosenblatt.data.examples import Examples
from rosenblatt.errors import DataError
from rosenblatt.workflows.compare import compare, f1
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.task import make_task
from rosenblatt.workflows.validate import validate
from tests.data.files import shared


def test_f1_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    y, predicted = random.integers(0, 2, (2, 200))
    assert f1(y, predicted, 1) == f1_score(y, predicted)
    words = np.array(["ham", "spam"])
    assert f1(words[y], words[predicted], "spam") == f1_score(y, predicted)


def test_no_learner_is_better_than_the_first():
    table = compare(read("wine"))
    errors = [row.validation.error for row in table.rows]
    assert errors == sorted(errors)
    assert {name for name, _ in table.left_out} == {"bernoulli"}


def test_the_table_says_what_fit_says():
    examples = read("breast-cancer")
    row = next(row for row in compare(examples).rows if row.candidate.algorithm == "averaged")
    report = fit(examples, "averaged", prove_seconds=0)
    np.testing.assert_array_equal(row.validation.predicted, report.validation.predicted)


def test_ties_are_ranked_as_ties():
    table = compare(read("wine"))
    ranks = [row.rank for row in table.rows]
    assert ranks[0] == 1
    assert all(rank in (1, place) for place, rank in enumerate(ranks, start=1))
    assert 1 < sum(rank == 1 for rank in ranks) < len(ranks)
    best, worst = table.rows[0].validation, table.rows[-1].validation
    assert ranks[-1] == len(ranks)
    assert worst.n_wrong > best.n_wrong + 10


def test_the_winner_looks_worse_when_it_is_corrected():
    random = np.random.default_rng(3)
    X, y = random.standard_normal((60, 3)), random.integers(0, 2, 60)  # nothing to be learned
    table = compare(Examples(X, y, list("abc"), "coins"))
    assert table.picked_error > table.rows[0].validation.error
    assert table.picked_error == pytest.approx(0.5, abs=0.1)


def test_a_learner_without_time_is_left_out_and_that_is_said():
    with pytest.raises(DataError, match="not one fit was done within 1e-09 s"):
        compare(read("iris"), seconds=1e-9)


def test_with_little_time_the_folds_that_were_done_count(clock):
    task, ticks = make_task(read("iris")), iter([0.0, 0.0, 0.0, 9.0])
    folds = folds_of(task)
    seconds = 1.0

    def take_long_for_the_fourth(stage, share):
        clock.let_pass(next(ticks, 0.0))

    found = validate(task, "gaussian", folds, 0, take_long_for_the_fourth, seconds)
    assert found.way == "3 of 5 folds"
    assert len(found.fold_errors) == 3
    assert len(found.tested) == sum(len(test) for _, test in folds.parts[:3])


def test_a_learner_whose_kernels_are_compiled_is_not_left_out(clock):
    def compile_for_long(stage, share):
        clock.compile_for(100)

    task = make_task(read("iris"))
    assert validate(task, "gaussian", folds_of(task), 0, compile_for_long, 1.0).way == "5-fold"


@pytest.mark.soak
def test_spam_is_told_as_well_as_promised():
    spam = read(shared("sms-spam/SMSSpamCollection.xz"))
    winners = [compare(spam, seed=seed).rows[0] for seed in range(3)]
    # 415 messages are copies of another, and are not told from it
    assert all(1 - best.validation.error >= 0.9875 for best in winners)
    assert np.mean([best.f1 for best in winners]) >= 0.955
