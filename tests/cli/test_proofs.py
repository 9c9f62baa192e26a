"""`prove` and `verify`."""

import json

import pytest

from tests.cli.running import run


def test_separable_data_has_exit_code_0():
    answer = run("prove", "and")
    assert answer.code == 0
    assert answer.out.startswith("Separable")


def test_a_contradiction_shows_its_rows_and_has_exit_code_1():
    answer = run("prove", "xor", "--fewest-mistakes", "--contradictions")
    assert answer.code == 1
    assert "row 1 is 1, weight 1: x1 = 0, x2 = 1" in answer.out
    assert "The fewest mistakes of any linear rule: 1, proved." in answer.out
    assert "1 contradiction: any linear rule makes at least 1 mistake." in answer.out


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
    assert run("verify", path, data) == (0, "the proof holds\n", "")
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
    assert facts["fewest_mistakes"] == {"lower": 1, "upper": 1}
    facts = json.loads(run("prove", "iris", "--json").out)
    assert [part["separable"] for part in facts["proofs"]] == [True, False, False]


def test_no_proof_in_time_is_bad_input_and_not_an_answer():
    answer = run("prove", "breast-cancer", "--time-limit", "1e-9")
    assert answer.code == 2
    assert "no proof within the time limit" in answer.err


def test_a_long_contradiction_is_cut_short():
    answer = run("prove", "digits")
    assert answer.code == 1
    assert "rows more; --json has all" in answer.out
    assert answer.out.count("against the rest: Separable") == 0
    assert answer.out.count("Separable, 0 against the rest") == 1
