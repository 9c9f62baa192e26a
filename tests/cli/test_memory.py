"""`rosenblatt fit --memory`: the bytes of the file without it, proofs included."""

import json

import numpy as np
import pytest

import rosenblatt
from rosenblatt.data import example_blocks, store
from rosenblatt.model_file import save
from rosenblatt.workflows import folds as dealing
from rosenblatt.workflows import forms as scaling
from tests.cli.running import run
from tests.cli.test_bad_input import assert_refused

WORDS = "".join(f"{'ab'[i % 2]}\tword{i % 9} word{i % 11} {i}\n" for i in range(120))
NUMBERS = "".join(f"{i},{i * 0.1 % 7},{i * 0.3 % 5:.3f},{'ab'[i > 70]}\n" for i in range(160))
MIXED = "size,colour,text,label\n" + "".join(
    f"{i % 7},{'red' if i % 3 else ''},so it{i} was,{'ab'[i * i % 5 > 2]}\n" for i in range(120)
)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(store, "BLOCK_BYTES", 800)
    monkeypatch.setattr(scaling, "CELLS", 100)


def both(folder, *arguments, stdin=b""):
    models = folder / "one.rosenblatt", folder / "two.rosenblatt"
    arguments = (*arguments, "--prove-seconds", "60")  # no proof is a matter of the clock
    one = run("fit", *arguments, "-o", models[0], stdin=stdin)
    two = run("fit", *arguments, "-o", models[1], "--memory", "100M", stdin=stdin)
    assert (one.code, one.err) == (0, two.err)
    assert models[0].read_bytes() == models[1].read_bytes()
    return two


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["-a", "bernoulli"],
        ["--ngrams", "2"],
        ["--weighting", "none"],
        ["--weighting", "auto", "-a", "perceptron"],
    ],
)
def test_texts_give_the_same_file(tmp_path, options):
    (tmp_path / "texts.txt").write_text(WORDS)
    both(tmp_path, tmp_path / "texts.txt", "--bits", "10", *options)


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["-a", "perceptron"],
        ["-a", "gaussian"],
        ["-a", "voted"],
        ["-a", "batch"],
    ],
)
@pytest.mark.parametrize("most_folded", [20_000, 100])
def test_numbers_give_the_same_file(tmp_path, monkeypatch, options, most_folded):
    monkeypatch.setattr(dealing, "LARGE", most_folded)
    (tmp_path / "table.csv").write_text(NUMBERS)
    both(tmp_path, tmp_path / "table.csv", *options)


@pytest.mark.parametrize("missing", ["drop", "mean"])
def test_columns_of_all_kinds_give_the_same_file(tmp_path, missing):
    (tmp_path / "table.csv").write_text(MIXED)
    both(tmp_path, tmp_path / "table.csv", "--missing", missing, "--bits", "8")


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("texts.txt", WORDS, ["--bits", "10"]),
        ("table.csv", NUMBERS, []),
        ("table.csv", NUMBERS, ["-a", "gaussian"]),
        ("mixed.csv", MIXED, ["--missing", "mean", "--bits", "8"]),
        ("rows.svm", "1 1:1 3:2\n0 2:1\n1 1:2 2:1\n0 2:3 3:1\n" * 20, ["-a", "perceptron"]),
    ],
)
def test_going_on_gives_the_same_file(tmp_path, name, content, options):
    (tmp_path / name).write_text(content)
    old = tmp_path / "old.rosenblatt"
    assert run("fit", tmp_path / name, *options, "-o", old).code == 0
    lines = content.splitlines(keepends=True)
    more = tmp_path / f"more-{name}"
    more.write_text("".join([*lines[:1], *lines[41:]]))
    both(tmp_path, more, "--learn-more", old)


def test_a_learner_without_a_command_goes_on_in_blocks(tmp_path):
    path, model = tmp_path / "rows.svm", tmp_path / "m.rosenblatt"
    path.write_text("1 1:1 3:2\n0 2:1\n" * 20)
    examples = rosenblatt.read(path)
    learner = rosenblatt.EmpiricalBayes().fit(examples.X, examples.y)
    save(learner, model, recipe=examples.recipe)
    both(tmp_path, path, "--learn-more", model)


def test_what_columns_are_is_known_when_learning_goes_on(tmp_path):
    path, model = tmp_path / "table.csv", tmp_path / "m.rosenblatt"
    path.write_text(NUMBERS)
    assert run("fit", path, "-o", model).code == 0
    for memory in ([], ["--memory", "99M"]):
        answer = run("fit", path, "--learn-more", model, "--text", "x1", *memory)
        assert_refused(answer, "what each column is, is known from training")


def test_a_page_can_be_had_of_rows_on_disk(tmp_path):
    (tmp_path / "table.csv").write_text(NUMBERS)
    page = tmp_path / "page.html"
    assert run("fit", tmp_path / "table.csv", "--memory", "99M", "--report", page).code == 0
    content = page.read_text()
    assert "160 examples" in content
    assert "Confusion" in content
    assert "No learning curve: the rows stayed on disk" in content
    assert "No ROC: the rows stayed on disk" in content
    wrong = "single examples are not shown" in content
    assert wrong or "every validated example was right" in content


