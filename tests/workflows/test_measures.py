"""Baseline, precision, recall and AUC are those of scikit-learn, on the validated answers."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import (
    confusion_matrix,
    f1_score,
    precision_recall_fscore_support,
    roc_auc_score,
)

from rosenblatt import read
from rosenblatt.workflows.apply import open_model
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.measures import area_under_roc, baseline_of, mean_of, quality_of
from rosenblatt.workflows.report.facts import gather_facts
from rosenblatt.workflows.report.page import page
from rosenblatt.workflows.validate import Validation
from tests.cli.running import run


@pytest.fixture(scope="module", params=["breast-cancer", "iris"])
def report(request):
    return fit(read(request.param), prove_seconds=0)


def test_the_baseline_is_the_error_of_the_commonest_class(report):
    X, y = report.examples.X, report.examples.y
    always = DummyClassifier(strategy="most_frequent").fit(X, y)
    assert report.baseline.error == pytest.approx(1 - always.score(X, y), abs=1e-15)
    assert report.baseline.label == always.predict(X[:1])[0]


def test_precision_recall_and_f1_are_those_of_the_validated_answers(report):
    checked, y = report.validation, report.examples.y
    expected = precision_recall_fscore_support(y[checked.tested], checked.predicted)
    for name, values in zip(("precision", "recall", "f1", "n"), expected, strict=True):
        found = [getattr(part, name) for part in report.quality]
        assert found == pytest.approx(values.tolist(), abs=1e-12)


def test_the_area_of_two_classes_is_that_of_the_scores():
    report = fit(read("breast-cancer"), prove_seconds=0)
    checked = report.validation
    expected = roc_auc_score(report.examples.y[checked.tested] == "malignant", checked.scores)
    assert [part.auc for part in report.quality] == pytest.approx([expected] * 2, abs=1e-12)


def test_f1_of_a_class_that_is_never_said_is_0_and_counts_in_the_mean():
    y, said = np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1])
    confusion = confusion_matrix(y, said)
    checked = Validation(way="", fold_errors=(), n_wrong=1, n_tested=4, confusion=confusion)
    parts = quality_of(checked, np.arange(3))
    expected = f1_score(y, said, average=None, zero_division=0.0)
    assert [part.f1 for part in parts] == pytest.approx(expected.tolist(), abs=1e-15)
    assert mean_of(parts, "f1") == pytest.approx(expected.mean(), abs=1e-15)
    assert parts[2].precision is None


@pytest.mark.parametrize("seed", range(5))
def test_the_area_is_scikit_learns_with_ties_too(seed):
    rng = np.random.default_rng(seed)
    scores, positive = rng.integers(0, 8, 60).astype(float), rng.random(60) < 0.3
    expected = roc_auc_score(positive, scores)
    assert area_under_roc(positive, scores) == pytest.approx(expected, abs=1e-12)


def test_the_area_of_one_class_alone_is_unknown():
    assert area_under_roc(np.ones(3, dtype=bool), np.arange(3.0)) is None


def test_of_equal_classes_the_first_is_said():
    assert baseline_of(np.array([1, 2]), np.array([5, 5])) == (1, 0.5)


def test_the_shell_says_it_in_words_and_in_json(report):
    source = report.source
    words, facts = run("fit", source).out, json.loads(run("fit", source, "--json").out)
    base = report.baseline
    assert f"baseline         E_out  {base.error:.4f}, always saying {base.label}\n" in words
    assert (facts["error_baseline"], facts["commonest_class"]) == (base.error, base.label)
    for name in ("precision", "recall", "auc"):
        assert facts[name] == {part.label: getattr(part, name) for part in report.quality}
    shown = report.quality[-1].precision if len(report.quality) == 2 else None
    if shown is not None:
        assert f"of malignant     precision {shown:.4f}, recall " in words
    else:
        mean = np.mean([part.precision for part in report.quality])
        assert f"mean of classes  precision {mean:.4f}, recall " in words


def test_the_page_shows_the_same(report):
    text = page(gather_facts(report, 0, lambda stage, share: None))
    assert f"{report.baseline.error:.2%}" in text
    assert f"always saying {report.baseline.label}" in text
    section = text.split('id="quality"')[1].split("</section>")[0]
    for part in report.quality:
        for value in (part.precision, part.recall, part.f1, part.auc):
            assert f"{value:.4f}" in section
    assert 'id="calibration"' in text


def test_rows_on_disk_are_measured_alike(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = (X[:, 0] + rng.normal(size=120) > 0.4).astype(int)
    lines = [f"{a:.3f},{b:.3f},{c}" for (a, b), c in zip(X, y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,y", *lines]) + "\n")
    whole = json.loads(run("fit", tmp_path / "t.csv", "--json").out)
    disk = json.loads(run("fit", tmp_path / "t.csv", "--memory", "100M", "--json").out)
    for name in ("error_baseline", "commonest_class", "precision", "recall", "auc"):
        assert disk[name] == whole[name]


def test_what_was_not_validated_has_a_baseline_all_the_same(tmp_path):
    model = tmp_path / "m.rosenblatt"
    run("fit", "lecture", "-o", model)
    assert open_model(model).made["rows"] == 4
    facts = json.loads(run("fit", "lecture", "--learn-more", model, "--json").out)
    assert facts["error_baseline"] == 0.5
    assert facts["precision"] is None
