"""`rosenblatt fit`."""

import html
import json

import numpy as np
import pytest
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rosenblatt
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.task import make_task
from tests.cli.running import run

TEXTS = b"spam\twin a prize now\nham\tsee you at noon\nspam\ta prize for you\nham\tat noon then\n"


def test_fit_says_what_came_out_in_ten_lines_or_so():
    answer = run("fit", "breast-cancer")
    assert answer.code == 0
    assert "569 examples, 30 features, classes benign, malignant" in answer.out
    for word in ("E_in", "E_out", "5-fold", "verdict", "separable", "most telling features"):
        assert word in answer.out
    assert answer.out.count("\n") <= 15


def test_validated_error_is_that_of_scikit_learns_cross_validation():
    options = ["-a", "averaged", "--seed", "3", "--prove-seconds", "0", "--json"]
    facts = json.loads(run("fit", "iris", *options).out)
    examples = rosenblatt.read("iris")
    X, y = examples[:2]
    model = make_pipeline(StandardScaler(), rosenblatt.AveragedPerceptron(random_state=3))
    cv = folds_of(make_task(examples), 3).parts
    found = cross_validate(model, X, y, cv=cv, return_train_score=True)
    tested, learned = ([len(part[i]) for part in cv] for i in (1, 0))
    error = 1 - np.average(found["test_score"], weights=tested)
    assert facts["error_validated"] == pytest.approx(error)
    # what models gain on rows that they have seen is taken off
    gain = error - (1 - np.average(found["train_score"], weights=learned))
    shift = facts["error_in"] + max(0, gain) - error
    p = (error * 150 + 2) / 154
    assert facts["error_uncertainty"] ** 2 == pytest.approx(1.3 * p * (1 - p) / 150 + shift**2)
    assert facts["separable"] is None


def test_json_is_one_object_with_the_errors():
    facts = json.loads(run("fit", "lecture", "-a", "perceptron", "--json").out)
    assert facts["examples"] == 4
    assert facts["error_in"] == 0.0
    assert facts["converged"] is True
    assert facts["separable"] is True


def test_same_seed_prints_the_same():
    one, two, other = (
        run("fit", "iris", "--seed", seed, "--prove-seconds", "0", "--json").out for seed in "556"
    )
    assert one == two != other


def test_data_that_is_not_separable_is_said_to_be_so():
    answer = run("fit", "xor", "-a", "perceptron")
    assert answer.code == 0
    assert "not separable: 4 examples contradict each other" in answer.out
    assert "The data is not separable: -a pocket" in answer.err


def test_a_class_with_one_example_is_not_tested_and_that_is_said():
    answer = run("fit", "and")
    assert "(3-fold)" in answer.out
    assert "1 class with a single example: 1; learned from, but not tested" in answer.err


def test_of_single_examples_nothing_is_known(tmp_path):
    (tmp_path / "two.csv").write_text("x,label\n1,a\n2,b\n")
    answer = run("fit", tmp_path / "two.csv")
    assert "E_out  not known: each class has a single example, or group of examples" in answer.out


@pytest.mark.parametrize(
    ("algorithm", "form", "words"),
    [
        ("averaged", "joint", "contradict each other, no joint linear rule, with a score for"),
        ("batch", "one-vs-rest", "not separable from the rest by a linear rule: versicolor, virg"),
        ("regression", "joint", "no joint linear rule"),
        ("gaussian", "joint", "right (the rules of GaussianNaiveBayes are not linear)"),
    ],
)
def test_the_verdict_is_about_the_form_of_the_learner(algorithm, form, words):
    facts = json.loads(run("fit", "iris", "-a", algorithm, "--json").out)
    assert (facts["separable"], facts["multiclass"]) == (False, form)
    assert words in facts["verdict"]


def test_classes_that_the_joint_perceptron_separates_are_called_separable():
    table = b"x,label\n0,a\n1,a\n4,b\n5,b\n8,c\n9,c\n"
    facts = json.loads(run("fit", "-", "-a", "perceptron", "--json", stdin=table).out)
    assert (facts["converged"], facts["error_in"], facts["separable"]) == (True, 0.0, True)
    assert facts["verdict"].startswith("separable: a joint linear rule, with a score for each")
    assert not json.loads(run("prove", "-", "--json", stdin=table).out)["separable"]


def test_a_fit_that_did_not_end_says_what_the_verdict_knows(tmp_path):
    answer = run("fit", "xor", "-a", "perceptron")
    assert "still misclassified. The data is not separable: -a pocket" in answer.err
    narrow = tmp_path / "narrow.csv"  # a gap of 1e-4 beside an example at 100: too many updates
    narrow.write_text("x,label\n" + "0,no\n" * 4 + "0.0001,yes\n" * 3 + "100,yes\n")
    answer = run("fit", narrow, "-a", "perceptron")
    assert "still misclassified. The data is separable, but it takes more updates" in answer.err
    assert "may not be separable" not in answer.err
    assert "may not be separable" in run("fit", "xor", "-a", "perceptron", "--prove-seconds", 0).err


def test_texts_become_words_and_come_from_standard_input():
    answer = run("fit", "-", "--format", "text", "--bits", "12", stdin=TEXTS)
    assert "4096 features, classes ham, spam" in answer.out
    assert "words weighed by tf-idf, rows of length 1" in answer.out
    assert "noon" in answer.out
    plain = run("fit", "-", "--format", "text", "--weighting", "none", stdin=TEXTS)
    assert "prize" in plain.out


