"""The command `rosenblatt`."""

from __future__ import annotations

import sys

import typer

from rosenblatt import __version__
from rosenblatt.cli.fit import fit
from rosenblatt.errors import RosenblattError

app = typer.Typer(
    help="Learn linear classifiers, and know what they learned.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(fit)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"rosenblatt {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Learn linear classifiers, and know what they learned."""


def main() -> None:
    """Run a command; turn an error into one line on standard error and exit code 2."""
    try:
        app()
    except RosenblattError as error:
        sys.stderr.write(f"rosenblatt: {error}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("rosenblatt: interrupted\n")
        sys.exit(130)
