"""`rosenblatt mail explain`: the words that decided."""

from math import fsum
from typing import TYPE_CHECKING

import typer

from rosenblatt.cli.mail import TRAIN, Filter, Messages
from rosenblatt.cli.options import AsJson, examples_of
from rosenblatt.counting import counted

if TYPE_CHECKING:
    from rosenblatt.mail.filter.commands import ExplainedMessage

EXAMPLES = examples_of(TRAIN, "rosenblatt mail explain mail.rosenblatt < message.eml")
MOST_SHOWN, DIGITS = 20, 4


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

    name, verdict, memory, n_silent = explained
    shown, others = verdict.words[:MOST_SHOWN], verdict.words[MOST_SHOWN:]
    rows = list(shown)
    if others:
        rows.append((f"({counted(len(others), 'other')})", fsum(value for _, value in others)))
    total, parts = rounded_to_sum(verdict.score, [value for _, value in rows], DIGITS)
    return [
        f"{name}: {verdict.label}, score {total} (spam from {memory.spam_from:.4f} on, "
        f"ham below {memory.ham_below:.4f})",
        *(f"  {part:>12}  {_safe(word)}" for part, (word, _) in zip(parts, rows, strict=True)),
        f"  words of the message that say nothing to the filter: {n_silent}",
    ]


def _safe(word: str) -> str:
    """Return a word that cannot steer a terminal."""
    return word if word.isprintable() else repr(word)