def test_pairs_of_words_are_features_with_ngrams(tmp_path):
    (tmp_path / "texts").write_bytes(TEXTS)
    answer = run("fit", tmp_path / "texts", "--ngrams", "2", "-a", "bernoulli", "--json")
    names = [name for name, _ in json.loads(answer.out)["telling"]["spam"]]
    assert any(" " in name for name in names)


def test_ngrams_of_numbers_are_refused():
    answer = run("fit", "iris", "--ngrams", "2")
    assert answer.code == 2
    assert "not a single column of texts" in answer.err


def test_learning_more_equals_partial_fit(tmp_path):
    (tmp_path / "texts").write_bytes(TEXTS)
    first, more = tmp_path / "first.rosenblatt", tmp_path / "more.rosenblatt"
    run("fit", tmp_path / "texts", "-o", first, "--prove-seconds", "0")
    answer = run("fit", tmp_path / "texts", "--learn-more", first, "-o", more)
    assert "going on from the saved model" in answer.out
    expected = rosenblatt.load(first)
    texts = [line.split("\t")[1] for line in TEXTS.decode().splitlines()]
    expected.partial_fit(texts, ["spam", "ham", "spam", "ham"])
    np.testing.assert_array_equal(rosenblatt.load(more)[-1].coef_, expected[-1].coef_)


def test_learning_more_keeps_the_scale_of_the_columns(tmp_path):
    first, more = tmp_path / "first.rosenblatt", tmp_path / "more.rosenblatt"
    run("fit", "breast-cancer", "-o", first, "--prove-seconds", "0")
    assert run("fit", "breast-cancer", "--learn-more", first, "-o", more).code == 0
    np.testing.assert_array_equal(rosenblatt.load(first)[0].mean_, rosenblatt.load(more)[0].mean_)


def test_the_error_on_examples_that_a_model_has_learned_from_validates_nothing(tmp_path):
    halves = [tmp_path / f"{half}.csv" for half in "ab"]
    for start, path in enumerate(halves):
        lines = ["x,y,label"]
        for i in range(start, 40, 2):
            lines.append(f"{i},{i * i % 7},{'high' if i > 19 else 'low'}")
        path.write_text("\n".join(lines))
    model = tmp_path / "m.rosenblatt"
    quick = ("-o", model, "--prove-seconds", "0")
    run("fit", halves[0], *quick)
    again = run("fit", halves[0], "--learn-more", model)
    assert "E_out  not known: the saved model has learned from these very examples" in again.out
    said = json.loads(run("fit", halves[0], "--learn-more", model, "--json").out)
    assert said["error_validated"] is said["validated_by"] is None
    assert "these very examples" in said["not_validated"]
    # new ones validate the model as it was; then they are no longer new, nor are the first
    old = rosenblatt.load(model)
    table = rosenblatt.read(halves[1])
    error = (old.predict(table.X) != table.y).mean()
    new = run("fit", halves[1], "--learn-more", model, *quick)
    assert f"E_out  {error:.4f}" in new.out
    assert "(of the saved model, before it learned from these examples)" in new.out
    for path in halves:
        assert "E_out  not known" in run("fit", path, "--learn-more", model).out


def test_texts_that_a_model_has_learned_from_are_known_again(tmp_path):
    (tmp_path / "texts").write_bytes(TEXTS)
    model = tmp_path / "m.rosenblatt"
    for how in (["--ngrams", "2"], ["--memory", "99M"]):
        run("fit", tmp_path / "texts", "-o", model, *how)
        assert "E_out  not known" in run("fit", tmp_path / "texts", "--learn-more", model).out


@pytest.mark.parametrize("algorithm", ["voted", "pocket", "regression"])
def test_a_learner_that_cannot_go_on_says_so(tmp_path, algorithm):
    path = tmp_path / "model.rosenblatt"
    run("fit", "breast-cancer", "-a", algorithm, "-o", path, "--prove-seconds", "0")
    answer = run("fit", "breast-cancer", "--learn-more", path, "-o", path)
    assert answer.code == 2
    assert "cannot go on from where it ended" in answer.err


def test_another_algorithm_than_that_of_the_model_is_refused(tmp_path):
    path = tmp_path / "model.rosenblatt"
    run("fit", "lecture", "-o", path)
    answer = run("fit", "lecture", "--learn-more", path, "-a", "voted")
    assert answer.code == 2
    assert "leave out -a voted" in answer.err


def test_fit_says_what_columns_were_taken_for_and_when_one_of_them_decides(tmp_path):
    path, page = tmp_path / "toys.csv", tmp_path / "page.html"
    rows = "".join(f"red,{i},p\nblue,{i + 3},q\n" for i in range(20))
    path.write_text(f"colour,size,label\n{rows}")
    answer = run("fit", path, "--report", page)
    said = "columns read as numbers: 'size'; as categories: 'colour' (2 values)"
    assert said in answer.err
    assert said in html.unescape(page.read_text())
    assert "columns          'colour' (categories) decides" in answer.out
    assert "columns          " not in run("fit", "iris").out
    assert run("fit", path, "--text", "colour", "--category", "colour").code == 2
    assert "as text, by its words: 'colour'" in run("fit", path, "--text", "colour").err
