"""Command lines of delivery agents: understood without Typer, as Typer understands them."""

from contextvars import copy_context

import pytest
import typer

from rosenblatt.cli.app import UsageError, mail_commands
from rosenblatt.cli.delivery import plain_call
from tests.cli.running import process

UNDERSTOOD = [
    "mail.rosenblatt",
    "mail.rosenblatt --json",
    "--json mail.rosenblatt",
    "mail.rosenblatt -q",
    "--quiet -q mail.rosenblatt --json --json",
    "--socket mail.socket",
    "--socket=mail.socket --json",
    "--socket=a=b",
    "--socket one --socket two",
    "mail.rosenblatt --socket mail.socket",
    "",
    "--json",
]
# wrong ones, calls for help, and what is rare
HANDED_ON = [
    *("mail.rosenblatt two", "--jso mail.rosenblatt", "-j mail.rosenblatt", "-qq mail.rosenblatt"),
    *("--socket", "--socket=", "--socket --json", "mail.rosenblatt --json=yes", "-", "--"),
    *("-- mail.rosenblatt", "mail.rosenblatt --help", "-h", "mail.rosenblatt --move"),
    *("mail.rosenblatt --folder box --into out", "mail.rosenblatt --into out", "--into=out"),
]


@pytest.fixture(scope="module")
def command():
    return typer.main.get_command(mail_commands()).commands["filter"]


def by_typer(command, arguments):
    """Return what Typer hands to the command; that it was to be quiet is forgotten."""
    return copy_context().run(lambda: command.make_context("filter", list(arguments)).params)


@pytest.mark.parametrize("line", UNDERSTOOD)
def test_both_understand_the_same(command, line):
    asked = by_typer(command, line.split())
    for name, usual in (("folder", None), ("into", None), ("move", False)):
        assert asked.pop(name) == usual
    del asked["quiet"]  # one message gets no notes
    assert plain_call(line.split()) == asked


@pytest.mark.parametrize("line", HANDED_ON)
def test_what_is_not_understood_is_handed_on(line):
    assert plain_call(line.split()) is None


def test_an_empty_word_is_handed_on():
    assert plain_call([""]) is None


def test_every_option_of_the_command_is_in_the_table(command):
    options = {flag for parameter in command.params for flag in parameter.opts if flag[0] == "-"}
    there = {word.partition("=")[0] for line in UNDERSTOOD + HANDED_ON for word in line.split()}
    assert options - {"--help"} <= there
    with pytest.raises(UsageError):
        by_typer(command, ["--jso", "mail.rosenblatt"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "M is missing; expected: a filter that `mail train` wrote, or --socket PATH"),
        (["mail.rosenblatt", "--socket", "mail.socket"], "give one of them"),
        (["mail.rosenblatt", "--jso"], "there is no option --jso; did you mean --json?"),
    ],
)
def test_what_is_wrong_is_said_and_the_message_passed_on(arguments, said):
    answer = process("mail", "filter", *arguments, input="Subject: a\n\nb")
    assert (answer.returncode, answer.stdout) == (75, "Subject: a\n\nb")
    assert answer.stderr.startswith("rosenblatt: ")
    assert said in answer.stderr
    assert answer.stderr.count("\n") == 1
