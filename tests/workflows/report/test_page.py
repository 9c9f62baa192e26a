"""The page about a fit: read back as a browser would, compared with what the fit found."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import read
from rosenblatt.errors import ParameterError
from rosenblatt.markup import plain
from rosenblatt.model_file import Saved
from rosenblatt.palette import CLASSES
from rosenblatt.workflows.fit import fit
from rosenblatt.workflows.folds import folds_of
from rosenblatt.workflows.measures import ahead
from rosenblatt.workflows.report.charts import nice_top, plane_chart
from rosenblatt.workflows.report.facts import evenly_mixed, gather_facts, margins_of
from rosenblatt.workflows.report.page import page, write_report
from rosenblatt.workflows.task import make_task
from tests.cli.running import run

SECTIONS = {
    "data",
    "verdict",
    "learning",
    "roc",
    "calibration",
    "confusion",
    "quality",
    "telling",
    "mistakes",
    "contradictions",
}
VOID = {"meta", "br"}
NASTY = '<script>alert("1")</script><img src=x onerror=alert(1)>'


class Page(HTMLParser):
    """What is on a page: tags, attributes, and the text of each section and table cell."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.ids = [], [], [], []
        self.texts, self.here = {}, ""
        self.feed(text)
        self.close()
        assert self.open == []  # every element was closed

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        given = dict(attributes)
        if tag == "h2":
            self.here = given["id"]
            self.ids.append(given["id"])
        if tag == "header":
            self.here = "header"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts[self.here] = self.texts.get(self.here, "") + " " + data

    def of(self, section):
        return " ".join(self.texts[section].split())


def page_of(examples, algorithm="averaged", **options):
    facts = gather_facts(fit(examples, algorithm, **options), 0, lambda stage, share: None)
    text = page(facts)
    assert len(text.encode()) < 1_000_000
    return facts, Page(text)


def check_safe(found):
    assert not {"script", "img", "link", "iframe", "object", "image", "use"} & set(found.tags)
    for name, value in found.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "href", "srcset", "action", "xlink:href")
        assert "url(" not in (value or "")
        assert "//" not in (value or "")


def written(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text)
    return read(str(path))


@pytest.fixture(scope="module")
def breast_cancer():
    return page_of(read("breast-cancer"), prove_seconds=0.05)


@pytest.fixture(scope="module")
def iris():
    return page_of(read("iris"), prove_seconds=600)  # enough on any machine


def test_all_sections_are_there_and_nothing_comes_from_outside(breast_cancer):
    _, found = breast_cancer
    assert set(found.ids) == SECTIONS
    check_safe(found)
    policies = [value for _, value in found.attributes if value and "default-src" in value]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    assert found.tags.count("h1") == 1


def test_each_picture_has_a_title(breast_cancer):
    _, found = breast_cancer
    pictures = [value for name, value in found.attributes if (name, value) == ("role", "img")]
    assert len(pictures) == 3
    assert found.tags.count("title") == 1 + len(pictures)


def test_the_numbers_are_those_of_the_fit(breast_cancer):
    facts, found = breast_cancer
    checked = facts.report.validation
    header = found.of("header")
    assert f"validated error {checked.error:.2%}" in header
    # benign, 357 of 569, is the commonest: the others are mistakes
    assert f"baseline error {212 / 569:.2%} always saying benign" in header
    assert f"in-sample error {facts.report.error_in:.2%}" in header
    assert f"of {int(checked.wrong.sum())} validated mistakes" in found.of("mistakes")
    name, weight = facts.report.telling[0].features[0]
    assert f"{name} {weight:+.3g}" in found.of("telling")
    # benign: 357 of 569, as the data's own description says
    assert "benign 357 62.7%" in found.of("data")


def test_the_confusion_matrix_counts_the_validated_answers(breast_cancer):
    facts, found = breast_cancer
    checked, y = facts.report.validation, facts.report.examples.y
    pairs = list(zip(checked.tested, checked.predicted, strict=True))
    for right in facts.classes:
        counts = [sum(y[i] == right and p == said for i, p in pairs) for said in facts.classes]
        assert f"{right} {counts[0]} {counts[1]}" in found.of("confusion")
    assert np.trace(facts.confusion) == len(y) - checked.wrong.sum()


def test_the_area_is_the_share_of_pairs_in_the_right_order(breast_cancer):
    facts, found = breast_cancer
    checked = facts.report.validation
    positive = facts.report.examples.y[checked.tested] == facts.classes[1]
    pairs = checked.scores[positive][:, None] - checked.scores[~positive][None]
    area = (pairs > 0).mean() + (pairs == 0).mean() / 2
    assert facts.rocs[0].area == pytest.approx(area, abs=1e-12)
    assert f"AUC {area:.4f}" in found.of("roc")


