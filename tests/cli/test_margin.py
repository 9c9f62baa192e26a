"""`rosenblatt margin` and `line_margin`: which line is better."""

import json

import numpy as np
import pytest
from scipy import sparse

import rosenblatt
from tests.cli.running import run


def lines_of(*arguments):
    answer = run("margin", *arguments, "--json")
    return {line["name"]: line for line in json.loads(answer.out)["lines"]}


def test_the_lines_of_the_lecture_by_hand():
    found = lines_of("lecture", "--line", "-7,3", "--line", "-5,1", "--line", "3,-1")
    # the middle between 2 and 7 is 4.5; -7 + 3x is 0 at 7/3, 1/3 from 2; -5 + x at 5, 2 from 7
    by_hand = {"widest street": 2.5, "--line -7,3": 1 / 3, "--line -5,1": 2, "--line 3,-1": -5}
    for name, margin in by_hand.items():
        assert found[name]["geometric_margin"] == pytest.approx(margin, abs=1e-6)
    assert found["PLA, 11 updates"]["w"] == [-7, 3]
    assert found["--line -7,3"]["margin"] == pytest.approx(1 / np.sqrt(58))  # w . x = -1 at x = 2
    assert found["--line -7,3"]["nearest"] == 1
    assert found["--line 3,-1"]["wrong"] == [0, 1, 2, 3]
    assert next(iter(found)) in ("widest street", "of the theorem")
    assert list(found)[-1] == "--line 3,-1"


def test_no_line_is_better_than_the_widest_street():
    rng = np.random.default_rng(0)
    given = [f"{a:.3f},{b:.3f},{c:.3f}" for a, b, c in rng.normal((1, 2, 4), 0.5, (40, 3))]
    found = lines_of("exercise-1.4", *(word for line in given for word in ("--line", line)))
    best = found["widest street"]["geometric_margin"]
    assert best >= max(line["geometric_margin"] for line in found.values()) - 1e-12
    canonical = found["of the theorem"]["margin"]
    assert canonical >= max(line["margin"] for line in found.values()) - 1e-12


def test_what_is_printed_names_support_and_bound():
    out = run("margin", "lecture").out
    assert "It rests on 2 examples: rows 1, 2." in out
    assert "at most 221 updates" in out
    assert run("margin", "iris", "--classes", "setosa,virginica").code == 0


def test_data_that_is_not_separable_ends_with_1():
    answer = run("margin", "xor", "--line", "1,2,3")
    assert (answer.code, answer.err) == (1, "")
    assert "no linear rule separates the classes" in answer.out
    assert "--line 1,2,3" in answer.out
    origin = run("margin", "lecture", "--no-intercept")
    assert origin.code == 1
    assert "`rosenblatt prove --no-intercept`" in origin.out
    assert json.loads(run("margin", "xor", "--json").out)["separable"] is False


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            ["lecture", "--line", "1,2,3"],
            "a rule for 1 feature must hold 2 finite weights, w0 first, got 3",
        ),
        (["lecture", "--line", "1,x"], "--line must be finite numbers with commas between them"),
        (["lecture", "--line", "1,inf"], "--line must be finite numbers"),
        (["lecture", "--line", "1,0"], "a rule that is 0 for every feature is no line"),
        (["iris"], "got 3; --classes A,B takes the rows of two of them"),
    ],
)
def test_what_is_no_line_is_refused(options, words):
    answer = run("margin", *options)
    assert (answer.code, answer.out) == (2, "")
    assert words in answer.err


def test_margin_of_equals_its_definition_dense_and_sparse():
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(30, 4)), rng.normal(size=5)
    y = np.where(rng.random(30) > 0.3, X @ w[1:] + w[0] > 0, True)
    y[:2] = [False, True]
    scores = np.where(y, 1, -1) * (w[0] + X @ w[1:])
    for rows in (X, sparse.csr_array(X)):
        found = rosenblatt.line_margin(w, rows, y)
        assert found.margin == pytest.approx(scores.min() / np.linalg.norm(w))
        assert found.geometric_margin == pytest.approx(scores.min() / np.linalg.norm(w[1:]))
        np.testing.assert_array_equal(found.wrong, np.flatnonzero(scores <= 0))
        assert found.nearest == scores.argmin()
