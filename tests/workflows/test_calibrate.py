"""A fit learns probabilities and the boundary from its validation, and says honestly how good."""

import json

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import (
    balanced_accuracy_score,
    brier_score_loss,
    confusion_matrix,
    f1_score,
    log_loss,
)

import rosenblatt
from rosenblatt import DataError, ParameterError, load, read
from rosenblatt.decision.calibration import fit_calibration
from rosenblatt.decision.threshold import choose_threshold
from rosenblatt.workflows import validate as validating
from rosenblatt.workflows.apply import open_model
from rosenblatt.workflows.calibrate import Bin, bins_of, brier_score
from rosenblatt.workflows.explain import explain_rows
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.report.facts import gather_facts
from rosenblatt.workflows.report.page import page
from rosenblatt.workflows.task import make_task
from tests.cli.running import run
from tests.cli.test_bad_input import assert_refused

LEARNERS = ["averaged", "perceptron", "voted", "regression", "gaussian", "arow", "batch", "pocket"]


@pytest.fixture(scope="module")
def rare(tmp_path_factory):
    """Return a file with few rows of the second class, which a boundary at 0 often misses."""
    X, codes = make_classification(
        900,
        6,
        n_informative=3,
        n_redundant=0,
        weights=[0.93],
        class_sep=0.7,
        flip_y=0.01,
        random_state=5,
    )
    path = tmp_path_factory.mktemp("rare") / "rare.csv"
    rows = zip(X.tolist(), codes, strict=True)
    lines = [",".join([*map(repr, row), "yes" if code else "no"]) for row, code in rows]
    path.write_text("a,b,c,d,e,f,label\n" + "\n".join(lines) + "\n")
    return str(path)


def validated(report, balance=None):
    """Return scores at the boundary 0, labels and folds of the validation, found apart from it."""
    task = make_task(report.examples)
    found = validating.validate(
        task, report.algorithm, folds_of(task), 0, lambda stage, share: None
    )
    folds = np.repeat(np.arange(len(found.fold_sizes)), found.fold_sizes)
    return found.scores, (report.examples.y[found.tested] == found_classes(report)[1]), folds


def found_classes(report):
    return report.learner.classes_


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_brier_score_is_that_of_scikit_learn(n_classes):
    random = np.random.default_rng(n_classes)
    p = random.dirichlet(np.ones(n_classes), 50)
    labels = random.integers(0, n_classes, 50)
    theirs = brier_score_loss(labels, p[:, 1] if n_classes == 2 else p, labels=range(n_classes))
    assert brier_score(p, labels) == pytest.approx(theirs)


def test_bins_count_what_came_true():
    p = np.array([0.02, 0.08, 0.55, 0.51, 1.0])
    bins = bins_of(np.column_stack([1 - p, p]), np.array([0, 1, 1, 0, 1]))
    assert [one.n for one in bins] == [2, 2, 1]
    assert bins[0] == Bin(pytest.approx(0.05), 0.5, 2)
    many = bins_of(np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]), np.array([2, 1]))
    assert many == [Bin(0.5, 1.0, 1), Bin(0.6, 0.0, 1)]


@pytest.mark.filterwarnings("ignore::rosenblatt.linear.base.NotConvergedWarning")
@pytest.mark.parametrize("algorithm", LEARNERS)
def test_no_fold_has_a_say_in_its_own_probabilities(rare, algorithm):
    report = fit(read(rare), algorithm, prove_seconds=0)
    scores, positive, folds = validated(report)
    p = np.empty((len(scores), 2))
    for fold in range(5):
        others = folds != fold
        found = fit_calibration(scores[others], positive[others].astype(int), 2)
        p[~others] = found.probabilities(scores[~others])
    assert report.decided.brier == pytest.approx(brier_score_loss(positive, p[:, 1]))
    assert report.decided.log_loss == pytest.approx(log_loss(positive, p))
    whole = fit_calibration(scores, positive.astype(int), 2)
    assert report.learner.calibration_.slope == pytest.approx(whole.slope)
    raw = report.model.decision_function(report.examples.X) + report.decided.threshold
    assert report.model.predict_proba(report.examples.X) == pytest.approx(whole.probabilities(raw))


def test_three_classes_are_calibrated_too():
    report = fit(read("iris"), prove_seconds=0)
    p = report.model.predict_proba(report.examples.X)
    assert p.sum(axis=1) == pytest.approx(np.ones(150))
    assert report.decided.threshold == 0.0
    assert report.decided.moved == ""
    assert 0 < report.decided.brier < 0.15
    assert sum(one.n for one in report.decided.bins) == 150


