"""The command `rosenblatt`."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from itertools import dropwhile
from typing import Any

import typer

from rosenblatt import __version__
from rosenblatt.cli import (
    compare,
    explain,
    fit,
    help,  # noqa: A004 - the command is called so
    lab,
    margin,
    plot,
    predict,
    prove,
    score,
    stream,
    studio,
    trace,
    verify,
)
from rosenblatt.cli.options import QUIET, Quiet, quietly
from rosenblatt.errors import SHELL, RosenblattError, said_in

# what Click, or the copy of it that Typer carries, raises when a command is not understood
UsageError: Any = typer.BadParameter.__base__

FINE = 0
NEGATIVE = 1  # the answer is no, and nothing else: what a command that returns False ends with
BAD_INPUT = 2
OUR_FAULT, TRY_AGAIN = 70, 75  # EX_SOFTWARE and EX_TEMPFAIL of sysexits.h
INTERRUPTED, NOBODY_READS = 130, 141
TRACEBACK = "ROSENBLATT_TRACEBACK"  # set to anything, shows where an unforeseen error came from

app = typer.Typer(
    help="Learn linear classifiers, and know what they learned.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # a help text that is drawn by rich takes three times as long
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, command, examples in (
    ("fit", fit.fit_command, fit.EXAMPLES),
    ("predict", predict.predict_command, predict.EXAMPLES),
    ("score", score.score_command, score.EXAMPLES),
    ("stream", stream.stream_command, stream.EXAMPLES),
    ("explain", explain.explain_command, explain.EXAMPLES),
    ("prove", prove.prove_command, prove.EXAMPLES),
    ("verify", verify.verify_command, verify.EXAMPLES),
    ("compare", compare.compare_command, compare.EXAMPLES),
    ("trace", trace.trace_command, trace.EXAMPLES),
    ("margin", margin.margin_command, margin.EXAMPLES),
    ("plot", plot.plot_command, plot.EXAMPLES),
    ("studio", studio.studio_command, studio.EXAMPLES),
    ("help", help.help_command, help.EXAMPLES),
):
    app.command(name, epilog=examples)(quietly(command))
app.add_typer(lab.app, name="lab")
MAIL = "A spam filter: train, filter, correct, explain."
COMPLETING = "_ROSENBLATT_COMPLETE"  # is set when a shell asks for completions


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"rosenblatt {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "-V", "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
    quiet: Quiet = False,
) -> None:
    """Learn linear classifiers, and know what they learned."""


def main(arguments: list[str] | None = None) -> None:
    """Run a command; turn an error into one line on standard error and exit code 2.

    1 is a negative answer: not separable, or a proof that does not hold. 70 is a fault of ours.
    """
    given = sys.argv[1:] if arguments is None else arguments
    heard = QUIET.set(False)
    try:
        if _has_a_message(given):
            sys.exit(_without_loss(given))
        code = _exit_code(lambda: _run(given or ["--help"]), given)
    finally:
        QUIET.reset(heard)
    if code == INTERRUPTED and arguments is None:
        sys.stderr.flush()
        # at once: a proof may still be checked in a thread, and to free large arrays takes seconds
        os._exit(code)
    sys.exit(code)


def _has_a_message(arguments: list[str]) -> bool:
    """Whether a message waits on standard input that must not be lost."""
    others = ("--folder", "--help", "-h")
    words = _words_of(arguments)
    return words[:2] == ["mail", "filter"] and not any(a.startswith(others) for a in words)


def _words_of(arguments: list[str]) -> list[str]:
    """Return the arguments from the command on, which -q may stand in front of."""
    return list(dropwhile(lambda word: word in ("-q", "--quiet"), arguments))


def _without_loss(arguments: list[str]) -> int:
    """Run `mail filter`; what fails before it has read the message must not lose it, either."""
    code = _exit_code(lambda: _run(arguments), arguments)
    if code in (FINE, TRY_AGAIN):
        return code
    if sys.stdin is not None and sys.stdin.isatty():
        return TRY_AGAIN  # somebody types, and has no message yet
    from rosenblatt.mail.filter.commands import deliver_unchanged

    _exit_code(deliver_unchanged)
    return TRY_AGAIN


def _add_mail(in_full: bool) -> None:
    """Add the commands of `mail`; for the list of all commands its name is enough."""
    mail = mail_commands() if in_full else typer.Typer(callback=lambda: None)
    app.registered_groups = [group for group in app.registered_groups if group.name != "mail"]
    app.add_typer(mail, name="mail", help=MAIL)


def mail_commands() -> typer.Typer:
    """Return the commands of `mail`; who needs none of them does not load them."""
    from rosenblatt.cli.mail import filter as filtering
    from rosenblatt.cli.mail import learn, show_help, train

    mail = typer.Typer(no_args_is_help=False, rich_markup_mode=None)
    mail.callback(invoke_without_command=True)(show_help)
    for name, command, examples in (
        ("train", train.mail_train_command, train.EXAMPLES),
        ("filter", filtering.mail_filter_command, filtering.EXAMPLES),
        ("learn", learn.mail_learn_command, learn.EXAMPLES),
        ("explain", filtering.mail_explain_command, filtering.EXPLAIN_EXAMPLES),
        ("evaluate", train.mail_evaluate_command, train.EVALUATE_EXAMPLES),
    ):
        mail.command(name, epilog=examples)(quietly(command))
    return mail


def _run(arguments: list[str]) -> int:
    first = _words_of(arguments)[:1]
    _add_mail(in_full=first in (["mail"], ["help"]) or COMPLETING in os.environ)
    code = app(arguments, prog_name="rosenblatt", standalone_mode=False)
    if code == INTERRUPTED:
        raise KeyboardInterrupt  # Typer says nothing about it
    sys.stdout.flush()
    if isinstance(code, bool):
        return FINE if code else NEGATIVE
    return code if isinstance(code, int) else FINE


def _exit_code(work: Callable[[], int], given: Sequence[str] = ()) -> int:
    try:
        return work()
    except UsageError as error:
        from rosenblatt.cli.usage import said_of_usage

        return _complain(said_of_usage(error, given))
    except RosenblattError as error:
        return _complain(said_in(SHELL, error))
    except SystemExit as end:
        # Typer's answer to a broken pipe is 1, which is an answer of ours
        return NOBODY_READS if isinstance(end.__context__, OSError) else int(end.code or FINE)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _forget_output()
        if isinstance(error, BrokenPipeError):
            return NOBODY_READS  # whoever reads has enough
        return _complain(f"{place}{error.strerror or error}")
    except MemoryError:
        return _complain(
            "not enough memory; take a part of the data, or `rosenblatt fit --memory 500M`, which "
            "learns in passes"
        )
    except (KeyboardInterrupt, typer.Abort):
        _complain("interrupted")
        return INTERRUPTED
    except Exception as error:  # any: 1, with which Python would end, is an answer of ours
        return _admit(error)


def _admit(error: Exception) -> int:
    """Say that something happened which nobody foresaw, and how to see where."""
    if TRACEBACK in os.environ:
        traceback.print_exception(error)
        hint = "please report it with the lines above"
    else:
        hint = f"please report it; {TRACEBACK}=1 in front of the command shows where it happened"
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    _complain(f"{what} (a fault of rosenblatt; {hint})")
    return OUR_FAULT


def _complain(message: str) -> int:
    sys.stderr.write(f"rosenblatt: {' '.join(message.split())}\n")
    return BAD_INPUT


def _forget_output() -> None:
    """Drop what could not be written, so that Python does not try again when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
