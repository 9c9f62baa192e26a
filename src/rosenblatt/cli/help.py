"""`rosenblatt help`: the help of a command, or all of them as a manual page."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from rosenblatt import __version__
from rosenblatt.cli.options import examples_of
from rosenblatt.errors import ParameterError

EXAMPLES = examples_of("rosenblatt help fit", "rosenblatt help mail train", "rosenblatt help --man")
EXIT_CODES = (
    (0, "Fine."),
    (1, "The answer is no: not separable, or a proof that does not hold."),
    (2, "Bad input or usage; one line on standard error says what, and what to do."),
    (70, "A fault of rosenblatt itself; ROSENBLATT_TRACEBACK=1 shows where."),
    (75, "`mail filter` could not judge a message, and passed it on unchanged."),
    (130, "Interrupted."),
    (141, "Nobody reads the output any more."),
)


def help_command(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]...", help="Such as fit or mail train.")
    ] = None,
    man: Annotated[
        bool, typer.Option("--man", help="All commands as a manual page, in roff.")
    ] = False,
) -> None:
    """Print the help of a command, as `COMMAND --help` does; of all, if none is named.

    `rosenblatt help --man | man -l -` shows the manual page.
    """
    if not man:
        root: Any = context.find_root().command
        root.main([*(command or []), "--help"], prog_name="rosenblatt", standalone_mode=False)
        return
    if command:
        raise ParameterError("--man is about all commands, got one as well; leave out one of them")
    typer.echo("\n".join(_page(context.find_root())))


def _page(root: Any) -> Iterator[str]:
    """Yield the lines of the manual page, from what the help texts are made of."""
    yield f'.TH ROSENBLATT 1 "" "rosenblatt {__version__}" "User Commands"'
    yield from (".SH NAME", rf"rosenblatt \- {_roff(_first_sentence(root.command))}")
    yield from (".SH SYNOPSIS", r".B rosenblatt", r"\fICOMMAND\fR [\fIOPTIONS\fR] ...")
    yield ".SH OPTIONS"
    yield from _parameters(root)
    yield ".SH COMMANDS"
    yield from _commands(root, "rosenblatt")
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES:
        yield from (".TP", rf"\fB{code}\fR", _roff(meaning))


def _commands(context: Any, path: str) -> Iterator[str]:
    for name, command in context.command.commands.items():
        here = type(context)(command, info_name=name, parent=context)
        whole = f"{path} {name}"
        if hasattr(command, "commands"):
            yield from _commands(here, whole)
            continue
        usage = " ".join(command.collect_usage_pieces(here))
        yield from (f".SS {_roff(whole)}", rf".B {_roff(whole)}", _roff(usage), ".PP")
        for paragraph in (command.help or "").split("\n\n"):
            yield from (_roff(" ".join(paragraph.split())), ".PP")
        yield from _parameters(here)
        examples = (command.epilog or "").split("\n")[2:]
        if examples:
            yield from (".PP", ".EX", *map(_roff, examples), ".EE")


def _parameters(context: Any) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None:
            yield from (".TP", rf"\fB{_roff(record[0])}\fR", _roff(" ".join(record[1].split())))


def _first_sentence(command: Any) -> str:
    return str(command.help or "").strip().split(".")[0]


def _roff(text: str) -> str:
    """Return text as roff has it."""
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text
