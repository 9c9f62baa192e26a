"""`rosenblatt mail train` and `evaluate`: learn a filter from spam and ham, or try it on others."""

from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.mail import TRAIN, Filter, Ham, Spam
from rosenblatt.cli.options import AsJson, examples_of, seed_option
from rosenblatt.counting import counted

if TYPE_CHECKING:
    from rosenblatt.mail.filter.commands import Trained

EXAMPLES = examples_of(TRAIN)
EVALUATE_EXAMPLES = examples_of(
    TRAIN, "rosenblatt mail evaluate mail.rosenblatt --spam more-spam.mbox --ham more-ham.mbox"
)


def mail_train_command(
    spam: Spam,
    ham: Ham,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="M", help="Save the filter here.")
    ],
    max_false_positives: Annotated[
        float, typer.Option(help="The share of ham that may be called spam.")
    ] = 0.001,
    seed: Annotated[int, seed_option("the messages that are held out")] = 0,
    as_json: AsJson = False,
) -> None:
    """Learn a filter from messages, and say how sure it can be.

    A message is called spam from a score on that was chosen on messages held out while learning;
    between spam and ham it is unsure. A handful of messages will do for a start: correct the
    filter with `mail learn` as mail comes in.
    """
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.mail.filter.commands import train

    with long_work() as tell:
        trained = train(
            spam, ham, output, max_false_positives=max_false_positives, seed=seed, tell=tell
        )
    if as_json:
        say_json(_facts(trained, output))
    else:
        typer.echo("\n".join(_words(trained, output)))


def _facts(trained: "Trained", output: str) -> dict[str, object]:
    memory = trained.memory
    return {
        "spam": memory.n_spam,
        "ham": memory.n_ham,
        "words": len(memory.words.keys),
        "spam_from": memory.spam_from,
        "ham_below": memory.ham_below,
        "max_false_positives": memory.max_false_positives,
        "held_out": trained.held_out.facts,
        "sureness": trained.sureness,
        "model": output,
    }


def _words(trained: "Trained", output: str) -> list[str]:
    memory = trained.memory
    learned = f"{memory.n_spam} spam, {memory.n_ham} ham, {counted(len(memory.words.keys), 'word')}"
    return [
        f"learned      {learned}",
        f"thresholds   spam from {memory.spam_from:.3f} on, ham below {memory.ham_below:.3f}, "
        "unsure between",
        "held out while learning:",
        *trained.held_out.lines,
        f"how sure     {trained.sureness}",
        f"saved        {output}",
    ]


def mail_evaluate_command(model: Filter, spam: Spam, ham: Ham, as_json: AsJson = False) -> None:
    """Print ham lost, spam caught and unsure, each with an interval (Clopper and Pearson, 95 %).

    Take messages that the filter has not learned: of those it knows more than of others.
    """
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.mail.filter.commands import evaluate_boxes

    with long_work() as tell:
        evaluated = evaluate_boxes(model, spam, ham, tell)
    if as_json:
        say_json(evaluated.facts)
    else:
        typer.echo("\n".join(evaluated.lines))