def test_the_learning_curve_ends_at_the_validated_error(breast_cancer):
    facts, _ = breast_cancer
    parts = folds_of(make_task(facts.report.examples)).parts
    assert facts.curve.sizes[-1] == min(len(train) for train, _ in parts)
    assert (np.diff(facts.curve.sizes) > 0).all()
    n_folds = facts.curve.error_out.shape[1]
    # of folds that have one more example to learn from, the last is left out
    whole = [k for k in range(n_folds) if len(parts[k][0]) == facts.curve.sizes[-1]]
    assert whole
    folds = np.array(facts.report.validation.fold_errors)
    assert facts.curve.error_out[-1, whole].tolist() == folds[whole].tolist()


def test_the_worst_mistakes_come_first(breast_cancer):
    facts, _ = breast_cancer
    checked, y = facts.report.validation, facts.report.examples.y
    margins = [one.margin for one in facts.mistakes]
    assert margins == sorted(margins, reverse=True)
    assert margins[0] == np.abs(checked.scores[checked.wrong]).max()
    assert all(y[one.row] == one.right != one.said for one in facts.mistakes)


def test_three_classes_have_a_curve_each_and_their_contradictions(iris):
    facts, found = iris
    assert set(found.ids) == SECTIONS
    check_safe(found)
    assert [roc.label for roc in facts.rocs] == list(facts.classes)
    # versicolor and virginica overlap, known since Fisher; the averaged perceptron learns jointly
    (proof,) = facts.contradictions
    words = found.of("contradictions")
    assert f"All classes at once: {len(proof.indices)} comparisons" in words
    assert "No joint linear rule" in words
    for row, rival in zip(proof.indices, proof.rivals, strict=True):
        assert f" {row} {facts.report.examples.y[row]} {rival} " in words
    assert "linearly separable no by a joint rule" in found.of("header")
    assert "no joint linear rule" in found.of("verdict")
    margins = margins_of(facts.classes, facts.report.examples.y, facts.report.validation)
    assert (margins[facts.report.validation.wrong] >= 0).all()


def test_texts_are_shown_as_messages(tmp_path):
    lines = [f"spam\twin cash prize {k} now" for k in range(20)]
    lines += [f"ham\tsee you at lunch {k} maybe" for k in range(20)]
    lines += ["spam\tthe very same words", "ham\tthe very same words"]
    facts, found = page_of(written(tmp_path, "\n".join(lines) + "\n", "messages.tsv"))
    check_safe(found)
    assert "Most telling words" in found.of("telling")
    assert "the very same words" in found.of("mistakes")
    assert found.of("contradictions").count("the very same words") == 2
    assert [len(proof.indices) for proof in facts.contradictions] == [2]


def test_sparse_rows_are_shown_by_the_entries_that_count_most(tmp_path):
    rng = np.random.default_rng(0)
    noise = [sorted(rng.choice(np.arange(2, 40), 12, replace=False)) for _ in range(60)]
    lines = [
        f"{k % 2} {'1:1 ' * (k % 2)}{' '.join(f'{j}:1' for j in row)}"
        for k, row in enumerate(noise)
    ]
    # feature 1 is the label, but for the first row
    lines[0] = "0 1:1 " + lines[0][2:]
    _, found = page_of(written(tmp_path, "\n".join(lines) + "\n", "rows.svm"))
    check_safe(found)
    assert " 0 0 1 " in found.of("mistakes")  # row 0 is 0, 1 was said
    cells = found.of("mistakes").split(" 0 0 1 ")[1].split(" ", 1)[1]
    assert cells.startswith("1, ")
    assert "and 5 more" in cells


def test_separable_data_has_no_contradiction():
    _, found = page_of(read("and"))
    assert "None: the data is separable." in found.of("contradictions")
    assert "linearly separable yes" in found.of("header")


def test_two_features_are_drawn_in_the_plane():
    facts, found = page_of(read("xor"))
    assert set(found.ids) == SECTIONS | {"plane"}
    assert len(facts.contradictions[0].indices) == 4


def test_the_plane_has_the_marks_of_the_studio_and_no_minus_zero():
    facts = gather_facts(fit(read("xor")), 0, lambda stage, share: None)
    y, classes = facts.report.examples.y, facts.report.learner.classes_
    drawn = plane_chart(facts.report)
    for k, look in enumerate(CLASSES[:2]):
        mark = f'<path d="{look.outline}" class="mark c{k}"/>'
        assert drawn.count(mark) == (y == classes[k]).sum()
    ticks = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert "0" in ticks
    assert "-0" not in ticks


def test_data_that_cannot_be_validated_says_so(tmp_path):
    _, found = page_of(written(tmp_path, "a,b,kind\n1,2,x\n2,3,x\n4,1,y\n"))
    assert "validated error unknown" in found.of("header")
    assert "Nothing was validated" in found.of("confusion")
    assert "No learning curve" in found.of("learning")
    assert "No ROC" in found.of("roc")


