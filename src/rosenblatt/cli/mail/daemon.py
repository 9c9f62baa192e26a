"""`rosenblatt mail daemon`: a filter that stays, for `mail filter --socket`."""

from typing import Annotated

import typer

from rosenblatt.cli.mail import TRAIN, Filter
from rosenblatt.cli.options import AsJson, examples_of

EXAMPLES = examples_of(
    TRAIN,
    "rosenblatt mail daemon mail.rosenblatt --socket mail.socket &",
    "rosenblatt mail filter --socket mail.socket < message.eml",
)


def mail_daemon_command(
    model: Filter,
    socket: Annotated[
        str, typer.Option("--socket", metavar="PATH", help="Listen here; only you can connect.")
    ],
    as_json: AsJson = False,
) -> None:
    """Judge messages that `mail filter --socket PATH` passes on, until SIGTERM or Ctrl-C.

    A message takes milliseconds then, and no start of Python where the client in
    docs/mail-filter.md is used, which is in C. M is read again when it changes. When the daemon is
    not there, or slow, a message is passed on as it came, and the exit code is 75.
    """
    from rosenblatt.mail.filter.daemon import judge_at_socket

    def ready(n_spam: int, n_ham: int) -> None:
        if as_json:
            from rosenblatt.cli.speaking import say_json

            say_json({"model": model, "socket": socket, "spam": n_spam, "ham": n_ham})
        else:
            typer.echo(f"listens at {socket}; the filter knows {n_spam} spam and {n_ham} ham")
        # whoever waits for the line reads from a pipe
        typer.get_text_stream("stdout").flush()

    judge_at_socket(model, socket, lambda memory: ready(memory.n_spam, memory.n_ham))