@pytest.mark.parametrize("balance", ["f1", "balanced"])
def test_balance_moves_the_boundary_and_tells_the_honest_error(rare, balance):
    plain, moved = (
        fit(read(rare), prove_seconds=0),
        fit(read(rare), balance=balance, prove_seconds=0),
    )
    scores, positive, folds = validated(plain)
    assert moved.learner.threshold_ == choose_threshold(balance, scores, positive)
    said = np.empty(len(scores), dtype=bool)
    for fold in range(5):
        others = folds != fold
        said[~others] = scores[~others] > choose_threshold(
            balance, scores[others], positive[others]
        )
    checked = moved.validation
    assert checked.n_wrong == (said != positive).sum()
    assert checked.error == pytest.approx((said != positive).mean())
    assert (checked.confusion == confusion_matrix(positive, said)).all()
    assert (checked.predicted == np.where(said, "yes", "no")).all()
    measure = f1_score if balance == "f1" else balanced_accuracy_score
    assert measure(positive, said) > measure(positive, scores > 0)
    caught, before = said[positive].mean(), (scores > 0)[positive].mean()
    assert f"catches {caught:.1%} of 'yes' instead of {before:.1%}" in moved.decided.moved
    assert f"makes {checked.n_wrong} mistakes in all" in moved.decided.moved
    assert moved.error_in == (moved.model.predict(moved.examples.X) != moved.examples.y).mean()
    assert plain.decided.brier == moved.decided.brier  # the probabilities are the same


def test_by_itself_the_boundary_moves_only_where_it_saves_more_than_chance(tmp_path):
    # texts of many words: a Bernoulli with hardly any smoothing is far off with its odds
    random = np.random.default_rng(0)
    lines = []
    for i in range(600):
        spam = i % 4 == 0
        words = random.integers(0, 400, 25) + (150 if spam else 0)
        lines.append(("spam" if spam else "ham") + "\t" + " ".join(f"w{w}" for w in words))
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(lines) + "\n")
    report = fit(read(path), "bernoulli", prove_seconds=0)
    task = make_task(report.examples)
    at_0 = validating.validate(task, "bernoulli", folds_of(task), 0, lambda *_: None).n_wrong
    if report.decided.threshold:
        assert at_0 - report.validation.n_wrong > 0
        assert report.decided.moved.startswith("moved from 0 to")
    best = choose_threshold("mistakes", *_scores_of(report, "bernoulli"))
    assert report.decided.threshold == best


def _scores_of(report, algorithm):
    task = make_task(report.examples)
    found = validating.validate(task, algorithm, folds_of(task), 0, lambda *_: None)
    return found.scores, report.examples.y[found.tested] == report.learner.classes_[1]


def test_a_single_held_out_part_is_judged_by_halves(rare, monkeypatch):
    from rosenblatt.workflows import folds as dealing

    monkeypatch.setattr(dealing, "LARGE", 100)
    report = fit(read(rare), balance="f1", prove_seconds=0)
    assert report.validation.way == "a fifth held out"
    assert report.decided.brier > 0
    scores, positive, _ = validated(report)
    assert len(scores) == report.validation.n_tested == 180
    at_best = (scores > choose_threshold("f1", scores, positive)) != positive
    assert report.validation.n_wrong >= at_best.sum() - 3


def test_rows_on_disk_get_the_same_probabilities_and_boundary(rare):
    here = fit(read(rare), balance="f1", prove_seconds=0)
    there = fit(rare, balance="f1", memory="100M", prove_seconds=0)
    assert there.learner.calibration_.slope == here.learner.calibration_.slope
    assert there.learner.threshold_ == here.learner.threshold_
    assert (there.decided.brier, there.decided.bins) == (here.decided.brier, here.decided.bins)
    assert there.validation.n_wrong == here.validation.n_wrong


def test_without_room_for_scores_there_are_no_probabilities(rare, monkeypatch):
    monkeypatch.setattr(validating, "SHARE_OF_SCORES", 1 << 40)
    report = fit(rare, memory="100M", prove_seconds=0)
    assert report.decided is None
    assert not hasattr(report.model, "predict_proba")
    assert report.validation is not None
    with pytest.raises(DataError, match="no validated scores to choose the boundary by; leave"):
        fit(rare, memory="100M", balance="f1", prove_seconds=0)


def test_folds_that_chose_another_learner_have_no_say(rare, monkeypatch):
    report = fit(read(rare), "auto", prove_seconds=0)
    alike = report.validation.alike
    assert len(alike) == 5
    if report.decided is not None:
        n = sum(size for size, one in zip(report.validation.fold_sizes, alike, strict=True) if one)
        assert sum(one.n for one in report.decided.bins) == n