@pytest.mark.parametrize(
    ("content", "separable", "word"),
    [
        ("1 1:1 3:2\n0 2:1\n" * 20, True, "separable: a linear rule"),
        ("1 1:1 3:2\n0 2:1\n0 1:1 3:2\n" * 20, False, "2 examples contradict each other"),
        ("0 1:0\n1 1:1\n1 2:1\n0 1:1 2:1\n" * 20, False, "4 examples contradict each other"),
    ],
)
def test_rows_on_disk_are_proved(tmp_path, content, separable, word):
    path, one, two = (tmp_path / name for name in ("rows.svm", "one.json", "two.json"))
    path.write_text(content)
    facts = json.loads(run("fit", path, "--memory", "16M", "--json").out)
    assert facts["separable"] is separable
    assert word in facts["verdict"]
    proved = run("prove", path, "-o", one)
    assert proved.code == int(not separable)
    on_disk = run("prove", path, "-o", two, "--memory", "16M")
    assert (on_disk.code, on_disk.out) == (proved.code, proved.out)
    assert one.read_bytes() == two.read_bytes()
    assert run("verify", one, path, "--memory", "16M").code == 0
    path.write_text(content.replace("1 1:1", "1 1:3", 1))
    changed = run("verify", one, path, "--memory", "16M")
    assert (changed.code, "the numbers of row" in changed.out) == (1, True)


def test_what_needs_all_rows_in_memory_says_so(tmp_path):
    (tmp_path / "rows.svm").write_text("1 1:1\n0 2:1\n" * 4)
    answer = run("prove", tmp_path / "rows.svm", "--memory", "16M", "--fewest-mistakes")
    assert_refused(answer, "need all examples in memory; leave out --memory")


@pytest.mark.parametrize("command", ["predict", "score"])
def test_predictions_in_blocks_are_those_of_the_whole(tmp_path, monkeypatch, command):
    (tmp_path / "texts.txt").write_text(WORDS)
    model = tmp_path / "m.rosenblatt"
    assert run("fit", tmp_path / "texts.txt", "-o", model, "--bits", "10").code == 0
    answers = set()
    for size in (1 << 20, 300, 60):
        monkeypatch.setattr(example_blocks, "BLOCK", size)
        answer = run(command, model, tmp_path / "texts.txt", "--json")
        assert answer.code == 0
        answers.add(answer.out)
    assert len(answers) == 1


def test_a_bad_row_in_a_late_block_says_nothing_before_it(tmp_path, monkeypatch):
    monkeypatch.setattr(example_blocks, "BLOCK", 300)
    (tmp_path / "table.csv").write_text(NUMBERS)
    model = tmp_path / "m.rosenblatt"
    assert run("fit", tmp_path / "table.csv", "-o", model).code == 0
    (tmp_path / "bad.csv").write_text(NUMBERS.replace("150,", "oops,"))
    answer = run("predict", model, tmp_path / "bad.csv")
    assert (answer.code, answer.out) == (2, "")
    assert "line 151" in answer.err


def test_standard_input_gives_the_same_file_and_says_so(tmp_path):
    answer = both(tmp_path, "-", "--missing", "mean", "--bits", "8", stdin=MIXED.encode())
    assert "standard input: 120 examples" in answer.out
    assert "at most 100 MB for rows and weights, beside the program itself; " in answer.out
    assert "E_out" in answer.out
    assert "text:" in answer.out


def test_a_memory_too_small_to_hold_out_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(dealing, "BYTES_TO_DEAL", 1 << 20)
    (tmp_path / "rows.svm").write_text("1 1:1\n0 2:1\n" * 40)
    answer = run("fit", tmp_path / "rows.svm", "--memory", "16M", "--json")
    facts = json.loads(answer.out)
    assert (facts["examples"], facts["error_in"], facts["error_validated"]) == (80, 0.0, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "much"], "--memory must be a number of bytes"),
        (["--memory", "1M"], "--memory must be at least 16MB"),
        (["--memory", "99M", "-a", "pocket"], "leave out --memory, or use averaged, perceptron,"),
        (["--memory", "99M", "--ngrams", "2"], "not a single column of texts"),
        (["--memory", "99M", "-t", "x9"], "has no column 'x9'"),
    ],
)
def test_what_will_not_do_with_it_is_refused(tmp_path, options, message):
    path, model = tmp_path / "table.csv", tmp_path / "m.rosenblatt"
    path.write_text(NUMBERS)
    assert_refused(run("fit", path, "-o", model, *options), message)
    assert not model.exists()


def test_a_saved_model_is_the_model_of_the_library(tmp_path):
    path, model = tmp_path / "rows.svm", tmp_path / "m.rosenblatt"
    path.write_text("1 1:1 3:2\n0 2:1\n1 1:2 2:1\n0 2:3 3:1\n" * 20)
    run("fit", path, "-a", "averaged", "--memory", "16M", "--no-scale", "-o", model)
    X, y = rosenblatt.read(path)[:2]
    wanted = rosenblatt.AveragedPerceptron(random_state=0).fit(X, y)
    np.testing.assert_array_equal(rosenblatt.load(model).coef_, wanted.coef_)
