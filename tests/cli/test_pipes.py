"""Pipes, JSON and completion, as a shell uses them."""

import json

import pytest

from tests.cli.running import COMMAND, process, run

TABLE = b"a,b,label\n1,2,x\n3,9,y\n5,6,x\n7,1,y\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pipes")
    (folder / "data.csv").write_bytes(TABLE)
    run("fit", folder / "data.csv", "-o", folder / "m.rosenblatt", "--prove-seconds", "0")
    run("prove", folder / "data.csv", "-o", folder / "proof.json")
    return folder


# with what every line of an answer has, and how many lines there are
ANSWERS = {
    "fit": ({"examples", "error_in", "telling"}, 1),
    "prove": ({"separable", "proofs"}, 1),
    "compare": ({"validated_by", "rows"}, 1),
    "trace": ({"weights", "picked"}, 1),
    "verify proof.json": ({"holds"}, 1),
    "predict m.rosenblatt": ({"label", "score"}, 4),
    "score m.rosenblatt": ({"error", "confusion"}, 1),
    "stream": ({"rows", "error", "recent_error"}, 1),
    "explain m.rosenblatt": ({"row", "contributions"}, 4),
}


@pytest.mark.parametrize("command", ANSWERS)
def test_every_command_takes_data_from_a_pipe_and_speaks_json(folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    has, n_lines = ANSWERS[command]
    answer = run(*command.split(), "-", "--json", stdin=TABLE)
    # the segments between the two x and between the two y cross: the answer of `prove` is no
    assert answer.code == (1 if command == "prove" else 0)
    said = [json.loads(line) for line in answer.out.splitlines()]
    assert len(said) == n_lines
    assert all(has <= set(line) for line in said)


def test_models_and_proofs_come_from_a_pipe(folder):
    data, model = folder / "data.csv", (folder / "m.rosenblatt").read_bytes()
    wanted = run("predict", folder / "m.rosenblatt", data).out
    assert run("predict", "-", data, stdin=model).out == wanted
    assert run("explain", "-", "--all", stdin=model).out.startswith("Pipeline")
    answer = run("predict", "-", data, stdin=model[:-9])
    assert answer.code == 2
    assert "rosenblatt: standard input is cut off" in answer.err
    other = run("predict", "-", data, stdin=b"a,b\n1,2\n" * 40)
    assert "standard input is not a model file of rosenblatt; `rosenblatt fit -o`" in other.err
    proof = (folder / "proof.json").read_bytes()
    assert run("verify", "-", data, stdin=proof).out.startswith("the proof holds\nverdict  ")


def test_everything_in_a_model_can_be_had_as_json(folder):
    whole = json.loads(run("explain", folder / "m.rosenblatt", "--all", "--json").out)
    steps = dict(whole["model"]["parameters"]["steps"])
    assert steps["learner"]["class"] == "PassiveAggressive"
    assert len(steps["learner"]["learned"]["coef_"][0]) == 2
    assert whole["recipe"]["target"] == "label"
    assert whole["made"]["rows"] == 4


@pytest.mark.parametrize(
    ("words", "offered"),
    [("fit b", "breast-cancer"), ("fit iris --format p", "parquet")],
)
def test_a_shell_completes_sets_and_values(words, offered):
    line = f"rosenblatt {words}"
    answer = process(
        command=COMMAND,
        environment={
            "_ROSENBLATT_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(line.count(" ")),
        },
    )
    assert answer.returncode == 0
    assert answer.stdout.split()[0] == offered
