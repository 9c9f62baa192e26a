"""`rosenblatt mail train` and `evaluate`: learn a filter from spam and ham, or try it on others."""

from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.mail import TRAIN, Filter, Ham, Spam
from rosenblatt.cli.options import AsJson, examples_of, seed_option
from rosenblatt.counting import counted

if TYPE_CHECKING:
    from rosenblatt.mail.filter.commands import Trained

EXAMPLES = examples_of(TRAIN)
EVALUATE = "rosenblatt mail evaluate mail.rosenblatt --spam more-spam.mbox --ham more-ham.mbox"
EVALUATE_EXAMPLES = examples_of(TRAIN, EVALUATE, f"{EVALUATE} --plot scores.png")
MOST_SHOWN = 20


def mail_train_command(
    spam: Spam,
    ham: Ham,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="M", help="Save the filter here.")
    ],
    max_false_positives: Annotated[
        float, typer.Option(help="The share of ham that may be called spam.")
    ] = 0.001,
    least_odds: Annotated[
        float, typer.Option(help="Odds from which on a message may be called spam; 99: careful.")
    ] = 1.0,
    seed: Annotated[int, seed_option("the messages that are held out")] = 0,
    as_json: AsJson = False,
) -> None:
    """Learn a filter from messages, and say how sure it can be.

    A message is called spam from a score on that was chosen on messages held out while learning;
    between spam and ham it is unsure. Labels that seem to be wrong are listed, and do not count
    there. A handful of messages will do for a start: correct the filter with `mail learn` as mail
    comes in.
    """
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.mail.filter.commands import train

    with long_work() as tell:
        trained = train(
            spam,
            ham,
            output,
            max_false_positives=max_false_positives,
            least_odds=least_odds,
            seed=seed,
            tell=tell,
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
        "least_odds": memory.least_odds,
        "held_out": trained.held_out.facts,
        "sureness": trained.sureness,
        "wrong_labels": {
            "share": trained.doubts.share,
            "messages": [doubt._asdict() for doubt in trained.doubts.messages],
        },
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
        *_doubts(trained),
        f"saved        {output}",
    ]


def _doubts(trained: "Trained") -> list[str]:
    share, found = trained.doubts
    if not found:
        return []
    lines = [
        f"labels       about {100 * share:.2g} % of the labels look wrong, the surest first:",
        *(f"  {each.score:>+9.3f}  {each.name} is no {each.label}?" for each in found[:MOST_SHOWN]),
    ]
    more = len(found) - MOST_SHOWN
    return [*lines, f"  and {counted(more, 'other')}; --json lists all"] if more > 0 else lines


def mail_evaluate_command(
    model: Filter,
    spam: Spam,
    ham: Ham,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw both kinds of scores: .png, .svg or .pdf."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print ham lost, spam caught and unsure, each with an interval (Clopper and Pearson, 95 %).

    Take messages that the filter has not learned: of those it knows more than of others. The
    picture of --plot shows how the scores of ham and spam lie to the marks of the filter.
    """
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.mail.filter.commands import evaluate_boxes

    if plot is not None:
        from rosenblatt.workflows.trace import check_outputs, save_picture

        check_outputs(None, None, plot)
    with long_work() as tell:
        evaluated = evaluate_boxes(model, spam, ham, tell)
        if plot is not None:
            save_picture(evaluated.plot(), plot)
    if as_json:
        say_json(evaluated.facts)
    else:
        typer.echo("\n".join(evaluated.lines))
