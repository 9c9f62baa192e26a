"""`prove` and `verify`."""

import itertools
import json
import re

import numpy as np
import pytest

from rosenblatt import read
from tests.cli.running import run


def xor():
    """Return the rows and labels of the built-in set."""
    examples = read("xor")
    return examples.X, examples.y.astype(int)


def test_separable_data_has_exit_code_0():
    answer = run("prove", "and")
    assert answer.code == 0
    assert answer.out.startswith("Separable")


def test_a_contradiction_shows_its_rows_and_has_exit_code_1():
    answer = run("prove", "xor", "--fewest-mistakes", "--contradictions")
    assert answer.code == 1
    assert "row 1 is 1, weight 1: x1 = 0, x2 = 1" in answer.out
    assert "The fewest mistakes of any linear rule: 1, proved." in answer.out
    rule = re.search(r"makes them: 1 if (\S+) (\S+) x1 (\S+) x2 > 0, else -1\n", answer.out)
    wrong = re.search(r"wrong: row (\d), which is (-?1)\n", answer.out)
    X, y = xor()
    w = [float(number) for number in rule.groups()]
    assert np.flatnonzero(y * (w[0] + X @ w[1:]) <= 0).tolist() == [int(wrong[1])]
    assert int(wrong[2]) == y[int(wrong[1])]
    assert "1 contradiction: any linear rule makes at least 1 mistake." in answer.out


@pytest.mark.parametrize("where", [[], ["--memory", "16M"]], ids=["here", "on disk"])
def test_texts_that_differ_by_a_symbol_are_one_text_without_symbols(tmp_path, where):
    path = tmp_path / "texts.txt"
    path.write_text("spam\tnow $\nham\tnow\nspam\t$ later\nham\tlater !\n")
    asked = ("prove", path, "--format", "text", "--bits", 10, *where)
    blind = run(*asked, "--json")
    assert blind.code == 1
    (proof,) = json.loads(blind.out)["proofs"]
    # "now" is both, and so is "later": either pair says it all
    assert proof["indices"] in ([0, 1], [2, 3])
    assert proof["weights"] == ["1", "1"]
    seeing = run(*asked, "--symbols")
    assert seeing.code == 0
    assert seeing.out.startswith("Separable")


def test_contradicting_messages_are_shown():
    texts = b"spam\tcall me now\nham\tsee you soon\nham\tcall me now\nspam\twin a prize\n"
    answer = run("prove", "-", "--format", "text", stdin=texts)
    assert answer.code == 1
    assert "row 0 is spam, weight 1: call me now" in answer.out


def test_rules_through_the_origin_are_asked_for_with_no_intercept():
    assert run("prove", "lecture").code == 0
    assert run("prove", "lecture", "--no-intercept").code == 1


@pytest.mark.parametrize("data", ["xor", "and", "iris"])
def test_a_saved_proof_holds_for_its_data_and_no_other(tmp_path, data):
    path = tmp_path / "proof.json"
    run("prove", data, "-o", path)
    answer = run("verify", path, data)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("the proof holds\nverdict  ")
    answer = run("verify", path, "or")
    assert answer.code == 1
    assert answer.out.startswith("the proof does not hold: ")


def test_a_changed_proof_does_not_hold(tmp_path):
    path = tmp_path / "proof.json"
    run("prove", "xor", "-o", path)
    facts = json.loads(path.read_text())
    facts["weights"][0] = "2"
    path.write_text(json.dumps(facts))
    assert run("verify", path, "xor").code == 1


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": "rosenblatt proofs"}', "\xff"])
def test_a_file_that_is_no_proof_is_bad_input(tmp_path, content):
    path = tmp_path / "proof.json"
    path.write_text(content, encoding="latin-1")
    answer = run("verify", path, "xor")
    assert answer.code == 2
    assert answer.err.startswith("rosenblatt: ")


