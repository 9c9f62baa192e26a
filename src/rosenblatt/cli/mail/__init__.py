"""`rosenblatt mail`: a spam filter that is learned, corrected and explained."""

import typer

from rosenblatt.cli.mail import evaluate, explain, learn, train
from rosenblatt.cli.mail import filter as filtering

app = typer.Typer(no_args_is_help=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """A spam filter: train, filter, correct, explain."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("train", epilog=train.EXAMPLES)(train.train)
app.command("filter", epilog=filtering.EXAMPLES)(filtering.filter_mail)
app.command("learn", epilog=learn.EXAMPLES)(learn.learn)
app.command("explain", epilog=explain.EXAMPLES)(explain.explain)
app.command("evaluate", epilog=evaluate.EXAMPLES)(evaluate.evaluate)