@pytest.mark.parametrize("algorithm", ["averaged", "voted", "gaussian", "multinomial"])
def test_a_saved_model_keeps_probabilities_and_boundary(algorithm, rare, tmp_path):
    data, model = rare, tmp_path / "m.rosenblatt"
    if algorithm == "multinomial":
        data = "breast-cancer"
    arguments = ["fit", data, "-a", algorithm, "--balance", "f1", "--prove-seconds", "0"]
    answer = run(*arguments, "-o", model)
    assert answer.code == 0, answer.err
    assert "calibration      Brier score 0." in answer.out
    assert "boundary         moved from 0 to" in answer.out
    report = fit(read(data), algorithm, balance="f1", prove_seconds=0)
    X = report.examples.X
    saved = open_model(model)
    assert (saved.model.predict(X) == report.model.predict(X)).all()
    assert (saved.model.predict_proba(X) == report.model.predict_proba(X)).all()
    assert saved.made["brier_score"] == report.decided.brier
    assert saved.made["boundary"] == report.decided.threshold
    plain = run("predict", model, data, "--probability").out.splitlines()
    facts = [json.loads(line) for line in run("predict", model, data, "--json").out.splitlines()]
    p = report.model.predict_proba(X)
    for k in (0, 7, len(X) - 1):
        label = report.model.predict(X)[k]
        likely = p[k, list(report.learner.classes_).index(label)]
        assert plain[k] == f"{label}\t{likely:.4f}"
        assert facts[k]["label"] == label
        assert facts[k]["probability"] == pytest.approx(likely)
        assert list(facts[k]["probabilities"].values()) == pytest.approx(p[k])
        assert (facts[k]["score"] > 0) == (label == report.learner.classes_[1])


def test_what_features_add_leads_to_the_moved_boundary(rare):
    for algorithm in ("averaged", "gaussian", "regression"):
        report = fit(read(rare), algorithm, balance="balanced", prove_seconds=0)
        assert report.learner.threshold_ != 0
        scores = report.model.decision_function(report.examples.X)
        for why, score in zip(
            explain_rows(report.model, report.recipe, report.examples), scores, strict=True
        ):
            assert why.score == pytest.approx(score, rel=1e-9, abs=1e-9)
            assert why.label == report.learner.classes_[int(score > 0)]


def test_the_report_shows_how_often_it_came_true(rare):
    report = fit(read(rare), balance="f1", prove_seconds=0)
    drawn = page(gather_facts(report, 0, lambda stage, share: None))
    assert f"Brier score {report.decided.brier:.4f}" in drawn
    assert f"log loss {report.decided.log_loss:.4f}" in drawn
    assert "probability of yes" in drawn
    assert "The boundary moved from 0 to" in drawn
    assert drawn.count("<circle") >= len(report.decided.bins)


def test_going_on_keeps_both_and_says_so(rare, tmp_path):
    model, more = tmp_path / "m.rosenblatt", tmp_path / "more.rosenblatt"
    run("fit", rare, "-a", "averaged", "--balance", "f1", "-o", model)
    answer = run("fit", rare, "--learn-more", model, "-o", more)
    assert answer.code == 0
    assert "note: probabilities and boundary are still those of the saved model" in answer.err
    before, after = open_model(model).model[-1], open_model(more).model[-1]
    assert after.threshold_ == before.threshold_
    assert after.calibration_.slope == before.calibration_.slope


def test_a_new_class_ends_them_and_that_is_said(tmp_path):
    two, three = tmp_path / "two.csv", tmp_path / "three.csv"
    two.write_text("x,y,label\n" + "1,0,a\n0,1,b\n2,0,a\n0,3,b\n3,1,a\n1,4,b\n" * 5)
    three.write_text("x,y,label\n" + "1,1,c\n1,0,a\n" * 3)
    model = tmp_path / "m.rosenblatt"
    run("fit", two, "-a", "averaged", "-o", model)
    assert hasattr(load(model), "predict_proba")
    answer = run("fit", three, "--learn-more", model, "-o", model)
    assert answer.code == 0, answer.err
    assert "with the new class the probabilities of the saved model are gone" in answer.err
    assert not hasattr(load(model), "predict_proba")


def test_what_cannot_be_done_is_said_in_one_sentence(rare, tmp_path):
    model = tmp_path / "m.rosenblatt"
    assert_refused(
        run("fit", "iris", "--balance", "f1"),
        "--balance moves the boundary between two classes, got 3; leave --balance out",
    )
    assert_refused(
        run("fit", rare, "--balance", "f2"), "--balance must be one of 'f1', 'balanced', got 'f2'"
    )
    run("fit", rare, "-a", "averaged", "-o", model)
    assert_refused(run("fit", rare, "--learn-more", model, "--balance", "f1"), "keeps its own")
    with pytest.raises(ParameterError, match="balance must be one of 'f1', 'balanced'"):
        fit(rare, balance=True)
    rosenblatt.save(rosenblatt.Perceptron().fit([[1.0, 2.0], [3.0, 1.0]], [0, 1]), model)
    data = tmp_path / "x.svm"
    data.write_text("0 1:1 2:2\n")
    assert_refused(
        run("predict", model, data, "--probability"),
        "the model, Perceptron, has no probabilities; learn it with `rosenblatt fit`",
    )
    facts = json.loads(run("predict", model, data, "--json").out)
    assert "probability" not in facts


def test_the_facts_tell_it_to_machines(rare):
    facts = json.loads(run("fit", rare, "--balance", "f1", "--json", "--prove-seconds", "0").out)
    assert 0 < facts["brier_score"] < 0.1
    assert facts["log_loss"] > 0
    assert facts["boundary"] != 0
    assert facts["boundary_moved"].startswith("moved from 0 to")
