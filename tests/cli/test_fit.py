"""`rosenblatt fit` as a user runs it: a process of its own."""

import json
import subprocess
import sys

import pytest


def rosenblatt(*arguments, **environment):
    code = "from rosenblatt.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_fit_says_what_came_out():
    answer = rosenblatt("fit", "breast-cancer")
    assert answer.returncode == 0
    assert "569 examples, 30 features, classes benign, malignant" in answer.stdout
    assert "E_in" in answer.stdout
    assert "5-fold" in answer.stdout


def test_json_is_one_object_with_the_errors():
    answer = rosenblatt("fit", "lecture", "-a", "perceptron", "--json")
    facts = json.loads(answer.stdout)
    assert facts["examples"] == 4
    assert facts["error_in"] == 0.0
    assert facts["converged"] is True


def test_same_seed_prints_the_same():
    one, two = (rosenblatt("fit", "iris", "--seed", "5", "--json") for _ in range(2))
    assert one.stdout == two.stdout != rosenblatt("fit", "iris", "--seed", "6", "--json").stdout


def test_data_that_is_not_separable_is_said_to_be_so():
    answer = rosenblatt("fit", "xor", "-a", "perceptron")
    assert answer.returncode == 0
    assert "rosenblatt.prove(X, y)" in answer.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "iri"], "rosenblatt: no built-in set 'iri'; did you mean 'iris'?"),
        (["fit", "iris", "-a", "svm"], "rosenblatt: algorithm must be one of"),
    ],
)
def test_error_is_one_line_and_exit_code_2(arguments, message):
    answer = rosenblatt(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert answer.stderr.startswith(message)
    assert answer.stderr.count("\n") == 1


def test_help_shows_the_example():
    answer = rosenblatt("fit", "--help")
    assert "Example: rosenblatt fit breast-cancer" in answer.stdout


def test_version_is_shown():
    assert rosenblatt("--version").stdout.startswith("rosenblatt 0.")
