"""`rosenblatt studio`: the page on which learners can be watched."""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rosenblatt.cli.options import (
    Category,
    Columns,
    Delimiter,
    Drop,
    Format,
    Missing,
    Target,
    Text,
    chosen,
    examples_of,
    kinds,
    read_examples,
)

if TYPE_CHECKING:
    from rosenblatt.data.examples import Examples
    from rosenblatt.studio.scenes.opening import Opened

EXAMPLES = examples_of(
    "rosenblatt studio",
    "rosenblatt studio iris --features 'petal length (cm),petal width (cm)'",
    "rosenblatt studio breast-cancer",
    "rosenblatt studio --no-browser --port 8421",
)


def studio_command(
    data: Annotated[
        list[str] | None,
        typer.Argument(metavar="DATA", help="Files or a built-in set to begin with."),
    ] = None,
    target: Target = None,
    features: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Two columns to show; else the plane along w."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Where to listen; else a free one.")
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    missing: Missing = None,
    form: Format = None,
    delimiter: Delimiter = None,
    text: Text = None,
    category: Category = None,
    columns: Columns = None,
    drop: Drop = None,
) -> None:
    """Watch learners learn, in the browser: draw points, step through every update."""
    from rosenblatt.studio.server import serve

    opened = None
    if data:
        examples = read_examples(
            *(data, target, form, missing, delimiter),
            columns=kinds(text, category),
            **chosen(columns, drop),
        )
        opened = _opened(examples, features)
    elif features is not None or target is not None:
        raise typer.BadParameter("--features and --target are about DATA, which is missing.")
    serve(None if opened is None else opened.data, port, browser, _tell_address)
    _leave()


def _opened(examples: "Examples", features: str | None) -> "Opened":
    from rosenblatt.cli.speaking import tell_notes
    from rosenblatt.studio.scenes.opening import open_points

    axes = None if features is None else [name.strip() for name in features.split(",")]
    opened = open_points(examples, axes)
    tell_notes([*examples.notes, *opened.notes])
    return opened


def _tell_address(address: str) -> None:
    typer.echo(f"rosenblatt studio: {address} (Ctrl-C ends it)")


def _leave() -> None:
    """End at once: a thread may still be inside of a solver, which would not let Python end."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
