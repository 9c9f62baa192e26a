"""What people expect of any command: quiet, version, help, a manual page, completion."""

import re
import subprocess
import sys

import pytest

from rosenblatt.cli.help import EXIT_CODES
from tests.cli.running import process, run

COMMANDS = re.findall(r"^  ([a-z]+) ", run().out.split("Commands:")[1], re.M)
PARTS = {
    "lab": ["runs", "bound", "cover", "exercise-1.4"],
    "mail": ["train", "filter", "learn", "explain", "evaluate"],
}


def test_python_can_run_the_package():
    answer = process("-V", command=[sys.executable, "-m", "rosenblatt"])
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, run("--version").out, "")
    assert run("-V").out == answer.stdout


def test_quiet_leaves_out_the_notes_and_keeps_the_answer(tmp_path):
    (tmp_path / "t.csv").write_text("a;b;kind\n" + "1,5;2;x\n2,5;1;y\n" * 10)
    loud, quiet = run("fit", tmp_path / "t.csv"), run("fit", tmp_path / "t.csv", "-q")
    assert loud.err.count("note: ") >= 2
    assert (quiet.code, quiet.err) == (0, "")
    assert quiet.out == loud.out
    assert run("-q", "fit", tmp_path / "t.csv") == quiet
    assert run("fit", tmp_path / "t.csv") == loud  # the next one speaks again


def test_quiet_leaves_out_warnings_but_no_errors():
    assert run("trace", "xor").err != ""
    assert run("trace", "xor", "--quiet").err == ""
    assert run("fit", "nowhere.csv", "-q").err.startswith("rosenblatt: there is no file")


def test_quiet_in_front_loses_no_message(monkeypatch):
    def deliver(model):
        raise ValueError("nobody foresaw this")

    passed = []
    monkeypatch.setattr("rosenblatt.mail.filter.commands.deliver", deliver)
    monkeypatch.setattr(
        "rosenblatt.mail.filter.pipe.deliver_unchanged", lambda: passed.append(1) or 0
    )
    assert run("-q", "mail", "filter", "mail.rosenblatt").code == 75
    assert passed == [1]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_can_be_quiet_and_has_help(command):
    for part in [[name] for name in PARTS.get(command, [])] or [[]]:
        shown = run("help", command, *part)
        assert shown == run(command, *part, "--help")
        assert shown.code == 0
        assert "-q, --quiet" in shown.out


def test_help_of_nothing_is_the_list_and_of_what_is_not_there_an_error():
    assert run("help").out == run("--help").out
    assert run("help", "ft").code == 2
    assert "Did you mean 'fit'" in run("help", "ft").err
    assert "leave out one" in run("help", "fit", "--man").err


def test_the_manual_page_has_every_command_and_option():
    page = run("help", "--man").out
    assert page.startswith(".TH ROSENBLATT 1 ")
    text = page.replace("\\-", "-")
    for command in COMMANDS:
        for part in PARTS.get(command, [""]):
            words = f"{command} {part}".strip()
            assert f".SS rosenblatt {words}\n" in text
            shown = run(*words.split(), "--help").out.split("Options:")[1]
            options = set(re.findall(r"^  (-[^ ,]*|--[^ ]*)", shown, re.M))
            section = text.split(f".SS rosenblatt {words}\n")[1].split(".SS ")[0]
            assert {flag for flag in options if rf"\fB{flag}" not in section} == set()
    # a line that begins with a point is an order to roff; all of ours are known ones
    orders = set(re.findall(r"^\.\w+", page, re.M))
    assert orders == {".TH", ".SH", ".SS", ".B", ".TP", ".PP", ".EX", ".EE"}


def test_the_codes_in_the_manual_are_those_of_the_command():
    from rosenblatt.cli import main

    names = ("FINE", "NEGATIVE", "BAD_INPUT", "OUR_FAULT", "TRY_AGAIN")
    codes = {getattr(main, name) for name in (*names, "INTERRUPTED", "NOBODY_READS")}
    assert {code for code, _ in EXIT_CODES} == codes


@pytest.fixture
def program(tmp_path):
    """Put a program `rosenblatt` where a shell finds it."""
    script = tmp_path / "rosenblatt"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m rosenblatt "$@"\n')
    script.chmod(0o755)
    return {"PATH": f"{tmp_path}:/usr/bin:/bin"}


def test_bash_completes_by_the_script_that_we_give(program):
    line = "rosenblatt predict m.rosenblatt --prob"
    code = (
        'eval "$(_ROSENBLATT_COMPLETE=source_bash rosenblatt)"; '
        f"COMP_WORDS=({line}); COMP_CWORD=3; _rosenblatt_completion rosenblatt; "
        'echo "${COMPREPLY[@]}"'
    )
    answer = process(command=["bash", "-c", code], environment=program)
    assert answer.stdout.split() == ["--probability"], answer.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_and_answers(shell):
    script = process(environment={"_ROSENBLATT_COMPLETE": f"source_{shell}"}).stdout
    assert f"_ROSENBLATT_COMPLETE=complete_{shell}" in script
    asked = {
        "_ROSENBLATT_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "rosenblatt mail ",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "COMP_WORDS": "rosenblatt mail ",
        "COMP_CWORD": "2",
    }
    answer = process(environment=asked, stderr=subprocess.STDOUT)
    for name in PARTS["mail"]:  # they are loaded when they are asked for
        assert name in answer.stdout
