"""`rosenblatt mail`: a spam filter that is learned, corrected and explained.

Here is what several of its commands take.
"""

from typing import Annotated

import typer

Filter = Annotated[str, typer.Argument(metavar="M", help="A filter that `mail train` wrote.")]
Messages = Annotated[str, typer.Argument(metavar="[PATH]", help="Messages; - is standard input.")]
BOX = "an mbox, a Maildir, a folder or file of messages, also as .gz"
Spam = Annotated[str, typer.Option("--spam", metavar="PATH", help=f"Spam: {BOX}.")]
Ham = Annotated[str, typer.Option("--ham", metavar="PATH", help=f"Mail that is wanted: {BOX}.")]
TRAIN = "rosenblatt mail train --spam spam.mbox --ham ham.mbox -o mail.rosenblatt"


def show_help(context: typer.Context) -> None:
    """A spam filter: train, filter, correct, explain."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
