"""`compare`, `trace` and `lab`."""

import json

import pyarrow.feather
import pytest
from PIL import Image

from tests.cli.running import run
from tests.reference.perceptron import canonical, perceptron


def test_compare_prints_the_best_first_and_who_is_left_out():
    answer = run("compare", "wine")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[-2] == "rank 1: not told apart from the best on these examples"
    assert lines[-1].startswith("the winner, corrected for having been picked: 0.0")
    errors = [float(line.split()[2]) for line in lines[2:-2]]
    assert errors == sorted(errors)
    assert {line.split()[1] for line in lines[2:-2]} >= {"averaged", "voted", "gaussian"}
    assert [line.split()[0] for line in lines[2:-2]][:2] == ["1", "1"]
    assert "note: bernoulli is left out: X must hold 0 and 1 only" in answer.err


def test_compare_gives_machines_the_same():
    facts = json.loads(run("compare", "xor", "--json").out)
    first = facts["rows"][0]
    assert first["accuracy"] == 1 - first["error"]
    assert first["bytes"] > 0
    assert 0 <= first["f1"] <= 1
    assert first["rank"] == 1
    assert 0 <= facts["winner_error_corrected"] <= 1


def test_trace_of_the_lecture_ends_with_its_weights():
    X, y = canonical([[1], [2], [7], [8]]), [-1, -1, 1, 1]
    for rule in ("first", "cyclic"):
        expected, *_ = perceptron(X, y, rule=rule)
        w0, w1 = (f"{value:g}" for value in expected)
        answer = run("trace", "lecture", "--rule", rule)
        assert f"final weights, w0 first: {w0}, {w1}" in answer.out
    assert json.loads(run("trace", "lecture", "--rule", "cyclic", "--json").out)["final"] == [-6, 2]


def test_trace_writes_steps_and_a_movie(tmp_path):
    steps, movie, table = (tmp_path / name for name in ("t.json", "t.gif", "t.arrow"))
    assert run("trace", "exercise-1.4", "-o", steps, "--animate", movie).code == 0
    assert run("trace", "exercise-1.4", "-o", table).code == 0
    n = len(json.loads(steps.read_text())["steps"])
    assert pyarrow.feather.read_table(table).num_rows == n
    with Image.open(movie) as picture:
        assert picture.n_frames == n
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.arrow", "t.gif", "t.json"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trace", "iris"], "a trace shows two classes, got 3"),
        (["trace", "lecture", "-a", "gaussian"], "no trace of a GaussianNaiveBayes"),
        (["trace", "lecture", "-o", "t.txt"], "t.txt must end with .csv, .json or .arrow"),
        (["lab", "exercise-1.4", "--plot", "a.doc"], "a.doc must end with .png"),
        (["lab", "runs", "--learner", "svm"], "--algorithm must be one of"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(arguments, message):
    answer = run(*arguments)
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1


def test_lab_runs_prints_the_table():
    answer = run("lab", "runs", "--points", "10", "--runs", "200", "--seed", "1")
    assert "200 runs, N = 10, perceptron" in answer.out
    facts = json.loads(run("lab", "runs", "--runs", "200", "--seed", "1", "--json").out)
    assert facts["error_in"]["mean"] == 0.0


def test_exercise_draws_a_picture(tmp_path):
    path = tmp_path / "exercise.png"
    answer = run("lab", "exercise-1.4", "--plot", path)
    assert "after 7 updates" in answer.out
    with Image.open(path) as picture:
        assert picture.width > 300
    assert json.loads(run("lab", "exercise-1.4", "--json").out)["updates"] == 7


def test_lab_alone_shows_its_help():
    assert "exercise-1.4" in run("lab").out
