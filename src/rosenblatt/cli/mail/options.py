"""What several mail commands take."""

from typing import Annotated

import typer

Filter = Annotated[str, typer.Argument(metavar="M", help="A filter that `mail train` wrote.")]
BOX = "an mbox, a Maildir, a folder or file of messages, also as .gz"
Spam = Annotated[str, typer.Option("--spam", metavar="PATH", help=f"Spam: {BOX}.")]
Ham = Annotated[str, typer.Option("--ham", metavar="PATH", help=f"Mail that is wanted: {BOX}.")]
TRAIN = "rosenblatt mail train --spam spam.mbox --ham ham.mbox -o mail.rosenblatt"


def percent(share: float) -> str:
    """Return a share as percent."""
    return f"{100 * share:g} %"
