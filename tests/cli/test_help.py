"""Help texts: their examples work as typed, and they load nothing heavy."""

import re
import shlex
import sys

import pytest

from tests.cli.running import process, run

COMMANDS = [
    *(["fit"], ["predict"], ["score"], ["explain"], ["prove"], ["verify"], ["compare"], ["trace"]),
    ["stream"],
    *(["lab", "runs"], ["lab", "bound"], ["lab", "cover"], ["lab", "exercise-1.4"]),
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


def test_a_module_that_no_command_uses_is_loaded_when_it_is_asked_for_something():
    code = (
        "import sys\nfrom rosenblatt.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "import scipy\ninside = 'scipy.stats._stats_py'\n"
        "print('sklearn' in sys.modules, inside in sys.modules, file=sys.stderr)\n"
        "print(scipy.stats.norm.cdf(0), inside in sys.modules, file=sys.stderr)"
    )
    answer = process("trace", "lecture", command=[sys.executable, "-c", code])
    assert answer.stderr.splitlines() == ["True False", "0.5 True"]
    assert "w0 first: -7, 3" in answer.stdout


def test_version_is_shown():
    assert run("--version").out.startswith("rosenblatt 0.")


def test_shells_can_complete():
    environment = {"_ROSENBLATT_COMPLETE": "complete_bash", "COMP_WORDS": "rosenblatt fit -a p"}
    answer = process(environment=environment | {"COMP_CWORD": "3"})
    assert answer.stdout.split() == ["perceptron", "pocket", "passive-aggressive"]


def test_help_lists_the_sets_and_the_formats_that_there_are():
    from rosenblatt.cli import options
    from rosenblatt.data.builtin import BUILTIN
    from rosenblatt.data.formats import FORMATS

    assert list(options.SETS) == list(BUILTIN)
    assert tuple(FORMATS) == options.FORMATS
    for command in COMMANDS[:1] + COMMANDS[4:8]:
        text = " ".join(run(*command, "--help").out.split())
        assert "iris, breast-cancer, wine, digits, exercise-1.4" in text
        assert "svmlight, text or mail" in text
        assert "a folder of mail" in text


def test_seed_says_what_it_draws():
    draws = {
        tuple(command): re.search(r"Draws (.*?)\.", " ".join(run(*command, "--help").out.split()))
        for command in (*COMMANDS, ["mail", "train"])
    }
    said = {" ".join(command): found[1] for command, found in draws.items() if found}
    assert set(said) == {"fit", "compare", "trace", "mail train"} | {
        f"lab {name}" for name in ("runs", "bound", "cover", "exercise-1.4")
    }
    assert "points" in said["lab runs"]
    assert "points" in said["lab exercise-1.4"]
    assert "folds" in said["fit"]
    assert "folds" not in said["trace"] + said["lab runs"]


def test_lab_and_fit_choose_an_algorithm_by_the_same_name():
    new = run("lab", "runs", "--runs", "20", "-a", "regression")
    assert new.code == 0
    assert run("lab", "runs", "--runs", "20", "--algorithm", "regression") == new
    # as it was called before; no help text speaks of it
    assert run("lab", "runs", "--runs", "20", "--learner", "regression") == new
    assert "--learner" not in run("lab", "runs", "--help").out


def test_runs_without_noise_say_the_error_once():
    text = run("lab", "runs", "--runs", "20").out
    assert "error_out" in text
    assert not re.search(r"^disagreement", text, re.M)
    assert "error_out is P[f != g]" in text


@pytest.mark.parametrize("set_and_learner", [["lecture", "-a", "multinomial"], ["xor"]])
def test_a_model_without_weights_has_no_empty_heading(set_and_learner, tmp_path):
    model = tmp_path / "m.rosenblatt"
    page = tmp_path / "page.html"
    answer = run("fit", *set_and_learner, "-o", model, "--report", page, "--prove-seconds", "0")
    assert "<tbody></tbody>" not in page.read_text()
    for text in (answer.out, run("explain", model).out):
        heading = re.search(r"most telling features.*:\n(.*)", text)
        assert heading is None or heading[1].startswith("  ")
    if "multinomial" in set_and_learner:
        assert "no feature tells the classes apart" in answer.out


def test_a_trace_that_does_not_converge_says_what_to_do():
    answer = run("trace", "xor")
    assert answer.code == 0
    assert "`prove` shows examples that contradict each other" in answer.out
    assert "-a pocket" in answer.err
    assert run("trace", "xor", "-a", "pocket").err == ""
    assert run("trace", "and").err == ""
