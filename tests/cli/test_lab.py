"""The experiments from the shell: what Python gives, a picture, and one sentence for bad input."""

import json

import pytest

from rosenblatt import lab
from tests.cli.running import run


def test_runs_takes_what_python_takes():
    options = ["--points", "12", "--runs", "15", "-a", "pocket", "--rule", "worst"]
    options += ["--noise", "0.1", "--margin", "0.1", "--dimension", "3", "--updates", "40"]
    answer = run("lab", "runs", *options, "--seed", "4")
    table = lab.runs(
        *(12, 15, "pocket"),
        rule="worst",
        noise=0.1,
        margin=0.1,
        dimension=3,
        max_updates=40,
        random_state=4,
    )
    assert answer.out == f"{table}\n"


@pytest.mark.parametrize(
    ("named", "target"),
    [("circle", lab.CircleTarget()), ("-0.2,1,1", lab.LineTarget([-0.2, 1, 1])), ("line", None)],
)
def test_targets_by_name_or_by_weights(named, target):
    answer = run("lab", "runs", "--runs", "5", "-a", "regression", f"--target={named}")
    assert answer.out == f"{lab.runs(10, 5, 'regression', target=target, random_state=0)}\n"


def test_bound_and_cover_have_a_table_a_picture_and_json(tmp_path):
    commands = {
        "bound": (["--points", "8", "--runs", "20"], lab.bound(8, 20, random_state=0)),
        "cover": (
            ["--dimension", "1", "--points", "3", "--points", "4", "--runs", "20"],
            lab.cover([1], 20, n_points=[3, 4], random_state=0),
        ),
    }
    for name, (options, table) in commands.items():
        picture = tmp_path / f"{name}.png"
        assert run("lab", name, *options, "--plot", picture).out == f"{table}\n"
        assert picture.read_bytes()[:4] == b"\x89PNG"
        said = json.loads(run("lab", name, *options, "--json").out)
        assert said == {"runs": 20} | table.to_arrow().to_pydict()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["runs", "--target", "sun"], "--target must be line, circle, or weights"),
        (["runs", "--target", "1"], "--target must be line, circle, or weights"),
        (["runs", "--features", "quadratic", "--dimension", "3"], "got 3; use --dimension 2, or"),
        (["runs", "-a", "batch", "--rule", "first"], "--rule is for perceptron, pocket"),
        (["runs", "-a", "svm"], "--algorithm must be one of"),
        (["runs", "--rule", "best"], "--rule must be one of"),
        (["runs", "--noise", "0.6"], "--noise must be a share"),
        (["runs", "--target", "circle", "--dimension", "3"], "leave out --dimension"),
        (["runs", "--target", "circle", "--features", "cubic"], "--features must be one of"),
        (["bound", "--margin", "9"], "set a smaller --margin"),
        (["cover", "--dimension", "0"], "--dimension must be a whole number"),
        (["cover", "--plot", "cover.gif"], "must end with .png"),
    ],
)
def test_bad_input_is_one_sentence(options, said):
    answer = run("lab", *options)
    assert answer.code == 2
    assert said in answer.err
    assert answer.err.count("\n") == 1
