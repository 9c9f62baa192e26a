"""The commands, as Typer knows them."""

from __future__ import annotations

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
from rosenblatt.errors import ParameterError

# what Click, or the copy of it that Typer carries, raises when a command is not understood
UsageError: Any = typer.BadParameter.__base__

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


def run(arguments: list[str], *, with_mail: bool) -> Any:
    """Run a command; return what it does, or the exit code that Typer has for it.

    What is not understood is a ParameterError. The commands of `mail` are loaded when they are
    asked for: for the list of all commands the name is enough.
    """
    _add_mail(in_full=with_mail)
    heard = QUIET.set(False)
    try:
        return app(arguments, prog_name="rosenblatt", standalone_mode=False)
    except UsageError as error:
        from rosenblatt.cli.usage import said_of_usage

        raise ParameterError(said_of_usage(error, arguments)) from error
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    finally:
        QUIET.reset(heard)


def _add_mail(in_full: bool) -> None:
    """Add the commands of `mail`; for the list of all commands its name is enough."""
    mail = mail_commands() if in_full else typer.Typer(callback=lambda: None)
    app.registered_groups = [group for group in app.registered_groups if group.name != "mail"]
    app.add_typer(mail, name="mail", help=MAIL)


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
