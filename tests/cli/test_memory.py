"""`rosenblatt fit --memory`: the same file as without it, byte for byte."""

import json

import numpy as np
import pytest

import rosenblatt
from rosenblatt.workflows import large
from rosenblatt.workflows import task as scaling
from rosenblatt.workflows import validate as validating
from tests.cli.running import run
from tests.cli.test_bad_input import assert_refused

WORDS = "".join(f"{'ab'[i % 2]}\tword{i % 9} word{i % 11} {i}\n" for i in range(120))
NUMBERS = "".join(f"{i},{i * 0.1 % 7},{i * 0.3 % 5:.3f},{'ab'[i > 70]}\n" for i in range(160))
MIXED = "size,colour,text,label\n" + "".join(
    f"{i % 7},{'red' if i % 3 else ''},so it{i} was,{'ab'[i * i % 5 > 2]}\n" for i in range(120)
)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(large, "BLOCK_BYTES", 800)
    monkeypatch.setattr(scaling, "CELLS", 100)


def both(folder, *arguments, stdin=b""):
    models = folder / "one.rosenblatt", folder / "two.rosenblatt"
    one = run("fit", *arguments, "-o", models[0], "--prove-seconds", "0", stdin=stdin)
    two = run("fit", *arguments, "-o", models[1], "--memory", "100M", stdin=stdin)
    assert (one.code, one.err) == (0, two.err)
    assert models[0].read_bytes() == models[1].read_bytes()
    return two


@pytest.mark.parametrize("options", [[], ["-a", "bernoulli"], ["--ngrams", "2"]])
def test_texts_give_the_same_file(tmp_path, options):
    (tmp_path / "texts.txt").write_text(WORDS)
    both(tmp_path, tmp_path / "texts.txt", "--bits", "10", *options)


@pytest.mark.parametrize("options", [[], ["-a", "perceptron"], ["-a", "gaussian"]])
@pytest.mark.parametrize("most_folded", [20_000, 100])
def test_numbers_give_the_same_file(tmp_path, monkeypatch, options, most_folded):
    monkeypatch.setattr(validating, "LARGE", most_folded)
    (tmp_path / "table.csv").write_text(NUMBERS)
    both(tmp_path, tmp_path / "table.csv", *options)


@pytest.mark.parametrize("missing", ["drop", "mean"])
def test_columns_of_all_kinds_give_the_same_file(tmp_path, missing):
    (tmp_path / "table.csv").write_text(MIXED)
    both(tmp_path, tmp_path / "table.csv", "--missing", missing, "--bits", "8")


def test_standard_input_gives_the_same_file_and_says_so(tmp_path):
    answer = both(tmp_path, "-", "--missing", "mean", "--bits", "8", stdin=MIXED.encode())
    assert "standard input: 120 examples" in answer.out
    assert "at most 100 MB, in passes over a cache of" in answer.out
    assert "E_out" in answer.out
    assert "text:" in answer.out


def test_a_memory_too_small_to_hold_out_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(large, "BYTES_PER_LABEL", 1 << 20)
    (tmp_path / "rows.svm").write_text("1 1:1\n0 2:1\n" * 40)
    answer = run("fit", tmp_path / "rows.svm", "--memory", "16M", "--json")
    facts = json.loads(answer.out)
    assert (facts["examples"], facts["error_in"], facts["error_validated"]) == (80, 0.0, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "much"], "--memory must be a number of bytes"),
        (["--memory", "1M"], "--memory must be at least 16MB"),
        (["--memory", "99M", "--report", "page.html"], "--report needs all examples in memory"),
        (["--memory", "99M", "--learn-more", "m"], "--learn-more needs all examples in memory"),
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
    run("fit", path, "--memory", "16M", "-o", model)
    X, y = rosenblatt.read(path)[:2]
    wanted = rosenblatt.AveragedPerceptron(random_state=0).fit(X, y)
    np.testing.assert_array_equal(rosenblatt.load(model).coef_, wanted.coef_)
