"""`predict`, `score` and `explain`: a saved model on data."""

import json
import re
from decimal import Decimal
from math import fsum

import numpy as np
import pytest

import rosenblatt
from tests.cli.running import run

TABLE = "size,kind,label\n1,a,no\n2,b,no\n3,a,no\n7,b,yes\n8,a,yes\n9,b,yes\n"
TEXTS = "spam\twin a prize now\nham\tsee you at noon\nspam\ta prize for you\nham\tat noon then\n"


def fitted(folder, data, *options):
    path = folder / "model.rosenblatt"
    answer = run("fit", data, "-o", path, "--prove-seconds", "0", *options)
    assert answer.code == 0, answer.err
    return path


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def test_predict_prints_a_label_for_each_row_and_needs_no_labels(tmp_path, table):
    model = fitted(tmp_path, table)
    answer = run("predict", model, "-", stdin=b"kind,size\na,0\nb,10\n")
    assert (answer.code, answer.out) == (0, "no\nyes\n")


def test_scores_of_json_have_the_sign_of_the_label(tmp_path, table):
    model = fitted(tmp_path, table)
    rows = [json.loads(line) for line in run("predict", model, table, "--json").out.splitlines()]
    assert [row["score"] > 0 for row in rows] == [row["label"] == "yes" for row in rows]


def test_labels_of_many_classes_are_those_with_the_largest_score(tmp_path):
    model = fitted(tmp_path, "iris")
    rows = [json.loads(line) for line in run("predict", model, "iris", "--json").out.splitlines()]
    assert len(rows) == 150
    assert all(max(row["scores"], key=row["scores"].get) == row["label"] for row in rows)


def test_columns_that_are_not_used_and_new_categories_are_noted(tmp_path, table):
    model = fitted(tmp_path, table)
    answer = run("predict", model, "-", stdin=b"kind,size,colour\nc,0,red\n")
    assert answer.code == 0
    assert "columns not used: colour" in answer.err
    assert "'c'" in answer.err


def test_score_counts_what_predict_says(tmp_path):
    model = fitted(tmp_path, "wine")
    labels = np.array(run("predict", model, "wine").out.split())
    facts = json.loads(run("score", model, "wine", "--json").out)
    assert facts["error"] == (labels != rosenblatt.read("wine").y).mean()
    assert np.sum(facts["confusion"]) == 178
    low, high = facts["error_interval"]
    assert low <= facts["error"] <= high
    assert "confusion" in run("score", model, "wine").out


def test_a_label_never_learned_is_an_error_that_names_it(tmp_path, table):
    model = fitted(tmp_path, table)
    answer = run("score", model, "-", stdin=b"size,kind,label\n1,a,no\n2,a,maybe\n")
    assert answer.code == 2
    assert answer.err.startswith(
        "rosenblatt: standard input, row 1 (the first is 0): label 'maybe'"
    )


def test_scoring_without_labels_says_which_column_is_missing(tmp_path, table):
    model = fitted(tmp_path, table)
    answer = run("score", model, "-", stdin=b"size,kind\n1,a\n")
    assert answer.code == 2
    assert "has no labels (column 'label')" in answer.err


def test_a_model_for_other_features_is_refused(tmp_path, table):
    model = fitted(tmp_path, table)
    answer = run("predict", model, "iris")
    assert answer.code == 2
    assert "has no column 'size', as in training" in answer.err


@pytest.mark.parametrize(
    ("data", "algorithm"),
    [
        ("breast-cancer", "averaged"),
        ("iris", "averaged"),
        ("texts", "averaged"),
        ("texts", "bernoulli"),
    ],
)
def test_contributions_add_up_to_the_score(tmp_path, data, algorithm):
    if data == "texts":
        data = tmp_path / "texts"
        data.write_text(TEXTS)
    model = fitted(tmp_path, data, "-a", algorithm)
    rows = [json.loads(line) for line in run("explain", model, data, "--json").out.splitlines()]
    labels = [row["label"] for row in rows]
    assert labels == run("predict", model, data).out.split()
    for row in rows:
        # to the last bit: the score is the sum, rounded once
        assert (
            fsum([row["intercept"], *(value for _, value in row["contributions"])]) == row["score"]
        )
    answers = [json.loads(line) for line in run("predict", model, data, "--json").out.splitlines()]
    for row, answer in zip(rows, answers, strict=True):
        if "score" in answer:
            assert row["score"] == pytest.approx(answer["score"], rel=1e-9, abs=1e-9)
        else:
            ahead = answer["scores"][row["label"]] - answer["scores"][row["rival"]]
            assert row["score"] == pytest.approx(ahead, rel=1e-9, abs=1e-9)


def test_printed_contributions_add_up_to_the_printed_score(tmp_path):
    model = fitted(tmp_path, "breast-cancer")
    answer = run("explain", model, "breast-cancer", "--first", "20")
    rows = re.split(r"^row ", answer.out, flags=re.M)[1:]
    assert len(rows) == 20
    for row in rows:
        score, *parts = re.findall(r"[+-]\d+\.\d{4}", row)
        assert sum(map(Decimal, parts)) == Decimal(score)


def test_explain_names_the_words(tmp_path):
    data = tmp_path / "texts"
    data.write_text(TEXTS)
    model = fitted(tmp_path, data)
    assert "prize" in run("explain", model).out
    assert "noon" in run("explain", model, data).out
    assert "BagOfWords" in run("explain", model, "--all").out


def test_a_learner_without_weights_says_that_it_cannot_explain(tmp_path):
    model = fitted(tmp_path, "iris", "-a", "gaussian")
    answer = run("explain", model)
    assert answer.code == 2
    assert "GaussianNaiveBayes has no weights" in answer.err


def test_svmlight_features_keep_their_numbers(tmp_path):
    path = tmp_path / "rows.svm"
    path.write_text("1 1:1 3:2\n-1 2:1\n1 1:2 3:1\n-1 2:3\n")
    model = fitted(tmp_path, path)
    (row, *_) = run("explain", model, path, "--json").out.splitlines()
    assert {name for name, _ in json.loads(row)["contributions"]} <= {"1", "2", "3"}
