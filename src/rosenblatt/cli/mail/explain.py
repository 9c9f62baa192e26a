"""`rosenblatt mail explain`: the words that decided."""

from math import fsum
from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.mail.options import TRAIN, Filter
from rosenblatt.cli.options import AsJson, examples_of
from rosenblatt.counting import counted

if TYPE_CHECKING:
    from rosenblatt.mail.filter.memory import Memory
    from rosenblatt.mail.filter.rule import Verdict

EXAMPLES = examples_of(TRAIN, "rosenblatt mail explain mail.rosenblatt < message.eml")
MOST_SHOWN, DIGITS = 20, 4


def explain(
    model: Filter,
    path: Annotated[
        str, typer.Argument(metavar="[PATH]", help="Messages; - is standard input.")
    ] = "-",
    as_json: AsJson = False,
) -> None:
    """Print the words that decided, with what each adds to the score; they add up to it."""
    from rosenblatt.cli.speaking import say_json
    from rosenblatt.mail.filter.file import read_memory
    from rosenblatt.mail.filter.memory import each_once
    from rosenblatt.mail.filter.reading import messages_of
    from rosenblatt.mail.filter.rule import judge

    memory = read_memory(model)
    for message, features in messages_of(path):
        verdict = judge(memory, features)
        if as_json:
            marks = {"spam_from": memory.spam_from, "ham_below": memory.ham_below}
            say_json({"message": message.name, **verdict._asdict(), **marks})
        else:
            n_words = sum(len(each_once(witness)) for witness in features)
            lines = _words(message.name, verdict, memory, n_words - len(verdict.words))
            typer.echo("\n".join(lines))


def _words(name: str, verdict: "Verdict", memory: "Memory", n_silent: int) -> list[str]:
    from rosenblatt.workflows.explain import rounded_to_sum

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
