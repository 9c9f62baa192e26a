"""`rosenblatt mail evaluate`: ham lost, spam caught, unsure."""

import typer

from rosenblatt.cli.mail import TRAIN, Filter, Ham, Spam
from rosenblatt.cli.options import AsJson, examples_of

EXAMPLES = examples_of(
    TRAIN, "rosenblatt mail evaluate mail.rosenblatt --spam more-spam.mbox --ham more-ham.mbox"
)


def mail_evaluate_command(model: Filter, spam: Spam, ham: Ham, as_json: AsJson = False) -> None:
    """Print ham lost, spam caught and unsure, each with an interval (Clopper and Pearson, 95 %).

    Take messages that the filter has not learned: of those it knows more than of others.
    """
    from rosenblatt.cli.speaking import long_work, say_json
    from rosenblatt.mail.filter.commands import evaluate_boxes

    with long_work() as tell:
        found = evaluate_boxes(model, spam, ham, tell)
    if as_json:
        say_json(found.facts)
    else:
        typer.echo("\n".join(found.lines))
