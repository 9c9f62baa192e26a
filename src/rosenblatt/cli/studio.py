"""`rosenblatt studio`: the page on which a learner can be watched."""

from typing import Annotated

import typer

from rosenblatt.cli.options import examples_of

EXAMPLES = examples_of(
    "rosenblatt studio",
    "rosenblatt studio iris",
    "rosenblatt studio --no-browser --port 8421",
)


def studio(
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Where to listen; else a free one.")
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
) -> None:
    """Watch learners learn: draw points, step through every update, see the proof."""
    from rosenblatt.studio.server import serve

    serve(None, port, browser, lambda address: typer.echo(f"rosenblatt studio: {address}"))
