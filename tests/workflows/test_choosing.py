"""The better of several forms or learners is chosen inside of the training rows."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from rosenblatt import DataError, read
from rosenblatt.blocks import as_blocks
from rosenblatt.workflows import choosing
from rosenblatt.workflows.choosing import Chosen, Contender, choose, inner_folds, said_of_choice
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import folds_of
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


def blocks_of(labels):
    return as_blocks(np.ones((len(labels), 1)), list(labels))


def test_the_smallest_error_wins_and_of_equals_the_first():
    blocks = blocks_of("aaabbbccc" + "c" * 9)
    a, b, c = (Contender(name, "plain") for name in "abc")
    choice = choose([a, b, c], blocks, constant)
    assert choice.winner == c
    assert choice.errors == ((a, 15 / 18), (b, 15 / 18), (c, 6 / 18))
    assert choice.n_tested == 18
    assert choose([b, a], blocks, constant).winner == b
    assert choose([a, b], blocks, constant).winner == a


def test_one_that_refuses_the_rows_is_out():
    blocks = blocks_of("aaabbb")
    out, b = Contender("refuses", "plain"), Contender("b", "plain")
    choice = choose([out, b], blocks, constant)
    assert choice.winner == b
    assert [contender for contender, _ in choice.errors] == [b]
    with pytest.raises(DataError, match="not these rows"):
        choose([out, Contender("refuses", "tfidf")], blocks, constant)


def test_each_row_is_tested_once_and_classes_are_spread_evenly():
    labels = np.random.default_rng(0).integers(0, 4, 200)
    parts = list(inner_folds(labels, seed=3))
    assert sorted(np.concatenate([test for _, test in parts]).tolist()) == list(range(200))
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(200))
        counts = np.bincount(labels[test], minlength=4) * len(parts)
        assert (np.abs(counts - np.bincount(labels)) < len(parts)).all()
    assert [t.tolist() for t, _ in inner_folds(labels, 3)] == [t.tolist() for t, _ in parts]
    assert [t.tolist() for t, _ in inner_folds(labels, 4)] != [t.tolist() for t, _ in parts]


def test_rare_classes_are_learned_from_and_never_tested_on():
    labels = np.array([0] * 9 + [1] * 2 + [2])
    for train, test in inner_folds(labels):
        assert set(labels[test]) == {0}
        assert {9, 10, 11} <= set(train.tolist())
    first, second = Contender("a", "plain"), Contender("b", "plain")
    choice = choose([first, second], blocks_of("aabb"), constant)
    assert choice == Chosen(first, (), 0)
    assert "too few examples" in said_of_choice(choice)


def test_of_many_rows_one_fold_is_tested(monkeypatch):
    monkeypatch.setattr(choosing, "HELD_OUT_FROM", 50)
    ((train, test),) = inner_folds(np.zeros(60, dtype=np.int32))
    assert (len(train), len(test)) == (40, 20)


def test_the_better_weighting_is_taken_and_both_errors_are_said(tmp_path):
    path = tmp_path / "texts"
    path.write_text(texts(150, seed=7))
    task = make_task(read(path))
    errors = {}
    for form in ("plain", "tfidf"):
        wrong = 0
        for train, test in inner_folds(task.labels):
            some = replace(task, form=form).learn("averaged", 0, task.blocks.take(train))
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
        rows = task.blocks.take(train)
        both = replace(task, form="auto").contenders("averaged")
        form = task.choose(both, 0, rows).winner.form
        model = replace(task, form=form).learn("averaged", 0, rows)
        wrong += answers_to(model, task.blocks.take(test), all_of_them=False).n_wrong
    report = fit(read(path), "averaged", weighting="auto", prove_seconds=0)
    assert report.validation.n_wrong == wrong
