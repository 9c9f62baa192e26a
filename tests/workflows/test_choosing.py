"""The better of several forms or learners is chosen inside of the training rows."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from rosenblatt import DataError, read
from rosenblatt.blocks import as_blocks
from rosenblatt.data.examples import Examples
from rosenblatt.workflows.algorithms import AUTO
from rosenblatt.workflows.choosing import (
    INNER_FOLDS,
    Chosen,
    Contender,
    best_of,
    choose,
    contenders_for,
    said_of_choice,
)
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import LARGE, dealt, folds_of
from rosenblatt.workflows.task import make_task
from rosenblatt.workflows.validate import answers_to
from tests.cli.running import run
from tests.workflows.test_forms import texts


def constant(contender, blocks):
    """Learn to say the name of the contender."""
    if contender.algorithm == "refuses":
        raise DataError("not these rows")
    model = DummyClassifier(strategy="constant", constant=contender.algorithm)
    return model.fit([[0.0]] * 3, ["a", "b", "c"])


def best(contenders, labels):
    """Return the best of them for rows that have these labels and are no copies."""
    _, codes = np.unique(list(labels), return_inverse=True)
    folds = dealt(codes, np.arange(len(labels)), n_folds=INNER_FOLDS)
    return best_of(contenders, as_blocks(np.ones((len(labels), 1)), list(labels)), folds, constant)


def test_the_smallest_error_wins_and_of_equals_the_first():
    labels = "aaabbbccc" + "c" * 9
    a, b, c = (Contender(name, "plain") for name in "abc")
    choice = best([a, b, c], labels)
    assert choice.winner == c
    assert choice.errors == ((a, 15 / 18), (b, 15 / 18), (c, 6 / 18))
    assert choice.n_tested == 18
    assert best([b, a], labels).winner == b
    assert best([a, b], labels).winner == a


def test_one_that_refuses_the_rows_is_out():
    out, b = Contender("refuses", "plain"), Contender("b", "plain")
    choice = best([out, b], "aaabbb")
    assert choice.winner == b
    assert [contender for contender, _ in choice.errors] == [b]
    with pytest.raises(DataError, match="not these rows"):
        best([out, Contender("refuses", "tfidf")], "aaabbb")


def test_where_nothing_can_be_spared_the_first_one_is_taken_and_the_reason_is_said():
    first, second = Contender("a", "plain"), Contender("b", "plain")
    choice = best([first, second], "ab")
    reason = "each class has a single example, or group of examples"
    assert choice == Chosen(first, (), 0, reason)
    assert said_of_choice(choice) == f"a, rows as they are: nothing to choose by, {reason}"


def inner_parts(rows=None, **beside):
    """Return rows, and what is learned from and tested to choose inside of all or some of them."""
    random = np.random.default_rng(0)
    X = np.repeat(random.standard_normal((40, 2)), [3] * 20 + [1] * 20, axis=0)
    examples = Examples(X, random.integers(0, 3, 80), ["p", "q"], "toys", **beside)
    return X, folds_of(make_task(examples), 0, rows, INNER_FOLDS).parts


@pytest.mark.parametrize("rows", [None, np.arange(3, 80, 2)])
def test_inside_copies_and_groups_stay_in_one_fold(rows):
    groups = np.repeat(np.arange(40) % 25, [3] * 20 + [1] * 20)
    X, parts = inner_parts(rows, groups=groups)
    everybody = np.arange(80) if rows is None else rows
    assert len(parts) == INNER_FOLDS
    for train, test in parts:
        assert sorted([*train, *test]) == everybody.tolist()
        assert not {tuple(row) for row in X[train]} & {tuple(row) for row in X[test]}
        assert not set(groups[train]) & set(groups[test])


def test_inside_later_rows_are_foretold_from_earlier_ones():
    times = np.random.default_rng(1).permutation(80).astype(float)
    X, parts = inner_parts(np.arange(60), times=times)
    assert len(parts) == INNER_FOLDS - 1
    for train, test in parts:
        assert times[train].max() < times[test].min()
        assert max(*train, *test) < 60
        assert not {tuple(row) for row in X[train]} & {tuple(row) for row in X[test]}


def test_of_many_rows_one_fold_is_tested_inside():
    labels = np.arange(LARGE + 1) % 2
    ((train, test),) = dealt(labels, np.arange(len(labels)), n_folds=INNER_FOLDS).parts
    assert (len(train), len(test)) == (13_334, 6_667)


def test_what_learns_groups_by_heart_is_not_chosen_for_it():
    """The label is a coin of each group, and a column of its own tells the group."""
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 5)
    X = np.hstack([np.eye(40)[groups], random.standard_normal((200, 2))])
    y = random.integers(0, 2, 40)[groups]
    names = [str(j) for j in range(42)]
    few = [Contender("averaged", "plain"), Contender("bernoulli", "plain")]
    errors = []
    for beside in ({}, {"groups": groups}):
        task = make_task(Examples(X, y, names, "coins", **beside))
        errors.append(min(error for _, error in choose(task, few, 0).errors))
    assert errors[0] < 0.1
    assert errors[1] > 0.25


def test_the_better_weighting_is_taken_and_both_errors_are_said(tmp_path):
    path = tmp_path / "texts"
    path.write_text(texts(150, seed=7))
    task = make_task(read(path))
    errors = {}
    for form in ("plain", "tfidf"):
        wrong = 0
        for train, test in folds_of(task, n_folds=INNER_FOLDS).parts:
            some = replace(task, form=form).learn("averaged", 0, train)
            wrong += answers_to(some, task.blocks.take(test), all_of_them=False).n_wrong
        errors[form] = wrong / 150
    assert errors["plain"] != errors["tfidf"]
    report = fit(read(path), "averaged", weighting="auto", prove_seconds=0)
    assert report.form == min(errors, key=errors.get)
    (note,) = [note for note in report.notes if "held out" in note]
    assert all(f"{error:.4f}" in note for error in errors.values())
    assert note in run("fit", path, "-a", "averaged", "--weighting", "auto").err


def test_the_choice_is_made_anew_in_each_fold(tmp_path):
    """So that the validated error is one of fits that never saw the rows they are tested on."""
    path = tmp_path / "texts"
    path.write_text(texts(150, seed=6))
    task = make_task(read(path))
    parts = folds_of(task).parts
    wrong = 0
    for train, test in parts:
        both = contenders_for(replace(task, form=AUTO), "averaged")
        form = choose(task, both, 0, train).winner.form
        model = replace(task, form=form).learn("averaged", 0, train)
        wrong += answers_to(model, task.blocks.take(test), all_of_them=False).n_wrong
    report = fit(read(path), "averaged", weighting="auto", prove_seconds=0)
    assert report.validation.n_wrong == wrong