def test_json_has_the_proof():
    facts = json.loads(run("prove", "xor", "--json", "--fewest-mistakes").out)
    assert facts["separable"] is False
    assert facts["proofs"][0]["indices"] == [0, 1, 2, 3]
    assert facts["proofs"][0]["weights"] == ["1", "1", "1", "1"]
    fewest, X, y = facts["fewest_mistakes"], *xor()
    assert (fewest["lower"], fewest["upper"], len(fewest["examples"])) == (1, 1, 1)
    wrong = y * (fewest["w"][0] + X @ fewest["w"][1:]) <= 0
    assert np.flatnonzero(wrong).tolist() == fewest["examples"]
    facts = json.loads(run("prove", "iris", "--json").out)
    assert [part["separable"] for part in facts["proofs"]] == [True, False, False]


def test_what_holds_is_said(tmp_path):
    path = tmp_path / "proof.json"
    run("prove", "iris", "--no-intercept", "--multiclass", "one-vs-one", "-o", path)
    assert run("verify", path, "iris").out == (
        "the proof holds\n"
        "verdict  not separable in pairs: no linear rule tells versicolor from virginica\n"
        "classes  setosa, versicolor, virginica\n"
        "rules    through the origin\n"
        "data     150 rows, 4 features\n"
    )
    facts = json.loads(run("verify", path, "iris", "--json").out)
    assert (facts["holds"], facts["fault"], facts["separable"]) == (True, None, False)
    assert facts["classes"] == ["setosa", "versicolor", "virginica"]
    assert (facts["multiclass"], facts["fit_intercept"]) == ("one-vs-one", False)
    assert (facts["rows"], facts["features"]) == (150, 4)
    assert [answer["separable"] for answer in facts["answers"]] == [True, True, False]


def test_many_classes_are_proved_jointly_if_asked(tmp_path):
    path = tmp_path / "proof.json"
    answer = run("prove", "wine", "--multiclass", "joint", "-o", path)
    assert answer.code == 0
    assert answer.out.startswith("Separable, 3 classes jointly: a joint linear rule")
    assert "verdict  separable: a joint linear rule" in run("verify", path, "wine").out
    facts = json.loads(run("prove", "iris", "--multiclass", "joint", "--json").out)
    (part,) = facts["proofs"]
    assert (facts["multiclass"], facts["separable"]) == ("joint", False)
    assert len(part["indices"]) == len(part["rivals"]) == len(part["weights"])
    answer = run("prove", "iris", "--multiclass", "both")
    assert (answer.code, answer.out) == (2, "")
    assert "--multiclass must be one of 'joint', 'one-vs-rest', 'one-vs-one'" in answer.err


def test_a_proof_that_leaves_a_question_out_does_not_hold(tmp_path):
    path = tmp_path / "proof.json"
    run("prove", "iris", "-o", path)
    facts = json.loads(path.read_text())
    del facts["proofs"][1:]
    path.write_text(json.dumps(facts))
    answer = run("verify", path, "iris")
    assert answer.code == 1
    assert answer.out == (
        "the proof does not hold: this proof answers 1 of the 3 questions; it says nothing about "
        "'versicolor' against the rest and 'virginica' against the rest\n"
    )


def test_a_model_is_no_proof(tmp_path):
    path = tmp_path / "xor.rosenblatt"
    run("fit", "and", "-o", path, "--prove-seconds", "0")
    answer = run("verify", path, "and")
    assert answer.code == 2
    assert "this is no proof: it is a model; a proof is a text file in JSON" in answer.err
    assert "codec" not in answer.err


def test_no_proof_in_time_is_bad_input_and_not_an_answer(clock, monkeypatch):
    looks = itertools.count(1000.0)  # a second from one look at the clock to the next
    monkeypatch.setattr(clock, "monotonic", lambda: next(looks))
    answer = run("prove", "breast-cancer", "--time-limit", "1")
    assert answer.code == 2
    assert "no proof within the time limit" in answer.err


def test_a_long_contradiction_is_cut_short():
    answer = run("prove", "digits")
    assert answer.code == 1
    assert "rows more; --json has all" in answer.out
    assert answer.out.count("against the rest: Separable") == 0
    assert answer.out.count("Separable, 0 against the rest") == 1
