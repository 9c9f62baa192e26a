"""The commands, as Typer knows them."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from rosenblatt import __version__
from rosenblatt.cli import (
    compare,
    explain,
    fit,
    help,  # noqa: A004 - the command is called so
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
from rosenblatt.errors import ParameterError

# what Click, or the copy of it that Typer carries, raises when a command is not understood
UsageError: Any = typer.BadParameter.__base__

ALL = "all"  # commands are asked for
LAB = "The experiments: many runs at once, bounds, Cover's count, and exercise 1.4."
MAIL = "A spam filter: train, filter, correct, explain."
COMMANDS: tuple[tuple[str, Callable[..., Any], str], ...] = (
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
)


def run(arguments: list[str], *, asked: str) -> Any:
    """Run a command; return what it does, or the exit code that Typer has for it.

    What is not understood is a ParameterError. The command that is `asked` for, or all of them, can
    be run; the others are there to be listed.
    """
    heard = QUIET.set(False)
    try:
        return commands(asked)(arguments, prog_name="rosenblatt", standalone_mode=False)
    except UsageError as error:
        from rosenblatt.cli.usage import said_of_usage

        raise ParameterError(said_of_usage(error, arguments)) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    finally:
        QUIET.reset(heard)


def commands(asked: str = ALL) -> typer.Typer:
    """Return the commands; those that are not asked for have their names and help texts alone.

    To make the options of all of them would be a fifth of the time that `--help` takes.
    """
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # a help text that is drawn by rich takes three times as long
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name, command, examples in COMMANDS:
        if asked in (name, ALL):
            app.command(name, epilog=examples)(quietly(command))
        else:
            app.command(name, help=command.__doc__)(_nothing)
    for name, group, about in (
        ("lab", lab_commands, LAB),
        ("mail", mail_commands, MAIL),
    ):
        there = group() if asked in (name, ALL) else typer.Typer(callback=_nothing)
        app.add_typer(there, name=name, help=about)
    return app


def _nothing() -> None:
    """Stand for what is not asked for."""


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"rosenblatt {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool,
        typer.Option(
            "-V", "--version", callback=_show_version, is_eager=True, help="Show the version."
        ),
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Learn linear classifiers, and know what they learned."""


def lab_commands() -> typer.Typer:
    """Return the commands of `lab`; who needs none of them does not load them."""
    from rosenblatt.cli import lab

    return lab.app


def mail_commands() -> typer.Typer:
    """Return the commands of `mail`; who needs none of them does not load them."""
    from rosenblatt.cli.mail import daemon, learn, show_help, train
    from rosenblatt.cli.mail import filter as filtering

    mail = typer.Typer(no_args_is_help=False, rich_markup_mode=None)
    mail.callback(invoke_without_command=True)(show_help)
    for name, command, examples in (
        ("train", train.mail_train_command, train.EXAMPLES),
        ("filter", filtering.mail_filter_command, filtering.EXAMPLES),
        ("daemon", daemon.mail_daemon_command, daemon.EXAMPLES),
        ("learn", learn.mail_learn_command, learn.EXAMPLES),
        ("explain", filtering.mail_explain_command, filtering.EXPLAIN_EXAMPLES),
        ("evaluate", train.mail_evaluate_command, train.EVALUATE_EXAMPLES),
    ):
        mail.command(name, epilog=examples)(quietly(command))
    return mail
