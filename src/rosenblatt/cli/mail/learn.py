"""`rosenblatt mail learn`: correct a filter, or take a correction back."""

from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.mail import TRAIN, Filter, Messages
from rosenblatt.cli.options import AsJson, examples_of
from rosenblatt.errors import ParameterError

if TYPE_CHECKING:
    from rosenblatt.mail.filter.commands import Corrected

EXAMPLES = examples_of(
    TRAIN,
    "rosenblatt mail learn mail.rosenblatt --ham message.eml",
    "rosenblatt mail learn mail.rosenblatt --ham --forget message.eml",
    "rosenblatt mail learn mail.rosenblatt --spam < message.eml",
)


def mail_learn_command(
    model: Filter,
    path: Messages = "-",
    spam: Annotated[bool, typer.Option("--spam", help="They are spam.")] = False,
    ham: Annotated[bool, typer.Option("--ham", help="They are wanted.")] = False,
    forget: Annotated[
        bool, typer.Option("--forget", help="Take back that they were learned so.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Learn messages as spam or ham; with --forget undo that, to the last bit.

    Several may run at once: each waits for its turn. When it ends with 0, the correction is on the
    disk. All messages of PATH are learned, or none.
    """
    if spam == ham:
        raise ParameterError("say what the messages are: --spam or --ham, one of them")
    from rosenblatt.cli.speaking import say_json, tell_notes
    from rosenblatt.mail.filter.commands import correct_filter

    label = "spam" if spam else "ham"
    done = correct_filter(model, path, label, forget=forget)
    if as_json:
        say_json({"label": label, "forgotten": forget, **_facts(done)})
    else:
        did = "forgot" if forget else "learned"
        memory = done.memory
        typer.echo(
            f"{did} {len(done.names)} as {label}; the filter knows {memory.n_spam} spam and "
            f"{memory.n_ham} ham"
        )
        tell_notes(_notes(done, label))


def _facts(done: "Corrected") -> dict[str, object]:
    return {
        "messages": done.names,
        "twice": done.n_twice,
        "with_other_label": done.n_other,
        "spam": done.memory.n_spam,
        "ham": done.memory.n_ham,
        "spam_from": done.memory.spam_from,
        "ham_below": done.memory.ham_below,
    }


def _notes(done: "Corrected", label: str) -> list[str]:
    notes, other = [], "ham" if label == "spam" else "spam"
    if done.n_twice:
        notes.append(
            f"{done.n_twice} of them had been learned as {label} before; each counts twice"
        )
    if done.n_other:
        notes.append(
            f"{done.n_other} of them had been learned as {other}; "
            f"`mail learn --{other} --forget` takes that back"
        )
    return notes
