"""Help texts: their examples work as typed, and they load nothing heavy."""

import re
import shlex
import sys

import pytest

from tests.cli.running import process, run

COMMANDS = [
    *(["fit"], ["predict"], ["score"], ["explain"], ["prove"], ["verify"], ["compare"], ["trace"]),
    *(["lab", "runs"], ["lab", "exercise-1.4"]),
]
HEAVY = ("numpy", "numba", "sklearn", "pyarrow", "matplotlib", "rich")


def examples(command):
    text = run(*command, "--help").out
    return [line.strip() for line in text.split("Examples:\n")[1].splitlines() if line.strip()]


def test_every_command_is_listed():
    text = run().out
    for name in {command[0] for command in COMMANDS}:
        assert re.search(rf"^  {name} ", text, re.M)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_examples_work_as_typed(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    typed = examples(command)
    assert any(line.startswith(f"rosenblatt {' '.join(command)}") for line in typed)
    for line in typed:
        program, *arguments = shlex.split(line)
        assert program == "rosenblatt"
        answer = run(*arguments)
        # 1 is an answer as well: xor is not separable
        assert answer.code == (1 if "xor" in line else 0), (line, answer.err)
        assert answer.out


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["ft"], ["--version"]])
def test_what_computes_nothing_loads_nothing_heavy(arguments):
    code = (
        "import sys\nfrom rosenblatt.cli.main import main\n"
        f"try: main({arguments})\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    answer = process(command=[sys.executable, "-c", code])
    assert answer.stderr.splitlines()[-1] == "[]"


def test_version_is_shown():
    assert run("--version").out.startswith("rosenblatt 0.")


def test_shells_can_complete():
    environment = {"_ROSENBLATT_COMPLETE": "complete_bash", "COMP_WORDS": "rosenblatt fit -a p"}
    answer = process(environment=environment | {"COMP_CWORD": "3"})
    assert answer.stdout.split() == ["perceptron", "pocket"]