@pytest.mark.parametrize("algorithm", ["voted", "categorical", "gaussian", "regression"])
def test_every_kind_of_learner_has_its_page(algorithm):
    _, found = page_of(read("iris"), algorithm, prove_seconds=0)
    assert set(found.ids) == SECTIONS
    assert "Nobody asked for a proof" in found.of("verdict")


def test_a_model_that_went_on_has_its_page():
    examples = read("iris")
    report = fit(examples, prove_seconds=0)
    new = fit(examples, saved=Saved(report.model, examples.recipe, {}), prove_seconds=0)
    found = Page(page(gather_facts(new, 0, lambda stage, share: None)))
    assert "a saved model went on" in found.of("learning")
    assert "AUC" in found.of("roc")
    assert "predicted by the saved model before it learned from it" in found.of("confusion")
    seen = fit(
        examples,
        saved=Saved(report.model, examples.recipe, {"digest": report.digest}),
        prove_seconds=0,
    )
    found = Page(page(gather_facts(seen, 0, lambda stage, share: None)))
    for part in ("confusion", "mistakes"):
        assert "has learned from these very examples before" in found.of(part)


def test_markup_in_names_labels_and_values_is_text(tmp_path):
    quoted = '"' + NASTY.replace('"', '""') + '"'
    rows = [f"{k % 7},{k % 3},{quoted if k % 2 else 'b'}" for k in range(40)]
    table = "\n".join([f'{quoted},"a<b>&amp;",kind', *rows]) + "\n"
    _, found = page_of(written(tmp_path, table, "a&b.csv"))
    check_safe(found)
    assert NASTY[:20] in found.of("telling")
    assert NASTY[:20] in found.of("confusion")
    assert "a<b>&amp;" in found.of("data")
    assert "a&b.csv" in found.of("header")


def test_markup_in_texts_is_text(tmp_path):
    lines = [
        f"{'no' if k % 2 else NASTY}\t{NASTY} word{k} and some more \u202eabc" for k in range(40)
    ]
    _, found = page_of(written(tmp_path, "\n".join(lines) + "\n", "texts.tsv"))
    check_safe(found)
    assert NASTY in found.of("mistakes")
    assert "\u202e" not in found.of("mistakes")


def test_many_classes_and_long_words_stay_below_a_megabyte(tmp_path):
    lines = [f"{k % 90}{'L' * 500}\t{f'word{k % 90} ' * 300}" for k in range(450)]
    _, found = page_of(written(tmp_path, "\n".join(lines) + "\n", "long.tsv"), prove_seconds=0.1)
    assert set(found.ids) == SECTIONS - {"calibration", "quality"}  # all rows of a class are copies


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    report = fit(read("iris"), prove_seconds=0)
    for name in ("one.html", "two.html"):
        write_report(report, tmp_path / name)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.html", "two.html"]


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ParameterError, match="there is no folder"):
        write_report(fit(read("and")), tmp_path / "nowhere" / "page.html")


@given(st.text(max_size=80))
def test_any_text_comes_back_without_markup(text):
    found = Page(f"<header>{plain(text)}</header>")
    assert found.tags == ["header"]
    plain(text).encode()


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=60))
def test_every_beginning_of_the_order_is_mixed(labels):
    y = np.array(labels)
    order = evenly_mixed(y)
    assert sorted(order) == list(range(len(y)))
    for n in range(1, len(y) + 1):
        for label in set(labels):
            share = n * (y == label).mean()
            assert abs((y[order[:n]] == label).sum() - share) <= len(set(labels))


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1, max_size=9))
def test_ahead_is_the_distance_to_the_best_other(rows):
    scores = np.array(rows, dtype=float)
    expected = [[row[k] - max(row[:k] + row[k + 1 :]) for k in range(3)] for row in rows]
    assert ahead(scores).tolist() == expected


@given(st.floats(1e-6, 1.0))
def test_the_axis_reaches_above_the_error_but_not_far(error):
    assert error <= nice_top(error) * (1 + 1e-9)
    assert nice_top(error) <= 2.5 * error


def test_the_command_writes_the_page_and_says_the_same(tmp_path):
    answer = run("fit", "iris", "--report", tmp_path / "page.html", "--json")
    assert answer.code == 0
    found = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert f"{json.loads(answer.out)['error_validated']:.2%}" in found.of("header")


def test_a_page_that_cannot_be_written_is_known_before_the_work(tmp_path):
    answer = run("fit", "iris", "--report", tmp_path / "nowhere" / "page.html")
    assert answer.code == 2
    assert "there is no folder" in answer.err
