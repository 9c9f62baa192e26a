"""`rosenblatt mail filter` and `explain`: messages get a verdict, or the words that decided it."""

from math import fsum
from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.delivery import deliver_message
from rosenblatt.cli.mail import TRAIN, Filter, Messages
from rosenblatt.cli.options import AsJson, examples_of
from rosenblatt.counting import counted
from rosenblatt.errors import ParameterError

if TYPE_CHECKING:
    from rosenblatt.mail.filter.commands import ExplainedMessage

EXAMPLES = examples_of(
    TRAIN,
    "rosenblatt mail filter mail.rosenblatt < message.eml",
    "rosenblatt mail filter mail.rosenblatt --folder inbox.mbox --into sorted",
)
EXPLAIN_EXAMPLES = examples_of(TRAIN, "rosenblatt mail explain mail.rosenblatt < message.eml")
MOST_SHOWN, DIGITS = 20, 4


def mail_filter_command(
    model: Annotated[
        str | None, typer.Argument(metavar="M", help="A filter that `mail train` wrote.")
    ] = None,
    socket: Annotated[
        str | None,
        typer.Option("--socket", metavar="PATH", help="Ask `mail daemon`, which listens there."),
    ] = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--folder", metavar="BOX", help="Sort a Maildir, an mbox or a folder of messages."
        ),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="DIR", help="With --folder: spam, ham and unsure go here."),
    ] = None,
    move: Annotated[
        bool, typer.Option("--move", help="With a Maildir: remove what was sorted from it.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Pass a message from standard input to standard output, with one header more.

    The header is X-Rosenblatt: spam, ham or unsure; score=...; words=... Nothing else changes; a
    header of that name that came with the message is renamed X-Old-Rosenblatt. Whatever fails, the
    message is passed on as it came, and the exit code is 75: try again. With --json the verdict
    goes to standard error, for the output is the message.
    """
    if folder is not None:
        if model is None or socket is not None:
            raise ParameterError("--folder is sorted by a filter M; --socket is for one message")
        if into is None:
            raise ParameterError("--folder needs --into DIR: where spam, ham and unsure go")
        _sort(model, folder, into, move, as_json)
        return
    if into is not None or move:
        raise ParameterError("--into and --move go with --folder")
    raise typer.Exit(deliver_message(model, socket, as_json))


def _sort(model: str, folder: str, into: str, move: bool, as_json: bool) -> None:
    from collections import Counter

    from rosenblatt.cli.speaking import say_json
    from rosenblatt.mail.filter.commands import sort_box
    from rosenblatt.mail.filter.sorting import LABELS

    counts: Counter[str] = Counter()
    for done in sort_box(model, folder, into, move=move):
        counts[done.label] += 1
        if as_json:
            say_json(done._asdict())
    if not as_json:
        found = ", ".join(f"{counts[label]} {label}" for label in LABELS)
        messages = counted(sum(counts.values()), "message")
        typer.echo(f"{messages} of {folder} sorted into {into}: {found}")


def mail_explain_command(model: Filter, path: Messages = "-", as_json: AsJson = False) -> None:
    """Print the words that decided, with what each adds to the score; they add up to it."""
    from rosenblatt.cli.speaking import say_json
    from rosenblatt.mail.filter.commands import explain_messages

    for explained in explain_messages(model, path):
        if as_json:
            say_json({"message": explained.name, **explained.facts})
        else:
            typer.echo("\n".join(_words(explained)))


def _words(explained: "ExplainedMessage") -> list[str]:
    from rosenblatt.workflows.explain import rounded_to_sum

    name, verdict, memory, n_silent, n_letters = explained
    shown, others = verdict.words[:MOST_SHOWN], verdict.words[MOST_SHOWN:]
    rows = list(shown)
    if others:
        rows.append((f"({counted(len(others), 'other')})", fsum(value for _, value in others)))
    if memory.letters:
        windows = counted(n_letters, "window")
        rows.append((f"(letters: {windows} of 4 bytes)", verdict.sums.letters))
    total, parts = rounded_to_sum(verdict.score, [value for _, value in rows], DIGITS)
    text, head, letters = verdict.sums
    witnesses = f"text {text:+.3f}, letterhead {head:+.3f}"
    witnesses += f", letters {letters:+.3f}" if memory.letters else ""
    return [
        f"{name}: {verdict.label}, score {total} (spam from {memory.spam_from:.4f} on, "
        f"ham below {memory.ham_below:.4f}): {witnesses}",
        *(f"  {part:>12}  {_safe(word)}" for part, (word, _) in zip(parts, rows, strict=True)),
        f"  words of the message that say nothing to the filter: {n_silent}",
    ]


def _safe(word: str) -> str:
    """Return a word that cannot steer a terminal."""
    return word if word.isprintable() else repr(word)
