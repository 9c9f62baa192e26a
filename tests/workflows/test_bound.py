"""The bound on updates is that of the numbers a learner saw; where there is none, the reason is."""

import json

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from rosenblatt import Perceptron, prove, read
from rosenblatt.blocks import as_blocks
from rosenblatt.model_file import Saved
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.prove import Verdict, update_bound
from rosenblatt.workflows.report.facts import gather_facts
from rosenblatt.workflows.report.page import page
from tests.cli.running import run


def scaled(name):
    examples = read(name)
    return StandardScaler().fit_transform(examples.X), examples.y


@pytest.mark.parametrize("name", ["lecture", "and", "wine"])
def test_a_fit_of_scaled_columns_is_bounded_on_scaled_columns(name):
    X, y = scaled(name)
    report = fit(read(name), "perceptron")
    assert report.bound.most == prove(X, y, multiclass="joint").updates_bound
    assert report.bound.about == "on the scaled columns"
    alone = Perceptron(rule="shuffled", random_state=0).fit(X, y)
    assert report.learner.n_updates_ == alone.n_updates_ <= report.bound.most


def test_words_that_are_learned_as_they_are_are_bounded_so(tmp_path):
    path = tmp_path / "texts"
    path.write_text("ham\tsee you there\nspam\tfree prize\nham\tsee me\nspam\tprize now\n")
    report = fit(read(path), "perceptron", weighting="none")
    assert report.bound.about == "on these numbers"
    assert report.bound.most == report.verdict.proof.updates_bound
    report = fit(read(path), "perceptron", weighting="tfidf")
    assert report.bound.about == "on the weighed words"
    examples = read(path)
    X = report.model[0].transform(examples.texts)
    X = X[:, np.unique(X.indices)]
    assert report.bound.most == prove(X, examples.y).updates_bound >= report.learner.n_updates_


@pytest.mark.parametrize(
    ("algorithm", "reason"),
    [
        ("averaged", "the theorem is about w, and this is the mean of all w"),
        ("pocket", "the theorem is about a start from w = 0"),
        ("batch", "the theorem is about single corrections"),
        ("passive-aggressive", "the theorem is about mistakes"),
        ("arow", "the theorem is about mistakes"),
        ("regression", "this learner makes no updates"),
        ("gaussian", "this learner makes no updates"),
    ],
)
def test_where_the_theorem_gives_no_bound_the_reason_is_said(algorithm, reason):
    report = fit(read("lecture"), algorithm)
    assert report.bound.most is None
    said = f"update bound     none: {report.bound.reason}"
    assert reason in said
    assert said in run("fit", "lecture", "-a", algorithm).out
    facts = json.loads(run("fit", "lecture", "-a", algorithm, "--json").out)
    assert facts["updates_bound"] is None
    assert facts["no_updates_bound"] == report.bound.reason
    shown = page(gather_facts(report, 0, lambda stage, share: None))
    assert f"No bound on updates: {report.bound.reason}." in shown
    assert "at most" not in shown


def test_a_model_that_goes_on_does_not_start_from_zero():
    examples = read("lecture")
    report = fit(examples, saved=Saved(fit(examples, "perceptron").model, examples.recipe, {}))
    assert report.bound.sentence == "none: the theorem is about a start from w = 0"


def test_data_that_is_not_separable_has_no_word_of_a_bound():
    assert fit(read("xor"), "pocket").bound is None
    assert "update bound" not in run("fit", "xor", "-a", "perceptron").out


def test_shell_and_report_say_the_bound_and_of_which_numbers():
    bound = "at most 3 updates on the scaled columns, whatever the order of the rows"
    assert f"update bound     {bound}\n" in run("fit", "lecture", "-a", "perceptron").out
    facts = json.loads(run("fit", "lecture", "-a", "perceptron", "--json").out)
    assert (facts["updates_bound"], facts["updates_bound_about"]) == (3, "on the scaled columns")
    shown = page(gather_facts(fit(read("lecture"), "perceptron"), 0, lambda stage, share: None))
    assert f"A perceptron that starts from zero makes {bound}." in shown


def test_trace_and_prove_say_the_same_about_the_lecture():
    traced, proved = run("trace", "lecture"), run("prove", "lecture")
    said = "a perceptron that starts from zero makes at most 221 updates"
    assert said in traced.out
    assert said in proved.out
    assert json.loads(run("trace", "lecture", "--json").out)["bound"] == 221
    assert (
        "no bound on updates: the theorem is about w"
        in run("trace", "lecture", "-a", "averaged").out
    )


@pytest.mark.parametrize(
    ("rows", "seconds", "reason"),
    [
        ([[1.0], [1.0]], 9.0, "no margin is left on the scaled columns, which are rounded"),
        ([[1.0], [2.0]], 1e-9, "no proof on the scaled columns within 1e-09 s"),
    ],
)
def test_scaled_rows_without_a_proof_have_no_bound(rows, seconds, reason):
    verdict = Verdict(True, "", prove([[1.0], [2.0]], [0, 1]))
    bound = update_bound(Perceptron(), verdict, as_blocks(rows, [0, 1]), seconds, lambda *_: None)
    assert (bound.most, bound.reason) == (None, reason)
